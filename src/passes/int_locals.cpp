#include "passes/int_locals.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/walk.h"
#include "passes/narrow.h"
#include "passes/narrow_thread_index.h"
#include "passes/simplify_conversions.h"

namespace pyk {
namespace {

const Type kInt32(Scalar::int32), kInt64(Scalar::int64);

bool is_in_int32(const Interval& values) { return fits(values, kInt32); }

class IntLocals {
  public:
    IntLocals(ir::Function& function, Ranges& ranges)
        : function_(function),
          ranges_(ranges),
          values_(function.locals.size()),
          is_int_(function.locals.size()),
          depths_(function.locals.size()) {}

    void run() {
        if (!find_candidates()) return;
        gather(function_.body, 0);
        for (size_t i = 0; i < values_.size(); ++i) is_int_[i] = is_int_[i] && values_[i] && is_in_int32(*values_[i]);
        drop_widened(function_.body, 0);
        if (std::ranges::find(is_int_, true) == is_int_.end()) return;
        for (size_t i = 0; i < is_int_.size(); ++i)
            if (is_int_[i]) function_.locals[i].type = kInt32;
        ir::rewrite(function_.body, [&](ir::ExprPtr& expr) { read(expr); });
        assign(function_.body);
    }

  private:
    bool is_int(ir::LocalId id) const { return is_int_[static_cast<size_t>(id)]; }
    void drop(ir::LocalId id) { is_int_[static_cast<size_t>(id)] = false; }

    bool find_candidates() {
        bool any = false;
        for (size_t i = 0; i < is_int_.size(); ++i) {
            const ir::Local& local = function_.locals[i];
            const bool is_ours = local.storage == ir::Storage::variable || local.storage == ir::Storage::temporary;
            is_int_[i] = is_ours && local.type == kInt64;
            any = any || is_int_[i];
            if (is_int_[i] && local.maybe_unassigned) values_[i] = Interval{0, 0};
        }
        return any;
    }

    // --- what is assigned
    void gather(const ir::Block& body, int depth) {
        for (const ir::Stmt& stmt : body) {
            if (const auto* node = stmt.as<ir::Assign>()) {
                add(*node);
                int& deepest = depths_[static_cast<size_t>(node->target)];
                deepest = std::max(deepest, depth);
            }
            if (const auto* node = stmt.as<ir::ForRange>()) add(*node);
            ir::for_each_block(stmt, [&](const ir::Block& inner) { gather(inner, depth + ir::is_loop(stmt)); });
        }
    }
    /// Of a place in the grid that is 64 bits wide nvcc knows that it is not negative: it is added to addresses as it
    /// is.
    void add(const ir::Assign& n) {
        if (is_thread_index(*n.value)) return drop(n.target);
        add(n.target, ranges_.of(*n.value));
    }
    void add(ir::LocalId id, const Interval& values) {
        auto& known = values_[static_cast<size_t>(id)];
        known = known ? hull(*known, values) : values;
    }
    /// With the step behind the last one: steps of one end at `stop`.
    void add(const ir::ForRange& loop) {
        const Interval start = ranges_.of(*loop.start), stop = ranges_.of(*loop.stop), step = ranges_.of(*loop.step);
        add(loop.counter, start);
        add(loop.counter, stop);
        if (!is_in_int32(step) || !is_in_int32(stop)) return drop(loop.counter);
        if (step.lo == step.hi && (step.lo == 1 || step.lo == -1)) return;
        add(loop.counter, {stop.lo + std::min<Wide>(step.lo, 0), stop.hi + std::max<Wide>(step.hi, 0)});
    }

    // --- where it is read
    void drop_widened(const ir::Block& body, int depth) {
        depth_ = depth;
        for (const ir::Stmt& stmt : body) {
            if (const auto* print = stmt.as<ir::Print>())
                for (const ir::ExprPtr& value : print->values) drop(*value);
            ir::for_each_expr(stmt, [&](const ir::Expr& whole) {
                ir::for_each_expr_deep(whole, [&](const ir::Expr& expr) { drop_widened(expr); });
            });
            ir::for_each_block(stmt, [&](const ir::Block& inner) { drop_widened(inner, depth + ir::is_loop(stmt)); });
            depth_ = depth;
        }
    }
    void drop_widened(const ir::Expr& expr) {
        if (const auto* node = expr.as<ir::Binary>()) return drop_in(expr, *node);
        if (const auto* node = expr.as<ir::BuiltinCall>()) return drop_in(expr, *node);
        if (const auto* node = expr.as<ir::Convert>(); node && expr.type.is_unsigned()) return drop(*node->operand);
        if (expr.as<ir::Unary>() || expr.as<ir::MakeTuple>() || expr.as<ir::Select>())
            ir::for_each_child(expr, [&](const ir::Expr& child) { drop(child); });
    }
    /// A loop that computes in 32 bits pays for what is widened behind it.
    void drop(const ir::Expr& expr) {
        const auto* ref = expr.as<ir::LocalRef>();
        if (ref && depth_ >= depths_[static_cast<size_t>(ref->id)]) drop(ref->id);
    }
    void drop_in(const ir::Expr& expr, const ir::Binary& n) {
        if (is_comparison(n.op) || expr.type != kInt64) return;
        if (is_narrow_shift(expr, ranges_)) return;
        if (!has_narrow_form(n.op)) return drop(*n.lhs);
        if (is_in_int32(ranges_.of(expr))) return;
        if (is_small(*n.rhs)) drop(*n.lhs);
        if (is_small(*n.lhs)) drop(*n.rhs);
    }
    void drop_in(const ir::Expr& expr, const ir::BuiltinCall& n) {
        const bool stays = has_narrow_form(n) && is_in_int32(ranges_.of(expr)) &&
                           std::ranges::all_of(n.args, [&](const ir::ExprPtr& arg) { return is_small(*arg); });
        if (!stays)
            for (const ir::ExprPtr& arg : n.args) drop(*arg);
    }
    /// What C++ would compute with in 32 bits.
    bool is_small(const ir::Expr& expr) const {
        if (const auto* ref = expr.as<ir::LocalRef>()) return is_int(ref->id);
        const auto* convert = expr.as<ir::Convert>();
        if (convert) return preserves_values(convert->operand->type, kInt32);
        const auto* call = expr.as<ir::BuiltinCall>();
        return (expr.as<ir::Constant>() || expr.as<ir::Binary>() || (call && !call->args.empty())) &&
               is_in_int32(ranges_.of(expr));
    }

    // --- the change
    void read(ir::ExprPtr& expr) {
        const auto* ref = expr->as<ir::LocalRef>();
        if (!ref || !is_int(ref->id)) return;
        const Interval values = ranges_.of(*expr);
        expr->type = kInt32;
        convert_known(expr, kInt64, values, ranges_);
    }
    void assign(ir::Block& block) {
        for (ir::Stmt& stmt : block) {
            if (auto* node = stmt.as<ir::Assign>(); node && is_int(node->target)) to_int(node->value);
            if (auto* node = stmt.as<ir::ForRange>(); node && is_int(node->counter))
                to_int(node->start), to_int(node->stop), to_int(node->step);
            ir::for_each_block(stmt, [&](ir::Block& inner) { assign(inner); });
        }
    }
    void to_int(ir::ExprPtr& expr) { convert_known(expr, kInt32, ranges_.of(*expr), ranges_); }

    ir::Function& function_;
    Ranges& ranges_;
    std::vector<std::optional<Interval>> values_;  ///< of all that is assigned, by local
    std::vector<bool> is_int_;                     ///< likewise: it may be one
    std::vector<int> depths_;                      ///< likewise: the loops around its deepest assignment
    int depth_ = 0;                                ///< the loops around what is read
};

}  // namespace

void make_int_locals(ir::Function& function, Ranges& ranges) { IntLocals(function, ranges).run(); }

}  // namespace pyk
