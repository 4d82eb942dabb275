// What the functions of a module mention, found in one walk for all who ask: trees of long kernels are larger than the
// caches.
#pragma once

#include <vector>

#include "ir/ir.h"

namespace pyk::ir {

/// Of a function's body.
struct Mentions {
    std::vector<const Expr*> calls;  ///< of builtins and functions, tuples that are made, constants by name; in order
    std::vector<Type> types;         ///< of its expressions but scalars', each once
};

/// By FunctionId.
std::vector<Mentions> mentions_of(const Module& module);

}  // namespace pyk::ir
