// Sets of the host's code: dicts without values.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "module/constant.h"

namespace pyk {

bool is_set(const Const& value);
/// nullopt: too many.
std::optional<Const> set_of(const std::vector<Const>& members);
/// `set(value)`.
std::optional<Const> set_made_of(const Const& value);
/// What a loop over a set takes; nullopt: the order is CPython's own affair.
std::optional<std::vector<Const>> in_order(const Const& set);
/// The items of a value for functions that do not mind their order.
std::optional<std::vector<Const>> in_any_order(const Const& value);

std::optional<Const> apply_to_sets(ast::BinaryOp op, const Const& a, const Const& b);
std::optional<bool> compare_sets(ast::CompareOp op, const Const& a, const Const& b);
/// As `after_method` and `method_result` say for other values.
std::optional<Const> set_after(const Const& set, std::string_view method, std::span<const Const> args);
std::optional<Const> set_method(const Const& set, std::string_view method, std::span<const Const> args);

}  // namespace pyk
