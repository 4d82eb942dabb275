#include "passes/lower_arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/builtin_ranges.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// What can be written twice: it costs nothing and is easy to read.
bool is_plain(const ir::Expr& expr) {
    if (const auto* convert = expr.as<ir::Convert>()) return expr.type.is_scalar() && is_plain(*convert->operand);
    return expr.as<ir::LocalRef>() || expr.as<ir::ConstantRef>();
}

ir::ExprPtr one(Type type, Span span) {
    return type.is_float() ? ir::floating(1.0, type, span) : ir::integer(1, type, span);
}

class Lowering {
  public:
    Lowering(const ir::Module& module, const ir::Function& function, Ranges& ranges)
        : module_(module), function_(function), ranges_(ranges) {}

    void lower(ir::ExprPtr& expr) {
        if (auto* call = expr->as<ir::BuiltinCall>()) return choose_whole(expr, *call);
        auto* binary = expr->as<ir::Binary>();
        if (!binary) return;
        if (binary->op == BinaryOp::FloorDiv || binary->op == BinaryOp::Mod) divide(*binary);
        if (binary->op == BinaryOp::Shl && shifts_alike(*binary)) binary->op = BinaryOp::CShl;
        if (binary->op == BinaryOp::Shr && shifts_alike(*binary)) binary->op = BinaryOp::CShr;
        if (binary->op == BinaryOp::Pow) lower_power(expr, *binary);
    }
    bool has_replaced() const { return !retired_.empty(); }

  private:
    void divide(ir::Binary& n) {
        if (divides_alike(n) && (!may_seem_negative(*n.lhs) || !divide_bits(n)))
            n.op = n.op == BinaryOp::FloorDiv ? BinaryOp::TruncDiv : BinaryOp::TruncMod;
        else if (n.op == BinaryOp::FloorDiv || n.op == BinaryOp::Mod)
            divide_bits(n);
    }

    /// Not to the C++ compiler, which sees that places, and what is made of them once, are not negative.
    bool may_seem_negative(const ir::Expr& expr) {
        if (!expr.type.is_signed()) return false;
        if (!writes_) writes_ = Usage(function_).writes;
        bool result = false;
        ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
            const auto* ref = part.as<ir::LocalRef>();
            result = result || part.as<ir::Element>() || (ref && (*writes_)[static_cast<size_t>(ref->id)] > 1);
        });
        return result;
    }

    /// Truncation is rounding down where both are positive; C++ leaves a division by zero undefined.
    bool divides_alike(const ir::Binary& n) const {
        return n.lhs->type.is_integer() && ranges_.of(*n.lhs).lo >= 0 && ranges_.of(*n.rhs).lo > 0;
    }

    /// Two's complement rounds down. False: the divisor is no power of two.
    bool divide_bits(ir::Binary& n) {
        const Type type = n.lhs->type;
        const auto by = type.is_integer() ? ir::integer_value(*n.rhs) : std::nullopt;
        if (!by || *by < 2 || (*by & (*by - 1)) != 0) return false;
        const bool divides = n.op == BinaryOp::FloorDiv;
        const int64_t bits = divides ? std::countr_zero(static_cast<uint64_t>(*by)) : *by - 1;
        n.op = divides ? BinaryOp::CShr : BinaryOp::BitAnd;
        *n.rhs = std::move(*ir::integer(bits, n.rhs->type, n.rhs->span));
        ranges_.set(*n.rhs, {bits, bits});
        return true;
    }

    bool shifts_alike(const ir::Binary& n) const {
        const Interval amount = ranges_.of(*n.rhs);
        return amount.lo >= 0 && amount.hi < n.lhs->type.bits();
    }

    /// A literal exponent. That of a complex power was converted.
    static std::optional<int64_t> exponent_of(const ir::Binary& n) {
        const auto* converted = n.lhs->type.is_complex() ? n.rhs->as<ir::Convert>() : nullptr;
        const auto exponent = ir::integer_value(converted ? *converted->operand : *n.rhs);
        return converted && exponent == 0 ? std::nullopt : exponent;
    }

    /// `(-1) ** k` of an integer: a sign that alternates, for negative exponents too.
    void lower_sign(ir::ExprPtr& expr, ir::Binary& n) {
        const Span span = expr->span;
        const Type type = n.rhs->type;
        ir::ExprPtr odd = ir::binary(BinaryOp::BitAnd, std::move(n.rhs), ir::integer(1, type, span), span);
        ir::ExprPtr twice = ir::binary(BinaryOp::Mul, ir::integer(2, type, span), std::move(odd), span);
        replace(expr,
                ir::convert(ir::binary(BinaryOp::Sub, ir::integer(1, type, span), std::move(twice), span), expr->type));
    }

    static bool is_minus_one(const ir::Expr& base) {
        if (base.type.is_integer()) return ir::integer_value(base) == -1;
        const auto* constant = base.as<ir::Constant>();
        const auto* number = constant ? std::get_if<double>(&constant->value) : nullptr;
        return number && *number == -1 && base.type.is_float();
    }

    /// `x ** 0` to `x ** 3` of a literal exponent. Floats multiply in Numba, too, and in this order.
    void lower_power(ir::ExprPtr& expr, ir::Binary& n) {
        if (is_minus_one(*n.lhs) && n.rhs->type.is_signed()) return lower_sign(expr, n);
        const auto exponent = exponent_of(n);
        if (!exponent || is_action(ir::effects_of(module_, *n.lhs))) return;
        const bool plain = is_plain(*n.lhs);
        if (*exponent < 0 || *exponent > (plain ? 3 : 2)) return;
        ir::ExprPtr base = std::move(n.lhs);
        if (*exponent == 0)
            replace(expr, one(expr->type, expr->span));
        else if (*exponent == 1)
            replace(expr, std::move(base));
        else if (*exponent == 2 && !plain)
            replace(expr, ir::applied("pyk.square", std::move(base)));
        else
            replace(expr, product(*base, *exponent, expr->span));
        if (base) retired_.push_back(std::move(base));
    }

    static ir::ExprPtr product(const ir::Expr& base, int64_t count, Span span) {
        ir::ExprPtr result = ir::clone(base);
        for (int64_t i = 1; i < count; ++i)
            result = ir::binary(BinaryOp::Mul, std::move(result), ir::clone(base), span);
        return result;
    }

    /// A choice among integers that float64 holds: Numba makes it of uint64 beside int64, as in `min(u + v, 255)`.
    void choose_whole(ir::ExprPtr& expr, ir::BuiltinCall& call) {
        const bool is_least = *call.builtin == "pyk.lesser" || *call.builtin == "min";
        const bool is_greatest = *call.builtin == "pyk.greater" || *call.builtin == "max";
        if ((!is_least && !is_greatest) || expr->type != Type(Scalar::float64)) return;
        const auto is_converted = [](const ir::ExprPtr& arg) { return arg->as<ir::Convert>() != nullptr; };
        std::vector<Interval> ranges;
        for (const ir::ExprPtr& arg : call.args)
            if (const auto range = whole_range(*arg)) ranges.push_back(*range);
        if (ranges.size() != call.args.size() || std::ranges::none_of(call.args, is_converted)) return;
        std::vector<ir::ExprPtr> args;
        for (ir::ExprPtr& arg : call.args) args.push_back(whole(std::move(arg)));
        const Type type = Scalar::int64;
        const Builtin& chosen = builtin(is_least ? BuiltinName("min") : "max");
        ir::ExprPtr choice = ir::make(type, expr->span, ir::BuiltinCall{&chosen, std::move(args)});
        ranges_.set(*choice, range_of(chosen, ranges, type));
        replace(expr, ir::convert(std::move(choice), Scalar::float64));
    }

    /// The values of a float64 that is an integer.
    std::optional<Interval> whole_range(const ir::Expr& expr) const {
        const auto* convert = expr.as<ir::Convert>();
        const auto* constant = expr.as<ir::Constant>();
        const auto* number = constant ? std::get_if<double>(&constant->value) : nullptr;
        Interval range;
        if (convert && convert->operand->type.is_integer())
            range = ranges_.of(*convert->operand);
        else if (number && std::trunc(*number) == *number && std::fabs(*number) < kExactInFloat64)
            range.lo = range.hi = static_cast<Wide>(*number);
        else
            return std::nullopt;
        return is_exact_in_float64(range) ? std::optional(range) : std::nullopt;
    }
    static ir::ExprPtr whole(ir::ExprPtr number) {
        if (const auto* constant = number->as<ir::Constant>())
            return ir::integer(static_cast<int64_t>(std::get<double>(constant->value)), Scalar::int64, number->span);
        ir::ExprPtr integer = std::move(number->as<ir::Convert>()->operand);
        return ir::convert(std::move(integer), Scalar::int64);
    }

    void replace(ir::ExprPtr& expr, ir::ExprPtr by) { retired_.push_back(std::exchange(expr, std::move(by))); }

    const ir::Module& module_;
    const ir::Function& function_;
    Ranges& ranges_;
    std::optional<std::vector<uint32_t>> writes_;  ///< by local, once asked for
    std::vector<ir::ExprPtr> retired_;  ///< kept: ranges_ knows nodes by address, so no address may serve twice
};

}  // namespace

void lower_arithmetic(const ir::Module& module, ir::Function& function, Ranges& ranges) {
    Lowering lowering(module, function, ranges);
    ir::rewrite(function.body, [&](ir::ExprPtr& expr) { lowering.lower(expr); });
    if (lowering.has_replaced()) ranges = Ranges(module, function);
}

}  // namespace pyk
