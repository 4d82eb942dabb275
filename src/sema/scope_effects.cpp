// What calls of the file's own functions leave behind: changes of the arrays and lists that they are given, and of
// names of the file.
#include <algorithm>
#include <map>
#include <set>

#include "sema/free_names.h"
#include "sema/host_values.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"

namespace pyk {
namespace {

/// What the statements of a function's body do to names.
class BodyChanges {
  public:
    explicit BodyChanges(const ast::Block& body) { block(body); }

    std::map<std::string_view, const ast::Expr*> assigned, in_place;
    std::set<std::string_view> globals;
    std::vector<const ast::Call*> calls;

    void change(const ast::Expr& place) {
        if (const ast::Expr* root = root_of(place)) in_place.emplace(root->as<ast::Name>()->id, root);
    }

  private:
    void block(const ast::Block& body) {
        for (const ast::Stmt* stmt : body) {
            if (const auto* node = stmt->as<ast::Global>()) globals.insert(node->names.begin(), node->names.end());
            if (const auto* node = stmt->as<ast::Assign>()) {
                for (const ast::Expr* one : node->targets) target(*one);
                called(*node->value);
            }
            if (const auto* node = stmt->as<ast::AnnAssign>()) target(*node->target);
            if (const auto* node = stmt->as<ast::For>()) target(*node->target);
            if (const auto* node = stmt->as<ast::AugAssign>()) change(*node->target);
            if (const auto* node = stmt->as<ast::Delete>())
                for (const ast::Expr* one : node->targets) change(*one);
            if (const auto* node = stmt->as<ast::ExprStmt>()) {
                called(*node->value);
                for (const auto& [name, at] : changed_names(*stmt)) in_place.emplace(name, at);
            }
            for_each_block(*stmt, [&](const ast::Block& inner) { block(inner); });
        }
    }

    void target(const ast::Expr& expr) {
        if (const auto* name = expr.as<ast::Name>()) assigned.emplace(name->id, &expr);
        if (const auto* tuple = expr.as<ast::Tuple>())
            for (const ast::Expr* one : tuple->elts) target(*one);
        if (const auto* list = expr.as<ast::ListExpr>())
            for (const ast::Expr* one : list->elts) target(*one);
        if (const auto* starred = expr.as<ast::Starred>()) target(*starred->value);
        if (expr.as<ast::Subscript>() || expr.as<ast::Attribute>()) change(expr);
    }

    void called(const ast::Expr& expr) {
        if (const auto* call = expr.as<ast::Call>()) calls.push_back(call);
    }
};

/// The argument of a parameter; null: none that is written so.
const ast::Expr* argument_of(const ast::Call& call, const ast::FunctionDef& def, std::string_view param) {
    for (const ast::Keyword& keyword : call.keywords)
        if (keyword.arg == param) return keyword.value;
    size_t place = 0;
    for (const auto* list : {&def.args->posonlyargs, &def.args->args})
        for (const ast::Arg& arg : *list) {
            if (arg.arg == param && place < call.args.size()) return call.args[place];
            ++place;
        }
    return nullptr;
}

bool is_parameter(const ast::FunctionDef& def, std::string_view name) {
    bool found = false;
    for_each_parameter(*def.args, [&](const ast::Arg& arg) { found = found || arg.arg == name; });
    return found;
}

}  // namespace

// Found once for each function. One that leads to itself adds nothing to what it does by itself.
const std::vector<ModuleScope::Change>& ModuleScope::changes_of(const FunctionInfo& info) const {
    const auto [slot, is_new] = shared_->changes.try_emplace(&info);
    std::vector<Change>& found = slot->second;
    if (!is_new) return found;
    BodyChanges body(info.def->body);
    for (const ast::Call* call : body.calls)
        for (const Effect& effect : info.scope->effects_of(*call)) body.change(*effect.place);
    for (const std::string_view global : body.globals)
        if (const auto at = body.assigned.find(global); at != body.assigned.end()) body.in_place.insert(*at);
    for (const auto& [name, written] : body.in_place) {
        const bool is_assigned = body.assigned.contains(name), is_of_caller = is_parameter(*info.def, name);
        if (is_of_caller || !is_assigned || body.globals.contains(name))
            found.push_back({name, written, is_of_caller, is_of_caller && is_assigned});
    }
    return found;
}

std::vector<ModuleScope::Effect> ModuleScope::effects_of(const ast::Call& call) const {
    const auto* name = call.func->as<ast::Name>();
    const FunctionInfo* info = name ? function_in(lookup_declared(name->id)) : nullptr;
    if (!info || info->kind != FunctionKind::plain) return {};
    std::vector<Effect> effects;
    for (const Change& change : changes_of(*info)) {
        const ast::Expr* place = change.is_argument ? argument_of(call, *info->def, change.inside) : change.written;
        if (place && root_of(*place)) effects.push_back({place, change});
    }
    return effects;
}

// A call for its effect: what the function has at its end is what the caller has then.
void ModuleScope::run_call(const ast::Call& call) { Shared::run_call(*this, call); }

const ModuleScope* ModuleScope::Shared::run_call(ModuleScope& scope, const ast::Call& call) {
    const std::vector<Effect> effects = scope.effects_of(call);
    const ModuleScope* run = scope.run_of(call);
    for (const auto& [place, inside] : effects) {
        const auto before = scope.constant(*place);
        const bool is_object =
            before && (before->as<Const::List>() || before->as<Const::Array>() || before->as<Const::Dict>());
        const bool is_known = run && !inside.is_rebound && scope.shared_->steps <= kMostSteps;
        // `n += 1` of a number that was given, or a statement that did not run.
        const bool stays = (inside.is_argument && before && !is_object) ||
                           (is_known && !inside.is_argument && !run->names_.contains(inside.inside));
        const auto entity = is_known && !stays ? run->lookup(inside.inside) : std::nullopt;
        if (stays) continue;
        const auto after = entity ? to_const(*entity) : std::nullopt;
        scope.change(*place, before, after);
        // An inner list that is another one now was changed, or another one took its place.
        for (const Const& lost : before&& after ? Shared::lost_objects(*before, *after) : std::vector<Const>()) {
            std::set<const ModuleScope*> seen;
            Shared::replace(scope, lost, std::nullopt, {}, seen);
        }
    }
    return run;
}

const ast::Expr* root_of(const ast::Expr& place) {
    if (place.as<ast::Name>()) return &place;
    if (const auto* subscript = place.as<ast::Subscript>()) return root_of(*subscript->value);
    if (const auto* attribute = place.as<ast::Attribute>()) return root_of(*attribute->value);
    return nullptr;
}

const ast::Name* viewed_name(const ast::Expr& expr) {
    static constexpr std::string_view kViews[] = {"T",     "flat",      "real",     "imag",    "reshape",
                                                  "ravel", "transpose", "swapaxes", "squeeze", "view"};
    const auto is_view = [](std::string_view name) { return std::ranges::find(kViews, name) != std::end(kViews); };
    if (const auto* name = expr.as<ast::Name>()) return name;
    if (const auto* node = expr.as<ast::Subscript>()) {
        const auto* tuple = node->slice->as<ast::Tuple>();
        const auto is_slice = [](const ast::Expr* one) { return one->as<ast::Slice>() != nullptr; };
        const bool is_part = tuple ? std::ranges::any_of(tuple->elts, is_slice) : is_slice(node->slice);
        return is_part ? viewed_name(*node->value) : nullptr;
    }
    const auto* call = expr.as<ast::Call>();
    const auto* attribute = (call ? *call->func : expr).as<ast::Attribute>();
    if (!attribute || !is_view(attribute->attr)) return nullptr;
    const auto* module = attribute->value->as<ast::Name>();
    if (call && module && module->id == "np") return call->args.empty() ? nullptr : viewed_name(*call->args[0]);
    return viewed_name(*attribute->value);
}

}  // namespace pyk
