#include "passes/remove_dead.h"

#include <algorithm>
#include <vector>

#include "ir/build.h"
#include "ir/renumber.h"
#include "ir/thread_end.h"
#include "ir/walk.h"
#include "passes/liveness.h"
#include "passes/usage.h"

namespace pyk {
namespace {

class DeadRemover {
  public:
    DeadRemover(const ir::Module& module, ir::Function& function, bool debug, bool checked)
        : module_(module), function_(function), usage_(function), debug_(debug || function.debug), checked_(checked) {}

    void run() {
        do {
            changed_ = false;
            block(function_.body);
        } while (changed_);
        drop_last_return();
        clear_assigned_flags();
        renumber();
    }

  private:
    /// From the end, so that a chain of values that only feed each other goes in one round.
    void block(ir::Block& block) {
        for (size_t i = block.size(); i-- > 0;) {
            ir::for_each_block(block[i], [&](ir::Block& inner) { this->block(inner); });
            if (is_dead(block[i])) drop(block[i]);
            if (auto* evaluate = block[i].as<ir::Evaluate>(); evaluate && evaluate->value) keep_acting_part(*evaluate);
        }
        std::erase_if(block, [](const ir::Stmt& stmt) {
            const auto* evaluate = stmt.as<ir::Evaluate>();
            return evaluate && !evaluate->value;
        });
    }

    bool is_dead(const ir::Stmt& stmt) {
        if (const auto* assign = stmt.as<ir::Assign>()) {
            const auto* named = assign->value->as<ir::LocalRef>();
            return usage_.reads_of(assign->target) == 0 || (named && named->id == assign->target);
        }
        const auto* evaluate = stmt.as<ir::Evaluate>();
        return evaluate && evaluate->value && !acts(*evaluate->value);
    }

    /// Does something, or may be an error, whether its value is used or not.
    bool acts(const ir::Expr& value) const {
        bool result = false;
        ir::for_each_expr_deep(value, [&](const ir::Expr& expr) { result = result || acts_itself(expr); });
        return result;
    }

    /// Whatever its parts do.
    bool acts_itself(const ir::Expr& expr) const {
        if (const auto* call = expr.as<ir::Call>())
            return is_action(module_.function(call->callee).effects) || module_.function(call->callee).raises;
        const auto* call = expr.as<ir::BuiltinCall>();
        const auto* binary = debug_ ? expr.as<ir::Binary>() : nullptr;
        return (call && is_action(call->builtin->effects)) || ir::may_raise(expr) ||
               (binary && ir::may_divide_by_zero(*binary)) || (checked_ && expr.as<ir::Element>());
    }

    /// A dropped statement is an empty `Evaluate` until its block is swept.
    void drop(ir::Stmt& stmt) {
        auto* assign = stmt.as<ir::Assign>();
        if (assign) --usage_.writes_of(assign->target);
        ir::ExprPtr value = std::move(assign ? assign->value : stmt.as<ir::Evaluate>()->value);
        if (acts(*value)) {
            stmt.node = ir::Evaluate{std::move(value)};
            return;
        }
        changed_ = true;
        forget_reads(*value);
        stmt.node = ir::Evaluate{nullptr};
    }

    /// Of a value that nothing uses the one part that has to run: `t[n]` of `t[n] + x`.
    void keep_acting_part(ir::Evaluate& evaluate) {
        while (ir::ExprPtr* const part = acting_part(*evaluate.value)) {
            ir::ExprPtr kept = std::move(*part);
            *part = ir::boolean(false, kept->span);
            forget_reads(*evaluate.value);
            evaluate.value = std::move(kept);
            changed_ = true;
        }
    }

    /// Null: the expression acts itself, or has several parts that act, or one that it does not always evaluate.
    ir::ExprPtr* acting_part(ir::Expr& expr) const {
        if (acts_itself(expr) || expr.as<ir::Logical>() || expr.as<ir::Select>()) return nullptr;
        std::vector<ir::ExprPtr*> parts;
        ir::for_each_child(expr, [&](ir::ExprPtr& child) {
            if (acts(*child)) parts.push_back(&child);
        });
        return parts.size() == 1 ? parts[0] : nullptr;
    }

    void forget_reads(const ir::Expr& value) {
        ir::for_each_expr_deep(value, [&](const ir::Expr& expr) {
            if (const auto* ref = expr.as<ir::LocalRef>()) --usage_.reads_of(ref->id);
        });
    }

    /// A function that gives nothing ends anyway. What stands for PTX keeps it: without a body nothing would.
    void drop_last_return() {
        const auto* last = function_.body.empty() ? nullptr : function_.body.back().as<ir::Return>();
        if (last && !last->value && !function_.ptx) function_.body.pop_back();
    }

    void clear_assigned_flags() {
        const auto flagged = [](const ir::Local& local) { return local.maybe_unassigned; };
        if (std::ranges::none_of(function_.locals, flagged)) return;
        const Liveness liveness(function_);
        for (size_t id = 0; id < function_.locals.size(); ++id)
            if (!liveness.live_at_entry(static_cast<ir::LocalId>(id))) function_.locals[id].maybe_unassigned = false;
    }

    bool is_kept(size_t local) const {
        const bool is_param = function_.locals[local].storage == ir::Storage::parameter;
        return is_param || usage_.reads[local] || usage_.writes[local];
    }

    void renumber() {
        forget_reductions(function_.body);
        std::vector<std::optional<ir::LocalId>> ids(function_.locals.size());
        uint32_t kept = 0;
        for (size_t local = 0; local < ids.size(); ++local)
            if (is_kept(local)) ids[local] = ir::LocalId{kept++};
        if (kept < ids.size()) ir::renumber(function_, ids);
    }

    /// Of locals that nothing builds up any more.
    void forget_reductions(ir::Block& body) const {
        for (ir::Stmt& stmt : body) {
            if (auto* loop = stmt.as<ir::ForRange>())
                std::erase_if(loop->reductions, [&](const ir::Reduction& reduction) {
                    return !usage_.writes[static_cast<size_t>(reduction.local)];
                });
            ir::for_each_block(stmt, [&](ir::Block& inner) { forget_reductions(inner); });
        }
    }

    const ir::Module& module_;
    ir::Function& function_;
    Usage usage_;
    const bool debug_, checked_;
    bool changed_ = false;
};

}  // namespace

void remove_dead(const ir::Module& module, ir::Function& function, bool debug, bool checked) {
    DeadRemover(module, function, debug, checked).run();
}

}  // namespace pyk
