// Which outputs of `@guvectorize` are stored to as a whole: by a loop over each axis that stores to every element,
// before anything is read. What they held before the call does not matter then.
#include <algorithm>

#include "ir/walk.h"
#include "sema/array_functions.h"

namespace pyk {
namespace {

class Finder {
  public:
    Finder(const ir::Function& function, const CoreLayout& layout) : function_(function), layout_(layout) {
        ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) assigned_[assign->target].push_back(assign->value.get());
        });
    }

    bool stores_all(size_t operand) const {
        const ir::LocalId output = function_.params[operand];
        for (const ir::Stmt& stmt : function_.body) {
            const Finding found = stores_all(stmt, output, operand, {});
            if (found != Finding::nothing) return found == Finding::all;
        }
        return false;
    }

  private:
    enum class Finding { nothing, all, other };
    /// A loop's counter, and the author's name for it.
    struct Counter {
        ir::LocalId counter;
        std::optional<ir::LocalId> name;
    };

    /// `counters`: of the loops around, over the output's first axes.
    Finding stores_all(const ir::Stmt& stmt, ir::LocalId output, size_t operand, std::vector<Counter> counters) const {
        if (const auto* store = stmt.as<ir::Store>(); store && ir::is_local(*store->array, output))
            return !mentions(*store->value, output) && is_at(*store, counters, operand) ? Finding::all : Finding::other;
        const auto* loop = stmt.as<ir::ForRange>();
        if (!loop || !is_over(*loop, operand, counters.size())) return touches(stmt, output);
        counters.push_back({loop->counter, name_of(*loop)});
        for (const ir::Stmt& inner : loop->body) {
            const Finding found = stores_all(inner, output, operand, counters);
            if (found != Finding::nothing) return found;
        }
        return Finding::nothing;
    }

    Finding touches(const ir::Stmt& stmt, ir::LocalId output) const {
        bool found = false;
        const auto look = [&](const ir::Stmt& each) {
            found |= each.as<ir::Return>() || each.as<ir::Raise>() || each.as<ir::Break>() || each.as<ir::Continue>();
            const auto* store = each.as<ir::Store>();
            found |= store && ir::is_local(*store->array, output);
            ir::for_each_expr(each, [&](const ir::Expr& expr) { found |= mentions(expr, output); });
        };
        look(stmt);
        ir::for_each_block(stmt, [&](const ir::Block& block) { ir::for_each_stmt(block, look); });
        return found ? Finding::other : Finding::nothing;
    }

    static std::optional<ir::LocalId> name_of(const ir::ForRange& loop) {
        const auto* first = loop.body.empty() ? nullptr : loop.body.front().as<ir::Assign>();
        if (!first || !ir::is_local(*first->value, loop.counter)) return std::nullopt;
        int assigned = 0;
        ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            assigned += assign && assign->target == first->target;
        });
        return assigned == 1 ? std::optional(first->target) : std::nullopt;
    }

    /// But for its shape.
    static bool mentions(const ir::Expr& expr, ir::LocalId id) {
        bool found = false;
        std::vector<const ir::Expr*> shaped;
        ir::for_each_expr_deep(expr, [&](const ir::Expr& each) {
            if (const auto* shape = each.as<ir::ShapeOf>()) shaped.push_back(shape->array.get());
            found |= ir::is_local(each, id) && std::ranges::find(shaped, &each) == shaped.end();
        });
        return found;
    }

    /// The value of a local that is assigned once, without conversions.
    const ir::Expr& resolved(const ir::Expr& expr) const {
        if (const auto* convert = expr.as<ir::Convert>()) return resolved(*convert->operand);
        const auto* ref = expr.as<ir::LocalRef>();
        const auto found = ref ? assigned_.find(ref->id) : assigned_.end();
        return found != assigned_.end() && found->second.size() == 1 ? resolved(*found->second.front()) : expr;
    }

    bool is_integer(const ir::Expr& expr, int64_t value) const {
        const auto* constant = resolved(expr).as<ir::Constant>();
        const auto* number = constant ? std::get_if<int64_t>(&constant->value) : nullptr;
        return number && *number == value;
    }

    /// `for i in range(n)` with the extent of the output's axis.
    bool is_over(const ir::ForRange& loop, size_t operand, size_t axis) const {
        const std::vector<size_t>& axes = layout_.operands[operand];
        if (axis >= axes.size() || !is_integer(*loop.start, 0) || !is_integer(*loop.step, 1)) return false;
        const auto* shape = resolved(*loop.stop).as<ir::ShapeOf>();
        const auto* array = shape ? shape->array->as<ir::LocalRef>() : nullptr;
        const auto at = array ? std::ranges::find(function_.params, array->id) : function_.params.end();
        if (at == function_.params.end())
            return layout_.extents[axes[axis]].fixed && is_integer(*loop.stop, layout_.extents[axes[axis]].fixed);
        const std::vector<size_t>& theirs = layout_.operands[static_cast<size_t>(at - function_.params.begin())];
        return shape->axis < theirs.size() && theirs[shape->axis] == axes[axis];
    }

    bool is_at(const ir::Store& store, const std::vector<Counter>& counters, size_t operand) const {
        if (counters.size() != layout_.operands[operand].size() || store.indices.size() != counters.size())
            return false;
        for (size_t axis = 0; axis < counters.size(); ++axis) {
            const auto* ref = ir::without_conversions(*store.indices[axis].value).as<ir::LocalRef>();
            if (!ref || (ref->id != counters[axis].counter && ref->id != counters[axis].name)) return false;
        }
        return true;
    }

    const ir::Function& function_;
    const CoreLayout& layout_;
    std::map<ir::LocalId, std::vector<const ir::Expr*>> assigned_;
};

}  // namespace

void find_overwritten(const ir::Function& function, const CoreLayout& layout, std::vector<ir::CoreOperand>& core) {
    const Finder finder(function, layout);
    for (size_t k = layout.inputs; k < core.size(); ++k) core[k].is_overwritten = finder.stores_all(k);
}

}  // namespace pyk
