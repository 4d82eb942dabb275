// Arrays with what keeps their memory (`pyk::kept`), in modules whose functions make arrays: those that are returned,
// passed on or named in another way than as a view of one that stays. The memory is freed with its last holder.
#pragma once

#include <vector>

#include "emit/scope.h"

namespace pyk::emitter {

/// By LocalId. `kernel`s hold none: their arguments are the caller's.
std::vector<bool> kept_locals(const ir::Function& function);
/// By LocalId, of temporary arrays: the assignment that gives them a name and reads them last, which what holds the
/// memory is handed on by; null: there is none. `kept`: kept_locals.
std::vector<const ir::Stmt*> handing_on(const ir::Function& function, const std::vector<bool>& kept);

/// What an array's expression is a view of; itself where it is none.
const ir::Expr& root_of(const ir::Expr& array);

}  // namespace pyk::emitter
