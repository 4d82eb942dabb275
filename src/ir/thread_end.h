// What may end the thread that does it: others must not wait for that thread, nor must it have their elements too, and
// it runs whether its value is used or not.
#pragma once

#include "ir/ir.h"

namespace pyk::ir {

/// The expression itself, without its parts and what it calls: None where a value is needed, an index out of a range,
/// too little memory for a shared array.
bool may_end_thread(const Expr& expr);

/// A function, with all that it calls. Code from elsewhere may do anything.
bool may_end_thread(const Module& module, FunctionId function);

/// The same of errors that Python has too, whatever the launch gave. Code from elsewhere has none.
bool may_raise(const Expr& expr);
/// With its parts and what it calls.
bool may_raise(const Module& module, const Expr& expr);

/// A slice whose step is no number, and may be zero.
bool may_step_by_zero(const View& view);

}  // namespace pyk::ir
