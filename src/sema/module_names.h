// Names of the module that are no constants and still mean the same in kernels.
#pragma once

#include <vector>

#include "module/scope.h"

namespace pyk {

/// The elements of a tuple that is no constant, because of the objects in it, which stay as they are; none: it is
/// something else.
std::vector<Entity> elements_with_objects(const ModuleScope& scope, const ast::Expr& name);

/// `slice(1, None)` or `range(4)`, where a name of the module is given it. Null: it is something else.
const ast::Expr* written_bounds(const ModuleScope& scope, const ast::Expr& expr);

/// What is written out as the subscript of a dict or a tuple.
bool is_key(const ast::Expr& expr);

}  // namespace pyk
