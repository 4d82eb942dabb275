#include "emit/team_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "emit/held_parts.h"
#include "emit/shared_loop.h"
#include "ir/build.h"
#include "ir/thread_end.h"
#include "ir/walk.h"
#include "passes/usage.h"

namespace pyk::emitter {
namespace {

// Lanes may all walk such a loop: it is not what the time goes to.
constexpr int64_t kShortLoop = 16;

bool has_loop(const ir::Module& module, const ir::Function& function, std::set<ir::FunctionId>& seen) {
    bool found = ir::has_loop(function.body);
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::Call>();
        if (call && seen.insert(call->callee).second) found |= has_loop(module, module.function(call->callee), seen);
    });
    return found;
}

class Recognition {
  public:
    Recognition(const ir::Module& module, const ir::ArrayEntry& entry, Team team)
        : module_(module), id_(entry.function), function_(module.function(id_)), core_(entry.core) {
        form_.team = team;
    }

    TeamForm run() {
        form_.refusal = refusal();
        return std::move(form_);
    }

  private:
    std::string refusal();
    std::string find_stored();
    std::string walk(const ir::Block& block);
    std::string walk_loop(const ir::Stmt& stmt);
    std::string check_calls(const ir::Stmt& stmt) const;
    std::optional<int64_t> trips(const ir::ForRange& loop) const;
    void find_meetings();
    void add_accesses(const ir::Block& block, bool in_loop);
    void add_accesses(const ir::Stmt& stmt, const std::string& by);

    const ir::Module& module_;
    const ir::FunctionId id_;
    const ir::Function& function_;
    const std::vector<ir::CoreOperand>& core_;
    std::set<ir::LocalId> stored_;
    std::optional<SharedLoops> loops_;
    TeamForm form_;
    std::map<ir::LocalId, std::set<std::string>> accesses_;  ///< of what is stored to: by which lanes
};

std::string Recognition::refusal() {
    for (const ir::Local& local : function_.locals)
        if (local.storage == ir::Storage::shared || local.storage == ir::Storage::local)
            return fmt::format("it has the array `{}` of its own", local.name);
    for (const ir::LocalId id : function_.params) {
        const Type type = function_.local(id).type;
        if (type.is_array() && !type.element().is_scalar())
            return fmt::format("the elements of `{}` are no numbers", function_.local(id).name);
    }
    if (may_end_thread(module_, id_)) return "it may raise an exception";
    if (std::string why = find_stored(); !why.empty()) return why;
    loops_.emplace(module_, function_, stored_);
    if (std::string why = walk(function_.body); !why.empty()) return why;
    if (form_.loops.empty()) return "it has no loop whose iterations are independent";
    if (form_.team.items) {
        hold_parts(function_, core_, stored_, *loops_, form_);
        if (form_.held.empty()) return "it has no elements that are one lane's each";
    }
    find_meetings();
    return "";
}

/// What it changes are elements of its parameters, which it has under no other name.
std::string Recognition::find_stored() {
    std::string why;
    ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
        if (stmt.as<ir::Print>() || stmt.as<ir::StoreField>() || stmt.as<ir::Evaluate>())
            why = "it does more than to load, compute and store";
        const auto* store = stmt.as<ir::Store>();
        if (!store) return;
        const auto* ref = store->array->as<ir::LocalRef>();
        if (ref && function_.local(ref->id).storage == ir::Storage::parameter)
            stored_.insert(ref->id);
        else
            why = "it stores to a view of an array";
    });
    std::map<ir::LocalId, int64_t> mentions, plain;
    const auto add_plain = [&](const ir::Expr& array) {
        if (const auto* ref = array.as<ir::LocalRef>()) ++plain[ref->id];
    };
    ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
        if (const auto* store = stmt.as<ir::Store>()) add_plain(*store->array);
        if (const auto* assign = stmt.as<ir::Assign>(); assign && stored_.contains(assign->target))
            why = "it stores to a view of an array";
    });
    ir::for_each_expr_deep(function_.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::BuiltinCall>();
        if (call && is_action(call->builtin->effects)) why = "it does more than to load, compute and store";
        if (const auto* ref = expr.as<ir::LocalRef>()) ++mentions[ref->id];
        if (const auto* element = expr.as<ir::Element>()) add_plain(*element->array);
        if (const auto* shape = expr.as<ir::ShapeOf>()) add_plain(*shape->array);
        if (const auto* size = expr.as<ir::SizeOf>()) add_plain(*size->array);
        if (expr.as<ir::Call>() && is_action(ir::effects_of(module_, expr)))
            why = "it calls a function that stores to arrays";
    });
    for (const ir::LocalId id : stored_)
        if (mentions[id] != plain[id]) why = fmt::format("it has another name for `{}`", function_.local(id).name);
    return why;
}

// --- what all lanes do ----------------------------------------------------------------------------------------------
std::string Recognition::walk(const ir::Block& block) {
    for (const ir::Stmt& stmt : block) {
        if (std::string why = check_calls(stmt); !why.empty()) return why;
        if (const auto* store = stmt.as<ir::Store>()) form_.stores[store] = {};
        if (ir::is_loop(stmt)) {
            if (std::string why = walk_loop(stmt); !why.empty()) return why;
            continue;
        }
        std::string why;
        ir::for_each_block(stmt, [&](const ir::Block& inner) {
            if (why.empty()) why = walk(inner);
        });
        if (!why.empty()) return why;
    }
    return "";
}

std::string Recognition::check_calls(const ir::Stmt& stmt) const {
    bool loops = false;
    ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
        ir::for_each_expr_deep(expr, [&](const ir::Expr& each) {
            const auto* call = each.as<ir::Call>();
            std::set<ir::FunctionId> seen;
            loops |= call && has_loop(module_, module_.function(call->callee), seen);
        });
    });
    return loops ? fmt::format("line {} calls a function with a loop", stmt.span.line()) : "";
}

std::string Recognition::walk_loop(const ir::Stmt& stmt) {
    const auto* loop = stmt.as<ir::ForRange>();
    const auto count = loop ? trips(*loop) : std::nullopt;
    const bool is_short = count && *count <= kShortLoop;
    const auto form = loop ? loops_->shared(stmt) : std::nullopt;
    if (form && (!is_short || form->inner)) {
        form_.loops[loop] = *form;
        return "";
    }
    // Of a few iterations the loops within are shared rather, where they can be.
    const TeamForm before = form_;
    std::string why;
    ir::for_each_block(stmt, [&](const ir::Block& inner) {
        if (why.empty()) why = walk(inner);
    });
    if (why.empty() && form_.loops.size() > before.loops.size()) return "";
    if (form) {
        form_ = before;
        form_.loops[loop] = *form;
        return "";
    }
    if (!why.empty() || is_short) return why;
    return fmt::format("the iterations of the loop in line {} need one another", stmt.span.line());
}

/// Where it is known to the compiler.
std::optional<int64_t> Recognition::trips(const ir::ForRange& loop) const {
    const auto start = ir::integer_value(*loop.start), step = ir::integer_value(*loop.step);
    auto stop = ir::integer_value(module_, *loop.stop);
    if (const auto* shape = loop.stop->as<ir::ShapeOf>()) {
        const auto* ref = shape->array->as<ir::LocalRef>();
        const auto at = ref ? std::ranges::find(function_.params, ref->id) : function_.params.end();
        if (at == function_.params.end()) return std::nullopt;
        const ir::CoreOperand& operand = core_[static_cast<size_t>(at - function_.params.begin())];
        if (shape->axis < operand.shape.size() && operand.shape[shape->axis]) stop = operand.shape[shape->axis];
    }
    if (!start || !stop || !step || *step == 0) return std::nullopt;
    return (*stop - *start) / *step;
}

// --- where lanes wait for one another -------------------------------------------------------------------------------
/// Where all accesses to an array's element are by one lane, its order is the function's. Else lanes meet around all
/// that stores to the array.
void Recognition::find_meetings() {
    add_accesses(function_.body, false);
    const auto is_common = [&](ir::LocalId id) { return accesses_[id].size() > 1; };
    for (auto& [store, form] : form_.stores) form.meets = is_common(store->array->as<ir::LocalRef>()->id);
    for (auto& [loop, form] : form_.loops)
        ir::for_each_stmt(loop->body, [&](const ir::Stmt& stmt) {
            const auto* store = stmt.as<ir::Store>();
            if (store && is_common(store->array->as<ir::LocalRef>()->id)) form.meets = true;
        });
}

/// An element is the same lane's in every loop that counts from 0 by 1, and in every loop over the elements that lanes
/// hold. Others begin elsewhere, each time where a loop is around them.
void Recognition::add_accesses(const ir::Block& block, bool in_loop) {
    for (const ir::Stmt& stmt : block) {
        const auto* loop = stmt.as<ir::ForRange>();
        const auto shared = loop ? form_.loops.find(loop) : form_.loops.end();
        add_accesses(stmt, stmt.as<ir::Store>() ? "first" : "all");
        if (shared == form_.loops.end()) {
            const bool is_loop = loop || stmt.as<ir::While>();
            ir::for_each_block(stmt, [&](const ir::Block& inner) { add_accesses(inner, in_loop || is_loop); });
            continue;
        }
        for (const ir::LocalId id : stored_) {
            if (count_reads(loop->body, id) == 0) continue;
            const std::vector<size_t> axes = loops_->axes_of(*loop, shared->second, id);
            const bool counts = ir::integer_value(*loop->start) == 0 && ir::integer_value(*loop->step) == 1;
            if (axes.size() == 1 && (counts || shared->second.over_items)) {
                accesses_[id].insert(fmt::format("{} {}", shared->second.over_items ? "item" : "axis", axes[0]));
                continue;
            }
            accesses_[id].insert(axes.empty() ? "all" : fmt::format("loop {}", fmt::ptr(loop)));
            if (in_loop) accesses_[id].insert("another");
        }
    }
}

/// Of the statement's own expressions.
void Recognition::add_accesses(const ir::Stmt& stmt, const std::string& by) {
    const auto* store = stmt.as<ir::Store>();
    if (store) accesses_[store->array->as<ir::LocalRef>()->id].insert(by);
    ir::for_each_expr(stmt, [&](const ir::Expr& expr) {
        ir::for_each_expr_deep(expr, [&](const ir::Expr& each) {
            const auto* element = each.as<ir::Element>();
            const auto* ref = element ? element->array->as<ir::LocalRef>() : nullptr;
            if (ref && stored_.contains(ref->id)) accesses_[ref->id].insert(by);
        });
    });
}

}  // namespace

TeamForm team_form(const ir::Module& module, const ir::ArrayEntry& entry, Team team) {
    return Recognition(module, entry, team).run();
}

}  // namespace pyk::emitter
