// Operators: binary, unary.
#include <fmt/format.h>

#include <algorithm>

#include "module/meant.h"
#include "module/named_operators.h"
#include "sema/infer.h"
#include "support/fault.h"
#include "types/time.h"

namespace pyk {
namespace {

bool has_floats(const std::vector<Value>& operands) {
    return std::ranges::any_of(operands, [](const Value& operand) {
        const bool is_array = operand.type && operand.type.is_array();
        const Type type = is_array ? operand.type.element() : operand.type;
        return type && type.is_float();
    });
}

/// The operators divide floats as Python does; `np.floor_divide`, and so `a //= b` of arrays, rounds the quotient down,
/// and `np.remainder` has no zero with the sign of the divisor. Null: of other operators.
const Builtin* float_division(BinaryOp op) {
    if (op == BinaryOp::FloorDiv) return &builtin("pyk.floor_divide");
    return op == BinaryOp::Mod ? &builtin("pyk.remainder") : nullptr;
}

constexpr int64_t kMostRepeats = 1000;  // of a tuple

UnaryOp unary_op(ast::UnaryOp op) {
    switch (op) {
        case ast::UnaryOp::Invert:
            return UnaryOp::Invert;
        case ast::UnaryOp::Not:
            return UnaryOp::Not;
        case ast::UnaryOp::UAdd:
            return UnaryOp::Pos;
        case ast::UnaryOp::USub:
            return UnaryOp::Neg;
    }
    internal_error("unknown unary operator");
}

// What to write where an operator takes no such operands; empty: nothing that is known.
std::string_view instead_of(BinaryOp op, Type lhs, Type rhs) {
    const bool has_float = lhs.is_float() || rhs.is_float();
    if (op == BinaryOp::BitXor && has_float) return "; a power is written `**`";
    if (op == BinaryOp::BitAnd && has_float) return "; conditions are combined by `and`, as `&` goes before `<`";
    if (op == BinaryOp::BitOr && has_float) return "; conditions are combined by `or`, as `|` goes before `<`";
    const bool is_item = (lhs.is_scalar() && rhs.is_tuple()) || (lhs.is_tuple() && rhs.is_scalar());
    return is_item ? "; a tuple's items are numbers, as `a.shape[0]` is" : "";
}

}  // namespace

BinaryOp Inference::binary_op(ast::BinaryOp op) { return *named_by(kNamedOperators, &NamedOperator::written, op)->op; }

Value Inference::lower_binary(const ast::Expr& expr, ir::Block& out) {
    // Long sums lean to the left: their spine is walked in a loop.
    std::vector<const ast::Expr*> spine{&expr};
    while (spine.back()->as<ast::BinOp>()->left->as<ast::BinOp>())
        spine.push_back(spine.back()->as<ast::BinOp>()->left);
    const ast::BinOp& deepest = *spine.back()->as<ast::BinOp>();
    Value value = lower(*deepest.left, out);
    bool literals = is_literal(*deepest.left);
    for (auto it = spine.rbegin(); it != spine.rend(); ++it) {
        const ast::BinOp& op = *(*it)->as<ast::BinOp>();
        literals = literals && is_literal(*op.right);
        if (literals) {
            const auto rhs = scope_.constant(*op.right);
            const auto known = rhs && value.constant ? apply(op.op, *value.constant, *rhs) : std::nullopt;
            literals = known.has_value();
            if (known) value = of_const(*known, (*it)->span);
            if (known) continue;
        }
        const size_t before = out.size();
        std::vector<Value> operands;
        operands.reserve(2);
        operands.push_back(std::move(value));
        operands.push_back(lower(*op.right, out));
        keep(std::span(operands).first(1), before, out);
        sequence(operands, out);
        for (Value& operand : operands)
            if (operand.type.is_optional()) operand = unwrapped_array(std::move(operand));
        value = op.op == ast::BinaryOp::MatMult ? matrix_product(std::move(operands), (*it)->span, out)
                                                : lower_operator(op.op, std::move(operands), (*it)->span, out);
        if (value.type.is_integer()) value = as_in_all_walks(**it, std::move(value));
    }
    return value;
}

Value Inference::matrix_product(std::vector<Value> operands, Span span, ir::Block& out) {
    for (Value& operand : operands) as_structure(operand);
    if (operands[0].is_unknown() || operands[1].is_unknown()) return Value();
    if (const FunctionInfo* method = method_of(operands[0].type, "__matmul__"))
        return call_instance(*method, std::move(operands), span);
    if (!specializer_.can_allocate())
        return error(diag::unsupported_syntax, span, "matrix products with `@`", "write the product as loops");
    if (!std::ranges::all_of(operands, [](const Value& operand) { return operand.type.is_array(); }))
        return error(diag::no_operator, span, "@", described(operands[0]), described(operands[1]));
    return kept_result(call_instance(library_function("np_dot"), std::move(operands), span), out);
}

// Of two operands at hand, which may be tuples or whole arrays.
Value Inference::lower_operator(ast::BinaryOp written, std::vector<Value> operands, Span span, ir::Block& out) {
    const BinaryOp op = binary_op(written);
    std::optional<Const> folded;
    if (operands[0].constant && operands[1].constant)
        folded = apply(written, *operands[0].constant, *operands[1].constant);
    if (folded && folded->as<std::string>()) return of_const(*folded, span);  // as CPython folds it: `"=" * 20`
    // The elements of a sum of tuples are those of both, each evaluated once; of a product also where they are
    // written out, since they stand there several times.
    const bool is_product = op == BinaryOp::Mul;
    if (is_product || (is_sequence(operands[0].type) && is_sequence(operands[1].type)))
        for (Value& tuple : operands)
            if (is_sequence(tuple.type) && !tuple.is_trivial() && (is_product || !tuple.expr->as<ir::MakeTuple>()))
                tuple = spill(std::move(tuple), "items", out);
    const bool has_array = std::ranges::any_of(
        operands, [](const Value& operand) { return operand.is_runtime() && operand.type.is_array(); });
    if (has_array && specializer_.can_allocate()) {
        const Builtin* function = has_floats(operands) ? float_division(op) : nullptr;
        return array_from(function ? *function : *ufunc_of(op), std::move(operands), span, out);
    }
    Value value = binary(op, std::move(operands[0]), std::move(operands[1]), span);
    // What overflows the type that two weak numbers have is another number.
    if (folded && value.is_weak && type_of_const(*folded) != value.type) return of_const(*folded, span);
    if (folded && type_of_const(*folded) == value.type) value.constant = folded;
    return value;
}

Value Inference::binary(BinaryOp op, Value lhs, Value rhs, Span span) {
    Value result;
    result.span = span;
    for (Value* side : {&lhs, &rhs}) as_structure(*side);
    if (lhs.is_unknown() || rhs.is_unknown()) return result;
    const Const* text = lhs.entity ? std::get_if<Const>(&*lhs.entity) : nullptr;
    if (text && text->as<std::string>() && op == BinaryOp::Mod)
        return error(diag::unsupported_syntax, span, "texts filled in by `%`",
                     "`print` takes several values, and f-strings: `print(f\"x = {x}\")`");
    if (!needs_value(lhs, lhs.span) || !needs_value(rhs, rhs.span)) return result;
    for (Value* side : {&lhs, &rhs})
        if (side->type.is_optional() && !side->type.elements()[1].is_scalar()) *side = unwrapped(std::move(*side));
    if (auto known = by_method(op, lhs, rhs, span)) return std::move(*known);
    if (is_sequence(lhs.type) && is_sequence(rhs.type) && op == BinaryOp::Add) {
        ir::Block none;
        std::vector<Value> all = elements(std::move(lhs), none), more = elements(std::move(rhs), none);
        std::ranges::move(more, std::back_inserter(all));
        return none.empty()
                   ? make_tuple(std::move(all), span)
                   : error(diag::no_operator, span, info(op).python, std::string("tuple"), std::string("tuple"));
    }
    if (op == BinaryOp::Mul && is_sequence(lhs.type) != is_sequence(rhs.type)) {
        const Value& tuple = is_sequence(lhs.type) ? lhs : rhs;
        const Value& times = is_sequence(lhs.type) ? rhs : lhs;
        const auto count = times.constant ? to_int(*times.constant) : std::nullopt;
        if (count && *count <= kMostRepeats) {
            ir::Block none;
            std::vector<Value> all;
            for (int64_t i = 0; i < *count; ++i)
                std::ranges::move(elements(duplicate(tuple), none), std::back_inserter(all));
            if (none.empty()) return make_tuple(std::move(all), span);
        }
    }
    if (lhs.type.is_array() || rhs.type.is_array())
        return error(diag::array_operator, span, info(op).python, ufunc_of(op)->name);
    if (is_time(lhs.type) || is_time(rhs.type)) return time_operator(op, std::move(lhs), std::move(rhs), span);
    const auto resolution = resolve_operator(op, lhs, rhs);
    if (!resolution) {
        const Value* tuple = is_sequence(lhs.type) ? &lhs : is_sequence(rhs.type) ? &rhs : nullptr;
        report_once(tuple ? cause_of(*tuple, false) : std::nullopt, [&] {
            error(diag::no_operator, span, info(op).python, lhs.type.name(),
                  fmt::format("{}{}", rhs.type.name(), instead_of(op, lhs.type, rhs.type)));
            const auto is_member = [&](Type type) { return scope_.enumeration_of(type) != nullptr; };
            if (is_member(lhs.type) != is_member(rhs.type)) note_of_member(span);
        });
        return result;
    }
    result.type = resolution->result;
    result.is_weak = lhs.is_weak && rhs.is_weak && !is_comparison(op);
    result.effects = lhs.effects | rhs.effects;
    if (const Builtin* quiet = quiet_division(op, resolution->operands[0])) {
        std::vector<Value> sides;
        for (Value* side : {&lhs, &rhs}) sides.push_back(converted(std::move(*side), resolution->operands[0], span));
        return converted(resolved(*quiet, std::move(sides), span), result.type, span);
    }
    // Narrow integers are computed in 32 bits.
    const Type work = is_comparison(op) ? result.type : resolution->operands[0];
    ir::ExprPtr left = in_type(lhs, resolution->operands[0]);
    ir::ExprPtr right = in_type(rhs, resolution->operands[1]);
    result.expr = ir::convert(ir::make(work, span, ir::Binary{op, std::move(left), std::move(right)}), result.type);
    return result;
}

// NumPy's function for a division of a function of the host whose `error_model` is NumPy's; null: the operator does.
const Builtin* Inference::quiet_division(BinaryOp op, Type type) const {
    const bool is_real = type.is_integer() || (type.is_float() && !type.is_small_float());
    if (!instance_.info->divides_as_numpy || !specializer_.can_allocate() || !is_real) return nullptr;
    if (op != BinaryOp::TrueDiv && op != BinaryOp::FloorDiv && op != BinaryOp::Mod) return nullptr;
    const Builtin* function = type.is_float() ? float_division(op) : nullptr;
    return function ? function : ufunc_of(op);
}

Value Inference::lower_unary(const ast::Unary& node, Span span, ir::Block& out) {
    if (node.op != ast::UnaryOp::Not) {
        Value operand = unwrapped_array(lower(*node.operand, out));
        const bool constant = operand.constant && !operand.entity && operand.type.is_scalar();
        std::optional<Const> folded = constant ? apply(node.op, *operand.constant) : std::nullopt;
        if (folded && operand.is_weak && operand.expr->as<ir::Constant>()) return of_const(*folded, span);
        if (operand.is_runtime() && operand.type.is_array() && specializer_.can_allocate()) {
            const Type element = operand.type.element();
            if (node.op == ast::UnaryOp::UAdd && !element.is_boolean())
                return copied_array(std::move(operand), element, span, out);
            std::vector<Value> operands;
            operands.push_back(std::move(operand));
            return array_from(node.op == ast::UnaryOp::Invert ? builtin("np.invert") : builtin("np.negative"),
                              std::move(operands), span, out);
        }
        Value result = unary(unary_op(node.op), std::move(operand), span);
        if (folded && type_of_const(*folded) == result.type) result.constant = folded;
        return result;
    }
    Value operand = lower_condition(*node.operand, out);
    std::optional<Const> constant;
    if (operand.constant) constant = Const{!truth(*operand.constant), {}};
    Value result = unary(UnaryOp::Not, std::move(operand), span);
    result.constant = constant;
    if (constant && !result.type) return of_const(*constant, span);
    return result;
}

Value Inference::unary(UnaryOp op, Value operand, Span span) {
    Value result;
    result.span = span;
    as_structure(operand);
    if (operand.is_unknown() || !needs_value(operand, operand.span)) return result;
    if (auto known = by_method(op, operand, span)) return std::move(*known);
    if (is_timedelta(operand.type) && op == UnaryOp::Pos) return operand;
    if (is_timedelta(operand.type) && op == UnaryOp::Neg) {
        const Type type = operand.type;
        return time_function(builtin("pyk.time_negative"), type, std::move(operand), span);
    }
    const auto resolution = resolve_operator(op, operand);
    if (!resolution) return error(diag::no_unary_operator, span, info(op).python, operand.type.name());
    result.type = resolution->result;
    result.is_weak = operand.is_weak && op != UnaryOp::Not;
    result.effects = operand.effects;
    // The operation is done in the operand's own width, then widened, as Numba does: `~u8` is an 8-bit complement.
    const Type width = resolution->operands[0];
    result.expr =
        ir::convert(ir::make(width, span, ir::Unary{op, ir::convert(std::move(operand.expr), width)}), result.type);
    return result;
}

}  // namespace pyk
