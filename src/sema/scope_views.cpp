// Arrays that are parts of one another, in bodies that run: a change of one is a change of the others.
#include <algorithm>

#include "sema/host_values.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"
#include "sema/sharing.h"

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

// `row = table[1]`: a change of one is a change of the other.
void ModuleScope::Shared::note_views(ModuleScope& run, const ast::Expr& target, const ast::Expr& value,
                                     const std::optional<Entity>& made) {
    const auto given = constant_in(made);
    const bool is_view = !made || holds_array(given);
    if (!is_view && !run.shared_->views.contains(&run)) return;
    auto& views = run.shared_->views[&run];
    const auto before = views;
    Names names;
    add_targets(target, names);
    const auto* item = target.as<ast::Subscript>();
    if (!item && !target.as<ast::Attribute>())
        for (const std::string_view name : names) views.erase(name);
    if (!is_view) return;
    const auto whole = item ? run.constant(*item->value) : std::nullopt;
    if (whole && whole->as<Const::Array>()) return;  // it takes the numbers
    // `a, b = b, a`.
    const auto* targets = target.as<ast::Tuple>();
    const auto* values = value.as<ast::Tuple>();
    const bool are_pairs =
        targets && values && targets->elts.size() == values->elts.size() && names.size() == values->elts.size();
    const std::function<bool(std::string_view)> is_ours = [&](std::string_view name) {
        for (const ModuleScope* scope = &run; scope; scope = scope->parent_)
            if (const Declaration* declared = scope->declaration(name)) return !declared->as<Import>();
        return true;
    };
    const std::set<std::string_view> none;
    for (size_t i = 0; i < (are_pairs ? names.size() : 1); ++i) {
        const ast::Expr& source = are_pairs ? *values->elts[i] : value;
        Sharing sources(run, is_ours, none, true);
        sources.add(source);
        for (const std::string_view of : sources.names) {
            const auto known = before.find(of);
            const auto held = constant_in(run.lookup(of));
            // `b = a` is another name of it, `for b in a` and `b, c = a` give parts.
            const bool is_it = given && held && !targets && is_same_object(*given, *held);
            const bool is_name = source.as<ast::Name>() && (is_it || are_pairs);
            if (!holds_array(held) || (is_name && known == before.end())) continue;
            const std::string_view shared = known == before.end() ? of : known->second;
            if (!is_one_of(of, names)) views[of] = shared;
            for (const auto& [name, declared] : run.names_) {  // its other names
                const auto* entity = declared.empty() ? nullptr : declared.back().as<Entity>();
                const auto* other = entity ? std::get_if<NamedConst>(entity) : nullptr;
                if (other && is_same_object(other->value, *held) && !is_one_of(name, names)) views[name] = shared;
            }
            for (const std::string_view name : are_pairs ? Names{names[i]} : names) views[name] = shared;
        }
    }
}

// What else may be a part of an array that changes is not known any more.
void ModuleScope::Shared::lose_views(ModuleScope& run, const ast::Expr& place, const std::optional<Const>& before) {
    const ast::Expr* root = root_of(place);
    const ast::Name* whole = root ? root->as<ast::Name>() : viewed_name(place);
    if (!root && whole) run.names_[whole->id].push_back({run.clock_, Variable{}});  // `table.ravel()[0] = 5`
    const auto views = run.shared_->views.find(&run);
    if (!whole || views == run.shared_->views.end()) return;
    const std::string_view changed = whole->id;
    const auto own = views->second.find(changed);
    if (own == views->second.end()) return;
    for (const auto& [name, shared] : views->second) {
        if (name == changed || shared != own->second) continue;
        const auto value = run.lookup(name);
        const auto constant = value ? to_const(*value) : std::nullopt;
        if (!constant || !before || may_see(*constant, *before)) run.names_[name].push_back({run.clock_, Variable{}});
    }
}

}  // namespace pyk
