#include "sema/parallel.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/build.h"
#include "ir/iterations.h"
#include "ir/walk.h"

namespace pyk {
namespace {

// --- one loop -------------------------------------------------------------------------------------------------------
class Settler {
  public:
    Settler(ir::Function& function, bool keeps_parallel, Diagnostics& diagnostics)
        : function_(function), keeps_parallel_(keeps_parallel), diagnostics_(diagnostics) {}

    /// `is_within`: of another parallel loop, which it is a part of.
    void settle(ir::Block& block, bool is_within) {
        for (ir::Stmt& stmt : block) {
            auto* loop = stmt.as<ir::ForRange>();
            // Loops with handlers run in order, as Numba's do.
            const bool is_parallel =
                loop && loop->is_parallel && keeps_parallel_ && !is_within && !ir::has_handler(loop->body);
            const bool is_in_turn = ir::is_loop(stmt) && !is_parallel;
            if (is_in_turn) ir::for_each_block(stmt, [&](const ir::Block& inner) { add_assigned(inner, assigned_); });
            const std::set<ir::LocalId> before = is_parallel ? assigned_ : std::set<ir::LocalId>();
            ir::for_each_block(stmt, [&](ir::Block& inner) { settle(inner, is_within || is_parallel); });
            if (loop) loop->is_parallel = is_parallel;
            if (is_parallel) {
                assigned_ = before;
                settle(*loop, stmt.span);
            }
            add_assigned(stmt, assigned_);
        }
    }

  private:
    void settle(ir::ForRange& loop, Span span) {
        check_jumps(loop.body, span, false);
        if (!loop.orelse.empty()) diagnostics_.report(diag::parallel_jump, span, "else");
        std::set<ir::LocalId> assigned;
        add_assigned(loop.body, assigned);
        const ir::Exposed exposed(loop.body);
        std::map<ir::LocalId, ir::LocalId> own;
        for (const ir::LocalId id : assigned) {
            const auto kind = ir::reduction_in(loop.body, id);
            if (kind && function_.local(id).type.is_scalar())
                loop.reductions.push_back({id, *kind});
            else if (exposed.reads(id) && (has_value_before(id) || !function_.local(id).type.is_scalar()))
                diagnostics_.report(diag::parallel_carried, span, std::string_view(function_.local(id).name));
            else
                own[id] = copy_of(id);
        }
        rename(loop.body, own);
        // What an iteration assigns on some paths only starts anew in each.
        for (const auto& [id, copy] : own)
            if (exposed.reads(id))
                loop.body.insert(loop.body.begin(), {span, ir::Assign{copy, zero(function_.local(copy).type, span)}});
    }

    static ir::ExprPtr zero(Type type, Span span) {
        if (type.is_boolean()) return ir::boolean(false, span);
        return type.is_integer() ? ir::integer(0, type, span)
                                 : ir::convert(ir::floating(0, Scalar::float64, span), type);
    }

    static void add_assigned(const ir::Stmt& stmt, std::set<ir::LocalId>& to) {
        if (const auto* assign = stmt.as<ir::Assign>()) to.insert(assign->target);
        if (const auto* inner = stmt.as<ir::ForRange>()) to.insert(inner->counter);
        ir::for_each_block(stmt, [&](const ir::Block& inner) { add_assigned(inner, to); });
    }
    static void add_assigned(const ir::Block& block, std::set<ir::LocalId>& to) {
        for (const ir::Stmt& stmt : block) add_assigned(stmt, to);
    }

    /// That it brings into the loop. Else each iteration assigns it, where it reads it.
    bool has_value_before(ir::LocalId id) const {
        return function_.local(id).storage == ir::Storage::parameter || assigned_.contains(id);
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
            ir::for_each_block(stmt,
                               [&](const ir::Block& inner) { check_jumps(inner, span, in_loop || ir::is_loop(stmt)); });
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
    std::set<ir::LocalId> assigned_;  ///< before the statement, or in an earlier round of a loop around it
    bool keeps_parallel_;
    Diagnostics& diagnostics_;
};

}  // namespace

void settle_parallel_loops(ir::Module& module, bool is_called_by_host, Diagnostics& diagnostics) {
    for (ir::Function& function : module.functions) {
        function.parallel &= is_called_by_host;
        Settler(function, is_called_by_host, diagnostics).settle(function.body, false);
    }
}

}  // namespace pyk
