#include "advice/thread_values.h"

#include <algorithm>

#include "ir/build.h"
#include "ir/thread_spread.h"
#include "ir/walk.h"

namespace pyk {

ThreadValues::ThreadValues(const ir::Module& module, const ir::Function& function)
    : ThreadValues(module, function, std::vector<bool>(function.params.size()), 0) {}

ThreadValues::ThreadValues(const ir::Module& module, const ir::Function& function, const std::vector<bool>& differing,
                           int depth)
    : module_(module), function_(function), depth_(depth), differing_(function.locals.size()) {
    struct Assignment {
        ir::LocalId target;
        const ir::Expr* value;
    };
    std::vector<Assignment> assignments;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        if (const auto* assign = stmt.as<ir::Assign>()) assignments.push_back({assign->target, assign->value.get()});
        if (const auto* loop = stmt.as<ir::ForRange>()) assignments.push_back({loop->counter, loop->start.get()});
    });
    // Assumed of all, then withdrawn.
    for (const Assignment& a : assignments) differing_[static_cast<size_t>(a.target)] = true;
    for (size_t i = 0; i < differing.size(); ++i) differing_[static_cast<size_t>(function.params[i])] = differing[i];
    for (bool again = true; again;) {
        again = false;
        for (const Assignment& a : assignments) {
            if (!differing_[static_cast<size_t>(a.target)] || differs(*a.value)) continue;
            differing_[static_cast<size_t>(a.target)] = false;
            again = true;
        }
    }
}

bool ThreadValues::differs(const std::vector<ir::Index>& indices) const {
    return std::ranges::any_of(indices, [&](const ir::Index& index) { return differs(*index.value); });
}

bool ThreadValues::differs(const ir::Binary& binary) const {
    const bool left = differs(*binary.lhs), right = differs(*binary.rhs);
    switch (binary.op) {
        case BinaryOp::FloorDiv:
        case BinaryOp::TruncDiv:
        case BinaryOp::Shr:
        case BinaryOp::CShr:
            return false;  // a warp's number, a row's: perhaps one for the block
        case BinaryOp::Sub:
            return left != right;  // `cuda.grid(1) - cuda.threadIdx.x` is the block's
        default:
            return left || right;
    }
}

// What a function computes of its arguments, where each `return` does.
bool ThreadValues::differs(const ir::Call& call) const {
    constexpr int kDeepest = 4;
    const ir::Function& callee = module_.function(call.callee);
    if (depth_ == kDeepest || is_action(callee.effects)) return false;
    std::vector<bool> arguments;
    for (const ir::ExprPtr& argument : call.args) arguments.push_back(differs(*argument));
    if (std::ranges::find(arguments, true) == arguments.end()) return false;
    const ThreadValues values(module_, callee, arguments, depth_ + 1);
    bool has_result = false, all_differ = true;
    ir::for_each_stmt(callee.body, [&](const ir::Stmt& stmt) {
        const auto* result = stmt.as<ir::Return>();
        if (!result || !result->value) return;
        has_result = true;
        all_differ = all_differ && values.differs(*result->value);
    });
    return has_result && all_differ;
}

bool ThreadValues::differs(const ir::Expr& expr) const {
    if (const auto* n = expr.as<ir::LocalRef>()) return differing_[static_cast<size_t>(n->id)];
    if (const auto* n = expr.as<ir::Convert>()) return differs(*n->operand);
    if (const auto* n = expr.as<ir::Unary>()) return differs(*n->operand);
    if (const auto* n = expr.as<ir::Binary>()) return differs(*n);
    if (const auto* n = expr.as<ir::Logical>()) return differs(*n->lhs) || differs(*n->rhs);
    if (const auto* n = expr.as<ir::Select>())
        return differs(*n->condition) || (differs(*n->then) && differs(*n->otherwise));
    if (const auto* n = expr.as<ir::TupleItem>()) return differs(*n->tuple);
    if (const auto* n = expr.as<ir::MakeTuple>())
        return std::ranges::all_of(n->elements, [&](const ir::ExprPtr& element) { return differs(*element); });
    if (const auto* n = expr.as<ir::Element>()) {
        const ir::LocalRef* const base = ir::base_local(*n->array);
        const bool is_own = base && function_.local(base->id).storage == ir::Storage::local;
        return !is_own && differs(n->indices);
    }
    if (const auto* n = expr.as<ir::Call>()) return differs(*n);
    if (const auto* n = expr.as<ir::BuiltinCall>()) {
        if (axes_of(*n->builtin) & kBlockAxes) return true;
        return !any(n->builtin->effects) &&
               std::ranges::any_of(n->args, [&](const ir::ExprPtr& argument) { return differs(*argument); });
    }
    return false;
}

}  // namespace pyk
