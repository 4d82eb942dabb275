// Stencils: subscripts of arrays count from the element that the function is called for.
#include <algorithm>

#include "sema/infer.h"
#include "sema/stencils.h"

namespace pyk {

// Behind the parameters come the indices of that element.
void Inference::declare_positions() {
    positions_.clear();
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

Value Inference::relative_element(Value array, const ast::Expr& slice, Span span, ir::Block& out) {
    const auto* tuple = slice.as<ast::Tuple>();
    const ast::Expr* single = &slice;
    const auto written = tuple ? std::span<const ast::ExprRef>(tuple->elts) : std::span<const ast::ExprRef>(&single, 1);
    if (std::ranges::any_of(written, [](const ast::Expr* expr) { return expr->as<ast::Slice>(); }))
        return bad_position(slice.span, "; slices are not available");
    std::vector<Value> values = lower_list(written, out);
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
                return error(diag::stencil_outside, written[axis]->span, static_cast<int>(*known),
                             static_cast<int>(least), static_cast<int>(greatest));
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
