// Shared memory that a thread reads where other threads of its block stored, with no barrier between.
#include <algorithm>
#include <optional>
#include <set>

#include "advice/advice.h"
#include "advice/thread_places.h"
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

    /// A kernel without any barrier, else the loops without one.
    void run() {
        std::vector<Access> stores;
        if (!waits(kernel_.body))
            visit(kernel_.body, stores);
        else
            loops(kernel_.body);
    }

  private:
    struct Access {
        const ir::Expr* array;
        const std::vector<ir::Index>* indices;
        Span span;
    };

    bool waits(const ir::Block& body) const {
        return any(ir::effects_of(module_, body) & (Effects::barrier | Effects::ordered | Effects::atomic));
    }

    void loops(const ir::Block& body) {
        for (const ir::Stmt& stmt : body)
            ir::for_each_block(stmt, [&](const ir::Block& inner) {
                if (!ir::is_loop(stmt) || waits(inner)) return loops(inner);
                std::vector<Access> stores;
                add_stores(inner, stores);
                changing_.emplace();
                const auto changes = [&](const ir::Stmt& one) {
                    if (const auto* assign = one.as<ir::Assign>()) changing_->insert(assign->target);
                    if (const auto* loop = one.as<ir::ForRange>()) changing_->insert(loop->counter);
                };
                changes(stmt);
                ir::for_each_stmt(inner, changes);
                visit(inner, stores);
                changing_.reset();
            });
    }

    /// The first read of an array's element that other threads store, before it or in a loop around both.
    void visit(const ir::Block& body, std::vector<Access>& stores) {
        for (const ir::Stmt& stmt : body) {
            if (ir::is_loop(stmt)) ir::for_each_block(stmt, [&](const ir::Block& inner) { add_stores(inner, stores); });
            ir::for_each_expr(stmt, [&](const ir::Expr& root) {
                ir::for_each_expr_deep(root, [&](const ir::Expr& expr) {
                    if (const auto* element = expr.as<ir::Element>())
                        read({element->array.get(), &element->indices, expr.span}, stores);
                });
            });
            add_store(stmt, stores);
            ir::for_each_block(stmt, [&](const ir::Block& inner) { visit(inner, stores); });
        }
    }

    void add_store(const ir::Stmt& stmt, std::vector<Access>& stores) const {
        if (const auto* store = stmt.as<ir::Store>(); store && is_shared(*store->array))
            stores.push_back({store->array.get(), &store->indices, stmt.span});
    }
    void add_stores(const ir::Block& body, std::vector<Access>& stores) const {
        ir::for_each_stmt(body, [&](const ir::Stmt& stmt) { add_store(stmt, stores); });
    }

    bool is_shared(const ir::Expr& array) const {
        const auto* local = array.as<ir::LocalRef>();
        return local && kernel_.local(local->id).storage == ir::Storage::shared;
    }

    void read(const Access& read, const std::vector<Access>& stores) {
        if (!is_shared(*read.array)) return;
        const ir::LocalId array = read.array->as<ir::LocalRef>()->id;
        for (const Access& store : stores) {
            if (store.array->as<ir::LocalRef>()->id != array || !is_of_others(*read.indices, *store.indices)) continue;
            if (told_.insert(array).second)
                diagnostics_.report(diag::missing_barrier, read.span, std::string_view(kernel_.local(array).name))
                    .note(store.span, "each thread stores its own here");
            return;
        }
    }

    /// Along some axis each thread stores to its own place and another is read, and no axis keeps threads apart.
    bool is_of_others(const std::vector<ir::Index>& read, const std::vector<ir::Index>& stored) const {
        bool found = false;
        for (size_t axis = 0; axis < std::min(read.size(), stored.size()); ++axis) {
            const ir::Expr &from = *read[axis].value, &to = *stored[axis].value;
            if (!own_place(to)) {
                if (!is_same_place(from, to) || depends_on_thread(to)) return false;
                continue;
            }
            if (is_same_place(from, to)) return false;
            found |= is_foreign(from);
        }
        return found;
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
        return call && call->builtin->name.starts_with("cuda.threadIdx.");
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
        if (!binary || own_place(*binary->lhs) == own_place(*binary->rhs)) return false;
        return binary->op == BinaryOp::Sub || (binary->op == BinaryOp::Add && (!changing_ || changes(value)));
    }

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
