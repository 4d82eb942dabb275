#include "ir/iterations.h"

#include <algorithm>
#include <iterator>

#include "ir/build.h"
#include "ir/walk.h"

namespace pyk::ir {
namespace {

bool mentions(const Expr& expr, LocalId id) {
    bool found = false;
    for_each_expr_deep(expr, [&](const Expr& each) { found |= is_local(each, id); });
    return found;
}

// --- what iterations build up together ------------------------------------------------------------------------------
std::optional<ReductionKind> kind_of(BinaryOp op) {
    switch (op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
            return ReductionKind::sum;
        case BinaryOp::Mul:
        case BinaryOp::TrueDiv:
        case BinaryOp::CDiv:
            return ReductionKind::product;
        default:
            return std::nullopt;
    }
}

std::optional<ReductionKind> kind_of(const Builtin& builtin) {
    if (builtin == "min" || builtin == "pyk.lesser") return ReductionKind::least;
    if (builtin == "max" || builtin == "pyk.greater") return ReductionKind::greatest;
    return std::nullopt;
}

/// Of `a = a + x`, `a = x + a`, `a = max(a, x)` and their like, where `x` does not need `a`.
std::optional<ReductionKind> reduction_of(const Assign& assign) {
    const LocalId id = assign.target;
    const Expr* value = assign.value.get();
    while (const auto* convert = value->as<Convert>()) value = convert->operand.get();
    const auto is_itself = [id](const ExprPtr& expr) {
        const Expr* inner = expr.get();
        while (const auto* convert = inner->as<Convert>()) inner = convert->operand.get();
        return is_local(*inner, id);
    };
    if (const auto* binary = value->as<Binary>()) {
        const bool commutes = binary->op == BinaryOp::Add || binary->op == BinaryOp::Mul;
        if (is_itself(binary->lhs) && !mentions(*binary->rhs, id)) return kind_of(binary->op);
        if (commutes && is_itself(binary->rhs) && !mentions(*binary->lhs, id)) return kind_of(binary->op);
        return std::nullopt;
    }
    const auto* call = value->as<BuiltinCall>();
    if (!call || call->args.size() != 2) return std::nullopt;
    const bool first = is_itself(call->args[0]) && !mentions(*call->args[1], id);
    const bool second = is_itself(call->args[1]) && !mentions(*call->args[0], id);
    return first || second ? kind_of(*call->builtin) : std::nullopt;
}

bool ends(const Block& block) {
    return !block.empty() && (block.back().as<Continue>() || block.back().as<Break>() || block.back().as<Return>() ||
                              block.back().as<Raise>());
}

}  // namespace

bool surely_completes(const ForRange& loop) {
    const auto start = integer_value(*loop.start), stop = integer_value(*loop.stop), step = integer_value(*loop.step);
    if (!start || !stop || !step || *step == 0 || (*step > 0 ? *start >= *stop : *start <= *stop)) return false;
    bool completes = true;
    for_each_stmt(loop.body, [&](const Stmt& stmt) {
        completes &= !stmt.as<Break>() && !stmt.as<Continue>() && !stmt.as<Return>();
    });
    return completes;
}

std::optional<ReductionKind> reduction_in(const Block& body, LocalId id) {
    std::optional<ReductionKind> kind;
    bool only = true;
    for_each_stmt(body, [&](const Stmt& stmt) {
        const auto* assign = stmt.as<Assign>();
        if (assign && assign->target == id) {
            const auto found = reduction_of(*assign);
            only &= found && (!kind || *kind == *found);
            kind = found;
            return;
        }
        for_each_expr(stmt, [&](const Expr& expr) { only &= !mentions(expr, id); });
    });
    return only ? kind : std::nullopt;
}

Exposed::Exposed(const Block& block) {
    std::set<LocalId> assigned;
    walk(block, assigned);
}

void Exposed::read(const Stmt& stmt, const std::set<LocalId>& assigned) {
    for_each_expr(stmt, [&](const Expr& expr) {
        for_each_expr_deep(expr, [&](const Expr& each) {
            if (const auto* ref = each.as<LocalRef>(); ref && !assigned.contains(ref->id)) found_.insert(ref->id);
        });
    });
}

void Exposed::walk(const Block& block, std::set<LocalId>& assigned) {
    for (const Stmt& stmt : block) {
        read(stmt, assigned);
        if (const auto* assign = stmt.as<Assign>()) {
            assigned.insert(assign->target);
        } else if (const auto* branch = stmt.as<If>()) {
            std::set<LocalId> then = assigned, otherwise = assigned;
            walk(branch->then, then);
            walk(branch->otherwise, otherwise);
            if (ends(branch->then)) then = otherwise;
            if (ends(branch->otherwise)) otherwise = then;
            assigned.clear();
            std::ranges::set_intersection(then, otherwise, std::inserter(assigned, assigned.end()));
        } else {
            const auto* loop = stmt.as<ForRange>();
            for_each_block(stmt, [&](const Block& inner) {
                std::set<LocalId> within = assigned;
                if (loop) within.insert(loop->counter);
                walk(inner, within);
                if (loop && &inner == &loop->body && surely_completes(*loop)) assigned = std::move(within);
            });
        }
    }
}

}  // namespace pyk::ir
