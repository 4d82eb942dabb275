#include "passes/remove_dead.h"

#include <algorithm>

#include "ir/renumber.h"
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
        clear_assigned_flags();
        renumber();
    }

  private:
    /// From the end, so that a chain of values that only feed each other goes in one round.
    void block(ir::Block& block) {
        for (size_t i = block.size(); i-- > 0;) {
            ir::for_each_block(block[i], [&](ir::Block& inner) { this->block(inner); });
            if (is_dead(block[i])) drop(block[i]);
        }
        std::erase_if(block, [](const ir::Stmt& stmt) {
            const auto* evaluate = stmt.as<ir::Evaluate>();
            return evaluate && !evaluate->value;
        });
    }

    bool is_dead(const ir::Stmt& stmt) {
        if (const auto* assign = stmt.as<ir::Assign>()) return usage_.reads_of(assign->target) == 0;
        const auto* evaluate = stmt.as<ir::Evaluate>();
        return evaluate && evaluate->value && !acts(*evaluate->value);
    }

    bool acts(const ir::Expr& value) const {
        bool result = is_action(ir::effects_of(module_, value));
        if (debug_ || checked_)
            ir::for_each_expr_deep(value, [&](const ir::Expr& expr) {
                const auto* binary = debug_ ? expr.as<ir::Binary>() : nullptr;
                result = result || (binary && ir::may_divide_by_zero(*binary)) || (checked_ && expr.as<ir::Element>());
            });
        return result;
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
        ir::for_each_expr_deep(*value, [&](const ir::Expr& expr) {
            if (const auto* ref = expr.as<ir::LocalRef>()) --usage_.reads_of(ref->id);
        });
        stmt.node = ir::Evaluate{nullptr};
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
