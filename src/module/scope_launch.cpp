// When a kernel is compiled, and what the file's variables are then.
#include <algorithm>
#include <set>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr int kLongestChain = 10;  ///< of functions that call each other

/// Whether what is done leads to a function of the file: it names it, or calls one that does.
class Leads {
  public:
    Leads(const ModuleScope& scope, std::string_view to) : scope_(scope), to_(to) {}

    bool in(const ast::Expr& expr) {
        const auto* name = expr.as<ast::Name>();
        bool found = name && by_name(name->id);
        for_each_child(expr, [&](const ast::Expr& child) { found = found || in(child); });
        return found;
    }
    bool in(const ast::Stmt& stmt) {
        seen_.clear();
        bool found = false;
        for_each_name(stmt, [&](std::string_view name) { found = found || by_name(name); });
        return found;
    }

  private:
    bool by_name(std::string_view name) {
        if (name == to_) return true;
        const FunctionInfo* function = function_in(scope_.lookup(name));
        if (!function || function->kind != FunctionKind::plain || !seen_.insert(function).second) return false;
        return std::ranges::any_of(free_names(*function->def), [&](std::string_view free) { return by_name(free); });
    }

    const ModuleScope& scope_;
    std::string_view to_;
    std::set<const FunctionInfo*> seen_;
};

const ast::Call* call_of(const ast::Stmt& stmt) {
    const auto* alone = stmt.as<ast::ExprStmt>();
    const auto* assigned = stmt.as<ast::Assign>();
    const ast::Expr* value = alone ? alone->value : assigned ? assigned->value : nullptr;
    return value ? value->as<ast::Call>() : nullptr;
}

}  // namespace

/// What is done first by a call that leads to a kernel: the launch, or giving a name another value.
class ModuleScope::LaunchOrder {
  public:
    LaunchOrder(Leads leads, std::string_view name) : leads_(std::move(leads)), name_(name) {}

    /// Whether the name has its last value by the first launch, or still the one from before; nullopt: it is not
    /// certain.
    std::optional<bool> is_set_first(const ModuleScope& scope, const ast::Call& call, int depth = 0) {
        const FunctionInfo* callee = function_in(scope.evaluate(*call.func));
        if (!callee || callee->kind != FunctionKind::plain || depth > kLongestChain) return std::nullopt;
        bool is_launched = false;
        std::optional<bool> first;  // nothing was set so far
        for (const ast::Stmt* stmt : callee->def->body) {
            const bool launches = !is_launched && leads_.in(*stmt);
            is_launched = is_launched || launches;
            if (!sets(*callee->scope, *stmt)) continue;
            std::optional<bool> is_first = !is_launched;
            if (launches) {
                const ast::Call* inner = call_of(*stmt);
                is_first = inner ? is_set_first(*callee->scope, *inner, depth + 1) : std::nullopt;
            }
            if (!is_first || (first && *first != *is_first)) return std::nullopt;
            first = is_first;
        }
        return first;
    }

  private:
    /// Itself, or by what it calls.
    bool sets(const ModuleScope& scope, const ast::Stmt& stmt) const {
        const auto is_it = [&](const ast::Expr& place) {
            const ast::Expr* root = root_of(place);
            return root && root->as<ast::Name>()->id == name_;
        };
        bool found = false;
        if (const auto* node = stmt.as<ast::Assign>())
            for (const ast::Expr* target : node->targets) {
                const auto* tuple = target->as<ast::Tuple>();
                const auto is_one = [&](const ast::Expr* one) { return is_it(*one); };
                found = found || (tuple ? std::ranges::any_of(tuple->elts, is_one) : is_it(*target));
            }
        for (const auto& [changed, at] : changed_names(stmt)) found = found || changed == name_;
        if (const ast::Call* call = call_of(stmt))
            for (const Effect& effect : scope.effects_of(*call)) found = found || is_it(*effect.place);
        for_each_block(stmt, [&](const ast::Block& block) {
            for (const ast::Stmt* inner : block) found = found || sets(scope, *inner);
        });
        return found;
    }

    Leads leads_;
    std::string_view name_;
};

ModuleScope::Launch ModuleScope::compiled_at(const FunctionInfo& kernel) const {
    if (!owned_ || kernel.scope != this || !has_changes_) return {};
    if (kernel.signatures) return {kernel.at + 1};
    Leads leads(*this, kernel.name);  // what one action calls and does not lead there need not be looked at again
    for (const Action& action : actions_)
        if (action.expr && action.at > kernel.at && leads.in(*action.expr)) return {action.at, &kernel, action.expr};
    return {};
}

std::vector<ModuleScope::Replaced> ModuleScope::replaced_kernels() const {
    std::vector<Replaced> replaced;
    for (const auto& [name, declared] : names_)
        for (size_t i = 0; i + 1 < declared.size(); ++i) {
            FunctionInfo* const* first = declared[i].as<FunctionInfo*>();
            FunctionInfo* const* second = declared[i + 1].as<FunctionInfo*>();
            if (!first || !second || (*first)->kind != FunctionKind::kernel) continue;
            Leads leads(*this, name);
            const auto launches = [&](const Action& action) {
                if (action.at <= declared[i].at || action.at >= declared[i + 1].at) return false;
                const Then then(*this, action.at);
                return action.loop ? leads.in(*action.loop) : leads.in(*action.expr);
            };
            const auto by = std::ranges::find_if(actions_, launches);
            if (by == actions_.end()) continue;
            replaced.push_back({name, (*first)->def->name_span, by->loop ? by->loop->span : by->expr->span,
                                (*second)->def->name_span});
        }
    std::ranges::sort(replaced, {}, [](const Replaced& one) { return one.span.begin; });
    return replaced;
}

std::optional<bool> ModuleScope::is_set_before_launch(std::string_view name) const {
    const auto* call = launch_.by ? launch_.by->as<ast::Call>() : nullptr;
    return call ? LaunchOrder(Leads(*this, launch_.kernel->name), name).is_set_first(*this, *call) : std::nullopt;
}

}  // namespace pyk
