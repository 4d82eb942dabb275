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

constexpr int kDeepest = 8;

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
            if (const auto* node = stmt->as<ast::ExprStmt>()) called(*node->value);
            if (stmt->as<ast::ExprStmt>())
                for (const auto& [name, at] : changed_places(*stmt)) in_place.emplace(name, at);
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

std::vector<ModuleScope::Effect> ModuleScope::effects_of(const ast::Call& call, int depth) const {
    const auto* name = call.func->as<ast::Name>();
    const FunctionInfo* info = name && depth < kDeepest ? function_in(lookup_declared(name->id)) : nullptr;
    if (!info || info->kind != FunctionKind::plain) return {};
    BodyChanges changes(info->def->body);
    for (const ast::Call* inner : changes.calls)
        for (const Effect& effect : info->scope->effects_of(*inner, depth + 1)) changes.change(*effect.place);
    for (const std::string_view global : changes.globals)
        if (const auto at = changes.assigned.find(global); at != changes.assigned.end()) changes.in_place.insert(*at);
    std::vector<Effect> effects;
    for (const auto& [inside, written] : changes.in_place) {
        const bool is_assigned = changes.assigned.contains(inside), is_global = changes.globals.contains(inside);
        if (is_parameter(*info->def, inside)) {
            const ast::Expr* given = argument_of(call, *info->def, inside);
            if (given && root_of(*given)) effects.push_back({given, inside, true, is_assigned});
        } else if (is_global || !is_assigned) {
            effects.push_back({written, inside, false, false});
        }
    }
    return effects;
}

// A call for its effect: what the function has at its end is what the caller has then.
void ModuleScope::run_call(const ast::Call& call) {
    const std::vector<Effect> effects = effects_of(call, 0);
    const ModuleScope* run = run_of(call);
    for (const Effect& effect : effects) {
        const auto before = constant(*effect.place);
        const bool is_object =
            before && (before->as<Const::List>() || before->as<Const::Array>() || before->as<Const::Dict>());
        const bool is_known = run && !effect.is_rebound && shared_->steps <= kMostSteps;
        // `n += 1` of a number that was given, or a statement that did not run.
        const bool stays = (effect.is_argument && before && !is_object) ||
                           (is_known && !effect.is_argument && !run->names_.contains(effect.inside));
        const auto entity = is_known && !stays ? run->lookup(effect.inside) : std::nullopt;
        change(*effect.place, before, stays ? before : entity ? to_const(*entity) : std::nullopt);
    }
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
