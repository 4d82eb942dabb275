#include "emit/cpp_types.h"
#include "emit/text.h"

namespace pyk::emitter {
namespace {

bool is_shift(BinaryOp op) { return op == BinaryOp::CShl || op == BinaryOp::CShr; }
bool is_bits(BinaryOp op) { return op == BinaryOp::BitAnd || op == BinaryOp::BitOr || op == BinaryOp::BitXor; }

/// Whether a text may stand as an operand of arithmetic in which C++ converts to `type` or computes as it does.
bool usable(const Text& text, Type type) { return !text.pending || promoted(type) == type; }

/// The C++ arithmetic of the two texts happens in the type that the IR asks for.
bool agrees(const Text& lhs, const Text& rhs, Type type) {
    return common(lhs.type, rhs.type) == promoted(type) && usable(lhs, type) && usable(rhs, type);
}

/// Conversion to `type` keeps the value.
bool keeps(const Text& text, Type type) {
    if (text.pending) return false;
    if (!text.literal || !type.is_integer()) return holds(type, text.type);
    const auto* number = std::get_if<int64_t>(text.literal);
    return type.is_signed() || !number || *number >= 0;
}

/// `threadIdx.x + threadIdx.y * blockDim.x`: of numbers that CUDA has unsigned, and none of which is negative, unsigned
/// arithmetic gives what that of int does.
bool is_same_unsigned(BinaryOp op, Type type, const Text& lhs, const Text& rhs) {
    const auto is_unsigned = [](const Text& text) { return text.type.is(Scalar::uint32) && !text.pending; };
    const auto fits = [&](const Text& text) {
        return is_unsigned(text) || (text.literal && keeps(text, Scalar::uint32));
    };
    const bool stays_positive = op == BinaryOp::Add || op == BinaryOp::Mul || op == BinaryOp::TruncDiv ||
                                op == BinaryOp::TruncMod || op == BinaryOp::CShr || is_bits(op);
    return type.is(Scalar::int32) && stays_positive && (is_unsigned(lhs) || (is_unsigned(rhs) && !is_shift(op))) &&
           fits(lhs) && fits(rhs);
}

/// Casts as few operands as make the arithmetic happen in `type`, literals first: a suffix is no noise.
void settle(Type type, Text& lhs, Text& rhs) {
    if (agrees(lhs, rhs, type)) return;
    Text left = exactly(type, lhs), right = exactly(type, rhs);
    const bool only_left = agrees(left, rhs, type), only_right = agrees(lhs, right, type);
    if (only_right && (rhs.literal || !only_left)) {
        rhs = std::move(right);
    } else {
        lhs = std::move(left);
        if (!only_left) rhs = std::move(right);
    }
}

/// A comparison is also right in any type that holds both values, and g++ warns where signs mix.
bool comparable(const Text& lhs, const Text& rhs, Type type) {
    const Type met = common(lhs.type, rhs.type);
    const bool values = keeps(lhs, met) && keeps(rhs, met);
    const bool literals = lhs.literal || rhs.literal;
    const bool same_signs = lhs.type.is_unsigned() == rhs.type.is_unsigned() || !met.is_unsigned() || literals;
    return values || (agrees(lhs, rhs, type) && same_signs);
}

void settle_comparison(Type type, Text& lhs, Text& rhs) {
    if (comparable(lhs, rhs, type)) return;
    Text left = exactly(type, lhs), right = exactly(type, rhs);
    if (comparable(left, rhs, type)) {
        lhs = std::move(left);
    } else {
        if (!comparable(lhs, right, type)) lhs = std::move(left);
        rhs = std::move(right);
    }
}

/// The left operand alone decides; an amount may have any integer type.
void settle_shift(Type type, Text& lhs) {
    if (promoted(lhs.type) != promoted(type) || !usable(lhs, type)) lhs = exactly(type, std::move(lhs));
}

/// What an operand must bind to stand without parentheses: where readers (and g++) stumble, they stay.
int operand_precedence(BinaryOp op, const Text& operand, bool is_left) {
    const int own = info(op).precedence;
    if (is_shift(op)) return kUnary;
    if (is_comparison(op)) return kRelational + 1;
    if (is_bits(op)) return is_left && operand.precedence == own ? own : kUnary;
    return is_left ? own : own + 1;
}

/// Appends to the left text, so that a long sum is linear. `!a == b` warns.
Text join(Text lhs, std::string_view op, int precedence, int left_least, std::string rhs, Type type) {
    Text result{at_least(left_least, std::move(lhs)), precedence, type};
    result.text += ' ';
    result.text += op;
    result.text += ' ';
    result.text += rhs;
    return result;
}

int left_precedence(BinaryOp op, const Text& lhs) {
    if (is_comparison(op) && lhs.text.starts_with('!')) return kPrimary;
    return operand_precedence(op, lhs, true);
}

}  // namespace

std::string at_least(int precedence, Text text) {
    if (text.precedence >= precedence) return std::move(text.text);
    return "(" + std::move(text.text) + ")";
}

Text as_condition(Text text) {
    const bool plain = text.type.is_boolean() || text.precedence >= kUnary;
    if (!plain) text = exactly(Scalar::boolean, std::move(text));
    text.pending = false;
    return text;
}

Text binary(BinaryOp op, Type type, Text lhs, Text rhs) {
    const BinaryOperator& row = info(op);
    if (is_same_unsigned(op, type, lhs, rhs)) type = Scalar::uint32;
    if (is_shift(op))
        settle_shift(type, lhs);
    else if (is_comparison(op))
        settle_comparison(type, lhs, rhs);
    else
        settle(type, lhs, rhs);
    const Type met = is_shift(op) ? promoted(lhs.type) : common(lhs.type, rhs.type);
    const int right = operand_precedence(op, rhs, false), left = left_precedence(op, lhs);
    Text result = join(std::move(lhs), row.cpp, row.precedence, left, at_least(right, std::move(rhs)),
                       is_comparison(op) ? Type(Scalar::boolean) : met);
    result.pending = !is_comparison(op) && met != type && !is_bits(op);
    return result;
}

std::string compound(BinaryOp op, Type type, const Text& lhs, Text rhs) {
    if (lhs.pending) return "";
    if (is_shift(op)) {
        if (promoted(lhs.type) != promoted(type)) return "";
    } else if (!agrees(lhs, rhs, type)) {
        rhs = exactly(type, std::move(rhs));
        if (!agrees(lhs, rhs, type)) return "";
    }
    return lhs.text + " " + std::string(info(op).cpp) + "= " + rhs.text;
}

Text unary(UnaryOp op, Type type, Text operand) {
    if (op == UnaryOp::Pos) return operand;
    const bool negates = op == UnaryOp::Not || type.is_boolean();
    if (negates) return {"!" + at_least(kUnary, as_condition(std::move(operand))), kUnary, Scalar::boolean};
    if (!usable(operand, type) || promoted(operand.type) != promoted(type)) operand = exactly(type, std::move(operand));
    const Type met = promoted(operand.type);
    Text result{std::string(info(op).cpp) + at_least(kPrimary, std::move(operand)), kUnary, met};
    result.pending = met != type;
    return result;
}

Text logical(bool is_and, Text lhs, Text rhs) {
    const int own = is_and ? kAnd : kOr;
    auto least = [&](const Text& side) { return side.precedence == own ? own : own == kOr ? kAnd + 1 : own; };
    lhs = as_condition(std::move(lhs));
    rhs = as_condition(std::move(rhs));
    const int left = least(lhs), right = least(rhs);
    return join(std::move(lhs), is_and ? "&&" : "||", own, left, at_least(right, std::move(rhs)), Scalar::boolean);
}

Text select(Type type, Text condition, Text then, Text otherwise) {
    Type met = type;
    if (type.is_scalar()) {
        met = then.type == otherwise.type ? then.type : common(then.type, otherwise.type);
        if (met != type && !(keeps(then, met) && keeps(otherwise, met))) {
            then = exactly(type, std::move(then));
            otherwise = exactly(type, std::move(otherwise));
            met = type;
        }
    }
    Text result{at_least(kConditional + 1, as_condition(std::move(condition))), kConditional, met};
    result.text +=
        " ? " + at_least(kConditional + 1, std::move(then)) + " : " + at_least(kConditional, std::move(otherwise));
    return result;
}

Text convert(Type from, Type to, Text operand) {
    if (!to.is_scalar()) return operand;
    if (operand.pending) operand = exactly(from, std::move(operand));
    if (to.is_complex() && from.is_small_float()) operand = exactly(to.component(), std::move(operand));
    if (is_class(to) || is_class(from)) return exactly(to, std::move(operand));
    operand.pending = !holds(to, from) && !holds(to, operand.type);
    return operand;
}

}  // namespace pyk::emitter
