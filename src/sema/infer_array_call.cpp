// Calls of array functions in functions that the host calls: as Numba's, for each element, or for each part.
#include <algorithm>

#include "sema/array_functions.h"
#include "sema/infer.h"

namespace pyk {

// `f(a, 2)` of `@vectorize` with arrays is a new array, `f(a, 2, b)` what `b` has then; of `@guvectorize` the function
// runs for each part of the operands, and what it stores is in them. nullopt: a call as of any function.
std::optional<Value> Inference::array_call(const FunctionInfo& info, std::vector<Value>& given, const ast::Call& node,
                                           Span span, ir::Block& out) {
    const bool is_of_parts = info.array == ArrayKind::gufunc;
    if (!(info.array == ArrayKind::ufunc || is_of_parts) || !specializer_.can_allocate()) return std::nullopt;
    const auto has_axes = [](const Value& value) { return value.type.is_array() && value.type.ndim() > 0; };
    const size_t operands = info.def->args->args.size();
    const bool has_output = !is_of_parts && given.size() == operands + 1 && given.back().type.is_array();
    if (!is_of_parts && !has_output && std::ranges::none_of(given, has_axes)) return std::nullopt;
    if (!node.keywords.empty()) return error(diag::no_keywords, node.keywords[0].span, std::string_view(info.name));
    if (given.size() != operands + has_output)
        return error(diag::wrong_argument_count, span, std::string_view(info.name), std::to_string(operands),
                     static_cast<int>(given.size()));
    for (Value& value : given) {
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
        if (!value.is_trivial()) value = spill(std::move(value), "value", out);
    }
    if (is_of_parts) return call_for_parts(info, std::move(given), span, out);
    const auto compute = [&](std::vector<Value> items) { return call_instance(info, std::move(items), span); };
    if (!has_output) return array_of(compute, std::move(given), span, out);
    Value target = std::move(given.back());
    given.pop_back();
    elementwise(duplicate(target), std::move(given), compute, span, out);
    return target;
}

namespace {

/// Of a call for parts: what the layout and the signature say of its operands.
struct Parts {
    CoreLayout core;
    std::vector<int> outer;         ///< per operand: how many axes are not its part's
    std::vector<bool> are_numbers;  ///< per operand: the signature takes a number
    size_t shaping;                 ///< the operand whose outer axes say how often: the first output, else the largest
    int axes() const { return outer[shaping]; }
    bool is_output(size_t operand) const { return operand >= core.inputs; }
    /// Whether the function sees an array of one element where the layout names no axes.
    bool is_held(size_t operand) const { return core.operands[operand].empty() && !are_numbers[operand]; }
};

bool takes(const Signature& signature, std::span<const Value> operands) {
    return std::ranges::equal(operands, signature.params, [](const Value& operand, Type type) {
        const Type given = operand.type;
        return type.is_array() ? given.is_array() && given.element() == type.element()
                               : type == (given.is_array() ? given.element() : given);
    });
}

/// nullopt: the types or the numbers of axes do not fit.
std::optional<Parts> parts_in_call(const ArrayFunctionInfo& function, std::span<const Value> operands) {
    if (!function.core || function.core->operands.size() != operands.size()) return std::nullopt;
    Parts parts{*function.core, {}, std::vector<bool>(operands.size()), 0};
    if (!function.signatures.empty()) {
        const auto found =
            std::ranges::find_if(function.signatures, [&](const Signature& one) { return takes(one, operands); });
        if (found == function.signatures.end()) return std::nullopt;
        for (size_t k = 0; k < operands.size(); ++k) parts.are_numbers[k] = found->params[k].is_scalar();
    }
    for (size_t k = 0; k < operands.size(); ++k) {
        const int axes = operands[k].type.is_array() ? operands[k].type.ndim() : 0;
        parts.outer.push_back(axes - static_cast<int>(parts.core.operands[k].size()));
    }
    parts.shaping = parts.core.inputs < operands.size()
                        ? parts.core.inputs
                        : static_cast<size_t>(std::ranges::max_element(parts.outer) - parts.outer.begin());
    for (size_t k = 0; k < operands.size(); ++k) {
        const int least = parts.is_held(k) ? 1 : parts.is_output(k) ? parts.axes() : 0;
        if (parts.outer[k] < least || parts.outer[k] > parts.axes()) return std::nullopt;
        if (parts.is_output(k) && parts.outer[k] != parts.axes()) return std::nullopt;
    }
    return parts;
}

std::string names_of(std::span<const Value> operands) {
    std::string names;
    for (const Value& one : operands) names += (names.empty() ? "" : ", ") + one.type.name();
    return names;
}

ir::ExprPtr one(Span span) { return ir::integer(1, Scalar::int64, span); }

/// The conditions under which the operands' extents do not fit together. `extent`: of an operand and an axis.
std::vector<ir::ExprPtr> misfits(const Parts& parts, const std::function<ir::ExprPtr(size_t, int)>& extent, Span span) {
    std::vector<ir::ExprPtr> found;
    const auto differ = [&](ir::ExprPtr a, ir::ExprPtr b) {
        return ir::binary(BinaryOp::Ne, std::move(a), std::move(b), span);
    };
    // Each extent of the layout is that of all that name it.
    std::vector<std::optional<std::pair<size_t, int>>> first(parts.core.extents.size());
    for (size_t k = 0; k < parts.outer.size(); ++k)
        for (size_t i = 0; i < parts.core.operands[k].size(); ++i) {
            const size_t name = parts.core.operands[k][i];
            const int axis = parts.outer[k] + static_cast<int>(i);
            const int64_t fixed = parts.core.extents[name].fixed;
            if (fixed != 0)
                found.push_back(differ(extent(k, axis), ir::integer(fixed, Scalar::int64, span)));
            else if (first[name])
                found.push_back(differ(extent(k, axis), extent(first[name]->first, first[name]->second)));
            else
                first[name] = {k, axis};
        }
    // Of an input an axis of one element serves all.
    for (size_t k = 0; k < parts.outer.size(); ++k)
        for (int axis = 0; axis < parts.outer[k] && k != parts.shaping; ++axis) {
            ir::ExprPtr is_other = differ(extent(k, axis), extent(parts.shaping, parts.axes() - parts.outer[k] + axis));
            if (!parts.is_output(k))
                is_other = ir::make(Scalar::boolean, span,
                                    ir::Logical{true, std::move(is_other), differ(extent(k, axis), one(span))});
            found.push_back(std::move(is_other));
        }
    return found;
}

}  // namespace

Value Inference::call_for_parts(const FunctionInfo& info, std::vector<Value> operands, Span span, ir::Block& out) {
    Diagnostics ignored;
    const std::optional<Parts> known = parts_in_call(array_function(info, ignored), operands);
    if (!known) return error(diag::array_function_call, span, std::string_view(info.name), names_of(operands));
    const auto extent = [&](size_t k, int axis) {
        return shape_of(*operands[k].expr, static_cast<uint32_t>(axis), span).expr;
    };
    for (ir::ExprPtr& misfit : misfits(*known, extent, span)) {
        ir::If branch{std::move(misfit), {}, {}};
        branch.then.push_back(
            {span, ir::Raise{fmt::format("ValueError: operands of `{}` do not fit together", info.name)}});
        out.push_back({span, std::move(branch)});
    }
    std::vector<ir::LocalId> counters;
    for (int axis = 0; axis < known->axes(); ++axis) counters.push_back(temporary("i", Scalar::int64, span));
    const auto place = [&](size_t k, int axis) {
        ir::ExprPtr counter =
            ir::local(function_, counters[static_cast<size_t>(known->axes() - known->outer[k] + axis)], span);
        if (known->is_output(k)) return counter;
        ir::ExprPtr is_one = ir::binary(BinaryOp::Eq, extent(k, axis), one(span), span);
        ir::ExprPtr zero = ir::integer(0, Scalar::int64, span);
        return ir::make(Scalar::int64, span, ir::Select{std::move(is_one), std::move(zero), std::move(counter)});
    };
    std::vector<Value> parts;
    for (size_t k = 0; k < operands.size(); ++k) {
        std::vector<ir::Subscript> subscripts;
        for (int axis = 0; axis < known->outer[k]; ++axis) {
            if (known->is_held(k) && axis + 1 == known->outer[k]) {
                ir::ExprPtr end = ir::binary(BinaryOp::Add, place(k, axis), one(span), span);
                subscripts.emplace_back(ir::SliceOf{place(k, axis), std::move(end), nullptr});
            } else {
                subscripts.emplace_back(ir::Index{place(k, axis), false});
            }
        }
        const Effects effects = operands[k].effects;
        Value operand = duplicate(operands[k]);
        parts.push_back(operand.type.is_array() ? view(std::move(operand), std::move(subscripts), {}, effects, span)
                                                : std::move(operand));
    }
    Value call = call_instance(info, std::move(parts), span);
    if (call.is_unknown() || !call.expr) return Value();
    ir::Block body;
    body.push_back({span, ir::Evaluate{std::move(call.expr)}});
    for (int axis = known->axes(); axis-- > 0;) {
        ir::ForRange loop{counters[static_cast<size_t>(axis)],
                          ir::integer(0, Scalar::int64, span),
                          extent(known->shaping, axis),
                          one(span),
                          std::move(body),
                          {}};
        body = ir::Block();
        body.push_back({span, std::move(loop)});
    }
    std::ranges::move(body, std::back_inserter(out));
    return of_const(Const{Const::None{}, {}}, span);
}

}  // namespace pyk
