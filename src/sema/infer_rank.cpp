// Arrays of known extents: what is indexed with too many indices or beyond them.
#include <fmt/format.h>

#include <algorithm>

#include "sema/infer.h"

namespace pyk {

// Of a variable the wrong number of axes is told once, with where it comes from.
void Inference::wrong_rank(const ir::Expr* array, const std::function<void()>& report) {
    const auto* local = array ? array->as<ir::LocalRef>() : nullptr;
    if (!local) return report();
    const ir::Local& variable = function_.local(local->id);
    const Note cause{variable.span, fmt::format("`{}` has {}: it is {}", variable.name, Axes(array->type.ndim()).text,
                                                array->type.signature())};
    for (const Diagnostic& d : diagnostics_.all())
        for (const Note& note : d.notes)
            if (note.span == cause.span && note.text == cause.text) return;
    report();
    diagnostics_.note(cause.span, cause.text);
}

// The array of `a.shape`; null: it is no shape.
const ir::Expr* Inference::shaped_array(const Value& shape) {
    const auto* items = shape.expr ? shape.expr->as<ir::MakeTuple>() : nullptr;
    const auto* first = items && !items->elements.empty() ? items->elements[0]->as<ir::ShapeOf>() : nullptr;
    return first && first->array->type.ndim() == static_cast<int>(items->elements.size()) ? first->array.get()
                                                                                          : nullptr;
}

// Of shared and local arrays and of tables the extents are known, and so is an index that is written as a number.
void Inference::check_constant_indices(const Value& of, std::span<const ir::Subscript> subscripts) {
    const auto* local = of.expr ? of.expr->as<ir::LocalRef>() : nullptr;
    const auto* table = of.expr ? of.expr->as<ir::ConstantRef>() : nullptr;
    std::span<const int64_t> shape;
    if (local) shape = function_.local(local->id).shape;
    if (table) shape = specializer_.extents(table->id);
    for (size_t axis = 0; axis < std::min(shape.size(), subscripts.size()); ++axis) {
        const auto* index = std::get_if<ir::Index>(&subscripts[axis]);
        const auto at = index ? specializer_.integer(*index->value) : std::nullopt;
        const int64_t extent = shape[axis];
        if (!at || extent <= 0 || (*at >= -extent && *at < extent)) continue;
        diagnostics_.report(diag::constant_index, index->value->span, static_cast<long long>(*at), of.span.text(),
                            static_cast<int>(axis), static_cast<long long>(extent));
    }
}

}  // namespace pyk
