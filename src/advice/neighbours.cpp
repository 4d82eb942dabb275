// Elements that a thread reads while threads beside it replace them.
#include <algorithm>
#include <set>

#include "advice/advice.h"
#include "advice/thread_places.h"
#include "ir/walk.h"

namespace pyk {
namespace {

bool is_ordering(BinaryOp op) {
    return op == BinaryOp::Lt || op == BinaryOp::Le || op == BinaryOp::Gt || op == BinaryOp::Ge;
}

/// A test of bounds, which a thread and those beside it pass alike, but at the bound.
bool is_of_bounds(const ir::Expr& condition) {
    if (const auto* n = condition.as<ir::Convert>()) return is_of_bounds(*n->operand);
    if (const auto* n = condition.as<ir::Unary>()) return n->op == UnaryOp::Not && is_of_bounds(*n->operand);
    if (const auto* n = condition.as<ir::Logical>()) return is_of_bounds(*n->lhs) && is_of_bounds(*n->rhs);
    const auto* n = condition.as<ir::Binary>();
    return n && is_ordering(n->op);
}

class NeighbourAdvice {
  public:
    NeighbourAdvice(const ir::Module& module, const ir::Function& kernel, Diagnostics& diagnostics)
        : module_(module), kernel_(kernel), diagnostics_(diagnostics), values_(assigned_once(kernel)) {}

    /// Of a kernel that says nothing of which threads take part, by parity or by a colour, and waits nowhere.
    void run() {
        bool is_plain = true;
        ir::for_each_stmt(kernel_.body, [&](const ir::Stmt& stmt) {
            if (const auto* branch = stmt.as<ir::If>()) is_plain = is_plain && is_of_bounds(*branch->condition);
            if (const auto* assign = stmt.as<ir::Assign>(); assign && is_parameter(assign->target)) is_plain = false;
            if (const auto* loop = stmt.as<ir::ForRange>(); loop && is_by_grid(*loop->step))
                values_[loop->counter] = loop->start.get();
        });
        if (!is_plain || any(ir::effects_of(module_, kernel_.body) & kMeeting)) return;
        ir::for_each_stmt(kernel_.body, [&](const ir::Stmt& stmt) {
            if (const auto* store = stmt.as<ir::Store>()) look_at(*store);
        });
    }

  private:
    bool is_parameter(ir::LocalId local) const { return std::ranges::count(kernel_.params, local) != 0; }

    /// `for i in range(cuda.grid(1), n, cuda.gridsize(1))`: the first `i` stands for all.
    bool is_by_grid(const ir::Expr& step) const {
        const auto* call = resolved(step, values_).as<ir::BuiltinCall>();
        return call && call->builtin->launch.value == LaunchValue::threads_of_grid;
    }

    void look_at(const ir::Store& store) {
        const auto* array = store.array->as<ir::LocalRef>();
        if (!array || !is_parameter(array->id) || told_.contains(array->id)) return;
        const ThreadPlace place = thread_place(store.indices, values_);
        const auto strides = strides_of(place);
        if (strides.empty()) return;
        std::set<ir::LocalId> followed;
        look_for(*store.value, array->id, place, strides, followed);
    }

    /// Reads, in what is stored or in variables that it is made of, of what a thread beside this one stores.
    void look_for(const ir::Expr& value, ir::LocalId array, const ThreadPlace& place,
                  const std::vector<std::vector<int64_t>>& strides, std::set<ir::LocalId>& followed) {
        ir::for_each_expr_deep(value, [&](const ir::Expr& expr) {
            if (const auto* local = expr.as<ir::LocalRef>()) {
                const ir::Expr* const known = value_of(expr, values_);
                if (known && followed.insert(local->id).second) look_for(*known, array, place, strides, followed);
            }
            const auto* element = expr.as<ir::Element>();
            const auto* read = element ? element->array->as<ir::LocalRef>() : nullptr;
            if (!read || read->id != array || told_.contains(array)) return;
            const ThreadPlace there = thread_place(element->indices, values_);
            if (!are_alike(place, there) || !is_beside(place, there, strides)) return;
            told_.insert(array);
            diagnostics_.report(diag::neighbour_race, expr.span, std::string_view(kernel_.local(array).name));
        });
    }

    /// Not further than a few threads away: from there on a bound may part those that read from those that store.
    static bool is_beside(const ThreadPlace& place, const ThreadPlace& there,
                          const std::vector<std::vector<int64_t>>& strides) {
        constexpr int64_t kFarthest = 2;
        std::vector<int64_t> away;
        for (size_t axis = 0; axis < place.size(); ++axis) away.push_back(there[axis].number - place[axis].number);
        const bool is_near = std::ranges::all_of(away, [](int64_t by) { return std::abs(by) <= kFarthest; });
        return is_near && is_reached(strides, away);
    }

    const ir::Module& module_;
    const ir::Function& kernel_;
    Diagnostics& diagnostics_;
    AssignedOnce values_;
    std::set<ir::LocalId> told_;  ///< arrays
};

}  // namespace

void advise_on_neighbours(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    if (!diagnostics.wants(diag::neighbour_race.id)) return;
    for (const ir::Function& function : module.functions)
        if (function.is_kernel && files.has(function.span.file)) NeighbourAdvice(module, function, diagnostics).run();
}

}  // namespace pyk
