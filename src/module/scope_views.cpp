// Arrays that are parts of one another, in bodies that run: a change of one is a change of the others.
#include <algorithm>

#include "module/free_names.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "module/sharing.h"

namespace pyk {
namespace {

bool holds_array(const std::optional<Const>& value) {
    if (!value) return false;
    const auto* dict = value->as<Const::Dict>();
    const auto* list = value->as<Const::List>();
    const auto* items = list ? &(*list)->items : dict ? &dict->values : value->as<Const::Tuple>();
    return memory_of(*value) ||
           (items && std::ranges::any_of(*items, [](const Const& item) { return holds_array(item); }));
}

}  // namespace

// Of an object: whether what it has may.
bool ModuleScope::Shared::may_see(const Entity& value, const Const& changed, int depth) {
    constexpr int kDeepest = 8;  // objects that have each other
    if (const auto constant = to_const(value)) return pyk::may_see(*constant, changed);
    if (!is_instance_object(value)) return false;
    if (depth == kDeepest) return true;
    const ModuleScope& object = *std::get<const ModuleScope*>(value);
    const auto sees = [&](const auto& named) {
        const auto held = object.own(named.first);
        return !held || may_see(*held, changed, depth + 1);
    };
    return std::ranges::any_of(object.names_, sees) || std::ranges::any_of(object.bindings_, sees);
}

// The names that a scope has for an object.
ModuleScope::Shared::Names ModuleScope::Shared::names_of(const ModuleScope& run, const Const& object) {
    Names names;
    for (const auto& [name, declared] : run.names_) {
        const auto* entity = declared.empty() ? nullptr : declared.back().as<Entity>();
        const auto* other = entity ? std::get_if<NamedConst>(entity) : nullptr;
        if (other && is_same_object(other->value, object)) names.push_back(name);
    }
    return names;
}

void ModuleScope::Shared::lose_names_of(ModuleScope& run, const Const& object) {
    for (const std::string_view name : names_of(run, object)) {
        auto& declared = run.names_[name];
        const Span span = std::get<NamedConst>(*declared.back().as<Entity>()).span;
        declared.push_back({run.clock_, Variable{.span = span}});
    }
}

// `row = table[1]`: a change of one is a change of the other.
void ModuleScope::Shared::note_views(ModuleScope& run, const ast::Expr& target, const ast::Expr& value,
                                     const std::optional<Entity>& made) {
    const auto given = constant_in(made);
    const auto* item = target.as<ast::Subscript>();
    const auto* attribute = target.as<ast::Attribute>();
    const auto whole = item ? run.constant(*item->value) : std::nullopt;
    const bool is_unknown_place = (item && !whole) || (attribute && !run.evaluate(*attribute->value));
    const bool is_view =
        !made || holds_array(given) || is_instance_object(*made) || (is_unknown_place && given && can_change(*given));
    if (!is_view && !run.shared_->views.contains(&run)) return;
    auto& views = run.shared_->views[&run];
    const auto before = views;
    Names names;
    add_targets(target, names);
    for_each_target(target, [&](std::string_view name) { views.erase(name); });
    if (!is_view) return;
    if (whole && whole->as<Const::Array>()) return;  // it takes the numbers
    // `a, b = b, a`.
    const auto* targets = target.as<ast::Tuple>();
    const auto* values = value.as<ast::Tuple>();
    const bool are_pairs =
        targets && values && targets->elts.size() == values->elts.size() && names.size() == values->elts.size();
    NamesOfFile file = run.shared_->names_of_file(run);
    file.is_ours = [&](std::string_view name) { return !is_import(run, name).value_or(false); };
    const std::set<std::string_view> none;
    const auto join = [&](std::string_view name, std::string_view shared) {
        const auto [at, is_new] = views.emplace(name, shared);
        const std::string_view other = at->second;
        for (auto& [any, root] : views)
            if (!is_new && root == other) root = shared;
    };
    const auto is_given = [&](std::string_view name) {
        const auto held = given && !targets ? constant_in(run.lookup(name)) : std::nullopt;
        return held && is_same_object(*given, *held);
    };
    for (size_t i = 0; i < (are_pairs ? names.size() : 1); ++i) {
        const ast::Expr& source = are_pairs ? *values->elts[i] : value;
        Sharing sources(run, file, none, true);
        sources.add(source);
        // `b = a` and `for b in (a, c)` give another name of one, `for b in a` and `b, c = a` parts.
        const bool is_one = std::ranges::any_of(sources.names, is_given);
        const bool is_name = !is_unknown_place && (is_one || (are_pairs && source.as<ast::Name>()));
        for (const std::string_view of : sources.names) {
            if (is_one && !is_given(of)) continue;
            const auto known = before.find(of);
            const auto value = run.lookup(of);
            const auto held = constant_in(value);
            const bool holds = made && !is_unknown_place ? holds_array(held) : held && can_change(*held);
            const bool may_hold = holds || (value && is_instance_object(*value));
            const bool is_in_object = held && made && is_instance_object(*made) && !may_see(*made, *held);
            if (known == before.end() && (!may_hold || is_name || is_in_object)) continue;
            const std::string_view shared = known == before.end() ? of : known->second;
            if (!is_one_of(of, names)) join(of, shared);
            for (const std::string_view name : held ? names_of(run, *held) : Names())
                if (!is_one_of(name, names)) join(name, shared);
            for (const std::string_view name : are_pairs ? Names{names[i]} : names) join(name, shared);
        }
    }
}

// `all.append(a)`, `all.update(key=a)` of an object that is not known: it has those then.
void ModuleScope::Shared::note_kept(ModuleScope& run, const ast::Expr& object, const ast::Call& call) {
    const ast::Expr item{object.span, ast::Subscript{&object, &object}};
    for (const ast::Expr* arg : call.args) note_views(run, item, *arg, run.evaluate(*arg));
    for (const ast::Keyword& one : call.keywords) note_views(run, item, *one.value, run.evaluate(*one.value));
}

// The arrays of an object that may have changed in a way that is not followed.
void ModuleScope::Shared::lose_held(ModuleScope& run, const ast::Expr& object) {
    const auto value = run.evaluate(object);
    if (!value || !is_instance_object(*value)) return;
    const ModuleScope& scope = *std::get<const ModuleScope*>(*value);
    std::vector<Const> arrays;
    const auto add = [&](const auto& named) {
        const auto held = constant_in(scope.own(named.first));
        if (held && memory_of(*held)) arrays.push_back(*held);
    };
    std::ranges::for_each(scope.names_, add);
    std::ranges::for_each(scope.bindings_, add);
    for (const Const& array : arrays) {
        std::set<const ModuleScope*> seen;
        replace(run, array, std::nullopt, {}, seen);
    }
}

// What else may be a part of an array that changes is not known any more.
void ModuleScope::Shared::lose_views(ModuleScope& run, const ast::Expr& place, const std::optional<Const>& before) {
    const ast::Expr* root = root_of(place);
    const ast::Name* whole = root ? root->as<ast::Name>() : viewed_name(place);
    if (!root && whole) {  // `table.ravel()[0] = 5`
        if (const auto held = constant_in(run.lookup(whole->id))) lose_names_of(run, *held);
        run.names_[whole->id].push_back({run.clock_, Variable{}});
    }
    const auto views = run.shared_->views.find(&run);
    if (!whole || views == run.shared_->views.end()) return;
    const std::string_view changed = whole->id;
    const auto own = views->second.find(changed);
    if (own == views->second.end()) return;
    for (const auto& [name, shared] : views->second) {
        if (name == changed || shared != own->second) continue;
        const auto value = run.lookup(name);
        const auto held = constant_in(value);
        if (held && !before) lose_objects_in(run, *held);
        if (!value || !before || may_see(*value, *before)) run.names_[name].push_back({run.clock_, Variable{}});
    }
}

}  // namespace pyk
