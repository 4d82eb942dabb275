#include "passes/liveness.h"

#include <ranges>
#include <utility>

#include "ir/walk.h"

namespace pyk {

/// Each function takes the set of locals live after a piece of IR and turns it into the set live before it.
class LivenessBuilder {
  public:
    LivenessBuilder(const ir::Function& function, Liveness& result) : function_(function), result_(result) {}

    void block(const ir::Block& block, LocalSet& live) {
        for (const ir::Stmt& stmt : block | std::views::reverse) {
            std::visit([&](const auto& node) { before(stmt, node, live); }, stmt.node);
            if (handler_) live.insert(*handler_);
        }
    }

  private:
    void use(const ir::Expr& expr, LocalSet& live) {
        ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
            if (const auto* ref = part.as<ir::LocalRef>()) live.insert(ref->id);
        });
    }
    void uses(const ir::Stmt& stmt, LocalSet& live) {
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { use(expr, live); });
    }

    void before(const ir::Stmt& stmt, const ir::Assign& n, LocalSet& live) {
        live.erase(n.target);
        uses(stmt, live);
    }
    void before(const ir::Stmt& stmt, const ir::Store&, LocalSet& live) { uses(stmt, live); }
    void before(const ir::Stmt& stmt, const ir::StoreField&, LocalSet& live) { uses(stmt, live); }
    void before(const ir::Stmt& stmt, const ir::Evaluate&, LocalSet& live) { uses(stmt, live); }
    void before(const ir::Stmt& stmt, const ir::If& n, LocalSet& live) {
        LocalSet other = live;
        block(n.then, live);
        block(n.otherwise, other);
        live.insert(other);
        uses(stmt, live);
    }
    void before(const ir::Stmt& stmt, const ir::While& n, LocalSet& live) {
        loop(stmt, n, live, [&](LocalSet& head) { use(*n.condition, head); });
    }
    void before(const ir::Stmt& stmt, const ir::ForRange& n, LocalSet& live) {
        loop(stmt, n, live, [&](LocalSet& head) { head.erase(n.counter); });
        uses(stmt, live);
    }
    void before(const ir::Stmt&, const ir::Break&, LocalSet& live) { live = *break_; }
    void before(const ir::Stmt&, const ir::Continue&, LocalSet& live) { live = *continue_; }
    void before(const ir::Stmt& stmt, const ir::Return&, LocalSet& live) {
        live = LocalSet(function_);
        uses(stmt, live);
    }

    void before(const ir::Stmt&, const ir::Raise&, LocalSet& live) { live = LocalSet(function_); }
    void before(const ir::Stmt&, const ir::Try& n, LocalSet& live) {
        LocalSet handler = live;
        block(n.handler, handler);
        const auto* outer = std::exchange(handler_, &handler);
        block(n.body, live);
        handler_ = outer;
        live.insert(handler);
    }
    void before(const ir::Stmt& stmt, const ir::Print&, LocalSet& live) { uses(stmt, live); }

    /// `at_head` says what the head itself reads or assigns. A body's effect on the set is `generated ∪ (set ∩
    /// passed)`, so one round through it reaches the fixed point; a second one records the loops within.
    template <typename Loop, typename AtHead>
    void loop(const ir::Stmt& stmt, const Loop& n, LocalSet& live, const AtHead& at_head) {
        const LocalSet after = live;
        LocalSet head = live;
        block(n.orelse, head);
        if (recording_) record(stmt, after, head);
        const LocalSet exit = head;
        at_head(head);
        const bool recording = std::exchange(recording_, false);
        round(n, after, exit, head, at_head);
        recording_ = recording;
        if (recording_) round(n, after, exit, head, at_head);
        live = std::move(head);
    }

    template <typename Loop, typename AtHead>
    void round(const Loop& n, const LocalSet& after, const LocalSet& exit, LocalSet& head, const AtHead& at_head) {
        const LocalSet next = head;
        const auto* outer_break = std::exchange(break_, &after);
        const auto* outer_continue = std::exchange(continue_, &next);
        block(n.body, head);
        break_ = outer_break;
        continue_ = outer_continue;
        head.insert(exit);
        at_head(head);
        if constexpr (std::is_same_v<Loop, ir::ForRange>) {
            if (exit.contains(n.counter)) head.insert(n.counter);
        }
    }

    void record(const ir::Stmt& stmt, const LocalSet& after, const LocalSet& at_exit) {
        LocalSet both = after;
        both.insert(at_exit);
        if (handler_) both.insert(*handler_);
        result_.after_loops_[&stmt] = std::move(both);
    }

    const ir::Function& function_;
    Liveness& result_;
    bool recording_ = true;
    const LocalSet* break_ = nullptr;
    const LocalSet* continue_ = nullptr;
    const LocalSet* handler_ = nullptr;  ///< live where an error leads to
};

Liveness::Liveness(const ir::Function& function) : at_entry_(function) {
    LivenessBuilder(function, *this).block(function.body, at_entry_);
}

}  // namespace pyk
