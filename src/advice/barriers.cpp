// Barriers that some threads of a block pass by.
#include <algorithm>

#include "advice/advice.h"
#include "advice/thread_values.h"
#include "ir/doers.h"
#include "ir/walk.h"

namespace pyk {
namespace {

constexpr std::string_view kGoOn = "here threads of a block part: those that do not come to the barrier go on";
constexpr std::string_view kAreGone = "here threads of a block part: some of them are gone in the last round";

bool has_barrier(const ir::Block& body) {
    bool found = false;
    ir::for_each_expr_deep(body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::BuiltinCall>();
        found = found || (call && any(call->builtin->effects & Effects::block));
    });
    return found;
}

/// A thread that ends without a barrier is not waited for: only those that go on are told of.
class BarrierAdvice {
  public:
    BarrierAdvice(const ir::Module& module, const ir::Function& function, const ir::Doers& waiters,
                  Diagnostics& diagnostics)
        : values_(module, function), waiters_(waiters), diagnostics_(diagnostics) {}

    /// `goes_on`: something is done behind the block, or at the next iteration of a loop around it.
    void block(const ir::Block& block, bool goes_on) {
        for (size_t i = block.size(); i-- > 0;) {
            statement(block[i], goes_on);
            goes_on = goes_on || acts(block[i]);
        }
    }

  private:
    void statement(const ir::Stmt& stmt, bool goes_on) {
        if (const auto* branch = stmt.as<ir::If>()) {
            if (goes_on && values_.differs(*branch->condition)) {
                const ir::Stmt* const then = barrier_in(branch->then);
                const ir::Stmt* const otherwise = barrier_in(branch->otherwise);
                if (then && !otherwise && !ends(branch->otherwise)) report(*then, *branch->condition);
                if (otherwise && !then && !ends(branch->then)) report(*otherwise, *branch->condition);
            }
            block(branch->then, goes_on);
            block(branch->otherwise, goes_on);
        } else if (const auto* loop = stmt.as<ir::While>()) {
            const ir::Stmt* const barrier = barrier_in(loop->body);
            if (barrier && goes_on && values_.differs(*loop->condition)) report(*barrier, *loop->condition);
            inside(loop->body, barrier, goes_on);
        } else if (const auto* loop = stmt.as<ir::ForRange>()) {
            const ir::Stmt* const barrier = barrier_in(loop->body);
            const ir::Expr* const parting = barrier ? parting_bound(*loop) : nullptr;
            // Threads of `range(i, n, step)` are meant to come together round by round.
            const bool is_shared_out = parting == loop->start.get();
            if (parting && (goes_on || is_shared_out)) report(*barrier, *parting, goes_on ? kGoOn : kAreGone);
            inside(loop->body, barrier, goes_on);
        } else {
            ir::for_each_block(stmt, [&](const ir::Block& inner) { block(inner, goes_on); });
        }
    }

    /// The bound by which threads take differently many steps; null: none does, nor do those of `range(i, i + 4)`.
    const ir::Expr* parting_bound(const ir::ForRange& loop) const {
        const ir::Expr* found = nullptr;
        for (const ir::ExprPtr* bound : {&loop.start, &loop.stop, &loop.step}) {
            if (!values_.differs(**bound)) continue;
            if (found) return nullptr;
            found = bound->get();
        }
        return found;
    }

    /// What a loop's body does is done again. `barrier`: the first in it, or null.
    void inside(const ir::Block& body, const ir::Stmt* barrier, bool goes_on) {
        if (barrier) left(body, nullptr, goes_on ? barrier : nullptr, nullptr);
        for (size_t i = body.size(); i-- > 0;) {
            bool others = goes_on;
            for (size_t j = 0; j < body.size(); ++j) others = others || (j != i && acts(body[j]));
            statement(body[i], others);
        }
    }

    /// Threads that leave a loop, or a round of it, on a condition of their own (`parting`). `in_loop`: a barrier of
    /// the loop, if something is done behind it; `behind`: one in the rest of the round.
    void left(const ir::Block& block, const ir::Expr* parting, const ir::Stmt* in_loop, const ir::Stmt* behind) {
        for (size_t i = block.size(); i-- > 0;) {
            const ir::Stmt& stmt = block[i];
            if (parting && in_loop && stmt.as<ir::Break>()) report(*in_loop, *parting);
            if (parting && behind && stmt.as<ir::Continue>()) report(*behind, *parting);
            const auto* branch = stmt.as<ir::If>();
            const ir::Expr* const apart =
                branch && values_.differs(*branch->condition) ? branch->condition.get() : parting;
            if (!ir::is_loop(stmt))
                ir::for_each_block(stmt, [&](const ir::Block& inner) { left(inner, apart, in_loop, behind); });
            if (const ir::Stmt* first = barrier_at(stmt)) behind = first;
        }
    }

    bool waits(const ir::Expr& expr) const {
        const auto* own = expr.as<ir::BuiltinCall>();
        const auto* call = expr.as<ir::Call>();
        return (own && any(own->builtin->effects & Effects::block)) || (call && waiters_.contains(call->callee));
    }
    /// The first statement that waits in itself.
    const ir::Stmt* barrier_in(const ir::Block& block) const {
        for (const ir::Stmt& stmt : block)
            if (const ir::Stmt* found = barrier_at(stmt)) return found;
        return nullptr;
    }
    const ir::Stmt* barrier_at(const ir::Stmt& stmt) const {
        const ir::Stmt* found = nullptr;
        ir::for_each_expr(stmt, [&](const ir::Expr& root) {
            ir::for_each_expr_deep(root, [&](const ir::Expr& expr) { found = found || !waits(expr) ? found : &stmt; });
        });
        ir::for_each_block(stmt, [&](const ir::Block& inner) { found = found ? found : barrier_in(inner); });
        return found;
    }
    static bool ends(const ir::Block& block) { return !block.empty() && block.back().as<ir::Return>(); }

    /// Does what other threads, or the caller, can see.
    bool acts(const ir::Stmt& stmt) const {
        bool found =
            stmt.as<ir::Store>() || stmt.as<ir::StoreField>() || stmt.as<ir::Print>() || stmt.as<ir::Evaluate>();
        ir::for_each_expr(stmt, [&](const ir::Expr& root) {
            ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                const auto* call = expr.as<ir::BuiltinCall>();
                found = found || (call && is_action(call->builtin->effects));
            });
        });
        ir::for_each_block(stmt, [&](const ir::Block& inner) {
            found = found || std::ranges::any_of(inner, [&](const ir::Stmt& s) { return acts(s); });
        });
        return found;
    }

    void report(const ir::Stmt& barrier, const ir::Expr& parting, std::string_view note = kGoOn) {
        if (!barrier.span || !parting.span) return;
        diagnostics_.report(diag::divergent_barrier, barrier.span).note(parting.span, std::string(note));
    }

    ThreadValues values_;
    const ir::Doers& waiters_;
    Diagnostics& diagnostics_;
};

}  // namespace

void advise_on_barriers(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    const auto waits = [](const ir::Function& function) { return any(function.effects & Effects::barrier); };
    if (std::ranges::none_of(module.functions, waits)) return;
    const ir::Doers waiters(module, has_barrier);
    for (size_t i = 0; i < module.functions.size(); ++i) {
        const ir::Function& function = module.functions[i];
        if (!waiters.contains(static_cast<ir::FunctionId>(i)) || !files.has(function.span.file)) continue;
        BarrierAdvice(module, function, waiters, diagnostics).block(function.body, !function.is_kernel);
    }
}

}  // namespace pyk
