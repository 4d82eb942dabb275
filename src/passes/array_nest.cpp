#include "passes/array_nest.h"

#include "ir/build.h"

namespace pyk {
namespace {

bool is_extent(const ir::Expr& expr, ir::LocalId array, size_t axis) {
    if (const auto* size = expr.as<ir::SizeOf>(); size && size->array->type.ndim() == 1) {
        const ir::LocalId* id = local_of(size->array);
        return id && *id == array;
    }
    const auto* shape = expr.as<ir::ShapeOf>();
    const ir::LocalId* id = shape ? local_of(shape->array) : nullptr;
    return id && *id == array && shape->axis == axis;
}

}  // namespace

const ir::LocalId* local_of(const ir::ExprPtr& expr) {
    const auto* ref = expr->as<ir::LocalRef>();
    return ref ? &ref->id : nullptr;
}

bool is_at(const std::vector<ir::Index>& indices, const ArrayNest& nest) {
    if (indices.size() != nest.loops.size()) return false;
    for (size_t axis = 0; axis < indices.size(); ++axis) {
        const ir::LocalId* id = local_of(indices[axis].value);
        if (!id || *id != nest.loops[axis]->counter) return false;
    }
    return true;
}

std::optional<ArrayNest> array_nest_of(const ir::Stmt& stmt) {
    ArrayNest nest;
    const ir::Stmt* at = &stmt;
    while (const auto* loop = at->as<ir::ForRange>()) {
        if (!loop->orelse.empty() || loop->body.size() != 1) return std::nullopt;
        nest.loops.push_back(loop);
        at = &loop->body.front();
    }
    nest.store = at->as<ir::Store>();
    const ir::LocalId* target = nest.store ? local_of(nest.store->array) : nullptr;
    if (!target || nest.loops.empty() || !is_at(nest.store->indices, nest)) return std::nullopt;
    nest.target = *target;
    for (size_t axis = 0; axis < nest.loops.size(); ++axis) {
        const ir::ForRange& loop = *nest.loops[axis];
        const bool is_whole = ir::integer_value(*loop.start) == 0 && ir::integer_value(*loop.step) == 1 &&
                              is_extent(*loop.stop, nest.target, axis);
        if (!is_whole) return std::nullopt;
    }
    return nest;
}

}  // namespace pyk
