// Lists that have a name in functions of the host, of which only items are asked for: an array does as well.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "syntax/ast.h"

namespace pyk {

/// `[x] * n` and `n * [x]`.
struct RepeatedItem {
    ast::ExprRef item, count;
};
/// nullopt: it is another expression.
std::optional<RepeatedItem> repeated_item(const ast::Expr& expr);

/// The call that makes the array.
struct ListArray {
    std::string_view constructor;  ///< `numpy.array`
    std::array<ast::ExprRef, 2> args = {};
    size_t count = 1;
};

/// Of `name = value` where `value` makes a list: `[f(x) for x in a]`, `[0] * n`, and `[1, 2]` where items are assigned
/// or which is a subscript. nullopt: it does not, or something else is asked of the name (`name + name`, `return name`,
/// `name.append(x)`).
std::optional<ListArray> array_for_list(const ast::FunctionDef& function, std::string_view name,
                                        const ast::Expr& value);

}  // namespace pyk
