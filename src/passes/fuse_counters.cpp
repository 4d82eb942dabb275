#include "passes/fuse_counters.h"

#include <utility>

#include "ir/walk.h"
#include "passes/liveness.h"
#include "passes/usage.h"

namespace pyk {
namespace {

class Fuser {
  public:
    explicit Fuser(ir::Function& function) : function_(function), liveness_(function) {}

    /// Inner loops first: liveness_ knows them by address, and fusing moves what is in the body.
    void block(ir::Block& block) {
        for (ir::Stmt& stmt : block) {
            ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
            if (auto* loop = stmt.as<ir::ForRange>()) fuse(stmt, *loop);
        }
    }

  private:
    void fuse(const ir::Stmt& stmt, ir::ForRange& loop) {
        const auto variable = author_variable(loop);
        if (!variable || !is_candidate(*variable, loop) || liveness_.live_after(stmt, *variable)) return;
        if (count_writes(loop.body, *variable) != 1 || liveness_.live_after(stmt, loop.counter)) return;
        const ir::LocalId counter = std::exchange(loop.counter, *variable);
        loop.body.erase(loop.body.begin());
        // `for k, x in enumerate(a)`: `a[k]`, too, is read by it.
        ir::rewrite(loop.body, [&](ir::ExprPtr& expr) {
            if (auto* local = expr->as<ir::LocalRef>(); local && local->id == counter) local->id = *variable;
        });
    }

    /// `i` of a body that starts with `i = counter`.
    static std::optional<ir::LocalId> author_variable(const ir::ForRange& loop) {
        const auto* assign = loop.body.empty() ? nullptr : loop.body.front().as<ir::Assign>();
        const auto* value = assign ? assign->value->as<ir::LocalRef>() : nullptr;
        if (!value || value->id != loop.counter) return std::nullopt;
        return assign->target;
    }

    bool is_candidate(ir::LocalId variable, const ir::ForRange& loop) const {
        const ir::Local& local = function_.local(variable);
        return local.storage == ir::Storage::variable && local.type == function_.local(loop.counter).type;
    }

    ir::Function& function_;
    Liveness liveness_;
};

}  // namespace

void fuse_counters(ir::Function& function) { Fuser(function).block(function.body); }

}  // namespace pyk
