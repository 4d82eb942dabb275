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

bool takes(const Signature& signature, std::span<const Value> operands) {
    return std::ranges::equal(operands, signature.params, [](const Value& operand, Type type) {
        const Type given = operand.type;
        return type.is_array() ? given.is_array() && given.element() == type.element()
                               : type == (given.is_array() ? given.element() : given);
    });
}

std::string names_of(std::span<const Value> operands) {
    std::string names;
    for (const Value& one : operands) names += (names.empty() ? "" : ", ") + one.type.name();
    return names;
}

}  // namespace

// The axes of the first output that are not its part's say how often.
Value Inference::call_for_parts(const FunctionInfo& info, std::vector<Value> operands, Span span, ir::Block& out) {
    Diagnostics ignored;
    const ArrayFunctionInfo function = array_function(info, ignored);
    const auto refuse = [&] {
        return error(diag::array_function_call, span, std::string_view(info.name), names_of(operands));
    };
    if (!function.core || function.core->operands.size() != operands.size()) return refuse();
    const CoreLayout& core = *function.core;
    const auto signature =
        std::ranges::find_if(function.signatures, [&](const Signature& one) { return takes(one, operands); });
    if (signature == function.signatures.end() && !function.signatures.empty()) return refuse();
    const auto outer_axes = [&](size_t k) {
        return (operands[k].type.is_array() ? operands[k].type.ndim() : 0) - static_cast<int>(core.operands[k].size());
    };
    const size_t shaping = core.inputs < operands.size() ? core.inputs : 0;
    const int axes = outer_axes(shaping);
    for (size_t k = 0; k < operands.size(); ++k) {
        const bool is_number = signature != function.signatures.end() && signature->params[k].is_scalar();
        const bool is_part_of_none = core.operands[k].empty() && outer_axes(k) == 0 && !is_number;
        if (outer_axes(k) < 0 || outer_axes(k) > axes || (k >= core.inputs && outer_axes(k) != axes) || is_part_of_none)
            return refuse();
    }

    const auto extent = [&](size_t k, int axis) {
        return shape_of(*operands[k].expr, static_cast<uint32_t>(axis), span).expr;
    };
    const auto differ = [&](ir::ExprPtr a, ir::ExprPtr b) {
        return ir::binary(BinaryOp::Ne, std::move(a), std::move(b), span);
    };
    const auto raise_if = [&](ir::ExprPtr condition, std::string_view what) {
        ir::If branch{std::move(condition), {}, {}};
        branch.then.push_back(
            {span, ir::Raise{fmt::format("ValueError: {} of `{}` {}", what, info.name, "do not fit together")}});
        out.push_back({span, std::move(branch)});
    };
    // Each extent of the layout is that of all that name it.
    std::vector<std::pair<size_t, int>> named(core.extents.size(), {operands.size(), 0});
    for (size_t k = 0; k < operands.size(); ++k)
        for (size_t i = 0; i < core.operands[k].size(); ++i) {
            const int axis = outer_axes(k) + static_cast<int>(i);
            auto& [first, at] = named[core.operands[k][i]];
            const int64_t fixed = core.extents[core.operands[k][i]].fixed;
            if (fixed != 0) raise_if(differ(extent(k, axis), ir::integer(fixed, Scalar::int64, span)), "operands");
            if (fixed == 0 && first < operands.size()) raise_if(differ(extent(k, axis), extent(first, at)), "operands");
            if (first == operands.size()) first = k, at = axis;
        }

    std::vector<ir::LocalId> counters;
    for (int axis = 0; axis < axes; ++axis) counters.push_back(temporary("i", Scalar::int64, span));
    std::vector<Value> parts;
    for (size_t k = 0; k < operands.size(); ++k) {
        const bool is_number = signature != function.signatures.end() && signature->params[k].is_scalar();
        std::vector<ir::Subscript> place;
        for (int axis = 0; axis < outer_axes(k); ++axis) {
            const auto counter = [&, at = static_cast<size_t>(axes - outer_axes(k) + axis)] {
                return ir::local(function_, counters[at], span);
            };
            const auto one = [&] { return ir::integer(1, Scalar::int64, span); };
            const int shaping_axis = axes - outer_axes(k) + axis;
            ir::ExprPtr differs = differ(extent(k, axis), extent(shaping, shaping_axis));
            if (k < core.inputs)
                differs = ir::make(Scalar::boolean, span,
                                   ir::Logical{true, std::move(differs), differ(extent(k, axis), one())});
            if (k != shaping) raise_if(std::move(differs), "operands");
            // An axis of one element serves all.
            ir::ExprPtr index = k >= core.inputs
                                    ? counter()
                                    : ir::make(Scalar::int64, span,
                                               ir::Select{ir::binary(BinaryOp::Eq, extent(k, axis), one(), span),
                                                          ir::integer(0, Scalar::int64, span), counter()});
            const bool is_whole = core.operands[k].empty() && !is_number && axis + 1 == outer_axes(k);
            if (!is_whole) {
                place.emplace_back(ir::Index{std::move(index), false});
                continue;
            }
            ir::ExprPtr end = ir::binary(BinaryOp::Add, clone(*index), one(), span);
            place.emplace_back(ir::SliceOf{std::move(index), std::move(end), nullptr});
        }
        const Effects effects = operands[k].effects;
        parts.push_back(operands[k].type.is_array() ? view(duplicate(operands[k]), std::move(place), {}, effects, span)
                                                    : duplicate(operands[k]));
    }
    Value call = call_instance(info, std::move(parts), span);
    if (call.is_unknown() || !call.expr) return Value();
    ir::Block body;
    body.push_back({span, ir::Evaluate{std::move(call.expr)}});
    for (int axis = axes; axis-- > 0;) {
        ir::ForRange loop{counters[static_cast<size_t>(axis)],
                          ir::integer(0, Scalar::int64, span),
                          extent(shaping, axis),
                          ir::integer(1, Scalar::int64, span),
                          std::move(body),
                          {}};
        body = ir::Block();
        body.push_back({span, std::move(loop)});
    }
    std::ranges::move(body, std::back_inserter(out));
    return of_const(Const{Const::None{}, {}}, span);
}

}  // namespace pyk
