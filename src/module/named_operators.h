// Python's operators by all their names, as rows of named_operators.def: the methods of classes that say what an
// operator does with their objects, the module `operator`, NumPy's functions.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>

#include "builtins/operators.h"
#include "syntax/ast.h"

namespace pyk {

struct NamedOperator {
    ast::BinaryOp written;
    std::optional<BinaryOp> op;
    std::string_view method, reflected, in_place;  ///< `__add__`, `__radd__`, `__iadd__`
    std::string_view stem, function;               ///< of the module `operator`: `iand` goes by the stem, `and_` is one
    std::string_view ufunc, other_ufunc;
};
inline constexpr NamedOperator kNamedOperators[] = {
#define PYK_NAMED_OPERATOR(written, op, method, ...) \
    {ast::BinaryOp::written, op, "__" method "__", "__r" method "__", "__i" method "__", method, __VA_ARGS__},
#include "module/named_operators.def"
};

struct NamedComparison {
    ast::CompareOp written;
    BinaryOp op;
    std::string_view method, reflected;  ///< `__lt__`, `__gt__`
    std::string_view function, ufunc;
};
inline constexpr NamedComparison kNamedComparisons[] = {
#define PYK_NAMED_COMPARISON(written, op, method, reflected, ufunc) \
    {ast::CompareOp::written, op, "__" method "__", "__" reflected "__", method, ufunc},
#include "module/named_operators.def"
};

struct NamedUnary {
    ast::UnaryOp written;
    UnaryOp op;
    std::string_view method, function;
};
inline constexpr NamedUnary kNamedUnaries[] = {
#define PYK_NAMED_UNARY(written, op, method) {ast::UnaryOp::written, op, "__" method "__", method},
#include "module/named_operators.def"
};

/// The row of which a column has a value; null: none has.
template <typename Row, size_t N, typename Column>
const Row* named_by(const Row (&rows)[N], Column Row::*column, const std::type_identity_t<Column>& value) {
    const auto* found = std::ranges::find(rows, value, column);
    return found == std::end(rows) ? nullptr : found;
}

/// NumPy's function of that name, without `np.`.
inline const NamedOperator* operator_of_ufunc(std::string_view name) {
    if (name.empty()) return nullptr;
    const auto* row = named_by(kNamedOperators, &NamedOperator::ufunc, name);
    return row ? row : named_by(kNamedOperators, &NamedOperator::other_ufunc, name);
}

}  // namespace pyk
