// What may end the thread that does it: others must not wait for that thread, nor must it have their elements too.
#pragma once

#include "ir/ir.h"

namespace pyk::emitter {

/// The expression itself, without its parts and what it calls: None where a value is needed, an index out of a range.
bool may_end_thread(const ir::Expr& expr);

/// A function, with all that it calls. Code from elsewhere may do anything.
bool may_end_thread(const ir::Module& module, ir::FunctionId function);

}  // namespace pyk::emitter
