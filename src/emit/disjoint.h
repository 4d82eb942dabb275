// Kernels whose arrays do not overlap, and where their pointers may say `__restrict__`.
#pragma once

#include "emit/scope.h"

namespace pyk::emitter {

/// Whether the pointer to an array's elements may be `__restrict__`, in a kernel that is told that its arrays do not
/// overlap: then compilers take it that nothing else changes what the pointer leads to, no barrier or fence either.
bool may_restrict(const FunctionScope& scope, ir::LocalId array);

/// The second variant of a kernel that a header's functions profit from: for arrays that do not overlap, and where it
/// has places in arrays of several axes, for those that 32 bits can index. Null: there is none.
std::unique_ptr<const ir::Function> disjoint_variant(const ModuleScope& scope, size_t function);

}  // namespace pyk::emitter
