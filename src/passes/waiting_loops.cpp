#include "passes/waiting_loops.h"

#include "ir/walk.h"
#include "passes/local_set.h"
#include "passes/usage.h"

namespace pyk {
namespace {

/// What other threads' stores decide within a loop: values, and by them which statements run.
class Deciders {
  public:
    Deciders(const ir::Module& module, const ir::Function& function)
        : module_(module), function_(function), decided_(function) {}

    bool decide(const ir::While& loop) {
        do {
            grows_ = false;
            end_ = is_decided(*loop.condition);
            visit(loop.body, end_, true);
        } while (grows_ && !end_);
        return end_;
    }

  private:
    /// `decided`: whether the block runs at all is; `own`: a `break` is the loop's.
    void visit(const ir::Block& block, bool decided, bool own) {
        for (const ir::Stmt& stmt : block) {
            end_ |= decided && (stmt.as<ir::Return>() || (own && stmt.as<ir::Break>()));
            bool inner = decided;
            ir::for_each_expr(stmt, [&](const ir::Expr& expr) { inner = inner || is_decided(expr); });
            if (const auto target = assigned_by(stmt); inner && target && !decided_.contains(*target)) {
                decided_.insert(*target);
                grows_ = true;
            }
            ir::for_each_block(stmt, [&](const ir::Block& body) { visit(body, inner, own && !ir::is_loop(stmt)); });
        }
    }

    bool is_decided(const ir::Expr& expr) const {
        bool result = reads_any(expr, decided_);
        ir::for_each_expr_deep(expr, [&](const ir::Expr& part) { result = result || is_shared(part); });
        return result;
    }

    /// A load of memory that is not the thread's own, or an atomic operation.
    bool is_shared(const ir::Expr& part) const {
        if (const auto* element = part.as<ir::Element>()) {
            const ir::LocalRef* const root = ir::base_local(*element->array);
            return !root || function_.local(root->id).storage != ir::Storage::local;
        }
        if (const auto* call = part.as<ir::BuiltinCall>()) return any(call->builtin->effects & Effects::atomic);
        if (const auto* call = part.as<ir::Call>())
            return any(module_.function(call->callee).effects & (Effects::atomic | Effects::reads));
        return false;
    }

    const ir::Module& module_;
    const ir::Function& function_;
    LocalSet decided_;
    bool grows_ = false, end_ = false;
};

/// Without an atomic operation or a fence a compiler may load once for all rounds.
bool tells_others(const ir::Module& module, const ir::While& loop) {
    const Effects effects = ir::effects_of(module, *loop.condition) | ir::effects_of(module, loop.body);
    return any(effects & (Effects::atomic | Effects::ordered));
}

}  // namespace

bool is_waiting_loop(const ir::Module& module, const ir::Function& function, const ir::While& loop) {
    return tells_others(module, loop) && Deciders(module, function).decide(loop);
}

bool has_waiting_loop(const ir::Module& module, const ir::Function& function) {
    bool result = false;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        const auto* loop = stmt.as<ir::While>();
        result = result || (loop && is_waiting_loop(module, function, *loop));
    });
    return result;
}

}  // namespace pyk
