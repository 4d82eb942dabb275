// Stencils: subscripts of arrays count from the element that the function is called for.
#include <algorithm>

#include "sema/infer.h"
#include "sema/stencils.h"

namespace pyk {

// Behind the parameters come the indices of that element.
void Inference::declare_positions() {
    instance_.reach.clear();
    for (const Parameter& param : instance_.params) {
        if (!param.type || !param.type.is_array()) continue;
        for (int axis = 0; axis < param.type.ndim(); ++axis)
            positions_.push_back(add_parameter("at", Scalar::int64, function_.span));
        break;
    }
    instance_.reach.resize(positions_.size());
}

bool Inference::is_relative(const ast::Expr& base) const {
    const auto* name = base.as<ast::Name>();
    if (instance_.info->array != ArrayKind::stencil || !name) return false;
    const auto& params = def_.args->args;
    const bool is_parameter = std::ranges::any_of(params, [&](const ast::Arg& arg) { return arg.arg == name->id; });
    return is_parameter && !stencil_options(*instance_.info).is_standard(name->id);
}

// Once for a stencil: what is wrong at one subscript is wrong at all.
Value Inference::bad_position(Span span, std::string_view why) {
    const auto is_said = [](const Diagnostic& d) { return d.id == diag::stencil_subscript.id; };
    if (std::ranges::any_of(diagnostics_.all(), is_said)) return Value();
    const size_t axes = positions_.size();
    const std::string wanted = axes == 1 ? "one integer" : std::to_string(axes) + " integers";
    return error(diag::stencil_subscript, span, wanted, why);
}

// A call in a function that the host calls, `k(a)` or `k(a, out=b)`: an array of what the stencil gives for each
// element whose surroundings are all there.
Value Inference::stencil_array(const FunctionInfo& info, std::vector<Value> given, const ast::Call& node, Span span,
                               ir::Block& out) {
    const StencilOptions options = stencil_options(info);
    for (const ast::Keyword& keyword : node.keywords)
        if (keyword.arg != "out" || node.keywords.size() > 1)
            return error(diag::unknown_parameter, keyword.span, std::string_view(info.name), keyword.arg);
    std::vector<Type> types;
    std::string names;
    for (Value& value : given) {
        if (value.is_unknown() || !needs_value(value, value.span)) return Value();
        if (!value.is_trivial()) value = spill(std::move(value), "value", out);
        types.push_back(value.type);
        names += (names.empty() ? "" : ", ") + value.type.name();
    }
    Value target;
    if (!node.keywords.empty()) {
        target = std::move(given.back());
        given.pop_back();
        types.pop_back();
    }
    const bool fits = given.size() == info.def->args->args.size() && stencil_takes(info, types) &&
                      (!target.type || (target.type.is_array() && target.type.ndim() == types[0].ndim()));
    if (!fits) return error(diag::stencil_types, span, std::string_view(info.name), "(" + names + ")");
    std::vector<Value> arguments;
    for (const Value& one : given) {  // which it only reads
        const Type type = one.type;
        arguments.push_back(
            !type.is_array()
                ? duplicate(one)
                : converted(duplicate(one),
                            Type::array(type.element(), type.ndim(), type.layout(), true, type.aligned()), span));
    }
    Value value = call_instance(info, std::move(arguments), span);
    if (value.is_unknown()) return Value();
    if (!value.type.is_scalar())
        return error(diag::stencil_result, span, std::string_view(info.name), value.type.name(),
                     std::string("an array"));
    ir::Call& call = *value.expr->as<ir::Call>();
    const auto reach = specializer_.at(call.callee).reach;
    const auto axes = static_cast<size_t>(types[0].ndim());
    std::vector<ir::LocalId> places;
    std::vector<ir::Index> indices;
    for (size_t axis = 0; axis < axes; ++axis) {
        places.push_back(temporary("i", Scalar::int64, span));
        indices.push_back({ir::local(function_, places[axis], span), false});
        call.args.push_back(ir::local(function_, places[axis], span));
    }
    const bool fills = options.border || !target.type;
    if (!target.type) target = new_array(value.type, extents_of(given[0], span), !options.border, span, out);
    if (!target.is_runtime()) return Value();
    if (fills && options.border) store_view(duplicate(target), of_const(*options.border, span), span, out);
    ir::Block body;
    store_element(duplicate(target), std::move(indices), std::move(value), span, body);
    for (size_t axis = axes; axis-- > 0;) {
        const auto [least, greatest] = options.neighborhood ? (*options.neighborhood)[axis] : reach[axis];
        Value stop;
        for (size_t i = 0; i < given.size(); ++i) {
            if (!types[i].is_array() || options.is_standard(info.def->args->args[i].arg)) continue;
            Value end = shape_of(*given[i].expr, static_cast<uint32_t>(axis), span);
            end.expr = ir::binary(BinaryOp::Sub, std::move(end.expr),
                                  ir::integer(std::max<int64_t>(greatest, 0), Scalar::int64, span), span);
            end.constant.reset();
            stop = stop.expr ? lesser_or_greater(builtin("min"), std::move(stop), std::move(end), false, span)
                             : std::move(end);
        }
        ir::ForRange loop{places[axis],         ir::integer(std::max<int64_t>(-least, 0), Scalar::int64, span),
                          std::move(stop.expr), ir::integer(1, Scalar::int64, span),
                          std::move(body),      {}};
        body = ir::Block();
        body.push_back({span, std::move(loop)});
    }
    std::ranges::move(body, std::back_inserter(out));
    return target;
}

// `a[-1:2, 0]`: the elements from one in front up to one behind. Numba asks for a neighborhood, and drops steps.
Value Inference::relative_view(Value array, std::span<const ast::ExprRef> written, const ast::Expr& slice,
                               ir::Block& out) {
    if (!stencil_options(*instance_.info).neighborhood)
        return bad_position(slice.span, "; a slice asks for a `neighborhood`");
    for (const ast::Expr* part : written)
        if (const auto* range = part->as<ast::Slice>(); range && (!range->upper || range->step))
            return bad_position(part->span, "; slices have an end, and no step");
    std::vector<ir::Subscript> subscripts;
    ViewShape shape;
    Effects effects = array.effects;
    if (!subscripts_of(array, slice, subscripts, shape, effects, out)) return Value();
    const bool is_of_all = subscripts.size() == positions_.size() && shape.new_axes.empty() && shape.chosen.empty();
    if (!is_of_all || static_cast<size_t>(array.type.ndim()) != positions_.size()) return bad_position(slice.span);
    instance_.reads_around = true;
    for (size_t axis = 0; axis < positions_.size(); ++axis) {
        const auto counted = [&](ir::ExprPtr from) {
            ir::ExprPtr place = ir::local(function_, positions_[axis], slice.span);
            if (!from) return place;
            return ir::binary(BinaryOp::Add, std::move(place), ir::convert(std::move(from), Scalar::int64), slice.span);
        };
        if (auto* index = std::get_if<ir::Index>(&subscripts[axis])) {
            *index = {counted(std::move(index->value)), false};
        } else {
            auto& range = std::get<ir::SliceOf>(subscripts[axis]);
            range.start = counted(std::move(range.start));
            range.stop = counted(std::move(range.stop));
        }
    }
    return view(std::move(array), std::move(subscripts), shape, effects, slice.span);
}

Value Inference::relative_element(Value array, const ast::Expr& slice, Span span, ir::Block& out) {
    const auto* tuple = slice.as<ast::Tuple>();
    const ast::Expr* single = &slice;
    const auto written = tuple ? std::span<const ast::ExprRef>(tuple->elts) : std::span<const ast::ExprRef>(&single, 1);
    if (std::ranges::any_of(written, [](const ast::Expr* expr) { return expr->as<ast::Slice>(); }))
        return relative_view(std::move(array), written, slice, out);
    std::vector<Value> values = lower_list(written, out);
    if (values.size() == 1 && is_sequence(values[0].type)) values = elements(std::move(values[0]), out);
    const auto axes = static_cast<size_t>(array.type.ndim());
    if (values.size() != axes || axes != positions_.size()) return bad_position(slice.span);
    instance_.reads_around = true;
    const auto neighborhood = stencil_options(*instance_.info).neighborhood;
    std::vector<ir::Index> indices;
    for (size_t axis = 0; axis < axes; ++axis) {
        Value& value = values[axis];
        if (value.is_unknown()) return Value();
        const auto known = value.constant ? to_int(*value.constant) : std::nullopt;
        if (!known && (!value.is_runtime() || !value.type.is_integer())) return bad_position(slice.span);
        if (!known && !neighborhood) return error(diag::stencil_neighborhood, slice.span);
        if (known && neighborhood && axis < neighborhood->size()) {
            const auto [least, greatest] = (*neighborhood)[axis];
            if (*known < least || *known > greatest)
                return error(diag::stencil_outside, value.span, static_cast<int>(*known), static_cast<int>(least),
                             static_cast<int>(greatest));
        }
        if (known) {
            auto& [least, greatest] = instance_.reach[axis];
            least = std::min(least, *known);
            greatest = std::max(greatest, *known);
        }
        Value place;
        place.type = Scalar::int64;
        place.span = span;
        place.expr = ir::local(function_, positions_[axis], span);
        array.effects = array.effects | value.effects;
        Value index = known && *known == 0 ? std::move(place)
                                           : converted(binary(BinaryOp::Add, std::move(place), std::move(value), span),
                                                       Scalar::int64, span);
        if (!index.expr) return Value();
        indices.push_back({std::move(index.expr), false});
    }
    return element(std::move(array), std::move(indices), span);
}

}  // namespace pyk
