// What the text of a file or of a function declares: each name with its meanings, in the order of the statements.
// Nothing is evaluated before somebody asks for it.
#include <algorithm>
#include <set>

#include "module/decorators.h"
#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr size_t kMostSharing = 64;  ///< names that have one object; of more nobody knows what a change makes of them

/// Whether it gives several targets one object that it makes: `a = b = []`.
bool is_shared(const ast::Assign& node) {
    const ast::Expr& value = *node.value;
    const bool is_there = value.as<ast::Name>() || value.as<ast::Attribute>();
    return node.targets.size() > 1 && !is_there && !value.as<ast::Constant>() && !value.as<ast::Lambda>();
}

}  // namespace

void ModuleScope::declare(const ast::Block& block) {
    for (const ast::Stmt* stmt : block) {
        if (flow_ != Flow::on) return;
        declare(*stmt);
    }
}

void ModuleScope::declare(const ast::Stmt& stmt) {
    ++clock_;
    const auto* alone = stmt.as<ast::ExprStmt>();
    const auto* assigned = stmt.as<ast::Assign>();
    const ast::Expr* expr = alone ? alone->value : assigned ? assigned->value : nullptr;
    const bool is_loop = stmt.as<ast::For>() || stmt.as<ast::While>();
    if (owned_ && (expr || is_loop)) actions_.push_back({clock_, expr, is_loop ? &stmt : nullptr, in_loop_});
    if (runs_) {
        shared_->unknown_now.clear();
        const auto& changes = shared_->changes_of_calls(*this, stmt);
        const auto lose_changed = [&] {
            for (const ast::Expr* place : changes.inside) Shared::lose_changed(*this, *place);
            if (certain_) return;
            for (const ast::Expr* place : changes.taken)  // an item has another name from now on
                if (const auto all = constant(*place)) Shared::lose_objects_in(*this, *all);
            for (const ast::Expr* place : changes.followed) Shared::lose_changed(*this, *place);
        };
        lose_changed();
        const bool certain = std::exchange(certain_, certain_ && changes.inside.empty());
        if (!stmt.as<ast::While>()) assign_inside(stmt);  // a loop does so in each round
        if (!run(stmt)) declare_names(stmt);
        certain_ = certain;
        lose_changed();
        for (const ast::Call* call : shared_->method_calls(stmt))
            if (Shared::calls_unknown(*this, *call)) Shared::lose_objects(*this, {});
        return;
    }
    shared_->note_changes(stmt);
    declare_names(stmt);
    if (!in_loop_) shared_->note_sharing(*this, stmt);
}

void ModuleScope::declare_names(const ast::Stmt& stmt) {
    if (const auto* node = stmt.as<ast::Import>()) return import_names(*node, stmt.span);
    if (const auto* node = stmt.as<ast::ImportFrom>()) return import_names(*node, stmt.span);
    const bool is_definition = stmt.as<ast::FunctionDef>() || stmt.as<ast::ClassDef>();
    if (!runs_ && (is_definition || stmt.as<ast::If>() || stmt.as<ast::With>())) lose_inside(stmt);
    if (const auto* node = stmt.as<ast::FunctionDef>()) return add_function(*node, stmt.span);
    if (const auto* node = stmt.as<ast::ClassDef>()) return declare_class(*node, stmt.span);
    if (const auto* node = stmt.as<ast::If>()) {
        if (!runs_) assign_inside(stmt);
        return declare(*node);
    }
    if (const auto* node = stmt.as<ast::Match>()) return declare(node->meaning);
    if (const auto* node = stmt.as<ast::Try>()) return declare(*node);
    if (const auto* node = stmt.as<ast::With>()) {
        const bool certain = certain_;
        for (const ast::WithItem& item : node->items) {
            const auto* call = item.context_expr->as<ast::Call>();
            // When it does what it leaves behind is not followed.
            const auto effects = call ? effects_of(*call) : std::vector<Effect>();
            for (const auto& [place, inside] : effects) {
                const ast::Expr* root = root_of(*place);
                if (runs_)
                    change(*root, constant(*root), std::nullopt);
                else if (in_loop_)
                    loop_changes_.emplace_back(root->as<ast::Name>()->id, root);
                else
                    assign(root->as<ast::Name>()->id, {.span = place->span});
            }
            if (item.optional_vars && call && effects.empty() && Shared::is_context(*this, *call))
                assign_context(*item.optional_vars, *item.context_expr);
            else if (item.optional_vars)
                assign(*item.optional_vars, nullptr);
            // What raises is passed over, and all behind it.
            if (call && last_name(*call->func) == "suppress") certain_ = false;
        }
        if (!runs_ && !in_loop_) shared_->note_sharing(*this, stmt);
        declare(node->body);
        certain_ = certain;
        return;
    }
    if (const auto* node = stmt.as<ast::Assign>()) {
        const bool shares = is_shared(*node);
        const auto named = std::ranges::find_if(node->targets, [](const ast::Expr* e) { return e->as<ast::Name>(); });
        const ast::Expr* const first = shares && named != node->targets.end() ? *named : nullptr;
        if (first) assign(*first, node->value);
        if (shares) ++clock_;  // `a = []`, then `b = a`
        for (const ast::Expr* target : node->targets)
            if (target != first) assign(*target, shares ? first : &*node->value);
    }
    if (const auto* node = stmt.as<ast::AnnAssign>(); node && node->value) assign(*node->target, node->value);
    const auto* loop = stmt.as<ast::For>();
    const auto* repeated = stmt.as<ast::While>();
    if (loop || repeated) {
        const bool certain = std::exchange(certain_, false), in_loop = std::exchange(in_loop_, true);
        if (!in_loop) loop_changes_.clear();
        declare(loop ? loop->body : repeated->body);
        declare(loop ? loop->orelse : repeated->orelse);
        certain_ = certain;
        in_loop_ = in_loop;
    }
    changed(stmt);
}

// What a statement changes beside what it is there for, where that has its own order: nothing is known of it.
void ModuleScope::lose_inside(const ast::Stmt& stmt) {
    Shared::Names names;
    for (const ast::Expr* place : shared_->changes_of_calls(*this, stmt).inside) {
        const ast::Expr* root = root_of(*place);
        if (!root) continue;
        names = {root->as<ast::Name>()->id};
        for (const std::string_view other : shared_->sharing_with(*this, names)) names.push_back(other);
        for (const std::string_view name : names)
            if (in_loop_)
                loop_changes_.emplace_back(name, root);
            else
                assign(name, {.span = stmt.span});
    }
}

void ModuleScope::declare(const ast::If& node) {
    // Which branch runs is known or not; what may run leaves names of unknown values behind. In a loop it may be
    // another one in each round.
    const auto test = in_loop_ ? std::nullopt : Shared::outcome(*this, *node.test);
    const bool certain = std::exchange(certain_, test.has_value() && certain_);
    const auto* compared = node.test->as<ast::Compare>();
    const auto* subject = compared ? compared->left->as<ast::Name>() : nullptr;
    const bool in_main = std::exchange(in_main_, in_main_ || (subject && subject->id == "__name__"));
    const size_t before = functions_.size();
    if (!test || *test) declare(node.body);
    std::vector<std::pair<std::string_view, FunctionInfo*>> first;
    for (size_t i = before; !test && i < functions_.size(); ++i) {
        const std::string_view name = functions_[i]->def->name;
        const Declaration* made = declaration(name);
        if (FunctionInfo* const* info = made ? made->as<FunctionInfo*>() : nullptr) first.emplace_back(name, *info);
    }
    if (!test || !*test) declare(node.orelse);
    // Where nobody knows the test, the functions are those of the first branch: the others stand for what is missing.
    for (const auto& [name, info] : first) {
        FunctionInfo* const* last = declaration(name)->as<FunctionInfo*>();
        if (!last || *last == info) continue;
        std::erase(order_, *last);
        order_.push_back(info);
        add(name, {clock_, info});
    }
    in_main_ = in_main;
    certain_ = certain;
}

// --- variables ---
void ModuleScope::assign(const ast::Expr& target, ast::ExprRef value, const std::vector<Item>& items) {
    if (const auto* name = target.as<ast::Name>()) {
        if (const auto* call = value && items.empty() ? value->as<ast::Call>() : nullptr)
            declare_class(name->id, *call);
        return assign(name->id, {.value = value, .items = items, .span = target.span});
    }
    if (runs_ && root_of(target)) return store(target, std::nullopt);
    const auto* tuple = target.as<ast::Tuple>();
    const auto* list = target.as<ast::ListExpr>();
    if (!tuple && !list) return;
    const ast::ExprList elements = tuple ? tuple->elts : list->elts;
    const auto star = std::ranges::find_if(elements, [](const ast::Expr* e) { return e->as<ast::Starred>(); });
    for (size_t i = 0; i < elements.size(); ++i) {
        const auto at = elements.begin() + static_cast<std::ptrdiff_t>(i);
        const auto behind = static_cast<int64_t>(elements.size() - i);
        std::vector<Item> part = items;
        part.push_back({at > star ? -behind : static_cast<int64_t>(i), {}});
        if (at == star) part.back().behind = behind - 1;
        assign(at == star ? *elements[i]->as<ast::Starred>()->value : *elements[i], value, part);
    }
}

void ModuleScope::assign(std::string_view name, Variable variable) {
    if (in_loop_ && !variable.made_by) return;
    const Declaration* last = declaration(name);
    const bool had_value = last && (last->as<Variable>() || last->as<Entity>());
    if (!certain_) variable.value = nullptr, variable.made_by = nullptr;
    // What may run leaves functions and imports as they are.
    if (!variable.value && !variable.made_by && last && !had_value) return;
    if (!had_value) order_of_variables_.push_back(name);
    variable.again = had_value;
    variable.is_of_main = in_main_ && had_value;
    has_changes_ |= had_value;
    add(name, {clock_, std::move(variable)});
}

namespace {

/// What a statement computes, where that is a call.
const ast::Call* computed_by(const ast::Stmt& stmt) {
    const auto* alone = stmt.as<ast::ExprStmt>();
    const auto* assigned = stmt.as<ast::Assign>();
    const auto* typed = stmt.as<ast::AnnAssign>();
    const ast::Expr* value = alone ? alone->value : assigned ? assigned->value : typed ? typed->value : nullptr;
    return value ? value->as<ast::Call>() : nullptr;
}

/// `get(0)[1] = 7`: the call whose result's object is changed there; null: none of a function by its name.
const ast::Call* result_in(const ast::Expr& place) {
    if (const auto* subscript = place.as<ast::Subscript>()) return result_in(*subscript->value);
    if (const auto* attribute = place.as<ast::Attribute>()) return result_in(*attribute->value);
    const auto* call = place.as<ast::Call>();
    return call && call->func->as<ast::Name>() ? call : nullptr;
}

/// The same of a statement, also of `get(0).append(7)`.
const ast::Call* changed_result(const ast::Stmt& stmt) {
    if (const auto* node = stmt.as<ast::AugAssign>()) return result_in(*node->target);
    if (const auto* node = stmt.as<ast::Assign>())
        for (const ast::Expr* target : node->targets)
            if (const ast::Call* call = result_in(*target)) return call;
    const ast::Call* alone = stmt.as<ast::ExprStmt>() ? computed_by(stmt) : nullptr;
    const auto* method = alone ? alone->func->as<ast::Attribute>() : nullptr;
    return method && changes_object(method->attr) ? result_in(*method->value) : nullptr;
}

}  // namespace

// A loop, or a statement that changes a value in its place: running it tells what the names have then, and those that
// may have the same object.
// The names that a call changes, each with what says so; `set`: those of which it says the new value.
void ModuleScope::changed_by(const ast::Call& call, std::vector<NamedAt>& names, std::vector<std::string_view>& set) {
    for (const Effect& effect : effects_of(call)) {
        names.emplace_back(root_of(*effect.place)->as<ast::Name>()->id, effect.place);
        if (effect.inside.is_set) set.push_back(names.back().first);
    }
    const auto* method = call.func->as<ast::Attribute>();
    const bool is_taken = method && (method->attr == "pop" || method->attr == "setdefault");
    if (const ast::Expr* root = Shared::calls_unknown(*this, call) ? root_of(*method->value) : nullptr)
        names.emplace_back(root->as<ast::Name>()->id, root);
    const ast::Expr* argument = changed_argument(call);
    if (const ast::Expr* root = argument ? root_of(*argument) : nullptr)
        names.emplace_back(root->as<ast::Name>()->id, root);
    if (const ast::Expr* root = is_taken ? root_of(*method->value) : nullptr)
        names.emplace_back(root->as<ast::Name>()->id, root);
    if (const ast::Expr* object = Shared::object_called(*this, call))
        names.emplace_back(object->as<ast::Name>()->id, object);
}

namespace {

constexpr std::string_view kVariables[] = {"globals", "vars", "locals"};

/// `globals()`, and what is the same for a file's own statements.
bool gives_variables(const ast::Call& call) {
    return call.args.empty() && std::ranges::find(kVariables, last_name(*call.func)) != std::end(kVariables);
}

/// `globals()["N"] = 4`, `vars().update(N=4)`, `exec("N = 4")`: any variable may have another value behind it.
bool sets_any(const ast::Stmt& stmt) {
    const std::string_view text = stmt.span.text();
    const auto is_in_text = [&](std::string_view word) { return text.find(word) != text.npos; };
    if (std::ranges::none_of(kVariables, is_in_text) && !is_in_text("exec(")) return false;
    const auto* assigned = stmt.as<ast::Assign>();
    const auto is_place = [](const ast::Expr* target) {
        const auto* item = target->as<ast::Subscript>();
        const auto* call = item ? item->value->as<ast::Call>() : nullptr;
        return call && gives_variables(*call);
    };
    const ast::Call* call = computed_by(stmt);
    const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
    const auto* of = method ? method->value->as<ast::Call>() : nullptr;
    return (assigned && std::ranges::any_of(assigned->targets, is_place)) ||
           (of && gives_variables(*of) && changes_object(method->attr)) ||
           (call && call->func->as<ast::Name>() && last_name(*call->func) == "exec");
}

/// `exec(text, {})`: what the text sets are names of its own.
bool has_own_names(const ModuleScope& scope, const ast::Stmt& stmt) {
    const ast::Call* call = computed_by(stmt);
    if (!call || call->args.size() < 2 || last_name(*call->func) != "exec") return false;
    const auto names = scope.constant(*call->args[1]);
    return names && names->as<Const::Dict>();
}

}  // namespace

void ModuleScope::changed(const ast::Stmt& by) {
    if (!runs_ && sets_any(by) && !has_own_names(*this, by))
        for (const std::string_view name : std::vector(order_of_variables_)) assign(name, {.span = by.span});
    const bool is_loop = by.as<ast::For>() || by.as<ast::While>();
    auto names = changed_names(by);
    const size_t before = names.size();
    std::vector<std::string_view> set_by_call;
    if (!runs_) Shared::note_outside(*this, by);
    const auto* assigned = by.as<ast::Assign>();
    const size_t at = assigned && is_shared(*assigned) ? clock_ - 1 : clock_;
    std::optional<Then> then;
    then.emplace(*this, at);  // the targets have their new values later
    if (const ast::Call* call = computed_by(by)) changed_by(*call, names, set_by_call);
    for (const ast::Expr* place : shared_->changes_of_calls(*this, by).inside)
        if (const ast::Expr* root = root_of(*place)) names.emplace_back(root->as<ast::Name>()->id, root);
    if (const ast::Call* call = changed_result(by))
        for (const std::string_view name : shared_->sharing_with(*this, {call->func->as<ast::Name>()->id}))
            names.emplace_back(name, call->func);
    if (!runs_)
        for (const AssignedInside& one : assigned_inside(by, shared_->assigned_inside)) {
            names.emplace_back(one.node->target->as<ast::Name>()->id, one.node->target);
            set_by_call.push_back(names.back().first);
        }
    then.reset();
    // Of a loop nothing is known before all of it has run.
    if (in_loop_) {
        const auto calls = names.begin() + static_cast<std::ptrdiff_t>(before);
        loop_changes_.insert(loop_changes_.end(), calls, names.end());
        return;
    }
    if (is_loop)
        for (const auto& change : loop_changes_)
            if (std::ranges::find(names, change.first, &NamedAt::first) == names.end()) names.push_back(change);
    // What the call gives is known once it has run, and what `s.v = a = []` gives to both.
    if (assigned && (names.size() > before || (before > 0 && is_shared(*assigned))))
        for (const ast::Expr* target : assigned->targets)
            if (const auto* name = target->as<ast::Name>()) names.emplace_back(name->id, target);
    std::vector<std::pair<std::string_view, Span>> changes;
    Shared::Names given;
    for (const auto& [name, at] : names) {
        const Declaration* last = declaration(name);
        const bool is_variable = last && (last->as<Variable>() || last->as<Entity>());
        const bool is_class = last && last->as<const ast::ClassDef*>() && !known_classes_.contains(std::string(name));
        const bool is_set = std::ranges::find(set_by_call, name) != set_by_call.end();
        if (!is_variable && !is_class && !is_loop && !is_set && !by.as<ast::AugAssign>()) continue;
        changes.emplace_back(name, at->span);
        given.push_back(name);
    }
    if (changes.empty()) return;
    shared_->note_sharing(*this, by);
    // A variable that goes over an array changes nothing of it.
    const std::set<std::string_view> in_place = is_loop ? changed_in_place(by) : std::set<std::string_view>();
    const std::span by_calls = std::span(names).subspan(before);
    const auto is_rebound = [&](std::string_view name) {
        return is_loop && !in_place.contains(name) &&
               std::ranges::find(by_calls, name, &NamedAt::first) == by_calls.end() &&
               std::ranges::find(loop_changes_, name, &NamedAt::first) == loop_changes_.end();
    };
    Shared::Names touched = given;
    std::erase_if(touched, is_rebound);
    Shared::Names others = shared_->sharing_with(*this, touched);
    std::erase_if(others, [&](std::string_view name) { return std::ranges::find(given, name) != given.end(); });
    for (const std::string_view other : others) {
        changes.emplace_back(other, by.span);
        given.push_back(other);
    }
    shared_->seen_by[{&by, this}] = std::move(given);
    const ast::Stmt* const made_by = others.size() <= kMostSharing ? &by : nullptr;
    clock_ = at;
    for (const auto& [name, span] : changes) assign(name, {.made_by = made_by, .span = span});
}

void ModuleScope::add(std::string_view name, Declaration declaration) {
    Shared::set(*this, names_[name], std::move(declaration));
}

void ModuleScope::Shared::note_forgetful(const ModuleScope& run, std::string_view body) {
    for (const std::string_view maker : {"def ", "lambda", "jit", "class ", "import"})
        if (body.find(maker) != body.npos) return;
    run.shared_->forgetful.insert(&run);
}

// The first value stays: it tells what a statement has got.
void ModuleScope::Shared::set(const ModuleScope& scope, std::vector<Declaration>& all, Declaration declaration) {
    if (all.size() > 1 && (scope.is_object_ || scope.shared_->forgetful.contains(&scope)))
        all.back() = std::move(declaration);
    else
        all.push_back(std::move(declaration));
}

// --- functions ---
void ModuleScope::add_function(const ast::FunctionDef& def, Span span) {
    auto info = std::make_unique<FunctionInfo>(
        FunctionInfo{.def = &def, .span = span, .name = std::string(def.name), .scope = this, .at = clock_});
    info->is_made = runs_;
    // Decorators of the user's own come in their turn; where that is not followed, Numba's say what the function is.
    const auto by_numba = [&] {
        for (const ast::Expr* decorator : def.decorator_list) decorate(*info, *decorator);
    };
    const auto is_own = [&](const ast::Expr* decorator) {
        std::vector<DecoratorCall> calls;
        return !find_decorator(follow_decorator(*decorator, calls)) && replaces(*decorator);
    };
    const auto own = std::ranges::find_if(def.decorator_list, is_own);
    const bool has_own = own != def.decorator_list.end();
    if (!has_own) by_numba();
    const auto in_turn = info->kind == FunctionKind::plain ? decorated_in_turn(*info) : std::nullopt;
    const auto made = in_turn ? compiled_or_object(*info, *in_turn) : std::nullopt;
    if (has_own && !made) by_numba();
    if (has_own && !in_turn && info->kind != FunctionKind::plain) info->lost_decorator = *own;
    // A function of the host that calls it is none for kernels.
    if (has_own && function_in(in_turn) && info->kind == FunctionKind::device) info->kind = FunctionKind::plain;
    if (info->kind == FunctionKind::plain) shared_->note_stores(*this, def);  // no other changes the host's objects
    // Where it may run, it is a stand-in for what cannot be imported.
    const Declaration* last = declaration(def.name);
    if (!certain_ && last && last->as<Import>()) return;
    FunctionInfo* added = info.get();
    functions_.push_back(std::move(info));
    if (const FunctionInfo* compiled = function_in(made)) added = const_cast<FunctionInfo*>(compiled);
    has_changes_ |= last && last->as<FunctionInfo*>();
    // The last definition of a name is the one that callers see; a function may use each before it makes the next.
    const bool is_inner = parent_ && !runs_ && !class_;
    if (names_.contains(def.name) && !is_inner)
        std::erase_if(order_, [&](const FunctionInfo* f) { return f->def->name == def.name; });
    if (made && !function_in(made)) {  // an object stands for it, which later statements may change
        if (!last || !last->as<Variable>()) order_of_variables_.push_back(def.name);
        add(def.name, {clock_, Variable{.span = def.name_span, .known = certain_ ? made : std::nullopt}});
        return leave_of_decorators(*added);
    }
    order_.push_back(added);
    if (runs_ && added->kind == FunctionKind::kernel) shared_->made_kernels.push_back(added);
    added->is_in_branch = is_inner && !certain_;
    const auto is_another = [&](const FunctionInfo* f) { return f != added && f->def->name == def.name; };
    if (added->is_in_branch && std::ranges::any_of(order_, is_another))
        names_[def.name] = {{clock_, Variable{.span = def.name_span}}};  // the one or the other
    else
        add(def.name, {clock_, added});
    leave_of_decorators(*added);
}

// From here on nothing is known of the name.
void ModuleScope::lose(std::string_view name, const ast::Expr& at) {
    if (runs_)
        add(name, {clock_, Variable{.span = at.span}});
    else if (in_loop_)
        loop_changes_.emplace_back(name, &at);
    else
        assign(name, {.span = at.span});
}

// What a call of the function changes outside of it. `run`: its body, where that was followed; `left`: the names that
// have been changed before.
void ModuleScope::leave_changes(const FunctionInfo& by, const ModuleScope* run, const ast::Expr& at,
                                std::set<std::string_view>& left) {
    for (const Change& change : changes_of(by)) {
        if (change.is_argument) continue;
        if (by.scope->file_ != file_) {
            const ModuleScope* file = by.scope;
            while (file->parent_) file = file->parent_;
            shared_->changed_outside.insert({file, change.inside});
            continue;
        }
        const Shared::Names others = shared_->sharing_with(*this, {change.inside});
        const bool is_first = left.insert(change.inside).second;
        const bool is_followed = run && is_first && certain_ && !change.is_rebound && others.empty();
        if (is_followed && !run->names_.contains(change.inside)) continue;  // the statement did not run
        const auto value = is_followed ? run->lookup(change.inside) : std::nullopt;
        for (const std::string_view other : others) lose(other, at);
        if (!value) lose(change.inside, at);
        if (value) add(change.inside, {clock_, named(change.inside, *value, at.span)});
        has_changes_ = true;
    }
}

// `@objects.add`: what a method may do to its object.
void ModuleScope::lose_owner(const ast::Expr& callee, const ast::Expr& at) {
    const ast::Expr* root = root_of(callee);
    const auto owner = root ? lookup(root->as<ast::Name>()->id) : std::nullopt;
    const auto* object = owner ? std::get_if<const ModuleScope*>(&*owner) : nullptr;
    if (!object || !(*object)->is_object_) return;
    const FunctionInfo* method = function_in(evaluate(callee));
    if (method && Shared::is_still(*method)) return;
    for (const std::string_view other : shared_->sharing_with(*this, {root->as<ast::Name>()->id})) lose(other, at);
    lose(root->as<ast::Name>()->id, at);
}

// What decorators of one's own leave behind: `@register("name")` that puts the function into a dict of the file. It is
// not followed in bodies that run, nor what methods do to their objects.
void ModuleScope::leave_of_decorators(const FunctionInfo& info) {
    const ast::ExprList decorators = info.def->decorator_list;
    std::set<std::string_view> left;
    const auto of_def = std::ranges::find(functions_, info.def, [](const auto& f) { return f->def; });
    Entity made = of_def == functions_.end() || (*of_def)->kind != FunctionKind::plain ? &info : of_def->get();
    for (size_t i = decorators.size(); i-- > 0;) {
        const ast::Expr& decorator = *decorators[i];
        const auto* call = decorator.as<ast::Call>();
        const ast::Expr& callee = call ? *call->func : decorator;
        const auto* name = callee.as<ast::Name>();
        const bool is_of_file = root_of(callee) && (name || Shared::is_of_import(*this, callee));
        const auto object = name && !call ? lookup(name->id) : std::nullopt;
        const bool is_object = object && Shared::is_instance_object(*object);
        const FunctionInfo* of_object = is_object ? function_in(member(*object, "__call__")) : nullptr;
        if (!is_of_file || (is_object && !(of_object && Shared::is_still(*of_object)))) lose_owner(callee, decorator);
        const FunctionInfo* written = function_in(name         ? lookup_declared(name->id)
                                                  : is_of_file ? evaluate(callee)
                                                               : std::nullopt);
        if (!written || written->kind != FunctionKind::plain) continue;
        if (call) leave_changes(*written, nullptr, decorator, left);
        const FunctionInfo* by = call ? function_in(evaluate(decorator)) : written;
        if (!by || by->kind != FunctionKind::plain) continue;
        const bool is_followed = !runs_ && !in_loop_;
        const ModuleScope* run = is_followed ? run_of(*by, &decorator, {.values = {made}}) : nullptr;
        leave_changes(*by, run, decorator, left);
        if (run && function_in(run->returned_value_)) made = *run->returned_value_;
    }
}

}  // namespace pyk
