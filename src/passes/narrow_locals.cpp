#include "passes/narrow_locals.h"

#include <optional>
#include <utility>
#include <vector>

#include "ir/walk.h"

namespace pyk {
namespace {

/// Of an element of memory that has 8 or 16 bits.
std::optional<Type> small_integer(const ir::Expr& expr) {
    if (!expr.as<ir::Element>() || !expr.type.is_integer() || expr.type.bits() > 16) return std::nullopt;
    return expr.type;
}

/// All that is assigned to a local.
struct Assigned {
    std::optional<Interval> values;
    std::optional<Type> copied;  ///< of small elements that are among them, unchanged
    bool has_small = false;      ///< small elements are in what is computed
    bool in_loop = false;
    bool by_loop = false;  ///< its counter, or what a parallel loop builds up
};

class Narrower {
  public:
    Narrower(ir::Function& function, Ranges& ranges)
        : function_(function), ranges_(ranges), assigned_(function.locals.size()) {}

    void run() {
        gather();
        if (!choose()) return;
        ir::rewrite(function_.body, [&](ir::ExprPtr& expr) { widen(expr); });
        assign(function_.body);
    }

  private:
    Assigned& assigned(ir::LocalId id) { return assigned_[static_cast<size_t>(id)]; }

    void gather() {
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) add(assigned(assign->target), *assign->value);
            const auto* loop = stmt.as<ir::ForRange>();
            if (!loop) return;
            assigned(loop->counter).by_loop = true;
            for (const ir::Reduction& built : loop->reductions) assigned(built.local).by_loop = true;
        });
        ir::for_each_stmt_in_loops(function_.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) assigned(assign->target).in_loop = true;
        });
    }
    void add(Assigned& local, const ir::Expr& value) {
        const Interval range = ranges_.of(value);
        local.values = local.values ? hull(*local.values, range) : range;
        note_copied(local, value);
        ir::for_each_expr_deep(value,
                               [&](const ir::Expr& part) { local.has_small |= small_integer(part).has_value(); });
    }
    /// What the value may be a copy of.
    static void note_copied(Assigned& local, const ir::Expr& value) {
        const auto* convert = value.as<ir::Convert>();
        if (convert) {
            if (const auto small = small_integer(*convert->operand)) local.copied = small;
        } else if (value.as<ir::BuiltinCall>() || value.as<ir::Select>()) {
            ir::for_each_child(value, [&](const ir::Expr& child) { note_copied(local, child); });
        }
    }

    /// Whether there is anything to do. Small types go to the locals.
    bool choose() {
        small_.resize(function_.locals.size());
        bool any = false;
        for (size_t i = 0; i < assigned_.size(); ++i) {
            const auto type = type_for(function_.locals[i], assigned_[i]);
            if (!type) continue;
            function_.locals[i].type = *type;
            small_[i] = any = true;
        }
        return any;
    }
    static std::optional<Type> type_for(const ir::Local& local, const Assigned& assigned) {
        if (local.type != Type(Scalar::int64) || local.storage == ir::Storage::parameter) return std::nullopt;
        if (!assigned.values || !assigned.in_loop || !assigned.has_small || assigned.by_loop) return std::nullopt;
        const Interval values = local.maybe_unassigned ? hull(*assigned.values, {0, 0}) : *assigned.values;
        if (assigned.copied && fits(values, *assigned.copied)) return assigned.copied;
        return fits(values, Scalar::int32) ? std::optional<Type>(Scalar::int32) : std::nullopt;
    }
    bool is_small(ir::LocalId id) const { return small_[static_cast<size_t>(id)]; }

    void widen(ir::ExprPtr& expr) {
        const auto* ref = expr->as<ir::LocalRef>();
        if (!ref || !is_small(ref->id)) return;
        const Interval values = ranges_.of(*expr);
        expr->type = function_.local(ref->id).type;
        convert_known(expr, Scalar::int64, values, ranges_);
    }
    void assign(ir::Block& block) {
        for (ir::Stmt& stmt : block) {
            if (auto* assign = stmt.as<ir::Assign>(); assign && is_small(assign->target))
                convert_known(assign->value, function_.local(assign->target).type, ranges_.of(*assign->value), ranges_);
            ir::for_each_block(stmt, [&](ir::Block& inner) { assign(inner); });
        }
    }

    ir::Function& function_;
    Ranges& ranges_;
    std::vector<Assigned> assigned_;  ///< by local
    std::vector<bool> small_;         ///< likewise: it is of a small type now
};

}  // namespace

void narrow_locals(ir::Function& function, Ranges& ranges) { Narrower(function, ranges).run(); }

}  // namespace pyk
