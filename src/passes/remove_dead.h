#pragma once

#include "ir/ir.h"

namespace pyk {

/// Removes locals that nothing reads, and their assignments; a value that does something is still evaluated:
///
///   x = 1   y = call f(a)   eval (a + 1)
///   eval call f(a)
///
/// And `x = x`, and the `return` that a function ends with that gives nothing.
/// What remains is numbered anew. Divisions of functions that report errors may do something too: `debug` says that all
/// functions are such; and loads where `checked` says that an index out of range leads to a handler.
void remove_dead(const ir::Module& module, ir::Function& function, bool debug = false, bool checked = false);

}  // namespace pyk
