#include "advice/scattered_updates.h"

#include <algorithm>

#include "ir/same_expr.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// The indices of an element, those of the rows that it is in before: of `v[3]` with `v = vel[p]` there is `p` too.
std::vector<const ir::Expr*> all_indices(const ir::Expr& array, const std::vector<ir::Index>& indices,
                                         const AssignedOnce& assigned) {
    std::vector<const ir::Expr*> all;
    for (const ir::Index& index : indices) all.push_back(&resolved(*index.value, assigned));
    const auto* row = resolved(array, assigned).as<ir::View>();
    for (int depth = 0; row && depth < kMostNames; ++depth) {
        for (const ir::Subscript& subscript : row->subscripts)
            if (const auto* index = std::get_if<ir::Index>(&subscript))
                all.push_back(&resolved(*index->value, assigned));
        row = resolved(*row->array, assigned).as<ir::View>();
    }
    return all;
}

/// What the value of an update is made of, but for what the place held.
class Parts {
  public:
    Parts(const StoredPlace& place, const ThreadVariables& variables) : place_(place), variables_(variables) {
        for (const ir::Expr* index : all_indices(*place.base, *place.indices, variables.assigned))
            if (variables.spreads.of(*index).loaded) listed_.push_back(index);
        add(*place.value, 0);
    }

    bool of_place = false;   ///< what other arrays have at the same indices: `vel[p]`
    bool of_thread = false;  ///< what is another thing for each thread

  private:
    void add(const ir::Expr& value, int depth) {
        if (place_.is_value_of(value)) return;
        if (const auto* element = value.as<ir::Element>()) {
            const bool is_beside = ir::is_same(element->indices, *place_.indices) || is_at_listed(*element);
            of_place |= is_beside;
            of_thread |= !is_beside && variables_.spreads.of(value).axes();
            return;
        }
        if (value.as<ir::LocalRef>()) {
            const ir::Expr* const known = value_of(value, variables_.assigned);
            if (known && depth < kMostNames) return add(*known, depth + 1);
            of_thread |= variables_.spreads.of(value).axes() != 0;
        }
        if (const auto* call = value.as<ir::BuiltinCall>()) of_thread |= axes_of(*call->builtin) != 0;
        ir::for_each_child(value, [&](const ir::Expr& child) { add(child, depth); });
    }

    /// Whether another array is read at the places that memory lists.
    bool is_at_listed(const ir::Element& element) const {
        const auto indices = all_indices(*element.array, element.indices, variables_.assigned);
        return !listed_.empty() && std::ranges::all_of(listed_, [&](const ir::Expr* listed) {
            return std::ranges::any_of(indices, [&](const ir::Expr* index) { return ir::is_same(*index, *listed); });
        });
    }

    const StoredPlace& place_;
    const ThreadVariables& variables_;
    std::vector<const ir::Expr*> listed_;  ///< indices of the place that were read from memory
};

}  // namespace

bool are_places_unique(const StoredPlace& place, const LoadedVariables& loaded, const ThreadVariables& variables) {
    const auto is_listed = [&](const ir::Index& index) {
        const ir::Expr& value = resolved(*index.value, variables.assigned);
        return !variables.spreads.of(*index.value).loaded || value.as<ir::Element>() || value.as<ir::Call>();
    };
    if (!place.indices || !std::ranges::all_of(*place.indices, is_listed)) return false;
    const Parts parts(place, variables);
    const auto op = loaded.op_on(*place.value, [&](const ir::Expr& part) { return place.is_value_of(part); });
    const std::string_view atomic = atomic_for(place, loaded, nullptr);
    if (parts.of_thread) return !op && atomic == kNoAtomic;
    const bool is_clamp = atomic == kAtomicMax || atomic == kAtomicMin;
    return atomic == kNoAtomic || is_clamp || parts.of_place;
}

}  // namespace pyk
