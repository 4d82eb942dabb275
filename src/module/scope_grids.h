// What subscripts and attributes of the host's code make, besides those of arrays.
#pragma once

#include <optional>
#include <string_view>

#include "module/constant.h"

namespace pyk {

class ModuleScope;

/// `np.mgrid[0:3, 0:2]`, `np.r_[1, 2:5]`: what a subscript of NumPy's makes.
std::optional<Const> made_by_subscript(const ModuleScope& scope, std::string_view path, const ast::Expr& subscript);
/// `z.real`, `z.imag`.
std::optional<Const> part_of_number(const Const& number, std::string_view attr);

}  // namespace pyk
