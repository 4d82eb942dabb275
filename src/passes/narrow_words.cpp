#include "passes/narrow_words.h"

#include <utility>

#include "ir/build.h"

namespace pyk {
namespace {

const Type kWord(Scalar::uint32);

/// An integer of a type that is no wider, in 64 bits: `int64(x)` of an x: uint32.
const ir::Expr* widened(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    const bool is_small = convert && convert->operand->type.is_integer() && convert->operand->type.bits() <= 32;
    return is_small && is_wide(expr.type) ? convert->operand.get() : nullptr;
}

/// A number of 32 bits that is known.
std::optional<uint32_t> known_word(const ir::Expr& expr, const Ranges& ranges) {
    if (!expr.as<ir::Constant>() && !expr.as<ir::ConstantRef>()) return std::nullopt;
    const Interval values = ranges.of(expr);
    return values.is_single() && is_word(values) ? std::optional(static_cast<uint32_t>(values.lo)) : std::nullopt;
}

}  // namespace

const ir::Convert* with_other_sign(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    return convert && is_wide(expr.type) && is_wide(convert->operand->type) ? convert : nullptr;
}

bool is_masked(const ir::Binary& n, const Ranges& ranges) {
    return n.op == BinaryOp::BitAnd && (known_word(*n.lhs, ranges) || known_word(*n.rhs, ranges));
}

void Words::change(ir::ExprPtr& expr) {
    if (auto* node = expr->as<ir::Convert>()) {
        if (expr->type != kWord || !is_wide(node->operand->type) || !has_word(*node->operand)) return;
        ir::ExprPtr lower = word(std::move(node->operand));
        retired_.push_back(std::exchange(expr, std::move(lower)));
    } else if (auto* n = expr->as<ir::Binary>(); n && is_comparison(n->op)) {
        if (!is_wide(n->lhs->type) || !compares_words(*n)) return;
        n->lhs = word(std::move(n->lhs));
        n->rhs = word(std::move(n->rhs));
    } else if (n && is_wide(expr->type) && computes_words(*expr)) {
        const Interval values = ranges_.of(*expr);
        const Type type = expr->type;
        expr = word(std::move(expr));
        convert_known(expr, type, values, ranges_);
    }
}

bool Words::computes_words(const ir::Expr& expr) const {
    return is_word(ranges_.of(expr)) && has_word(expr) &&
           (is_masked(*expr.as<ir::Binary>(), ranges_) || is_made_of_small(expr));
}

bool Words::compares_words(const ir::Binary& n) const {
    const auto is_small = [&](const ir::Expr& operand) {
        const ir::Expr* leaf = widened(operand);
        return is_word(ranges_.of(operand)) && (leaf ? leaf->type.is_unsigned() : is_made_of_small(operand));
    };
    return (has_word(*n.lhs) || has_word(*n.rhs)) && is_small(*n.lhs) && is_small(*n.rhs);
}

/// `x CShr 3` of a word, `x TruncMod y` of two.
bool Words::divides_words(const ir::Binary& n) const {
    const bool divides = n.op == BinaryOp::TruncDiv || n.op == BinaryOp::TruncMod;
    if ((!divides && n.op != BinaryOp::CShr) || !is_word(ranges_.of(*n.lhs))) return false;
    const Interval by = ranges_.of(*n.rhs);
    return divides ? is_word(by) : by.within({0, kLastShiftOfWord});
}

bool Words::shifts_up(const ir::Binary& n) const {
    return n.op == BinaryOp::CShl && ranges_.of(*n.rhs).within({0, kLastShiftOfWord});
}

/// Calls `test` for what the lower half of an operation comes from; false: not from lower halves alone.
template <typename Test>
bool Words::any_operand(const ir::Expr& expr, const Test& test) const {
    if (!is_wide(expr.type)) return false;
    if (const auto* n = expr.as<ir::Unary>())
        return keeps_bits_apart(n->op) && is_wide(n->operand->type) && test(*n->operand);
    if (const auto* n = with_other_sign(expr)) return test(*n->operand);
    const auto* n = expr.as<ir::Binary>();
    if (!n) return false;
    if (n->op == BinaryOp::CShl) return shifts_up(*n) && test(*n->lhs);
    if (n->op == BinaryOp::CShr) return divides_words(*n) && test(*n->lhs);
    return (keeps_bits_apart(n->op) || divides_words(*n)) && (test(*n->lhs) || test(*n->rhs));
}

/// Whether there is a word in it that may stay one.
bool Words::has_word(const ir::Expr& expr) const {
    if (const ir::Expr* small = widened(expr)) return small->type == kWord;
    return any_operand(expr, [&](const ir::Expr& operand) { return has_word(operand); });
}

/// Whether nothing in it has to be cut to 32 bits.
bool Words::is_made_of_small(const ir::Expr& expr) const {
    if (ir::integer_value(expr) || widened(expr)) return true;
    bool is_any = false, is_all = true;
    any_operand(expr, [&](const ir::Expr& operand) {
        is_any = true;
        is_all = is_all && is_made_of_small(operand);
        return false;
    });
    return is_any && is_all;
}

/// The lower half.
ir::ExprPtr Words::word(ir::ExprPtr expr) {
    const Interval values = ranges_.of(*expr);
    const Span span = expr->span;
    ir::ExprPtr result;
    if (widened(*expr)) {
        result = ir::convert(std::move(expr->as<ir::Convert>()->operand), kWord);
    } else if (const auto value = ir::integer_value(*expr)) {
        return ir::integer(static_cast<uint32_t>(*value), kWord, span);
    } else if (with_other_sign(*expr)) {
        result = word(std::move(expr->as<ir::Convert>()->operand));
    } else if (auto* unary = expr->as<ir::Unary>();
               unary && keeps_bits_apart(unary->op) && is_wide(unary->operand->type)) {
        const UnaryOp op = unary->op;
        result = ir::make(kWord, span, ir::Unary{op, word(std::move(unary->operand))});
    } else if (auto* binary = expr->as<ir::Binary>()) {
        result = word(*binary, span);
    }
    if (!result) result = ir::make(kWord, span, ir::Convert{std::move(expr)});
    if (expr) retired_.push_back(std::move(expr));
    if (is_word(values)) ranges_.set(*result, meet(ranges_.of(*result), values));
    return result;
}

ir::ExprPtr Words::word(ir::Binary& n, Span span) {
    const bool shifts = n.op == BinaryOp::CShl || n.op == BinaryOp::CShr;
    if (shifts && (shifts_up(n) || divides_words(n)))
        return ir::make(kWord, span, ir::Binary{n.op, word(std::move(n.lhs)), std::move(n.rhs)});
    if (!keeps_bits_apart(n.op) && (shifts || !divides_words(n))) return nullptr;
    if (n.op == BinaryOp::BitAnd && known_word(*n.rhs, ranges_) == UINT32_MAX) return word(std::move(n.lhs));
    if (n.op == BinaryOp::BitAnd && known_word(*n.lhs, ranges_) == UINT32_MAX) return word(std::move(n.rhs));
    ir::ExprPtr lhs = word(std::move(n.lhs));
    return ir::make(kWord, span, ir::Binary{n.op, std::move(lhs), word(std::move(n.rhs))});
}

}  // namespace pyk
