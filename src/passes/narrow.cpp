#include "passes/narrow.h"

#include <algorithm>
#include <utility>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/index32.h"
#include "passes/narrow_words.h"
#include "passes/simplify_conversions.h"

namespace pyk {
namespace {

Type int32() { return Scalar::int32; }
Type int64() { return Scalar::int64; }
Type uint64() { return Scalar::uint64; }

bool is_small_literal(const ir::Expr& expr) {
    const auto value = ir::integer_value(expr);
    return value && fits({*value, *value}, int32());
}

class Narrowing {
  public:
    Narrowing(const ir::Function& function, Ranges& ranges) : function_(function), ranges_(ranges), words_(ranges) {}

    void block(ir::Block& body) {
        for (ir::Stmt& stmt : body) {
            ir::for_each_expr(stmt,
                              [&](ir::ExprPtr& root) { ir::rewrite(root, [&](ir::ExprPtr& expr) { narrow(expr); }); });
            if (auto* store = stmt.as<ir::Store>()) bare(store->indices);
            ir::for_each_block(stmt, [&](ir::Block& inner) { block(inner); });
        }
    }

  private:
    void narrow(ir::ExprPtr& expr) {
        words_.change(expr);
        if (auto* element = expr->as<ir::Element>()) bare(element->indices);
        if (auto* place = expr->as<ir::ElementRef>()) bare(place->indices);
        if (auto* binary = expr->as<ir::Binary>()) return narrow(expr, *binary);
        if (auto* unary = expr->as<ir::Unary>()) return narrow(expr, *unary);
        if (auto* call = expr->as<ir::BuiltinCall>()) return narrow(expr, *call);
        auto* outer = expr->as<ir::Convert>();
        auto* inner = outer ? outer->operand->as<ir::Convert>() : nullptr;
        if (inner) drop_detour(expr, *outer->operand, *inner);
    }

    /// An extent of an array that has those of 32 bits.
    bool is_extent(const ir::Expr& expr) const {
        const auto* shape = expr.as<ir::ShapeOf>();
        return shape && is_index32(function_, *shape->array);
    }
    /// An int32, or what fits it, in more bits: `uint64(k)` of a negative k is another number.
    bool is_widened(const ir::Expr& expr) const {
        const auto* convert = expr.as<ir::Convert>();
        const Type from = convert ? convert->operand->type : Type();
        if (from && from.is_boolean()) return true;
        return convert && from.is_integer() && preserves_values(from, int32()) &&
               fits(ranges_.of(*convert->operand), expr.type);
    }
    bool says_narrow(const ir::Expr& expr) const { return is_widened(expr) || is_extent(expr); }
    bool is_narrow(const ir::Expr& expr) const { return says_narrow(expr) || is_small_literal(expr); }
    /// A constant by name, or a variable that has one value.
    bool is_known(const ir::Expr& expr) const {
        if (!expr.as<ir::ConstantRef>() && !expr.as<ir::LocalRef>()) return false;
        const Interval range = ranges_.of(expr);
        return range.is_single() && fits(range, int32());
    }
    /// What is only known is narrowed where that pays: beside what says so, in divisions.
    bool is_narrow_with(const ir::Expr& one, const ir::Expr& other) const {
        return says_narrow(one) && (is_narrow(other) || is_known(other));
    }
    /// At least one operand says so: two literals are left to `fold`.
    bool are_narrow(const ir::Binary& n) const {
        if (is_division(n.op) && is_narrow_with(*n.lhs, *n.rhs)) return true;
        return is_narrow(*n.lhs) && is_narrow(*n.rhs) && (says_narrow(*n.lhs) || says_narrow(*n.rhs));
    }

    void narrow(ir::ExprPtr& expr, ir::Binary& n) {
        const Type wide = n.lhs->type;
        const bool shifts = n.op == BinaryOp::CShl || n.op == BinaryOp::CShr;
        if ((wide != int64() && wide != uint64()) || (n.rhs->type != wide && !shifts)) return;
        if (is_division(n.op) && (is_narrow(*n.rhs) || is_known(*n.rhs))) narrow_dividend(n.lhs);
        if (are_narrow(n)) replace_narrow(expr, n);
    }
    void narrow(ir::ExprPtr& expr, ir::Unary& n) {
        const Interval range = ranges_.of(*expr);
        if (n.op != UnaryOp::Neg || expr->type != int64() || n.operand->type != int64()) return;
        if (!says_narrow(*n.operand) || !fits(range, int32())) return;
        ir::ExprPtr result = ir::unary(n.op, as(int32(), std::move(n.operand)), expr->span);
        ranges_.set(*result, range);
        replace(expr, ir::convert(std::move(result), int64()));
    }
    /// Of sums with what is only known too: `(t + M) % N`.
    void narrow_dividend(ir::ExprPtr& expr) {
        auto* n = expr->as<ir::Binary>();
        if (!n || expr->type != int64() || n->lhs->type != int64() || n->rhs->type != int64()) return;
        narrow_dividend(n->lhs);
        narrow_dividend(n->rhs);
        if (is_narrow_with(*n->lhs, *n->rhs) || is_narrow_with(*n->rhs, *n->lhs)) replace_narrow(expr, *n);
    }
    void replace_narrow(ir::ExprPtr& expr, ir::Binary& n) {
        const Type wide = n.lhs->type;
        const bool compares = is_comparison(n.op);
        const Interval range = ranges_.of(*expr);
        const bool stays = (has_narrow_form(n.op) && fits(range, int32())) || is_narrow_shift(*expr, ranges_);
        if (!compares && !stays) return;
        ir::ExprPtr result = ir::binary(n.op, as(int32(), std::move(n.lhs)), as(int32(), std::move(n.rhs)), expr->span);
        if (!compares) ranges_.set(*result, range);
        replace(expr, compares ? std::move(result) : ir::convert(std::move(result), wide));
    }
    void narrow(ir::ExprPtr& expr, ir::BuiltinCall& call) {
        const Type wide = expr->type;
        const Interval range = ranges_.of(*expr);
        if (wide != int64() || !has_narrow_form(call) || !fits(range, int32())) return;
        const auto is_narrow = [&](const ir::ExprPtr& arg) { return arg->type == wide && this->is_narrow(*arg); };
        const auto says_narrow = [&](const ir::ExprPtr& arg) { return this->says_narrow(*arg); };
        if (!std::ranges::all_of(call.args, is_narrow) || std::ranges::none_of(call.args, says_narrow)) return;
        const Type small = type_of(call);
        std::vector<ir::ExprPtr> args;
        for (ir::ExprPtr& arg : call.args) args.push_back(as(small, std::move(arg)));
        ir::ExprPtr result = ir::make(small, expr->span, ir::BuiltinCall{call.builtin, std::move(args)});
        ranges_.set(*result, range);
        replace(expr, ir::convert(std::move(result), wide));
    }

    /// What all arguments were before they were widened; an int32 where they were not the same, or where the result may
    /// be beyond them, as that of `abs`.
    static Type type_of(const ir::BuiltinCall& call) {
        if (call.args.size() == 1) return int32();
        Type result;
        for (const ir::ExprPtr& arg : call.args) {
            const auto* convert = arg->as<ir::Convert>();
            if (!convert || convert->operand->type.is_boolean() || (result && convert->operand->type != result))
                return int32();
            result = convert->operand->type;
        }
        return result;
    }

    /// The same value in a type that holds it.
    ir::ExprPtr as(Type small, ir::ExprPtr expr) {
        if (is_extent(*expr) || is_known(*expr)) return ir::convert(std::move(expr), small);
        auto* convert = expr->as<ir::Convert>();
        ir::ExprPtr source =
            convert ? std::move(convert->operand) : ir::integer(*ir::integer_value(*expr), small, expr->span);
        retired_.push_back(std::move(expr));
        return ir::convert(std::move(source), small);
    }

    /// `int64(int32(k))` of a k that an int32 holds; `int64(uint64(k))` of an int32 that is not negative;
    /// `uint8(float64(k))` of a k that both hold.
    void drop_detour(ir::ExprPtr& expr, const ir::Expr& between, ir::Convert& inner) {
        const Type source = inner.operand->type;
        if (!source.is_integer()) return;
        const Interval range = ranges_.of(*inner.operand);
        if (between.type == Type(Scalar::float64)) {
            if (!expr->type.is_integer() || !is_exact_in_float64(range) || !fits(range, expr->type)) return;
            ir::ExprPtr kept = std::move(inner.operand);
            return replace(expr, ir::convert(std::move(kept), expr->type));
        }
        if (!between.type.is_integer()) return;
        const bool is_small = preserves_values(source, int32()) && (expr->type == int64() || expr->type.is_float());
        if (source != expr->type && !is_small) return;
        if (!fits(range, between.type)) return;
        ir::ExprPtr kept = std::move(inner.operand);
        replace(expr, ir::convert(std::move(kept), expr->type));
    }

    /// An index may have any integer type: conversions that keep its value say nothing.
    void bare(std::vector<ir::Index>& indices) {
        for (ir::Index& index : indices)
            while (keeps_value(*index.value)) replace(index.value, std::move(index.value->as<ir::Convert>()->operand));
    }
    bool keeps_value(const ir::Expr& expr) const {
        const auto* convert = expr.as<ir::Convert>();
        return convert && convert->operand->type.is_integer() && fits(ranges_.of(*convert->operand), expr.type);
    }

    void replace(ir::ExprPtr& expr, ir::ExprPtr by) { retired_.push_back(std::exchange(expr, std::move(by))); }

    const ir::Function& function_;
    Ranges& ranges_;
    Words words_;
    std::vector<ir::ExprPtr> retired_;  ///< kept: ranges_ knows nodes by address, so no address may serve twice
};

}  // namespace

bool is_narrow_shift(const ir::Expr& expr, const Ranges& ranges) {
    const auto* n = expr.as<ir::Binary>();
    const bool is_left = n && n->op == BinaryOp::CShl;
    return n && (is_left || n->op == BinaryOp::CShr) && ranges.of(*n->rhs).within({0, 31}) &&
           (!is_left || ranges.of(*n->lhs).lo >= 0) && fits(ranges.of(expr), int32());
}

bool has_narrow_form(BinaryOp op) {
    switch (op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Mul:
        case BinaryOp::FloorDiv:
        case BinaryOp::Mod:
        case BinaryOp::TruncDiv:
        case BinaryOp::TruncMod:
        case BinaryOp::BitAnd:
        case BinaryOp::BitOr:
        case BinaryOp::BitXor:
            return true;
        default:
            return false;
    }
}

bool has_narrow_form(const ir::BuiltinCall& call) {
    return *call.builtin == "abs" || *call.builtin == "max" || *call.builtin == "min";
}

void narrow(ir::Function& function, Ranges& ranges) { Narrowing(function, ranges).block(function.body); }

}  // namespace pyk
