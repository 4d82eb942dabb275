#include "passes/simplify_conversions.h"

#include <algorithm>
#include <cmath>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/narrow_floats.h"

namespace pyk {
namespace {

/// Bits of an integer's magnitude that a type holds exactly.
int magnitude_bits(Type type) {
    if (type.is_boolean()) return 1;
    if (type.is_small_float()) return type.is(Scalar::float16) ? 11 : 8;
    if (type.is_float()) return type.bits() == 32 ? 24 : 53;
    return type.bits() - (type.is_signed() ? 1 : 0);
}

/// Whether integers are cut to bits that all of them have.
bool keeps_lower_bits(Type from, Type between, Type to) {
    return from.is_integer() && between.is_integer() && to.is_integer() &&
           to.bits() <= std::min(from.bits(), between.bits());
}

/// An array's conversions add up: layout A, readonly. So do the exact ones of scalars before any other.
bool collapses(Type from, Type between, Type to) {
    if (from.is_scalar()) return preserves_values(from, between) || keeps_lower_bits(from, between, to);
    return from.is_array() && to.is_array();
}

void drop_redundant(ir::ExprPtr& expr) {
    auto* outer = expr->as<ir::Convert>();
    if (!outer) return;
    auto* inner = outer->operand->as<ir::Convert>();
    if (inner && collapses(inner->operand->type, outer->operand->type, expr->type)) {
        ir::ExprPtr source = std::move(inner->operand);
        outer->operand = std::move(source);
    }
    if (outer->operand->type == expr->type) {
        ir::ExprPtr same = std::move(outer->operand);
        expr = std::move(same);
    }
}

bool is_widening(const ir::Expr& expr) {
    const auto* convert = expr.as<ir::Convert>();
    const Type from = convert ? convert->operand->type : Type();
    return from.is_integer() && expr.type.is_integer() && preserves_values(from, expr.type);
}

void drop_widening(ir::ExprPtr& expr) {
    while (expr && is_widening(*expr)) {
        ir::ExprPtr source = std::move(expr->as<ir::Convert>()->operand);
        expr = std::move(source);
    }
}

void drop_widening(std::vector<ir::Index>& indices) {
    for (ir::Index& index : indices) drop_widening(index.value);
}

void drop_widening(ir::Subscript& subscript) {
    if (auto* index = std::get_if<ir::Index>(&subscript)) return drop_widening(index->value);
    auto& slice = std::get<ir::SliceOf>(subscript);
    for (ir::ExprPtr* part : {&slice.start, &slice.stop, &slice.step}) drop_widening(*part);
}

void drop_in_free_positions(ir::Expr& expr) {
    if (auto* element = expr.as<ir::Element>()) drop_widening(element->indices);
    if (auto* place = expr.as<ir::ElementRef>()) drop_widening(place->indices);
    if (auto* at = expr.as<ir::TupleAt>()) drop_widening(at->index);
    auto* binary = expr.as<ir::Binary>();
    if (binary && (binary->op == BinaryOp::CShl || binary->op == BinaryOp::CShr)) drop_widening(binary->rhs);
    auto* view = expr.as<ir::View>();
    if (!view) return;
    for (ir::Subscript& subscript : view->subscripts) drop_widening(subscript);
}

/// Rounding keeps the order, and does not reach a whole number of which the float's next one is exact as well.
void compare_as_integers(ir::ExprPtr& number, ir::ExprPtr& constant) {
    const auto* convert = number->as<ir::Convert>();
    const auto* whole = constant->as<ir::Constant>();
    const double* value = whole ? std::get_if<double>(&whole->value) : nullptr;
    if (!convert || !value || !convert->operand->type.is_integer() || !number->type.is_float()) return;
    const Type type = convert->operand->type;
    const double end = std::ldexp(1.0, std::min(magnitude_bits(number->type), magnitude_bits(type)));
    if (std::trunc(*value) != *value || std::fabs(*value) >= end || (*value < 0 && type.is_unsigned())) return;
    constant = ir::integer(static_cast<int64_t>(*value), type, constant->span);
    ir::ExprPtr integer = std::move(number->as<ir::Convert>()->operand);
    number = std::move(integer);
}

void compare_as_integers(ir::Expr& expr) {
    auto* binary = expr.as<ir::Binary>();
    if (!binary || !is_comparison(binary->op)) return;
    compare_as_integers(binary->lhs, binary->rhs);
    compare_as_integers(binary->rhs, binary->lhs);
}

void simplify(ir::Block& body) {
    ir::rewrite(body, [](ir::ExprPtr& expr) {
        drop_redundant(expr);
        narrow_choice(expr);
        compare_as_integers(*expr);
        narrow_comparison(*expr);
        drop_in_free_positions(*expr);
    });
}

void simplify_stores(ir::Block& body) {
    for (ir::Stmt& stmt : body) {
        if (auto* store = stmt.as<ir::Store>()) drop_widening(store->indices);
        ir::for_each_block(stmt, [](ir::Block& inner) { simplify_stores(inner); });
    }
}

}  // namespace

bool preserves_values(Type from, Type to) {
    if (!from || !to || !from.is_scalar() || !to.is_scalar()) return false;
    if (from == to) return true;
    if (to.is_boolean()) return false;
    if (to.is_complex()) return preserves_values(from.is_complex() ? from.component() : from, to.component());
    if (from.is_complex()) return false;
    if (from.is_float()) return to.is_float() && to.bits() > from.bits();
    return magnitude_bits(from) <= magnitude_bits(to) && !(from.is_signed() && to.is_unsigned());
}

void simplify_conversions(ir::Function& function) {
    simplify(function.body);
    simplify_stores(function.body);
}

}  // namespace pyk
