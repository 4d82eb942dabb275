// Objects that several names have: which statements may let them share one, and what a change makes of all of them.
// What the text of a file says is enough to find the names; whether they have a value that can change, and which, is
// asked of the values then.
#include <algorithm>

#include "module/free_names.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "module/sharing.h"

namespace pyk {
namespace {

bool may_be_changed(const Entity& value) {
    if (std::holds_alternative<const ModuleScope*>(value)) return true;
    const auto constant = to_const(value);
    return constant && can_change(*constant);
}

/// A value with another object wherever the first one is in it; null: it is not in it.
class Replacement {
  public:
    Replacement(const Const& before, const Const& after) : before_(before), after_(after) {}

    std::optional<Const> in(const Const& value) {
        if (is_same_object(value, before_)) return after_;
        if (const auto* items = value.as<Const::Tuple>()) {
            auto changed = in_items(*items);
            return changed ? std::optional(Const{std::move(*changed), value.typed}) : std::nullopt;
        }
        const auto* list = value.as<Const::List>();
        const auto* dict = value.as<Const::Dict>();
        if (!list && !dict) return std::nullopt;
        const void* address = list ? static_cast<const void*>(list->get()) : dict;
        const auto known = made_.find(address);
        if (known != made_.end()) return known->second;
        auto changed = in_items(list ? (*list)->items : dict->values);
        std::optional<Const> made;
        if (changed && list) made = list_of(std::move(*changed));
        if (changed && dict) made = Const{dict->with(dict->keys, std::move(*changed)), {}};
        made_.emplace(address, made);
        return made;
    }

  private:
    std::optional<std::vector<Const>> in_items(const std::vector<Const>& items) {
        std::optional<std::vector<Const>> changed;
        for (size_t i = 0; i < items.size(); ++i)
            if (auto item = in(items[i])) {
                if (!changed) changed = items;
                (*changed)[i] = std::move(*item);
            }
        return changed;
    }

    const Const &before_, &after_;
    std::map<const void*, std::optional<Const>> made_;  ///< lists that several places have stay one
};

}  // namespace

bool can_change(const Const& value) {
    if (is_object(value)) return true;
    const auto* items = value.as<Const::Tuple>();
    return items && std::ranges::any_of(*items, can_change);
}

// --- which names ---
std::string_view ModuleScope::Shared::representative(const ModuleScope& scope, std::string_view name, bool of_arrays) {
    auto& leads = sharing[{&scope, of_arrays}];
    while (true) {
        const auto next = leads.find(name);
        if (next == leads.end()) return name;
        name = next->second;
    }
}

NamesOfFile ModuleScope::Shared::names_of_file(const ModuleScope& scope) {
    const auto is_ours = [&scope](std::string_view name) {
        const Declaration* declared = scope.declaration(name);
        return declared && !declared->as<Import>();
    };
    const auto makes_arrays = [this, &scope](std::string_view name) {
        const Declaration* declared = scope.declaration(name);
        const auto* info = declared ? declared->as<FunctionInfo*>() : nullptr;
        return info && makes_arrays_of_its_own(**info);
    };
    const auto is_class = [&scope](std::string_view name) {
        const Declaration* declared = scope.declaration(name);
        return declared && declared->as<const ast::ClassDef*>();
    };
    return {is_ours, is_class, makes_arrays};
}

// Of one that leads to itself it is not known.
bool ModuleScope::Shared::makes_arrays_of_its_own(const FunctionInfo& info) {
    const auto [slot, is_new] = own_arrays.try_emplace(&info, false);
    if (is_new) slot->second = returns_own_arrays(*info.scope, names_of_file(*info.scope), *info.def);
    return slot->second;
}

// The names of a statement may have one object from now on.
void ModuleScope::Shared::note_sharing(const ModuleScope& scope, const ast::Stmt& stmt) {
    const NamesOfFile file = names_of_file(scope);
    const auto join = [&](ast::ExprList targets, const ast::Expr& value) {
        for (const bool of_arrays : {false, true}) {
            Sharing sources(scope, file, returning[&scope], of_arrays);
            sources.add(value);
            // An array takes the numbers of what is stored in it.
            const auto is_place = [](const ast::Expr* e) { return e->as<ast::Subscript>() || e->as<ast::Attribute>(); };
            if (of_arrays && std::ranges::all_of(targets, is_place)) continue;
            for (const ast::Expr* target : targets)
                if (!of_arrays || !is_place(target)) add_targets(*target, sources.names);
            std::string_view first;
            for (const std::string_view name : sources.names) {
                const std::string_view root = representative(scope, name, of_arrays);
                if (first.empty())
                    first = root;
                else if (root != first)
                    sharing[{&scope, of_arrays}][root] = first;
            }
        }
    };
    if (const auto* node = stmt.as<ast::Assign>()) join(node->targets, *node->value);
    if (const auto* node = stmt.as<ast::AnnAssign>(); node && node->value) join({&node->target, 1}, *node->value);
    if (const auto* node = stmt.as<ast::AugAssign>()) join({&node->target, 1}, *node->value);
    if (const auto* node = stmt.as<ast::For>()) join({&node->target, 1}, *node->iter);
    if (const auto* node = stmt.as<ast::ExprStmt>()) join({}, *node->value);
    if (const auto* node = stmt.as<ast::With>())
        for (const ast::WithItem& item : node->items)
            if (item.optional_vars) join({&item.optional_vars, 1}, *item.context_expr);
    for (const AssignedInside& one : pyk::assigned_inside(stmt, assigned_inside))
        join({&one.node->target, 1}, *one.node->value);
    if (const auto* node = stmt.as<ast::ClassDef>()) {
        const ast::Expr name{stmt.span, ast::Name{node->name}};
        const ast::Expr* const target[] = {&name};
        for_each_stmt(node->body, [&](const ast::Stmt& inner) {
            if (const auto* field = inner.as<ast::Assign>()) join(target, *field->value);
            if (const auto* field = inner.as<ast::AnnAssign>(); field && field->value) join(target, *field->value);
        });
    }
    if (const auto* node = stmt.as<ast::FunctionDef>()) {
        const ast::Expr name{node->name_span, ast::Name{node->name}};
        const ast::Expr* const target[] = {&name};
        for_each_stmt(node->body, [&](const ast::Stmt& inner) {
            const auto* result = inner.as<ast::Return>();
            const auto* alone = inner.as<ast::ExprStmt>();
            const auto* yielded = alone ? alone->value->as<ast::Yield>() : nullptr;
            const ast::Expr* given = result ? result->value : yielded ? yielded->value : nullptr;
            if (!given) return;
            Sharing sources(scope, file, returning[&scope], true);
            sources.add(*given);
            if (sources.names.empty()) return;
            returning[&scope].insert(node->name);
            join(target, *given);
        });
    }
    for_each_block(stmt, [&](const ast::Block& block) {
        for (const ast::Stmt* inner : block) note_sharing(scope, *inner);
    });
}

// The names beside these whose values may see what happens to theirs.
ModuleScope::Shared::Names ModuleScope::Shared::sharing_with(const ModuleScope& scope, const Names& names) {
    Names found;
    std::set<std::string_view> roots, viewed;
    for (const std::string_view name : names) roots.insert(representative(scope, name, false));
    for (const std::string_view name : names) viewed.insert(representative(scope, name, true));
    for (const auto& [name, declared] : scope.names_) {
        const bool is_class = !declared.empty() && declared.back().as<const ast::ClassDef*>();
        if (is_class && !is_one_of(name, names) && roots.contains(representative(scope, name, false)) &&
            scope.known_classes_.find(name) == scope.known_classes_.end())
            found.push_back(name);
    }
    // What is stored in an array is copied there; lists, dicts and objects have what they are given.
    const auto is_array_named = [&](std::string_view name) {
        const auto value = scope.lookup(name);
        const auto constant = value ? to_const(*value) : std::nullopt;
        return constant && memory_of(*constant);
    };
    for (const std::string_view other : scope.order_of_variables_) {
        if (is_one_of(other, names) || !roots.contains(representative(scope, other, false))) continue;
        const auto value = scope.lookup(other);
        const auto constant = value ? to_const(*value) : std::nullopt;
        const bool is_array = constant && memory_of(*constant);
        const bool is_apart = is_array && !viewed.contains(representative(scope, other, true)) &&
                              std::ranges::all_of(names, is_array_named);
        if (value && may_be_changed(*value) && !is_apart) found.push_back(other);
    }
    return found;
}

bool sets_attribute(const ast::Call& call) {
    const std::string_view callee = last_name(*call.func);
    return (callee == "setattr" || callee == "__setattr__") && call.args.size() == 3;
}

// The object that a statement's call is a method of: `s` of `s.step()` and `s(1)`; null: of none that the file made.
const ast::Expr* ModuleScope::Shared::object_called(const ModuleScope& scope, const ast::Call& call) {
    const bool is_setter = sets_attribute(call);
    ast::ExprRef at = is_setter ? call.args[0] : call.func;
    while (at && !at->as<ast::Name>()) {
        const auto* attribute = at->as<ast::Attribute>();
        const auto* inner = at->as<ast::Call>();
        at = attribute ? attribute->value : inner ? inner->func : ast::ExprRef(nullptr);
    }
    const Declaration* declared = at ? scope.declaration(at->as<ast::Name>()->id) : nullptr;
    if (!declared || declared->as<Import>()) return nullptr;
    const auto owner = scope.lookup(at->as<ast::Name>()->id);
    const auto* object = owner ? std::get_if<const ModuleScope*>(&*owner) : nullptr;
    if (object && (*object)->is_object_ && !is_setter && call.func->as<ast::Name>()) {
        const FunctionInfo* called = (*object)->class_ ? function_in(scope.member(*owner, "__call__")) : nullptr;
        return called && !is_still(*called) ? at : nullptr;
    }
    return object && ((*object)->is_object_ || (is_setter && scope.shared_->classes.contains(*object))) ? at : nullptr;
}

// --- what they see ---
// The values before a statement, for it to change. Objects are copied: who asked before has what was then.
void ModuleScope::Shared::give(ModuleScope& run, const ModuleScope& around, const Names& names) {
    std::map<const ModuleScope*, const ModuleScope*> made_of;
    const std::function<Entity(const Entity&)> copied = [&](const Entity& value) -> Entity {
        const auto* scope = std::get_if<const ModuleScope*>(&value);
        if (!scope || !((*scope)->is_object_ || classes.contains(*scope))) return value;
        const ModuleScope& old = **scope;
        auto& copy = made_of[&old];
        if (copy) return copy;
        lifted_scopes.emplace_back(new ModuleScope(*this, old.file_, old.parent_, old.bindings_));
        ModuleScope& made = *lifted_scopes.back();
        copy = &made;
        copies.insert(&made);
        made.is_object_ = old.is_object_;
        made.class_ = old.class_;
        made.field_names_ = old.field_names_;
        made.clock_ = old.clock_;
        made.runs_at_ = old.runs_at_;
        made.names_ = old.names_;
        if (const auto known = classes.find(&old); known != classes.end()) classes.emplace(&made, known->second);
        for (auto& [name, bound] : made.bindings_) bound = copied(bound);
        for (auto& [name, declared] : made.names_)
            for (Declaration& one : declared)
                if (auto* entity = std::get_if<Entity>(&one.what)) *entity = copied(*entity);
        return copy;
    };
    for (const std::string_view name : names) {
        const auto value = around.lookup(name);
        if (!value) continue;
        Entity given = copied(*value);
        if (const Const* constant = std::get_if<Const>(&given)) given = NamedConst{std::string(name), *constant, {}};
        run.names_[name].push_back({0, std::move(given)});
    }
}

// The lists, dicts and arrays in a value, it among them.
std::vector<Const> ModuleScope::Shared::objects_in(const Const& value) {
    std::vector<Const> found;
    const auto collect = [&](const auto& self, const Const& one) -> void {
        if (one.as<Const::List>() || one.as<Const::Array>() || one.as<Const::Dict>()) found.push_back(one);
        const auto* list = one.as<Const::List>();
        const auto* dict = one.as<Const::Dict>();
        const auto* items = list ? &(*list)->items : dict ? &dict->values : one.as<Const::Tuple>();
        for (size_t i = 0; items && i < items->size(); ++i) self(self, (*items)[i]);
    };
    collect(collect, value);
    return found;
}

// The lists, dicts and arrays in a value that are not in another one.
std::vector<Const> ModuleScope::Shared::lost_objects(const Const& before, const Const& after) {
    std::vector<Const> had = objects_in(before);
    std::erase_if(had, [&](const Const& object) { return is_same_object(object, before); });
    if (had.empty()) return had;
    const std::vector<Const> has = objects_in(after);
    const auto address = [](const Const& object) -> const void* {
        const auto* list = object.as<Const::List>();
        if (const auto* dict = object.as<Const::Dict>()) return dict;
        return list ? static_cast<const void*>(list->get()) : object.as<Const::Array>()->get();
    };
    std::set<const void*> there;
    for (const Const& object : has) there.insert(address(object));
    std::erase_if(had, [&](const Const& object) { return there.contains(address(object)); });
    return had;
}

// An object has become another: for all names of a scope, and in all that they have. `after` nullopt: it is not known.
// `root`: the name by which it was changed. Of what a statement got, dicts and views are not told apart.
void ModuleScope::Shared::replace(ModuleScope& scope, const Const& before, const std::optional<Const>& after,
                                  std::string_view root, std::set<const ModuleScope*>& seen, bool with_views) {
    if (!seen.insert(&scope).second) return;
    Replacement replacement(before, after ? *after : before);
    const auto inner = [&](const Entity& entity) {
        const auto* object = std::get_if<const ModuleScope*>(&entity);
        if (object && ((*object)->is_object_ || scope.shared_->copies.contains(*object)))
            replace(const_cast<ModuleScope&>(**object), before, after, {}, seen, with_views);
    };
    for (auto& [name, bound] : scope.bindings_) {
        if (scope.is_object_) inner(bound);
        const auto constant = to_const(bound);
        auto changed = constant ? replacement.in(*constant) : std::nullopt;
        if (!changed || scope.names_.contains(name)) continue;
        if (after)
            bound = named(name, to_entity(*changed), {});
        else
            scope.names_[*scope.shared_->texts.insert(name).first].push_back({scope.clock_, Variable{}});
    }
    for (auto& [name, declared] : scope.names_) {
        if (declared.empty()) continue;
        const auto* entity = declared.back().as<Entity>();
        if (entity) inner(*entity);
        const auto* named = entity ? std::get_if<NamedConst>(entity) : nullptr;
        const bool is_view = named && scope.is_object_ && before.as<Const::Array>() &&
                             scope.shared_->viewed_attributes.contains(name) && may_see(named->value, before);
        if (is_view) declared.push_back({scope.clock_, Variable{}});
        if (!named || is_view) continue;
        const Span span = named->span;
        if (auto changed = replacement.in(named->value); changed && after)
            set(scope, declared, {scope.clock_, Entity(NamedConst{std::string(name), std::move(*changed), span})});
        else if (changed || (with_views && name != root && declared.front().at == 0 && may_see(named->value, before)))
            set(scope, declared, {scope.clock_, Variable{.span = span}});
    }
}

// The value of an expression; a call may change what it is given, or the object that it is a method of.
std::optional<Entity> ModuleScope::Shared::made_by(ModuleScope& scope, const ast::Expr& value) {
    const auto* call = value.as<ast::Call>();
    const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
    const bool takes = method && (method->attr == "pop" || method->attr == "setdefault") && call->keywords.empty();
    const auto held =
        takes && !call->args.empty() && call->args.size() <= 2 ? scope.constant(*method->value) : std::nullopt;
    if (held && held->as<Const::Dict>()) {
        std::vector<Const> args;
        for (const ast::Expr* arg : call->args)
            if (const auto value = element(scope, *arg)) args.push_back(*value);
        const bool is_known = args.size() == call->args.size();
        const auto item = is_known ? item_at(*held, args[0]) : std::nullopt;
        scope.change(*method->value, held, is_known ? after_method(*held, method->attr, args) : std::nullopt);
        if (item) return to_entity(*item);
        return is_known && args.size() == 2 ? std::optional(to_entity(args[1])) : std::nullopt;
    }
    if (takes && method->attr == "pop" && call->args.size() <= 1) {
        const auto base = scope.constant(*method->value);
        const auto* list = base ? base->as<Const::List>() : nullptr;
        const auto index =
            call->args.empty() ? std::optional(Const{Const::Int(-1), {}}) : scope.constant(*call->args[0]);
        const auto item = list && index ? item_at(*base, *index) : std::nullopt;
        if (item) {
            scope.change(*method->value, base, after_method(*base, "pop", {&*index, call->args.size()}));
            return to_entity(*item);
        }
    }
    if (call && calls_unknown(scope, *call)) lose_objects(scope, {});
    const ast::Expr* changed = call ? changed_argument(*call) : nullptr;
    if (changed && root_of(*changed) && !function_in(scope.evaluate(*call->func))) {
        if (taken_by_next(*call)) return next_of(scope, *call);
        const auto made = scope.evaluate(value);
        scope.change(*changed, scope.constant(*changed), std::nullopt);
        return made;
    }
    if (!call || scope.effects_of(*call).empty()) return scope.evaluate(value);
    if (const auto callee = scope.evaluate(*call->func); constructor(scope, callee)) {
        auto made = scope.evaluate(value);
        for (const auto& [place, inside] : scope.effects_of(*call))
            scope.change(*place, scope.constant(*place), std::nullopt);
        return made;
    }
    const ModuleScope* run = run_call(scope, *call);
    return run ? run->returned_value_ : std::nullopt;
}

namespace {

/// `objects[0]`, `objects["a"].inner`: of what other names may have, where it was written down.
bool is_item(const ast::Expr& place) {
    const auto* attribute = place.as<ast::Attribute>();
    return place.as<ast::Subscript>() || (attribute && is_item(*attribute->value));
}

}  // namespace

// `objects[0].step()`: a method of the file's, of an object that is not known.
bool ModuleScope::Shared::calls_unknown(const ModuleScope& scope, const ast::Call& call) {
    const auto* method = call.func->as<ast::Attribute>();
    if (!method || !scope.shared_->parameters.contains(method->attr)) return false;
    const ast::Expr* root = root_of(*method->value);
    return root && !is_of_import(scope, *root) && (is_item(*method->value) || !scope.evaluate(*method->value));
}

// The calls inside of a statement's expressions that may be such.
const std::vector<const ast::Call*>& ModuleScope::Shared::method_calls(const ast::Stmt& stmt) {
    const auto [slot, is_new] = called_inside.try_emplace(&stmt);
    if (is_new)
        for_each_computed(stmt, [&](const ast::Expr& expr) {
            for_each_call(expr, [&](const ast::Call& call) {
                const auto* method = call.func->as<ast::Attribute>();
                if (method && parameters.contains(method->attr)) slot->second.push_back(&call);
            });
        });
    return slot->second;
}

// What the objects have that a scope has, or is: of an attribute, or of all, nothing is known any more.
void ModuleScope::Shared::lose_attributes(const ModuleScope& of, std::string_view attribute,
                                          std::set<const ModuleScope*>& seen) {
    if (!seen.insert(&of).second) return;
    Shared& shared = *of.shared_;
    const auto entity = [&](const Entity& value) {
        const auto* object = std::get_if<const ModuleScope*>(&value);
        const bool is_instance = object && ((*object)->is_object_ || shared.copies.contains(*object));
        if (is_instance) lose_attributes(**object, attribute, seen);
    };
    for (const auto& [name, bound] : of.bindings_) entity(bound);
    for (const auto& [name, declared] : of.names_)
        if (const auto* value = declared.empty() ? nullptr : declared.back().as<Entity>()) entity(*value);
    if (!of.is_object_ && !shared.copies.contains(&of)) return;
    auto& object = const_cast<ModuleScope&>(of);
    ++object.clock_;
    if (!attribute.empty()) return object.add(attribute, {object.clock_, Variable{}});
    for (auto& [name, declared] : object.names_) declared.push_back({object.clock_, Variable{}});
    for (const auto& [name, bound] : object.bindings_)
        object.add(*shared.texts.insert(name).first, {object.clock_, Variable{}});
}

// Of an unknown one of the objects that a body has, an attribute is stored to, or anything.
void ModuleScope::Shared::lose_objects(ModuleScope& scope, std::string_view attribute) {
    std::set<const ModuleScope*> seen;
    lose_attributes(scope, attribute, seen);
    for (const Running& running : scope.shared_->running) lose_attributes(*running.by, attribute, seen);
}

// Any of the objects in a value may have changed.
void ModuleScope::Shared::lose_objects_in(ModuleScope& run, const Const& value) {
    for (const Const& object : objects_in(value)) {
        std::set<const ModuleScope*> seen;
        replace(run, object, std::nullopt, {}, seen);
    }
}

// What a call that is not followed may have changed.
void ModuleScope::Shared::lose_changed(ModuleScope& run, const ast::Expr& place) {
    const auto* named = place.as<ast::NamedExpr>();
    if (named && root_of(*named->value)) return lose_changed(run, *named->value);
    lose_held(run, place);
    std::set<const ModuleScope*> seen;
    const auto value = run.evaluate(place);
    if (value && is_instance_object(*value)) lose_attributes(*std::get<const ModuleScope*>(*value), {}, seen);
    run.change(place, run.constant(place), std::nullopt);
}

void ModuleScope::Shared::store_attribute(ModuleScope& of, const ast::Expr& place, std::string_view name,
                                          const std::optional<Entity>& value, Span span) {
    const auto owner = of.evaluate(place);
    const auto* scope = owner ? std::get_if<const ModuleScope*>(&*owner) : nullptr;
    const auto known = scope ? of.shared_->classes.find(*scope) : of.shared_->classes.end();
    const bool is_class = known != of.shared_->classes.end(), is_copy = scope && of.shared_->copies.contains(*scope);
    if (!scope || is_item(place)) return lose_objects(of, name);  // it may be any of those that the statement has got
    // Of a class: where the statement has got a copy of it.
    if (is_class && !is_copy) of.shared_->stored_attributes.emplace(known->second->name, name);
    if (!((*scope)->is_object_ || is_copy)) return;
    const auto* method = (*scope)->class_ ? function_in((*scope)->class_->own(name)) : nullptr;
    // Its setter is not called: it may set any of them.
    const bool is_property =
        (method && !method->def->decorator_list.empty()) || ((*scope)->class_ && (*scope)->class_->own("__setattr__"));
    std::set<const ModuleScope*> seen;
    if (is_property) return lose_attributes(**scope, {}, seen);
    auto& object = const_cast<ModuleScope&>(**scope);  // objects are made by runs
    ++object.clock_;
    object.add(name, {object.clock_, Variable{.span = span}});
    if (value && of.certain_) object.names_[name].back().what = named(name, *value, span);
}

}  // namespace pyk
