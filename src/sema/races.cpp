#include "sema/races.h"

#include <algorithm>
#include <set>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk {
namespace {

/// Values that tell a block's threads apart.
constexpr std::string_view kOfThread[] = {
    "cuda.threadIdx.x",
    "cuda.threadIdx.y",
    "cuda.threadIdx.z",
    "cuda.grid.x",
    "cuda.grid.y",
    "cuda.grid.z",
    "cuda.laneid",
    "cuda.lanemask_lt",
    "cuda.activemask",
    "block_group.thread_rank",
    "block_group.thread_index",
    "grid_group.thread_rank",
};

bool is_of_thread(const Builtin& builtin) { return std::ranges::find(kOfThread, builtin.name) != std::end(kOfThread); }

bool equal(const ir::Expr& a, const ir::Expr& b);
bool equal(const std::vector<ir::Index>& a, const std::vector<ir::Index>& b) {
    return std::ranges::equal(a, b, [](const ir::Index& x, const ir::Index& y) { return equal(*x.value, *y.value); });
}
/// Of the forms that places have: names, constants, arithmetic on them.
bool equal(const ir::Expr& a, const ir::Expr& b) {
    if (a.type != b.type || a.node.index() != b.node.index()) return false;
    if (const auto* n = a.as<ir::LocalRef>()) return n->id == b.as<ir::LocalRef>()->id;
    if (const auto* n = a.as<ir::ConstantRef>()) return n->id == b.as<ir::ConstantRef>()->id;
    if (const auto* n = a.as<ir::Constant>()) return n->value == b.as<ir::Constant>()->value;
    if (const auto* n = a.as<ir::Convert>()) return equal(*n->operand, *b.as<ir::Convert>()->operand);
    if (const auto* n = a.as<ir::BuiltinCall>()) {
        const auto* m = b.as<ir::BuiltinCall>();
        return n->builtin == m->builtin && !any(n->builtin->effects) &&
               std::ranges::equal(n->args, m->args, [](const auto& x, const auto& y) { return equal(*x, *y); });
    }
    if (const auto* n = a.as<ir::Binary>()) {
        const auto* m = b.as<ir::Binary>();
        return n->op == m->op && equal(*n->lhs, *m->lhs) && equal(*n->rhs, *m->rhs);
    }
    return false;
}

class Races {
  public:
    Races(const ir::Function& kernel, Diagnostics& diagnostics) : kernel_(kernel), diagnostics_(diagnostics) {}

    void find() {
        bool tells_apart = false;
        ir::for_each_expr_deep(kernel_.body, [&](const ir::Expr& expr) {
            const auto* call = expr.as<ir::BuiltinCall>();
            tells_apart = tells_apart || (call && is_of_thread(*call->builtin));
        });
        if (!tells_apart) return;
        for (size_t known = SIZE_MAX; known != varying_.size();) {
            known = varying_.size();
            block(kernel_.body, {});
        }
        reports_ = true;
        left_ = false;
        block(kernel_.body, {});
    }

  private:
    /// Whether the threads of a block may see different values.
    bool varies(const ir::Expr& expr) const {
        bool found = false;
        ir::for_each_expr_deep(expr, [&](const ir::Expr& e) {
            const auto* call = e.as<ir::BuiltinCall>();
            const auto* local = e.as<ir::LocalRef>();
            found =
                found || e.as<ir::Call>() || (call && (is_of_thread(*call->builtin) || any(call->builtin->effects)));
            found = found ||
                    (local && (varying_.contains(local->id) || kernel_.local(local->id).storage == ir::Storage::local));
        });
        return found;
    }

    /// Whether a condition may hold for one thread of a block only: one of `t == 0`, not one of `i < n`.
    bool singles_out(const ir::Expr& condition) const {
        if (!varies(condition)) return false;
        if (const auto* n = condition.as<ir::Logical>()) return singles_out(*n->lhs) || singles_out(*n->rhs);
        const auto* n = condition.as<ir::Binary>();
        const bool is_bound =
            n && (n->op == BinaryOp::Lt || n->op == BinaryOp::Le || n->op == BinaryOp::Gt || n->op == BinaryOp::Ge);
        return !is_bound || is_one_or_less(*n->lhs) || is_one_or_less(*n->rhs);
    }
    static bool is_one_or_less(const ir::Expr& expr) {
        const auto value = ir::integer_value(expr);
        return value && *value <= 1;
    }

    /// `varying`: the threads of a block may come here differently often; `apart`: perhaps one of them only.
    struct Path {
        bool varying = false, apart = false;
    };

    void block(const ir::Block& block, Path path) {
        for (const ir::Stmt& stmt : block) statement(stmt, path);
    }

    void statement(const ir::Stmt& stmt, Path path) {
        if (const auto* n = stmt.as<ir::Assign>()) {
            if (path.varying || varies(*n->value)) varying_.insert(n->target);
        } else if (const auto* n = stmt.as<ir::Store>()) {
            if (reports_ && !path.apart) store(stmt, *n);
        } else if (const auto* n = stmt.as<ir::If>()) {
            const bool apart = singles_out(*n->condition);
            const Path inner{path.varying || varies(*n->condition), path.apart || apart};
            block(n->then, inner);
            block(n->otherwise, inner);
            // `if t != 0: return`: what follows runs for some threads only.
            left_ = left_ || (apart && (leaves(n->then) || leaves(n->otherwise)));
        } else if (const auto* n = stmt.as<ir::While>()) {
            const Path inner{path.varying || varies(*n->condition), path.apart};
            // A loop that waits for a lock.
            left_ = left_ || acts(*n->condition);
            block(n->body, inner);
            block(n->orelse, inner);
        } else if (const auto* n = stmt.as<ir::ForRange>()) {
            const bool inner = path.varying || varies(*n->start) || varies(*n->stop) || varies(*n->step);
            if (inner) varying_.insert(n->counter);
            block(n->body, {inner, path.apart});
            block(n->orelse, path);
        }
    }

    static bool acts(const ir::Expr& expr) {
        bool found = false;
        ir::for_each_expr_deep(expr, [&](const ir::Expr& e) {
            const auto* call = e.as<ir::BuiltinCall>();
            found = found || e.as<ir::Call>() || (call && any(call->builtin->effects));
        });
        return found;
    }

    static bool leaves(const ir::Block& block) {
        bool found = false;
        ir::for_each_stmt(block, [&](const ir::Stmt& stmt) {
            found = found || stmt.as<ir::Return>() || stmt.as<ir::Break>() || stmt.as<ir::Continue>();
        });
        return found;
    }

    void store(const ir::Stmt& stmt, const ir::Store& n) {
        const auto* array = n.array->as<ir::LocalRef>();
        if (left_ || !array || kernel_.local(array->id).storage == ir::Storage::local || varying_.contains(array->id))
            return;
        if (std::ranges::any_of(n.indices, [&](const ir::Index& i) { return varies(*i.value); })) return;
        bool updates = false;
        ir::for_each_expr_deep(*n.value, [&](const ir::Expr& e) {
            const auto* element = e.as<ir::Element>();
            updates = updates || (element && equal(*element->array, *n.array) && equal(element->indices, n.indices));
        });
        if (updates && reported_.insert(&stmt).second)
            diagnostics_.report(diag::race, stmt.span, kernel_.local(array->id).name);
    }

    const ir::Function& kernel_;
    Diagnostics& diagnostics_;
    std::set<ir::LocalId> varying_;
    std::set<const ir::Stmt*> reported_;
    bool reports_ = false;
    bool left_ = false;  ///< some threads of the block are gone, or at another iteration
};

}  // namespace

void warn_races(const ir::Module& module, Diagnostics& diagnostics) {
    for (const ir::Function& function : module.functions)
        if (function.is_kernel) Races(function, diagnostics).find();
}

}  // namespace pyk
