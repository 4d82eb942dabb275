// Operators as rows of operators.def, and their typing.
#pragma once

#include <optional>
#include <string_view>

#include "builtins/rule.h"
#include "types/type.h"

namespace pyk {

enum class BinaryOp : uint8_t {
#define PYK_BINARY_OPERATOR(name, ...) name,
#include "builtins/operators.def"
};
enum class UnaryOp : uint8_t {
#define PYK_UNARY_OPERATOR(name, ...) name,
#include "builtins/operators.def"
};

struct BinaryOperator {
    BinaryOp op;
    std::string_view name;      ///< the enumerator: what the IR's text form prints
    std::string_view python;    ///< as in the source
    int precedence;             ///< of `cpp`
    std::string_view cpp;       ///< the C++ operator, usable where operand and result types make it mean the same
    std::string_view function;  ///< the prelude's function otherwise; empty: the operator always serves
    std::string_view rule;      ///< rule.h; empty: inference never makes one
};
struct UnaryOperator {
    UnaryOp op;
    std::string_view name, python, cpp, rule;
};

const BinaryOperator& info(BinaryOp op);
const UnaryOperator& info(UnaryOp op);
std::optional<BinaryOp> binary_op_from_name(std::string_view name);
std::optional<UnaryOp> unary_op_from_name(std::string_view name);

constexpr bool is_comparison(BinaryOp op) { return op >= BinaryOp::Eq; }
/// Python's, and C++'s: a divisor of zero is an error where errors are reported.
constexpr bool is_division(BinaryOp op) {
    return op == BinaryOp::TrueDiv || op == BinaryOp::FloorDiv || op == BinaryOp::Mod || op == BinaryOp::TruncDiv ||
           op == BinaryOp::TruncMod;
}

/// Of integers: whether the lower bits of the operands are all that the lower bits of the result come from.
constexpr bool keeps_bits_apart(BinaryOp op) {
    return op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul || op == BinaryOp::BitAnd ||
           op == BinaryOp::BitOr || op == BinaryOp::BitXor;
}
constexpr bool keeps_bits_apart(UnaryOp op) { return op == UnaryOp::Invert || op == UnaryOp::Neg; }

/// Operand types after conversion and the result, as Numba types `lhs op rhs` (scalars). nullopt: a typing error.
/// Operands are what the operation works on: equal, but for shifts (the result's type, any 64-bit amount) and powers
/// (base of the result's type, exponent int32, int64, uint64 or as the base). For comparisons they are the common
/// compare type and the result is boolean. A unary operator works in the operand's own width and its value is widened
/// then, so that operand and result may differ in width; `Invert` of a boolean gives a boolean and means `not`.
std::optional<Resolution> resolve(BinaryOp op, Type lhs, Type rhs);
std::optional<Resolution> resolve(UnaryOp op, Type operand);

}  // namespace pyk
