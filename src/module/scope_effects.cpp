// What calls of the file's own functions leave behind: changes of the arrays and lists that they are given, and of
// names of the file.
#include <algorithm>
#include <map>
#include <set>

#include "module/body_changes.h"
#include "module/free_names.h"
#include "module/host_defaults.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "support/words.h"

namespace pyk {
namespace {

/// The argument of a parameter; null: none that is written so.
const ast::Expr* argument_of(const ast::Call& call, const ast::FunctionDef& def, std::string_view param,
                             bool has_self) {
    for (const ast::Keyword& keyword : call.keywords)
        if (keyword.arg == param) return keyword.value;
    const size_t first = has_self ? 1 : 0;
    size_t place = 0;
    for (const auto* list : {&def.args->posonlyargs, &def.args->args})
        for (const ast::Arg& arg : *list) {
            if (arg.arg == param && place < first) return nullptr;
            if (arg.arg == param && place - first < call.args.size()) return call.args[place - first];
            // What every call without it gets.
            const size_t count = def.args->posonlyargs.size() + def.args->args.size();
            if (arg.arg == param && place + def.args->defaults.size() >= count)
                return def.args->defaults[place + def.args->defaults.size() - count];
            ++place;
        }
    return nullptr;
}

/// Whether an argument may be a view of what another one has: `f(a[1:], a[:-1])`.
bool overlaps_another(const ast::Call& call, const ast::Expr& place) {
    const auto root_name = [](const ast::Expr& expr) {
        const ast::Expr* root = root_of(expr);
        return root ? root->as<ast::Name>()->id : std::string_view();
    };
    return std::ranges::any_of(call.args, [&](const ast::Expr* arg) {
        return arg != &place && root_name(*arg) == root_name(place) && !(arg->as<ast::Name>() && place.as<ast::Name>());
    });
}

bool is_parameter(const ast::FunctionDef& def, std::string_view name) {
    const auto is_rest = [&](const ast::Arg* arg) { return arg && arg->arg == name; };
    bool found = is_rest(def.args->vararg) || is_rest(def.args->kwarg);
    for_each_parameter(*def.args, [&](const ast::Arg& arg) { found = found || arg.arg == name; });
    return found;
}

}  // namespace

// Found once for each function. One that leads to itself adds nothing to what it does by itself.
const std::vector<ModuleScope::Change>& ModuleScope::changes_of(const FunctionInfo& info) const {
    const auto [slot, is_new] = shared_->changes.try_emplace(&info);
    std::vector<Change>& found = slot->second;
    if (!is_new) return found;
    BodyChanges body(info.def->body, shared_->passing, shared_->moving);
    std::vector<Change> of_callees;
    const std::set<std::string_view> own = own_names(*info.def, body);
    for (const ast::Call* call : body.calls)
        for (const Effect& effect : info.scope->effects_of(*call, &own))
            if (effect.inside.is_argument)
                body.change(*effect.place);
            else
                of_callees.push_back(effect.inside);
    body.follow_aliases();
    if (is_replaced(info))
        if (const FunctionInfo* by = replacement_of(info))
            for (const Change& change : changes_of(*by))
                if (!change.is_argument) of_callees.push_back(change);
    for (const std::string_view global : body.globals)
        if (const auto at = body.assigned.find(global); at != body.assigned.end()) body.in_place.insert(*at);
    for (const auto& [name, written] : body.in_place) {
        const bool is_assigned = body.assigned.contains(name), is_of_caller = is_parameter(*info.def, name);
        const bool is_global = body.globals.contains(name);
        // `x = N`, `x += 1`: a number has no object that changes.
        const auto value = is_of_caller || is_global ? std::nullopt : info.scope->constant(*written);
        if (value && !can_change(*value)) continue;
        if (is_of_caller || !is_assigned || is_global)
            found.push_back({name, written, is_of_caller, (is_of_caller && is_assigned) || body.lost.contains(name),
                             is_global && is_assigned});
    }
    for (Change& change : of_callees) {
        if (std::ranges::find(found, change.inside, &Change::inside) != found.end()) continue;
        // Where a variable of its own has the name, what becomes of the other one is not followed.
        const bool is_another = body.assigned.contains(change.inside) || is_parameter(*info.def, change.inside);
        change.is_rebound = is_another && !body.globals.contains(change.inside);
        found.push_back(change);
    }
    return found;
}

namespace {

/// `lambda all, v: all.append(v)`.
bool changes_parameter(const ast::Expr* expr) {
    const auto* lambda = expr->as<ast::Lambda>();
    bool changes = false;
    if (lambda)
        for_each_call(*lambda->body, [&](const ast::Call& call) {
            const auto* method = call.func->as<ast::Attribute>();
            const ast::Expr* object = method && changes_object(method->attr) ? root_of(*method->value) : nullptr;
            for_each_parameter(*lambda->args, [&](const ast::Arg& arg) {
                changes = changes || (object && object->as<ast::Name>()->id == arg.arg);
            });
        });
    return changes;
}

constexpr int kLongestChain = 10;  ///< of methods that call each other

/// What comprehensions go over whose items a method changes: `(a, b)` of `[q.append(1) for q in (a, b)]`.
/// `moving`: methods of the file's that do so too.
void for_each_changed_iterable(const ast::Expr& expr, const std::set<std::string_view>& moving,
                               FunctionRef<void(const ast::Expr&)> visit) {
    for (const ast::Comprehension& one : generators_of(expr)) {
        bool changes = false;
        for_each_call(expr, [&](const ast::Call& call) {
            const auto* method = call.func->as<ast::Attribute>();
            const bool is_changing = method && (changes_object(method->attr) || moving.contains(method->attr));
            const ast::Expr* object = is_changing ? root_of(*method->value) : nullptr;
            for_each_target(*one.target, [&](std::string_view name) {
                changes = changes || (object && object->as<ast::Name>()->id == name);
            });
        });
        if (changes) visit(*one.iter);
    }
    for_each_host_child(expr, [&](const ast::Expr& child) { for_each_changed_iterable(child, moving, visit); });
}

}  // namespace

// Also those inside of what it makes.
void for_each_call(const ast::Expr& expr, const std::function<void(const ast::Call&)>& visit) {
    if (const auto* node = expr.as<ast::Call>()) visit(*node);
    for_each_host_child(expr, [&](const ast::Expr& child) { for_each_call(child, visit); });
}

// Whether a method leaves its object as it is: of that it only reads attributes, and calls methods that do so too.
bool ModuleScope::Shared::is_still(const FunctionInfo& info, int depth) {
    const auto& params = info.def->args->args;
    if (params.empty() || depth > kLongestChain || !info.scope->changes_of(info).empty()) return false;
    const std::string_view body = info.span.text().substr(info.def->body.front()->span.begin - info.span.begin);
    bool still = true;
    for_each_word(body, is_of_name, [&](std::string_view word, size_t at) {
        if (!still || word != params[0].arg) return;
        const size_t behind = at + word.size();
        still = behind < body.size() && body[behind] == '.';
        if (!still) return;
        const std::string_view member = word_at(body, behind + 1, is_of_name);
        if (!body.substr(behind + 1 + member.size()).starts_with('(')) return;
        const FunctionInfo* method = function_in(info.scope->own(member));
        still = method && is_still(*method, depth + 1);
    });
    return still;
}

// Each `defaultdict` of which a statement reads a key that may be missing, and is there from then on.
void ModuleScope::Shared::add_read_defaults(const ModuleScope& scope, const ast::Stmt& stmt,
                                            std::vector<const ast::Expr*>& found) {
    const auto [has, is_new] = scope.shared_->has_default_dicts.try_emplace(scope.file_, false);
    if (is_new) has->second = scope.file_->source->text().find("defaultdict") != std::string_view::npos;
    if (!has->second) return;
    const auto* alone = stmt.as<ast::ExprStmt>();
    const auto* call = alone ? alone->value->as<ast::Call>() : nullptr;
    const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
    const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& expr) {
        const auto* item = expr.as<ast::Subscript>();
        const auto dict = item && root_of(*item->value) ? scope.constant(*item->value) : std::nullopt;
        const bool is_filled = method && &expr == &*method->value;  // `d[k].append(x)`
        if (dict && default_of(*dict) && !is_counter(*dict) && !is_filled) {
            const auto key = scope.constant(*item->slice);
            if (!key || !item_at(*dict, *key)) found.push_back(item->value);
        }
        // What is known has read no key that is missing.
        if (!generators_of(expr).empty() && scope.evaluate(expr)) return;
        for_each_host_child(expr, look);
    };
    for_each_computed(stmt, look);
}

std::optional<bool> ModuleScope::Shared::is_import(const ModuleScope& scope, std::string_view name) {
    const ModuleScope* at = &scope;
    while (at && !at->is_declared(name) && !at->bindings_.contains(name)) at = at->parent_;
    if (!at) return std::nullopt;
    const Declaration* declared = at->declaration(name);
    return declared && declared->as<Import>();
}

const ModuleScope::Shared::CallChanges& ModuleScope::Shared::changes_of_calls(const ModuleScope& scope,
                                                                              const ast::Stmt& stmt) {
    const auto [slot, is_new] = changed_inside.try_emplace({&stmt, &scope});
    if (!is_new) return slot->second;
    CallChanges found;
    const auto* alone = stmt.as<ast::ExprStmt>();
    const auto* assigned = stmt.as<ast::Assign>();
    const auto* returned = stmt.as<ast::Return>();
    ast::ExprRef whole = alone ? alone->value : assigned ? assigned->value : nullptr;
    if (returned) whole = returned->value;
    const ast::Call* followed = whole ? whole->as<ast::Call>() : nullptr;
    const auto is_variable = [&](std::string_view name) { return !is_import(scope, name).value_or(false); };
    const auto called = [&](const ast::Call& call) {
        const auto* method = call.func->as<ast::Attribute>();
        static constexpr std::string_view kTaken[] = {"pop", "setdefault"};
        const bool is_taken = method && std::ranges::find(kTaken, method->attr) != std::end(kTaken);
        const ast::Expr* object = method ? root_of(*method->value) : nullptr;
        const ast::Expr* of_file = object_called(scope, call);
        const FunctionInfo* info = of_file ? function_in(scope.evaluate(*call.func)) : nullptr;
        const bool is_own = of_file ? info && !returned : !method;
        auto& names = &call == followed && (alone || is_taken || is_own) ? found.followed : found.inside;
        const bool is_parser = of_file && method && parser_in(scope, *method->value);
        if (of_file && !is_parser && (!info || !is_still(*info))) names.push_back(of_file);
        const bool is_filled = alone && followed && &call == filled_item(*followed);
        if (!of_file && object && !is_filled && changes_object(method->attr) &&
            is_variable(object->as<ast::Name>()->id))
            names.push_back(method->value);
        if (is_taken && object) found.taken.push_back(method->value);
        if (is_filled && root_of(*call.args[1]))
            found.followed.push_back(call.args[1]);  // `d.setdefault(k, a).append(v)`
        if (const ast::Expr* changed = changed_argument(call); changed && root_of(*changed))
            (&call == followed ? found.followed : found.inside).push_back(changed);
        for (const Effect& effect : scope.effects_of(call)) names.push_back(effect.place);
        add_hidden_changes(scope, call, found.inside);
        // `reduce(lambda all, v: all.append(v), …, c)`.
        if (std::ranges::any_of(call.args, changes_parameter))
            for (const ast::Expr* arg : call.args)
                if (root_of(*arg)) names.push_back(arg);
    };
    // `add = values.append`, `lambda: values.append(1)`: nobody knows when it is called.
    const auto is_list = [&](const ast::Expr& place) {
        const auto* name = place.as<ast::Name>();
        return name && is_variable(name->id) && scope.constant(place);
    };
    const std::function<void(const ast::Expr&, bool)> later = [&](const ast::Expr& expr, bool is_called) {
        const auto* attribute = expr.as<ast::Attribute>();
        if (attribute && !is_called && changes_object(attribute->attr) && is_list(*attribute->value))
            found.inside.push_back(attribute->value);
        // `go = x.step`: the same of a method.
        const ast::Expr* root = attribute && !is_called ? root_of(*attribute->value) : nullptr;
        if (root && scope.shared_->parameters.contains(attribute->attr) && is_variable(root->as<ast::Name>()->id)) {
            const auto owner = scope.evaluate(*attribute->value);
            const auto* object = owner ? std::get_if<const ModuleScope*>(&*owner) : nullptr;
            const ModuleScope* body = object && (*object)->is_object_ ? (*object)->class_ : nullptr;
            const FunctionInfo* method = body ? function_in(body->own(attribute->attr)) : nullptr;
            if (method && method->kind == FunctionKind::plain && method->def->decorator_list.empty() &&
                !is_still(*method))
                found.inside.push_back(root);
        }
        const auto* lambda = expr.as<ast::Lambda>();
        if (lambda)
            for_each_call(*lambda->body, [&](const ast::Call& call) {
                const auto* method = call.func->as<ast::Attribute>();
                if (method && changes_object(method->attr) && is_list(*method->value))
                    found.inside.push_back(method->value);
                for (const Effect& effect : scope.effects_of(call)) found.inside.push_back(effect.place);
            });
        const auto* call = expr.as<ast::Call>();
        for_each_child(expr, [&](const ast::Expr& child) { later(child, call && &child == call->func); });
    };
    // `[q.append(1) for q in (a, b)]`: what the names have that it goes over.
    const std::function<void(const ast::Expr&)> names_in = [&](const ast::Expr& expr) {
        const auto* name = expr.as<ast::Name>();
        if (name && is_variable(name->id)) found.inside.push_back(&expr);
        for_each_host_child(expr, names_in);
    };
    const auto in_target = [&](const ast::Expr& target) { for_each_call(target, called); };
    if (assigned) std::ranges::for_each(assigned->targets, [&](const ast::Expr* one) { in_target(*one); });
    if (const auto* node = stmt.as<ast::AugAssign>()) in_target(*node->target);
    for_each_computed(stmt, [&](const ast::Expr& expr) {
        for_each_call(expr, called);
        later(expr, false);
        for_each_changed_iterable(expr, moving, names_in);
        if (has_moving_operators) add_changed_by_operators(scope, expr, found.inside);
    });
    if (!scope.runs_) add_read_defaults(scope, stmt, found.inside);
    add_hidden_changes(scope, stmt, found.inside);
    return changed_inside[{&stmt, &scope}] = std::move(found);
}

// Of functions of another file those on their arguments; what they do to that file's variables is noted for it.
// `own`: names of the function that the call stands in, where that is not running.
std::vector<ModuleScope::Effect> ModuleScope::effects_of(const ast::Call& call,
                                                         const std::set<std::string_view>* own) const {
    const auto* name = call.func->as<ast::Name>();
    const bool is_of_file = !name && Shared::is_of_import(*this, *call.func);
    const auto* method = call.func->as<ast::Attribute>();
    const bool is_of_object = method && root_of(*method->value) && !is_of_file && Shared::object_called(*this, call);
    const bool is_of_class = method && !is_of_object && !is_of_file && Shared::is_class_named(*this, *method->value);
    const bool is_own = name && own && own->contains(name->id);
    const auto callee = is_own                                      ? std::optional<Entity>()
                        : name                                      ? lookup_declared(name->id)
                        : is_of_file || is_of_object || is_of_class ? evaluate(*call.func)
                                                                    : std::optional<Entity>();
    const FunctionInfo* init = Shared::constructor(*this, callee);
    const FunctionInfo* info = init ? init : function_in(callee);
    std::vector<Effect> effects;
    Shared::add_effects_of_given(*this, call, effects);
    if (!info) {
        Shared::add_unfollowed_effects(*this, call, callee, is_own, effects);
        return effects;
    }
    if (info->kind != FunctionKind::plain && !info->is_for_host) return effects;
    const bool is_static = has_decorator(*info, "staticmethod");
    const bool has_self = !is_static && (init || is_of_object || has_decorator(*info, "classmethod"));
    const bool is_generator = Shared::is_generator(*info);  // its body runs when somebody takes items
    for (const Change& change : changes_of(*info)) {
        if (!change.is_argument && info->scope->file_ != file_) {
            const ModuleScope* file = info->scope;
            while (file->parent_) file = file->parent_;
            shared_->changed_outside.insert({file, change.inside});
            continue;
        }
        const auto is_rest = [&](const ast::Arg* rest) { return rest && rest->arg == change.inside; };
        const auto one_of_rest = [&](const ast::Expr& arg) {  // which of them, and how, is not followed
            Shared::add_unfollowed_changes(*this, arg, effects);
        };
        for (const ast::Expr* arg : is_rest(info->def->args->vararg) ? call.args : ast::ExprList()) one_of_rest(*arg);
        if (is_rest(info->def->args->kwarg))
            for (const ast::Keyword& keyword : call.keywords) one_of_rest(*keyword.value);
        const ast::Expr* place =
            change.is_argument ? argument_of(call, *info->def, change.inside, has_self) : change.written;
        if (!place && change.is_argument)  // one of `*args`
            for (const ast::Expr* arg : call.args)
                if (const auto* starred = arg->as<ast::Starred>()) one_of_rest(*starred->value);
        if (place && !root_of(*place)) one_of_rest(*place);
        if (!place || !root_of(*place)) continue;
        effects.push_back({place, change});
        effects.back().inside.is_rebound |=
            is_generator || info->kind != FunctionKind::plain || (change.is_argument && overlaps_another(call, *place));
    }
    return effects;
}

// The `__init__` of what is called; null: it is no class of the host's, or has none.
const FunctionInfo* ModuleScope::Shared::constructor(const ModuleScope& scope, const std::optional<Entity>& callee) {
    const auto* body = callee ? std::get_if<const ModuleScope*>(&*callee) : nullptr;
    const bool is_class = body && !(*body)->is_object_ && scope.shared_->classes.contains(*body);
    return is_class ? function_in((*body)->own("__init__")) : nullptr;
}

bool ModuleScope::Shared::is_class_named(const ModuleScope& scope, const ast::Expr& expr) {
    const auto* name = expr.as<ast::Name>();
    const ModuleScope* at = &scope;
    while (at && name && !at->is_declared(name->id)) at = at->parent_;
    const Declaration* declared = at && name ? at->declaration(name->id) : nullptr;
    const auto* entity = declared ? declared->as<Entity>() : nullptr;
    return declared && (declared->as<const ast::ClassDef*>() || (entity && class_in(*entity)));
}

// Whether a dotted name begins with an import.
bool ModuleScope::Shared::is_of_import(const ModuleScope& scope, const ast::Expr& expr) {
    const ast::Expr* root = root_of(expr);
    if (!root) return false;
    const ModuleScope* at = &scope;
    while (at && !at->is_declared(root->as<ast::Name>()->id)) at = at->parent_;
    return at && at->declaration(root->as<ast::Name>()->id)->as<Import>();
}

// `config.N = 4`, `config.SIZES.append(4)`: of a variable of another file nobody knows when its functions see it.
void ModuleScope::Shared::note_outside(const ModuleScope& scope, const ast::Expr& place) {
    if (!is_of_import(scope, place)) return;
    const ast::Expr* at = &place;
    const ast::Attribute* attribute = nullptr;
    while (!at->as<ast::Name>()) {
        attribute = at->as<ast::Attribute>();
        at = attribute ? attribute->value : at->as<ast::Subscript>()->value;
        const auto owner = attribute ? scope.evaluate(*at) : std::nullopt;
        const auto* file = owner ? std::get_if<const ModuleScope*>(&*owner) : nullptr;
        if (file && !(*file)->parent_ && !(*file)->is_object_)
            return void(scope.shared_->changed_outside.insert({*file, attribute->attr}));
    }
    // `from config import SIZES, Settings`, `SIZES.append(4)`, `Settings.n = 4`.
    const Place origin = scope.place_of(*at);
    if (!origin.declaration || origin.scope->file_ == scope.file_) return;
    if (origin.declaration->as<Variable>()) scope.shared_->changed_outside.insert({origin.scope, origin.name});
    const auto* body = origin.declaration->as<const ast::ClassDef*>();
    if (body && attribute) scope.shared_->stored_attributes.emplace((*body)->name, attribute->attr);
}

// The same of all that a statement stores to or changes, but for the blocks in it.
void ModuleScope::Shared::note_outside(const ModuleScope& scope, const ast::Stmt& stmt) {
    const std::function<void(const ast::Expr&)> stored = [&](const ast::Expr& target) {
        const auto* tuple = target.as<ast::Tuple>();
        const auto* list = target.as<ast::ListExpr>();
        for (const ast::Expr* one : tuple ? tuple->elts : list ? list->elts : ast::ExprList()) stored(*one);
        if (!target.as<ast::Name>()) note_outside(scope, target);
    };
    if (const auto* node = stmt.as<ast::Assign>())
        for (const ast::Expr* target : node->targets) stored(*target);
    if (const auto* node = stmt.as<ast::AnnAssign>()) stored(*node->target);
    if (const auto* node = stmt.as<ast::AugAssign>()) stored(*node->target);
    if (const auto* node = stmt.as<ast::Delete>())
        for (const ast::Expr* target : node->targets) stored(*target);
    if (const auto* node = stmt.as<ast::For>()) stored(*node->target);
    for_each_computed(stmt, [&](const ast::Expr& expr) {
        for_each_call(expr, [&](const ast::Call& call) {
            const auto* method = call.func->as<ast::Attribute>();
            if (method && changes_object(method->attr)) note_outside(scope, *method->value);
            if (const ast::Expr* changed = changed_argument(call)) note_outside(scope, *changed);
        });
    });
}

// A call for its effect: what the function has at its end is what the caller has then.
void ModuleScope::run_call(const ast::Call& call) { Shared::run_call(*this, call); }

const ModuleScope* ModuleScope::Shared::run_call(ModuleScope& scope, const ast::Call& call) {
    const std::vector<Effect> effects = scope.effects_of(call);
    const ModuleScope* run = scope.run_of(call);
    const Running* around = scope.shared_->running.empty() ? nullptr : &scope.shared_->running.back();
    for (const auto& [place, inside] : effects) {
        const bool is_followed = !around || around->by != &scope || around->has_all || inside.is_argument ||
                                 std::ranges::find(around->names, inside.inside) != around->names.end();
        if (!is_followed) continue;  // a variable of the caller's own has the name
        const auto given = scope.evaluate(*place);
        const bool is_scope = given && std::holds_alternative<const ModuleScope*>(*given);
        if (is_scope && run && inside.is_argument && !inside.is_rebound) continue;  // it has changed in its place
        const auto before = scope.constant(*place);
        const bool may_change = before && is_object(*before);
        const bool is_known = run && !inside.is_rebound && scope.shared_->steps <= kMostSteps;
        // `n += 1` of a number that was given, or a statement that did not run.
        const bool stays = (inside.is_argument && before && !may_change) ||
                           (is_known && !inside.is_argument && !run->names_.contains(inside.inside));
        const auto entity = is_known && !stays ? run->lookup(inside.inside) : std::nullopt;
        if (stays) continue;
        const auto after = entity ? to_const(*entity) : std::nullopt;
        if (inside.is_set && entity && !before && place->as<ast::Name>()) {
            scope.store(*place, entity);  // also what is no constant: `jit = cuda.jit(device=True)`
            continue;
        }
        scope.change(*place, before, after);
        if (before && !after) Shared::lose_objects_in(scope, *before);
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
    if (const auto* named = place.as<ast::NamedExpr>()) return root_of(*named->target);
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
