#include "passes/inline_array_functions.h"

#include <algorithm>
#include <map>

#include "ir/build.h"
#include "ir/walk.h"
#include "passes/array_nest.h"
#include "passes/new_arrays.h"
#include "passes/usage.h"

namespace pyk {
namespace {

bool makes_array_itself(const ir::Function& function) {
    bool found = false;
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::BuiltinCall>();
        found |= call && makes_array(*call);
    });
    return found;
}

bool returns_array(const ir::Function& function) { return function.result.is_array() && makes_array_itself(function); }

/// Loops itself or through such a function, or says what an array is, and returns at its end and nowhere else; its
/// locals are values that any function may have.
bool can_be_part(const ir::Function& function, ir::FunctionId id, const std::vector<bool>& parts) {
    constexpr size_t kMostStatements = 24, kFewStatements = 2;
    if (!is_of_library(function.span) || function.foreign || function.ptx || function.is_kernel) return false;
    size_t statements = 0, returns = 0;
    bool loops = false, calls_itself = false;
    ir::for_each_stmt(function.body, [&](const ir::Stmt& stmt) {
        ++statements;
        returns += stmt.as<ir::Return>() != nullptr;
        loops |= stmt.as<ir::ForRange>() != nullptr;
    });
    ir::for_each_expr_deep(function.body, [&](const ir::Expr& expr) {
        const auto* call = expr.as<ir::Call>();
        calls_itself |= call && call->callee == id;
        loops |= call && parts[static_cast<size_t>(call->callee)];
    });
    const bool takes_array =
        std::ranges::any_of(function.params, [&](ir::LocalId param) { return function.local(param).type.is_array(); });
    loops |= statements <= kFewStatements && takes_array;
    if (!loops || calls_itself || statements > kMostStatements || function.body.empty()) return false;
    const bool at_end = function.body.back().as<ir::Return>() ? returns == 1 : returns == 0;
    return at_end && std::ranges::all_of(function.locals, [](const ir::Local& local) {
               return local.storage != ir::Storage::shared && local.storage != ir::Storage::local &&
                      !local.maybe_unassigned;
           });
}

class Inliner {
  public:
    Inliner(const ir::Module& module, ir::Function& function, const std::vector<bool>& can_be_part)
        : module_(module), function_(function), can_be_part_(can_be_part) {}

    void run() {
        ir::for_each_stmt(function_.body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            const auto* call = assign ? assign->value->as<ir::BuiltinCall>() : nullptr;
            if (call && makes_array(*call) && function_.local(assign->target).storage == ir::Storage::temporary)
                made_.push_back(assign->target);
        });
        block(function_.body);
    }

  private:
    void block(ir::Block& block) {
        ir::Block changed;
        for (ir::Stmt& stmt : block) {
            ir::for_each_block(stmt, [&](ir::Block& inner) { this->block(inner); });
            // The condition of a loop is evaluated again and again.
            if (!stmt.as<ir::While>())
                ir::for_each_expr(stmt, [&](ir::ExprPtr& expr) { take_calls(expr, stmt.span, changed); });
            const auto* evaluate = stmt.as<ir::Evaluate>();
            if (!evaluate || evaluate->value) changed.push_back(std::move(stmt));
        }
        block = std::move(changed);
    }

    /// Calls within it that are always evaluated.
    void take_calls(ir::ExprPtr& expr, Span span, ir::Block& before) {
        if (!expr) return;
        if (auto* logical = expr->as<ir::Logical>()) return take_calls(logical->lhs, span, before);
        if (auto* select = expr->as<ir::Select>()) return take_calls(select->condition, span, before);
        ir::for_each_child(*expr, [&](ir::ExprPtr& child) { take_calls(child, span, before); });
        const auto* call = expr->as<ir::Call>();
        if (call && pays(*call)) expr = body_of(*call, span, before);
    }

    bool pays(const ir::Call& call) const {
        if (!can_be_part_[static_cast<size_t>(call.callee)]) return false;
        const bool takes_made = std::ranges::any_of(call.args, [&](const ir::ExprPtr& arg) {
            const ir::LocalId* id = local_of(arg);
            return id && std::ranges::find(made_, *id) != made_.end();
        });
        return function_.parallel || takes_made || returns_array(module_.function(call.callee));
    }

    /// Puts the body before, and gives what it returns; null: nothing.
    ir::ExprPtr body_of(const ir::Call& call, Span span, ir::Block& before) {
        const ir::Function& callee = module_.function(call.callee);
        const Usage usage(callee);
        std::map<ir::LocalId, ir::LocalId> names;
        std::map<ir::LocalId, const ir::Expr*> values;
        for (size_t i = 0; i < callee.params.size(); ++i) {
            const ir::LocalId param = callee.params[i];
            const ir::Expr& arg = *call.args[i];
            const bool stays = usage.writes[static_cast<size_t>(param)] == 0 && arg.type == callee.local(param).type;
            if (const auto* ref = arg.as<ir::LocalRef>(); ref && stays)
                names[param] = ref->id;
            else if (arg.as<ir::Constant>() && stays)
                values[param] = &arg;
            else
                before.push_back({span, ir::Assign{names[param] = copy_of(callee, param, span),
                                                   ir::convert(ir::clone(arg), callee.local(param).type)}});
        }
        for (size_t i = 0; i < callee.locals.size(); ++i)
            if (const auto id = static_cast<ir::LocalId>(i); !names.contains(id) && !values.contains(id))
                names[id] = copy_of(callee, id, span);
        ir::Block body = std::move(ir::clone(callee).body);
        rename(body, names, values, span);
        note_made(body);
        this->block(body);
        ir::ExprPtr result;
        if (auto* end = body.back().as<ir::Return>()) {
            result = std::move(end->value);
            body.pop_back();
        }
        std::ranges::move(body, std::back_inserter(before));
        if (!result) return nullptr;
        if (local_of(result) && result->type.is_array()) return result;  // what is made has one name
        const ir::LocalId named = ir::add_temporary(function_, "result", result->type, span);
        before.push_back({span, ir::Assign{named, std::move(result)}});
        return ir::local(function_, named, span);
    }

    ir::LocalId copy_of(const ir::Function& callee, ir::LocalId id, Span span) {
        ir::Local copy = callee.local(id);
        copy.storage = ir::Storage::temporary;
        copy.span = span;
        return ir::add_local(function_, std::move(copy));
    }

    void note_made(const ir::Block& body) {
        ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
            const auto* assign = stmt.as<ir::Assign>();
            const auto* call = assign ? assign->value->as<ir::BuiltinCall>() : nullptr;
            if (call && makes_array(*call)) made_.push_back(assign->target);
        });
    }

    static void rename(ir::Block& block, const std::map<ir::LocalId, ir::LocalId>& names,
                       const std::map<ir::LocalId, const ir::Expr*>& values, Span span) {
        ir::rewrite(block, [&](ir::ExprPtr& expr) {
            if (auto* ref = expr->as<ir::LocalRef>()) {
                if (const auto value = values.find(ref->id); value != values.end())
                    expr = ir::clone(*value->second);
                else
                    ref->id = names.at(ref->id);
            }
            expr->span = span;
        });
        rename_targets(block, names, span);
    }

    static void rename_targets(ir::Block& block, const std::map<ir::LocalId, ir::LocalId>& names, Span span) {
        for (ir::Stmt& stmt : block) {
            stmt.span = span;
            if (auto* assign = stmt.as<ir::Assign>()) assign->target = names.at(assign->target);
            if (auto* loop = stmt.as<ir::ForRange>()) {
                loop->counter = names.at(loop->counter);
                for (ir::Reduction& reduction : loop->reductions) reduction.local = names.at(reduction.local);
            }
            ir::for_each_block(stmt, [&](ir::Block& inner) { rename_targets(inner, names, span); });
        }
    }

    const ir::Module& module_;
    ir::Function& function_;
    const std::vector<bool>& can_be_part_;
    std::vector<ir::LocalId> made_;  ///< new arrays of the compiler's own
};

}  // namespace

void inline_array_functions(ir::Module& module) {
    // Callees come first: what they call is part of them by then.
    std::vector<bool> parts(module.functions.size());
    for (size_t i = 0; i < module.functions.size(); ++i) {
        Inliner(module, module.functions[i], parts).run();
        parts[i] = can_be_part(module.functions[i], static_cast<ir::FunctionId>(i), parts);
    }
}

}  // namespace pyk
