// Arrays of known extents: what is indexed with too many indices or beyond them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sema/infer.h"

namespace pyk {

// The array of `a.shape`; null: it is no shape.
const ir::Expr* Inference::shaped_array(const Value& shape) {
    const auto* items = shape.expr ? shape.expr->as<ir::MakeTuple>() : nullptr;
    const auto* first = items && !items->elements.empty() ? items->elements[0]->as<ir::ShapeOf>() : nullptr;
    return first && first->array->type.ndim() == static_cast<int>(items->elements.size()) ? first->array.get()
                                                                                          : nullptr;
}

// An index that is written as a number, or as the size of an array whose extents are known.
std::optional<int64_t> Inference::written_index(const ir::Expr& expr) const {
    const auto* convert = expr.as<ir::Convert>();
    if (convert) return written_index(*convert->operand);
    const auto* shape = expr.as<ir::ShapeOf>();
    const auto* size = expr.as<ir::SizeOf>();
    const ir::Expr* array = shape ? shape->array.get() : size ? size->array.get() : nullptr;
    const auto* local = array ? array->as<ir::LocalRef>() : nullptr;
    if (!local) return specializer_.integer(expr);
    const std::span<const int64_t> extents = function_.local(local->id).shape;
    if (extents.empty()) return std::nullopt;
    return shape ? extents[shape->axis]
                 : std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies());
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
        const auto at = index ? written_index(*index->value) : std::nullopt;
        const int64_t extent = shape[axis];
        if (!at || extent <= 0 || (*at >= -extent && *at < extent)) continue;
        diagnostics_.report(diag::constant_index, index->value->span, static_cast<long long>(*at), of.span.text(),
                            static_cast<int>(axis), static_cast<long long>(extent));
    }
}

}  // namespace pyk
