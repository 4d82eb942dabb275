// Shared memory that a thread reads where other threads of its block stored, with no barrier between.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "advice/advice.h"
#include "advice/barrier_intervals.h"
#include "advice/thread_places.h"
#include "ir/build.h"
#include "ir/same_expr.h"
#include "ir/walk.h"

namespace pyk {
namespace {

class UnorderedAdvice {
  public:
    UnorderedAdvice(const ir::Module& module, const ir::Function& kernel, Diagnostics& diagnostics)
        : module_(module), kernel_(kernel), diagnostics_(diagnostics), values_(assigned_once(kernel)) {
        ir::for_each_stmt(kernel.body, [&](const ir::Stmt& stmt) {
            if (const auto* loop = stmt.as<ir::ForRange>()) counters_.insert(loop->counter);
        });
    }

    /// A kernel without any barrier. Else the loops without one, what loops come back to, single statements, and those
    /// between two barriers.
    void run() {
        is_without_barrier_ = !waits(kernel_.body);
        if (is_without_barrier_) {
            Accesses stores;
            return visit(kernel_.body, stores, false);
        }
        loops(kernel_.body);
        updates(kernel_.body, {});
        for (const UnorderedRead& found : unordered_reads(module_, kernel_))
            tell(found.array, found.read, found.store, found.is_stored_by_one, "");
    }

  private:
    struct Access {
        const ir::Expr* array;
        const std::vector<ir::Index>* indices;
        Span span;
        bool is_of_one;  ///< where one thread comes: `if t == 0`
    };
    using Accesses = std::vector<Access>;

    bool waits(const ir::Block& body) const { return any(ir::effects_of(module_, body) & kMeeting); }
    bool waits(const ir::Stmt& stmt) const {
        bool found = false;
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { found |= any(ir::effects_of(module_, expr) & kMeeting); });
        ir::for_each_block(stmt, [&](const ir::Block& inner) { found |= waits(inner); });
        return found;
    }

    void loops(const ir::Block& body) {
        for (const ir::Stmt& stmt : body)
            ir::for_each_block(stmt, [&](const ir::Block& inner) {
                if (ir::is_loop(stmt) && !waits(inner)) return loop_without(stmt, inner);
                if (ir::is_loop(stmt)) loop_with(inner);
                loops(inner);
            });
    }

    void loop_without(const ir::Stmt& loop, const ir::Block& body) {
        Accesses stores;
        add_stores(body, stores, false);
        changing_.emplace();
        const auto changes = [&](const ir::Stmt& one) {
            if (const auto* assign = one.as<ir::Assign>()) changing_->insert(assign->target);
            if (const auto* inner = one.as<ir::ForRange>()) changing_->insert(inner->counter);
        };
        changes(loop);
        ir::for_each_stmt(body, changes);
        visit(body, stores, false);
        changing_.reset();
    }

    /// Reads behind the last barrier of a round, of what the next round stores before its first one.
    void loop_with(const ir::Block& body) {
        const auto waits_here = [this](const ir::Stmt& stmt) { return waits(stmt); };
        const auto first = std::ranges::find_if(body, waits_here);
        const auto last = std::find_if(body.rbegin(), body.rend(), waits_here).base();
        Accesses stores;
        for (auto stmt = body.begin(); stmt != first; ++stmt) add_stores(*stmt, stores, false);
        for (auto stmt = last; stmt != body.end(); ++stmt)
            for_each_read(*stmt, [&](const Access& read) { look_at(read, stores, ", in the next round"); });
    }

    /// The first read of an array's element that other threads store, before it or in a loop around both.
    void visit(const ir::Block& body, Accesses& stores, bool is_of_one) {
        for (const ir::Stmt& stmt : body) {
            if (ir::is_loop(stmt))
                ir::for_each_block(stmt, [&](const ir::Block& inner) { add_stores(inner, stores, is_of_one); });
            ir::for_each_expr(stmt, [&](const ir::Expr& root) {
                for_each_read(root, is_of_one, [&](const Access& read) { look_at(read, stores, ""); });
            });
            add_store(stmt, stores, is_of_one);
            for_each_branch(stmt, is_of_one, [&](const ir::Block& inner, bool one) { visit(inner, stores, one); });
        }
    }

    /// A statement that stores a thread's own element, of what it reads of others: they may have stored theirs.
    void updates(const ir::Block& body, std::vector<const ir::Expr*> guards) {
        for (const ir::Stmt& stmt : body) {
            Accesses stores;
            add_store(stmt, stores, false);
            if (!stores.empty())
                for_each_read(*stmt.as<ir::Store>()->value, false, [&](const Access& read) {
                    const bool parts =
                        std::ranges::any_of(guards, [&](const ir::Expr* guard) { return may_part(guard, read); });
                    if (!parts) look_at(read, stores, "");
                });
            if (const auto* branch = stmt.as<ir::If>()) {
                std::vector<const ir::Expr*> more = guards;
                more.push_back(branch->condition.get());
                updates(branch->then, more);
                more.back() = nullptr;
                updates(branch->otherwise, more);
                if (ir::ends_in_jump(branch->then)) guards.push_back(nullptr);
            } else {
                ir::for_each_block(stmt, [&](const ir::Block& inner) { updates(inner, guards); });
            }
        }
    }

    /// Whether a test may keep those that read from those that are read of: not `t >= k` of `s[t - k]`, nor
    /// `t + k < n` of `s[t + k]`. Null: another test was not passed.
    bool may_part(const ir::Expr* guard, const Access& read) const {
        if (!guard || read.indices->size() != 1) return true;
        const auto* test = ir::without_conversions(*guard).as<ir::Binary>();
        const ir::Expr& place = resolved(*read.indices->front().value);
        const auto* index = place.as<ir::Binary>();
        if (!test || !index) return true;
        const bool is_below = test->op == BinaryOp::Ge || test->op == BinaryOp::Gt;
        if (is_below && index->op == BinaryOp::Sub && own_place(*test->lhs) && own_place(*index->lhs))
            return !ir::is_same(resolved(*test->rhs), resolved(*index->rhs)) && !ir::integer_value(*test->rhs);
        const bool is_above = test->op == BinaryOp::Lt || test->op == BinaryOp::Le;
        return !is_above || !ir::is_same(resolved(*test->lhs), place);
    }

    /// Blocks of a statement, and whether but one thread comes there.
    template <typename Visit>
    void for_each_branch(const ir::Stmt& stmt, bool is_of_one, const Visit& visit) const {
        const auto* branch = stmt.as<ir::If>();
        ir::for_each_block(stmt, [&](const ir::Block& inner) {
            visit(inner, is_of_one || (branch && &inner == &branch->then && picks_one(*branch->condition)));
        });
    }

    /// `t == 0`, perhaps among others.
    bool picks_one(const ir::Expr& condition) const {
        const ir::Expr& bare = ir::without_conversions(condition);
        if (const auto* both = bare.as<ir::Logical>())
            return both->is_and && (picks_one(*both->lhs) || picks_one(*both->rhs));
        const auto* test = bare.as<ir::Binary>();
        if (!test || !own_place(*test->lhs)) return false;
        return (test->op == BinaryOp::Eq && ir::integer_value(*test->rhs)) ||
               (test->op == BinaryOp::Lt && ir::integer_value(*test->rhs) == 1);
    }

    void add_store(const ir::Stmt& stmt, Accesses& stores, bool is_of_one) const {
        if (const auto* store = stmt.as<ir::Store>(); store && is_shared(*store->array))
            stores.push_back({store->array.get(), &store->indices, stmt.span, is_of_one});
    }
    void add_stores(const ir::Stmt& stmt, Accesses& stores, bool is_of_one) const {
        add_store(stmt, stores, is_of_one);
        for_each_branch(stmt, is_of_one, [&](const ir::Block& inner, bool one) { add_stores(inner, stores, one); });
    }
    void add_stores(const ir::Block& body, Accesses& stores, bool is_of_one) const {
        for (const ir::Stmt& stmt : body) add_stores(stmt, stores, is_of_one);
    }

    template <typename Visit>
    void for_each_read(const ir::Expr& root, bool is_of_one, const Visit& visit) const {
        ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
            const auto* element = expr.as<ir::Element>();
            if (element && is_shared(*element->array))
                visit(Access{element->array.get(), &element->indices, expr.span, is_of_one});
        });
    }
    template <typename Visit>
    void for_each_read(const ir::Stmt& stmt, const Visit& visit, bool is_of_one = false) const {
        ir::for_each_expr(stmt, [&](const ir::Expr& root) { for_each_read(root, is_of_one, visit); });
        for_each_branch(stmt, is_of_one, [&](const ir::Block& inner, bool one) {
            for (const ir::Stmt& each : inner) for_each_read(each, visit, one);
        });
    }

    bool is_shared(const ir::Expr& array) const {
        const auto* local = array.as<ir::LocalRef>();
        return local && kernel_.local(local->id).storage == ir::Storage::shared;
    }

    void look_at(const Access& read, const Accesses& stores, std::string_view when) {
        const ir::LocalId array = read.array->as<ir::LocalRef>()->id;
        for (const Access& store : stores) {
            if (store.array->as<ir::LocalRef>()->id != array || !is_of_others(read, store)) continue;
            return tell(array, read.span, store.span, store.is_of_one, when);
        }
    }

    void tell(ir::LocalId array, Span read, Span store, bool is_of_one, std::string_view when) {
        if (!told_.insert(array).second) return;
        const std::string_view who = is_of_one ? "one thread stores it" : "each thread stores its own";
        diagnostics_.report(diag::missing_barrier, read, std::string_view(kernel_.local(array).name))
            .note(store, fmt::format("{} here{}", who, when));
    }

    /// What each thread stores to its own place, by one of its numbers, is read at another's, and no other axis keeps
    /// threads apart that differ in that number. Or what one thread stores is read by all.
    bool is_of_others(const Access& read, const Access& store) const {
        std::set<const Builtin*> foreign, own;
        for (size_t axis = 0; axis < std::min(read.indices->size(), store.indices->size()); ++axis) {
            const ir::Expr &from = *(*read.indices)[axis].value, &to = *(*store.indices)[axis].value;
            if (!own_place(to)) {
                if (!is_same_place(from, to) || depends_on_thread(to)) return false;
                continue;
            }
            const Builtin* const number = resolved(to).as<ir::BuiltinCall>()->builtin;
            if (is_same_place(from, to))
                own.insert(number);
            else if (is_foreign(from) || own_place(from) || (!read.is_of_one && is_of_all(from)))
                foreign.insert(number);
        }
        if (store.is_of_one) return !read.is_of_one && foreign.empty() && own.empty();
        return std::ranges::any_of(foreign, [&](const Builtin* number) { return !own.contains(number); });
    }

    const ir::Expr& resolved(const ir::Expr& expr) const { return pyk::resolved(expr, values_); }

    bool is_same_place(const ir::Expr& a, const ir::Expr& b) const {
        const ir::Expr &first = resolved(a), &second = resolved(b);
        const auto *one = first.as<ir::BuiltinCall>(), *other = second.as<ir::BuiltinCall>();
        return one && other ? one->builtin == other->builtin : ir::is_same(first, second);
    }

    /// `cuda.threadIdx.x`, under its own name or another.
    bool own_place(const ir::Expr& index) const {
        const auto* call = resolved(index).as<ir::BuiltinCall>();
        return call && call->builtin->launch.value == LaunchValue::thread_index;
    }

    bool depends_on_thread(const ir::Expr& index) const {
        bool found = false;
        ir::for_each_expr_deep(resolved(index), [&](const ir::Expr& expr) { found |= own_place(expr); });
        return found;
    }

    /// `t + k`, `63 - t`, or the counter of a loop, which is the same in all threads. In a loop threads below `k` may
    /// read what lies above, as long as it stays the same.
    bool is_foreign(const ir::Expr& index) const {
        const ir::Expr& value = resolved(index);
        const auto* local = value.as<ir::LocalRef>();
        if (local) return counters_.contains(local->id);
        const auto* binary = value.as<ir::Binary>();
        if (is_without_barrier_ && binary && moves(*binary)) return true;
        if (!binary || own_place(*binary->lhs) == own_place(*binary->rhs)) return false;
        return binary->op == BinaryOp::Sub || (binary->op == BinaryOp::Add && (!changing_ || changes(value)));
    }

    /// `t ^ 1`, `t // 2`, `2 * t`, `(t + 1) % 64`; not `t % 64`, which may be all of `t`.
    bool moves(const ir::Binary& index) const {
        if (!depends_on_thread(*index.lhs) && !depends_on_thread(*index.rhs)) return false;
        switch (index.op) {
            case BinaryOp::BitXor:
            case BinaryOp::Mul:
            case BinaryOp::FloorDiv:
            case BinaryOp::Shr:
                return true;
            case BinaryOp::Mod:
                return !own_place(*index.lhs);
            default:
                return false;
        }
    }

    /// `s[0]`, which every thread reads.
    bool is_of_all(const ir::Expr& index) const { return is_without_barrier_ && ir::integer_value(resolved(index)); }

    bool changes(const ir::Expr& expr) const {
        bool found = false;
        ir::for_each_expr_deep(expr, [&](const ir::Expr& part) {
            const auto* local = part.as<ir::LocalRef>();
            found |= local && changing_->contains(local->id);
        });
        return found;
    }

    const ir::Module& module_;
    const ir::Function& kernel_;
    Diagnostics& diagnostics_;
    const AssignedOnce values_;
    std::set<ir::LocalId> counters_;
    bool is_without_barrier_ = false;                ///< anywhere: threads have no order at all
    std::optional<std::set<ir::LocalId>> changing_;  ///< what the loop that is looked at assigns
    std::set<ir::LocalId> told_;
};

}  // namespace

void advise_on_missing_barriers(const ir::Module& module, const Written& files, Diagnostics& diagnostics) {
    const auto has_shared = [](const ir::Function& kernel) {
        return std::ranges::any_of(kernel.locals, [](const ir::Local& l) { return l.storage == ir::Storage::shared; });
    };
    for (const ir::Function& function : module.functions)
        if (function.is_kernel && files.has(function.span.file) && has_shared(function))
            UnorderedAdvice(module, function, diagnostics).run();
}

}  // namespace pyk
