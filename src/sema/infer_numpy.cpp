// NumPy's functions: on scalars typed as NumPy types them, on arrays loops of the calling thread that write to an array
// at hand.
#include <algorithm>

#include "module/named_operators.h"
#include "module/type_info.h"
#include "sema/infer.h"
#include "types/time.h"

namespace pyk {
namespace {

/// What the operators mean in NumPy: `np.add` is `+`.
std::optional<BinaryOp> operator_of_function(std::string_view name) {
    if (!name.starts_with("np.")) return std::nullopt;
    name.remove_prefix(3);
    if (const auto* row = operator_of_ufunc(name)) return row->op;
    const auto* compared = named_by(kNamedComparisons, &NamedComparison::ufunc, name);
    return compared ? std::optional(compared->op) : std::nullopt;
}

/// Functions of floats that `math` has under another row, spelled as C++ has them.
struct OfFloats {
    BuiltinName name, math;
};
constexpr OfFloats kOfFloats[] = {
    {"np.ceil", "math.ceil"},   {"np.floor", "math.floor"}, {"np.trunc", "math.trunc"},       {"np.fmod", "math.fmod"},
    {"np.isnan", "math.isnan"}, {"np.isinf", "math.isinf"}, {"np.isfinite", "math.isfinite"},
};

/// Whether C++'s operator computes in this type and no wider one.
bool is_wide(Type type) { return type.is_float() || (type.is_integer() && type.bits() >= 32); }

std::optional<BinaryOp> operator_of(const Builtin& builtin, std::span<const Type> operands) {
    const auto found = operator_of_function(builtin.name);
    if (!found || operands[0] != operands[1]) return std::nullopt;
    const Type type = operands[0];
    switch (*found) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
        case BinaryOp::Mul:
            return is_wide(type) ? found : std::nullopt;
        case BinaryOp::BitAnd:
        case BinaryOp::BitOr:
        case BinaryOp::BitXor:
            return is_wide(type) || type.is_boolean() ? found : std::nullopt;
        default:
            // Not the quotient: the operator may raise, where NumPy gives an infinity.
            return is_comparison(*found) ? found : std::nullopt;
    }
}

/// NumPy stores a result of one kind into an array of the same or a wider kind.
bool is_same_kind(Type from, Type to) {
    const auto rank = [](Type t) {
        return t.is_boolean() ? 0 : t.is_unsigned() ? 1 : t.is_signed() ? 2 : t.is_float() ? 3 : 4;
    };
    return from == to || rank(from) <= rank(to);
}

constexpr std::string_view kAxisNames[] = {"i", "j", "k", "l", "m"};

}  // namespace

// `np.add(a, b)` of scalars is a value; of arrays it needs a third array to write to.
Value Inference::special_ufunc(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    std::vector<ast::ExprRef> exprs(node.args.begin(), node.args.end());
    for (const ast::Keyword& keyword : node.keywords) {
        if (keyword.arg != "out") return error(diag::unknown_parameter, keyword.span, builtin.name, keyword.arg);
        exprs.push_back(keyword.value);
    }
    const auto inputs = static_cast<size_t>(arity(builtin).second);
    std::vector<Value> values = given ? std::move(*given) : lower_list(exprs, out);
    const bool has_out = values.size() == inputs + 1;
    if (values.size() != inputs && !has_out)
        return error(diag::wrong_argument_count, span, builtin.name,
                     std::string_view(fmt::format("{} to {}", inputs, inputs + 1)), static_cast<int>(values.size()));
    bool arrays = has_out;
    for (Value& value : values) {
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
        value = unwrapped_array(std::move(value));
        arrays |= value.type.is_array();
    }
    if (!arrays) return ufunc(builtin, std::move(values), span);
    if (builtin == "np.divmod" && !has_out && specializer_.can_allocate()) {
        std::vector<Value> both;
        for (Value& value : values)
            if (!value.is_trivial()) value = spill(std::move(value), "value", out);
        for (const BuiltinName part : {BuiltinName("np.floor_divide"), BuiltinName("np.remainder")}) {
            std::vector<Value> operands;
            for (const Value& value : values) operands.push_back(duplicate(value));
            both.push_back(array_from(pyk::builtin(part), std::move(operands), span, out));
            if (both.back().is_unknown()) return Value();
        }
        return make_tuple(std::move(both), span);
    }
    if (!has_out && specializer_.can_allocate()) return array_from(builtin, std::move(values), span, out);
    if (!has_out) return error(diag::array_result, span, builtin.name, builtin.name);
    Value target = std::move(values.back());
    values.pop_back();
    if (!target.type.is_array()) return error(diag::not_an_array, target.span, builtin.name, target.type.name());
    return store_ufunc(builtin, std::move(target), std::move(values), span, out);
}

Value Inference::ufunc(const Builtin& builtin, std::vector<Value> args, Span span) {
    if (const Builtin* row = find_builtin(fmt::format("time.{}", builtin.name))) {
        if (is_time(args[0].type)) return time_function(*row, Scalar::boolean, std::move(args[0]), span);
        return error(diag::no_overload, span, builtin.name, std::string_view(args[0].type.name()));
    }
    // Of dates and durations functions are what operators are.
    const auto meant = operator_of_function(builtin.name);
    if (args.size() == 2 && (is_time(args[0].type) || is_time(args[1].type))) {
        if (meant) return binary(*meant, std::move(args[0]), std::move(args[1]), span);
        if (builtin == "np.maximum" || builtin == "np.minimum")
            return call_instance(library_function(builtin == "np.maximum" ? "pyk_later" : "pyk_earlier"),
                                 std::move(args), span);
    }
    if (args.size() == 1 && is_timedelta(args[0].type)) {
        if (builtin == "np.negative") return unary(UnaryOp::Neg, std::move(args[0]), span);
        if (builtin == "np.absolute" || builtin == "np.abs")
            return resolved(pyk::builtin("abs"), std::move(args), span);
    }
    if (std::ranges::any_of(args, [](const Value& arg) { return arg.type.is_complex(); })) {
        settle(args);
        return complex_ufunc(builtin, std::move(args), span);
    }
    const auto resolution = resolve_ufunc(builtin, args);
    if (!resolution) return resolved(builtin, std::move(args), span);
    for (size_t i = 0; i < args.size(); ++i) args[i] = converted(std::move(args[i]), resolution->operands[i], span);
    const auto op = args.size() == 2 ? operator_of(builtin, resolution->operands) : std::nullopt;
    if (op) {
        Value result;
        result.span = span;
        result.type = resolution->result;
        result.effects = args[0].effects | args[1].effects;
        result.expr = ir::make(result.type, span, ir::Binary{*op, std::move(args[0].expr), std::move(args[1].expr)});
        return result;
    }
    const auto* of_floats = std::ranges::find_if(kOfFloats, [&](const OfFloats& row) { return builtin == row.name; });
    const bool has_math = of_floats != std::end(kOfFloats) && resolution->operands[0].is_float();
    return resolved(has_math ? pyk::builtin(of_floats->math) : builtin, std::move(args), span);
}

// The value is the array that was written to.
Value Inference::store_ufunc(const Builtin& builtin, Value target, std::vector<Value> operands, Span span,
                             ir::Block& out) {
    const auto resolution = resolve_ufunc(builtin, operands);
    const Type element = target.type.element();
    if (resolution && (!resolution->result.is_scalar() || !is_same_kind(resolution->result, element)))
        return error(diag::cannot_convert, span, resolution->result.name(), element.name());
    target = written_array(std::move(target), out);
    Value result = duplicate(target);
    elementwise(
        std::move(target), std::move(operands),
        [&](std::vector<Value> values) { return ufunc(builtin, std::move(values), span); }, span, out);
    return result;
}

std::optional<BinaryOp> Inference::operator_named(std::string_view ufunc) { return operator_of_function(ufunc); }

const Builtin* Inference::ufunc_of(BinaryOp op) {
    const auto* row = named_by(kNamedOperators, &NamedOperator::op, op);
    const std::string_view name = row ? row->ufunc : named_by(kNamedComparisons, &NamedComparison::op, op)->ufunc;
    return find_builtin(fmt::format("np.{}", name));
}

// `a += b` of an array.
void Inference::update_array(BinaryOp op, Value target, Value operand, Span span, ir::Block& out) {
    if (operand.is_unknown() || !needs_value(operand, operand.span)) return;
    target = written_array(std::move(target), out);
    std::vector<Value> operands;
    operands.push_back(duplicate(target));
    operands.push_back(std::move(operand));
    store_ufunc(*ufunc_of(op), std::move(target), std::move(operands), span, out);
}

// An array whose elements are stored to one by one, in a variable: `a` itself of `a[:, :]`, else a view that goes by
// the name of what it is a part of.
Value Inference::written_array(Value array, ir::Block& out) {
    if (auto* view = array.expr->as<ir::View>(); view && ir::is_whole(*view)) {
        array.expr = std::exchange(view->array, nullptr);
        array.type = array.expr->type;
    }
    if (array.is_trivial()) return array;
    const auto* base = ir::base_local(*array.expr);
    return spill(std::move(array), base ? std::string(function_.local(base->id).name) : "target", out);
}

// Of an array in shared or local memory, or in a record; null: it is not known before it runs.
const std::vector<int64_t>* Inference::known_shape(const ir::Expr& array) const {
    const auto* field = array.as<ir::RecordField>();
    const auto* local = array.as<ir::LocalRef>();
    const std::vector<int64_t>* shape = field   ? &field->record->type.fields()[field->field].shape
                                        : local ? &function_.local(local->id).shape
                                                : nullptr;
    return shape && !shape->empty() && std::ranges::find(*shape, 0) == shape->end() ? shape : nullptr;
}

// The loops of `a[…] = b`, `a += b` and `np.add(a, b, a)`. Operands are broadcast to the target's shape.
void Inference::elementwise(Value target, std::vector<Value> operands,
                            const std::function<Value(std::vector<Value>)>& compute, Span span, ir::Block& out) {
    const Type type = target.type;
    if (type.readonly()) {
        cannot_store(target, span);
        return;
    }
    for (const Value& operand : operands)
        if (operand.type.is_array() && operand.type.ndim() > type.ndim()) {
            error(diag::cannot_convert, span, operand.type.name(), type.name());
            return;
        }
    target = written_array(std::move(target), out);
    for (Value& operand : operands) {
        if (operand.type.is_array() && operand.type.ndim() == 0) operand = element(std::move(operand), {}, span);
        const auto* local = operand.expr->as<ir::LocalRef>();
        const auto* written = target.expr->as<ir::LocalRef>();
        const auto *shape = known_shape(*operand.expr), *wanted = known_shape(*target.expr);
        const bool has_shape = (local && written && local->id == written->id) || (shape && wanted && *shape == *wanted);
        if (operand.type.is_array() && !has_shape) operand = broadcast(std::move(operand), *target.expr, span);
        if (!operand.is_trivial()) operand = spill(std::move(operand), "value", out);
    }
    std::vector<ir::LocalId> counters;
    for (int axis = 0; axis < type.ndim(); ++axis)
        counters.push_back(temporary(kAxisNames[std::min<size_t>(static_cast<size_t>(axis), 4)], Scalar::int64, span));
    const auto indices = [&] {
        std::vector<ir::Index> at;
        for (const ir::LocalId counter : counters) at.push_back({ir::local(function_, counter, span), false});
        return at;
    };
    std::vector<Value> items;
    for (Value& operand : operands)
        items.push_back(operand.type.is_array() ? element(std::move(operand), indices(), span) : std::move(operand));
    ir::Block body;
    store_element(duplicate(target), indices(), compute(std::move(items)), span, body);
    for (int axis = type.ndim() - 1; axis >= 0; --axis) {
        ir::ForRange loop{counters[static_cast<size_t>(axis)],
                          ir::integer(0, Scalar::int64, span),
                          ir::make(Scalar::int64, span, ir::ShapeOf{clone(*target.expr), static_cast<uint32_t>(axis)}),
                          ir::integer(1, Scalar::int64, span),
                          std::move(body),
                          {}};
        body = ir::Block();
        body.push_back({span, std::move(loop)});
    }
    std::ranges::move(body, std::back_inserter(out));
}

// A view with the target's shape: an axis of one element serves all. Other shapes end the thread, as in Numba.
Value Inference::broadcast(Value array, const ir::Expr& target, Span span) {
    Value result;
    result.span = span;
    result.effects = array.effects;
    result.type =
        Type::array(array.type.element(), target.type.ndim(), Layout::A, array.type.readonly(), array.type.aligned());
    ir::BuiltinCall call{&builtin("pyk.broadcast"), {}};
    call.args.push_back(std::move(array.expr));
    call.args.push_back(clone(target));
    result.expr = ir::make(result.type, span, std::move(call));
    return result;
}

// `np.iscomplexobj(x)`, `np.isrealobj(x)`: of a number or an array.
Value Inference::special_is_complex(const CallSite& site) {
    std::vector<Value> values = arguments(site);
    if (values.size() != 1 || !site.node.keywords.empty())
        return error(diag::wrong_argument_count, site.span, site.builtin.name, "1", static_cast<int>(values.size()));
    if (values[0].is_unknown() || !needs_value(values[0], values[0].span)) return Value();
    const Type type = values[0].type.is_array() ? values[0].type.element() : values[0].type;
    return of_const(Const{type.is_complex() == (site.builtin.special == Special::iscomplexobj), {}}, site.span);
}

// `np.isscalar(x)`: numbers, truth values and texts are.
Value Inference::special_is_scalar(const CallSite& site) {
    if (!has_arguments(site, 1)) return Value();
    const Value value = lower(*site.node.args[0], site.out);
    if (value.is_unknown()) return Value();
    const bool is_text = value.constant && value.constant->as<std::string>();
    return of_const(Const{value.type.is_scalar() || value.type.is_distinct() || is_text, {}}, site.span);
}

// `np.finfo(t)` and `np.iinfo(t)`: something with constants as members.
Value Inference::special_type_info(const CallSite& site) {
    const auto& [builtin, node, span, out, receiver, given] = site;
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, builtin.name, "1", static_cast<int>(node.args.size()));
    std::optional<Type> type = dtype_of(*node.args[0]);
    if (!type) {
        const Value value = lower(*node.args[0], out);
        if (value.is_unknown()) return Value();
        type = value.type;
    }
    const auto path = type_info_path(builtin, *type);
    if (!path) return error(diag::no_overload, span, builtin.name, type->name());
    return of_entity(Path{*path}, span);
}

}  // namespace pyk
