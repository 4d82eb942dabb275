#include "sema/parallel.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/walk.h"

namespace pyk {
namespace {

bool refers(const ir::Expr& expr, ir::LocalId id) {
    const auto* ref = expr.as<ir::LocalRef>();
    return ref && ref->id == id;
}

bool mentions(const ir::Expr& expr, ir::LocalId id) {
    bool found = false;
    ir::for_each_expr_deep(expr, [&](const ir::Expr& each) { found |= refers(each, id); });
    return found;
}

// --- what iterations build up together ------------------------------------------------------------------------------
std::optional<ir::ReductionKind> kind_of(BinaryOp op) {
    switch (op) {
        case BinaryOp::Add:
        case BinaryOp::Sub:
            return ir::ReductionKind::sum;
        case BinaryOp::Mul:
        case BinaryOp::TrueDiv:
            return ir::ReductionKind::product;
        default:
            return std::nullopt;
    }
}

std::optional<ir::ReductionKind> kind_of(const Builtin& builtin) {
    if (builtin.name == "min" || builtin.name == "pyk.lesser") return ir::ReductionKind::least;
    if (builtin.name == "max" || builtin.name == "pyk.greater") return ir::ReductionKind::greatest;
    return std::nullopt;
}

/// Of `a = a + x`, `a = x + a`, `a = max(a, x)` and their like, where `x` does not need `a`.
std::optional<ir::ReductionKind> reduction_of(const ir::Assign& assign) {
    const ir::LocalId id = assign.target;
    const ir::Expr* value = assign.value.get();
    while (const auto* convert = value->as<ir::Convert>()) value = convert->operand.get();
    const auto is_itself = [id](const ir::ExprPtr& expr) {
        const ir::Expr* inner = expr.get();
        while (const auto* convert = inner->as<ir::Convert>()) inner = convert->operand.get();
        return refers(*inner, id);
    };
    if (const auto* binary = value->as<ir::Binary>()) {
        const bool commutes = binary->op == BinaryOp::Add || binary->op == BinaryOp::Mul;
        if (is_itself(binary->lhs) && !mentions(*binary->rhs, id)) return kind_of(binary->op);
        if (commutes && is_itself(binary->rhs) && !mentions(*binary->lhs, id)) return kind_of(binary->op);
        return std::nullopt;
    }
    const auto* call = value->as<ir::BuiltinCall>();
    if (!call || call->args.size() != 2) return std::nullopt;
    const bool first = is_itself(call->args[0]) && !mentions(*call->args[1], id);
    const bool second = is_itself(call->args[1]) && !mentions(*call->args[0], id);
    return first || second ? kind_of(*call->builtin) : std::nullopt;
}

/// The one operation by which a loop's body builds a local up; nullopt: it does more with it.
std::optional<ir::ReductionKind> reduction_in(const ir::Block& body, ir::LocalId id) {
    std::optional<ir::ReductionKind> kind;
    bool only = true;
    ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
        const auto* assign = stmt.as<ir::Assign>();
        if (assign && assign->target == id) {
            const auto found = reduction_of(*assign);
            only &= found && (!kind || *kind == *found);
            kind = found;
            return;
        }
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) { only &= !mentions(expr, id); });
    });
    return only ? kind : std::nullopt;
}

// --- what an iteration reads before it assigns it -------------------------------------------------------------------
class Exposed {
  public:
    explicit Exposed(const ir::Block& body) {
        std::set<ir::LocalId> assigned;
        walk(body, assigned);
    }
    bool reads(ir::LocalId id) const { return found_.contains(id); }

  private:
    void read(const ir::Stmt& stmt, const std::set<ir::LocalId>& assigned) {
        ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
            ir::for_each_expr_deep(expr, [&](const ir::Expr& each) {
                if (const auto* ref = each.as<ir::LocalRef>(); ref && !assigned.contains(ref->id))
                    found_.insert(ref->id);
            });
        });
    }

    void walk(const ir::Block& block, std::set<ir::LocalId>& assigned) {
        for (const ir::Stmt& stmt : block) {
            read(stmt, assigned);
            if (const auto* assign = stmt.as<ir::Assign>()) {
                assigned.insert(assign->target);
            } else if (const auto* branch = stmt.as<ir::If>()) {
                std::set<ir::LocalId> then = assigned, otherwise = assigned;
                walk(branch->then, then);
                walk(branch->otherwise, otherwise);
                if (ends(branch->then)) then = otherwise;
                if (ends(branch->otherwise)) otherwise = then;
                assigned.clear();
                std::ranges::set_intersection(then, otherwise, std::inserter(assigned, assigned.end()));
            } else {
                ir::for_each_block(stmt, [&](const ir::Block& inner) {
                    std::set<ir::LocalId> within = assigned;
                    if (const auto* loop = stmt.as<ir::ForRange>()) within.insert(loop->counter);
                    walk(inner, within);
                });
            }
        }
    }

    static bool ends(const ir::Block& block) {
        return !block.empty() && (block.back().as<ir::Continue>() || block.back().as<ir::Break>() ||
                                  block.back().as<ir::Return>() || block.back().as<ir::Raise>());
    }

    std::set<ir::LocalId> found_;
};

// --- one loop -------------------------------------------------------------------------------------------------------
class Settler {
  public:
    Settler(ir::Function& function, bool keeps_parallel, Diagnostics& diagnostics)
        : function_(function), keeps_parallel_(keeps_parallel), diagnostics_(diagnostics) {}

    /// `is_within`: of another parallel loop, which it is a part of.
    void settle(ir::Block& block, bool is_within) {
        for (ir::Stmt& stmt : block) {
            auto* loop = stmt.as<ir::ForRange>();
            const bool is_parallel = loop && loop->is_parallel && keeps_parallel_ && !is_within;
            ir::for_each_block(stmt, [&](ir::Block& inner) { settle(inner, is_within || is_parallel); });
            if (!loop) continue;
            loop->is_parallel = is_parallel;
            if (is_parallel) settle(*loop, stmt.span);
        }
    }

  private:
    void settle(ir::ForRange& loop, Span span) {
        check_jumps(loop.body, span, false);
        if (!loop.orelse.empty()) diagnostics_.report(diag::parallel_jump, span, "else");
        std::set<ir::LocalId> assigned;
        ir::for_each_stmt(loop.body, [&](const ir::Stmt& stmt) {
            if (const auto* assign = stmt.as<ir::Assign>()) assigned.insert(assign->target);
            if (const auto* inner = stmt.as<ir::ForRange>()) assigned.insert(inner->counter);
        });
        const Exposed exposed(loop.body);
        std::map<ir::LocalId, ir::LocalId> own;
        for (const ir::LocalId id : assigned) {
            const auto kind = reduction_in(loop.body, id);
            if (kind && function_.local(id).type.is_scalar())
                loop.reductions.push_back({id, *kind});
            else if (exposed.reads(id))
                diagnostics_.report(diag::parallel_carried, span, std::string_view(function_.local(id).name));
            else
                own[id] = copy_of(id);
        }
        rename(loop.body, own);
    }

    ir::LocalId copy_of(ir::LocalId id) {
        ir::Local copy = function_.local(id);
        copy.maybe_unassigned = false;
        copy.storage = ir::Storage::variable;
        // It may be that nothing else assigns it.
        if (function_.local(id).storage != ir::Storage::parameter) function_.local(id).maybe_unassigned = true;
        function_.locals.push_back(std::move(copy));
        return static_cast<ir::LocalId>(function_.locals.size() - 1);
    }

    void check_jumps(const ir::Block& block, Span span, bool in_loop) {
        for (const ir::Stmt& stmt : block) {
            if (stmt.as<ir::Return>()) diagnostics_.report(diag::parallel_jump, stmt.span, "return");
            if (stmt.as<ir::Break>() && !in_loop) diagnostics_.report(diag::parallel_jump, stmt.span, "break");
            const bool is_loop = stmt.as<ir::ForRange>() || stmt.as<ir::While>();
            ir::for_each_block(stmt, [&](const ir::Block& inner) { check_jumps(inner, span, in_loop || is_loop); });
        }
    }

    static void rename(ir::Block& block, const std::map<ir::LocalId, ir::LocalId>& names) {
        const auto change = [&](ir::LocalId& id) {
            if (const auto found = names.find(id); found != names.end()) id = found->second;
        };
        ir::rewrite(block, [&](ir::ExprPtr& expr) {
            if (auto* ref = expr->as<ir::LocalRef>()) change(ref->id);
        });
        rename_targets(block, change);
    }

    template <typename Change>
    static void rename_targets(ir::Block& block, const Change& change) {
        for (ir::Stmt& stmt : block) {
            if (auto* assign = stmt.as<ir::Assign>()) change(assign->target);
            if (auto* loop = stmt.as<ir::ForRange>()) change(loop->counter);
            ir::for_each_block(stmt, [&](ir::Block& inner) { rename_targets(inner, change); });
        }
    }

    ir::Function& function_;
    bool keeps_parallel_;
    Diagnostics& diagnostics_;
};

}  // namespace

void settle_parallel_loops(ir::Module& module, bool is_called_by_host, Diagnostics& diagnostics) {
    for (ir::Function& function : module.functions)
        Settler(function, is_called_by_host, diagnostics).settle(function.body, false);
}

}  // namespace pyk
