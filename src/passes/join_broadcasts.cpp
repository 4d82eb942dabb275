#include "passes/join_broadcasts.h"

#include <algorithm>
#include <map>

#include "ir/walk.h"
#include "passes/array_nest.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// Or what is kept apart from an array that is stored to.
struct Broadcast {
    const Builtin* builtin;
    ir::LocalId value, array, target;
};

const ir::BuiltinCall* broadcast_in(const ir::Stmt& stmt) {
    const auto* assign = stmt.as<ir::Assign>();
    const auto* call = assign ? assign->value->as<ir::BuiltinCall>() : nullptr;
    const bool is_one = call && (*call->builtin == "pyk.broadcast" || *call->builtin == "pyk.apart");
    return is_one ? call : nullptr;
}

class Joiner {
  public:
    explicit Joiner(ir::Function& function) : function_(function), usage_(function) {}

    void run() {
        block(function_.body);
        if (joined_.empty()) return;
        ir::rewrite(function_.body, [&](ir::ExprPtr& expr) {
            auto* ref = expr->as<ir::LocalRef>();
            const auto found = ref ? joined_.find(ref->id) : joined_.end();
            if (found != joined_.end()) ref->id = found->second;
        });
    }

  private:
    void block(ir::Block& block) {
        std::vector<Broadcast> known;
        std::erase_if(block, [&](ir::Stmt& stmt) {
            const auto own = broadcast_of(stmt);
            const auto before = std::ranges::find_if(known, [&](const Broadcast& other) {
                return own && other.builtin == own->builtin && other.array == own->array &&
                       other.target == own->target &&
                       function_.local(other.value).type == function_.local(own->value).type;
            });
            if (before != known.end()) {
                joined_[own->value] = before->value;
                return true;
            }
            ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
            forget(known, stmt);
            if (own) known.push_back(*own);
            return false;
        });
    }

    std::optional<Broadcast> broadcast_of(const ir::Stmt& stmt) const {
        const ir::BuiltinCall* call = broadcast_in(stmt);
        if (!call) return std::nullopt;
        const auto* assign = stmt.as<ir::Assign>();
        const ir::LocalId *array = local_of(call->args[0]), *target = local_of(call->args[1]);
        const bool is_own = function_.local(assign->target).storage == ir::Storage::temporary &&
                            usage_.writes[static_cast<size_t>(assign->target)] == 1;
        if (!is_own || !array || !target) return std::nullopt;
        const auto joined = joined_.find(*array);
        return Broadcast{call->builtin, assign->target, joined == joined_.end() ? *array : joined->second, *target};
    }

    /// Those whose arrays the statement assigns.
    void forget(std::vector<Broadcast>& known, const ir::Stmt& stmt) const {
        if (known.empty()) return;
        std::vector<ir::LocalId> assigned;
        const auto note = [&](const ir::Stmt& each) {
            if (const auto id = assigned_by(each)) assigned.push_back(*id);
        };
        note(stmt);
        ir::for_each_block(stmt, [&](const ir::Block& inner) { ir::for_each_stmt(inner, note); });
        std::erase_if(known, [&](const Broadcast& broadcast) {
            return std::ranges::find(assigned, broadcast.array) != assigned.end() ||
                   std::ranges::find(assigned, broadcast.target) != assigned.end();
        });
    }

    ir::Function& function_;
    const Usage usage_;
    std::map<ir::LocalId, ir::LocalId> joined_;
};

}  // namespace

void join_broadcasts(ir::Function& function) {
    size_t count = 0;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) { count += broadcast_in(stmt) != nullptr; });
    if (count > 1) Joiner(function).run();
}

}  // namespace pyk
