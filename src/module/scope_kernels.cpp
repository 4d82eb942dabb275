// The functions of a file that hosts launch or call: those that it declares, and those that its factories make.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "module/free_names.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

bool defines_function(const ast::Block& body) {
    bool found = false;
    for_each_stmt(body, [&](const ast::Stmt& stmt) { found = found || stmt.as<ast::FunctionDef>(); });
    return found;
}

/// A loop may launch what it defines, which is another function in each round.
bool defines_in_loop(const ast::Block& body) {
    bool found = false;
    for_each_stmt(body, [&](const ast::Stmt& stmt) {
        if (!stmt.as<ast::For>() && !stmt.as<ast::While>()) return;
        for_each_block(stmt, [&](const ast::Block& inner) { found = found || defines_function(inner); });
    });
    return found;
}

constexpr int kLongestWay = 20;  ///< of classes that are made of classes

// Whether a text may call `cuda.jit` or its like; a first look.
bool may_decorate(std::string_view text) { return text.find("jit(") != text.npos; }

// The same for one that is not written above a function.
bool calls_decorator(std::string_view text) {
    for (size_t at = text.find("jit("); at != text.npos; at = text.find("jit(", at + 1)) {
        const size_t line = text.rfind('\n', at) + 1;
        if (text[text.find_first_not_of(" \t", line)] != '@') return true;
    }
    return false;
}

// The name of a function in a container: `KERNELS_2` of `KERNELS[2]`.
std::string name_in(std::string_view owner, const Const& key) {
    std::string suffix;
    if (const auto* text = key.as<std::string>()) suffix = *text;
    if (const auto* type = key.as<Type>()) suffix = type->name();
    if (const auto* function = key.as<const FunctionInfo*>()) suffix = (*function)->name;
    if (const auto* real = key.as<double>()) suffix = fmt::format("{}", *real);
    if (const auto number = to_int(key)) suffix = fmt::format("{}", *number);
    if (const auto* flag = key.as<bool>()) suffix = *flag ? "True" : "False";
    if (const auto* parts = key.as<Const::Tuple>())
        for (const Const& part : *parts) suffix = name_in(suffix, part);
    for (char& c : suffix)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return owner.empty() ? suffix : fmt::format("{}_{}", owner, suffix);
}

}  // namespace

// Every name that an expression has, also inside of what it makes.
void for_each_name(const ast::Expr& expr, const std::function<void(std::string_view)>& visit) {
    const auto inner = [&](ast::ExprRef child) {
        if (child) for_each_name(*child, visit);
    };
    const auto rounds = [&](ast::List<ast::Comprehension> generators) {
        for (const ast::Comprehension& one : generators) inner(one.iter);
    };
    if (const auto* name = expr.as<ast::Name>()) visit(name->id);
    if (const auto* node = expr.as<ast::Dict>()) {
        for (const ast::Expr* key : node->keys) inner(key);
        for (const ast::Expr* value : node->values) inner(value);
    }
    if (const auto* node = expr.as<ast::ListComp>()) inner(node->elt), rounds(node->generators);
    if (const auto* node = expr.as<ast::GeneratorExp>()) inner(node->elt), rounds(node->generators);
    if (const auto* node = expr.as<ast::DictComp>()) inner(node->key), inner(node->value), rounds(node->generators);
    if (const auto* node = expr.as<ast::Lambda>()) inner(node->body);
    for_each_child(expr, [&](const ast::Expr& child) { for_each_name(child, visit); });
}

// A function's or a loop's.
void for_each_name(const ast::Stmt& stmt, const std::function<void(std::string_view)>& visit) {
    for_each_computed(stmt, [&](const ast::Expr& expr) { for_each_name(expr, visit); });
    for_each_block(stmt, [&](const ast::Block& block) {
        for (const ast::Stmt* inner : block) for_each_name(*inner, visit);
    });
}

// Whether calling it may make functions. `way`: how many calls lead to it; 0 begins a search.
bool ModuleScope::is_maker(std::string_view name, int way) const {
    if (way == 0) shared_->seen_functions.clear();
    const auto entity = lookup_declared(name);
    if (const auto* scope = entity ? std::get_if<const ModuleScope*>(&*entity) : nullptr) {
        const auto known = shared_->classes.find(*scope);
        if (known != shared_->classes.end() && way < kLongestWay)
            for (const ast::Expr* base : known->second->bases)
                if (const auto* of = base->as<ast::Name>(); of && (*scope)->parent_->is_maker(of->id, way + 1))
                    return true;
        return (*scope)->parent_ && makes_functions((*scope)->order_, way);
    }
    if (const auto* known = entity ? std::get_if<const ClassInfo*>(&*entity) : nullptr) {
        const ModuleScope* body = (*known)->scope->body_of(**known);
        return body && makes_functions(body->order_, way);
    }
    const FunctionInfo* info = function_in(entity);
    return info && makes_functions(*info, way);
}

// `O = Op(3)` of the file, whose methods may make functions.
bool ModuleScope::names_object_of_maker(std::string_view name, int way) const {
    const ModuleScope* scope = this;
    while (scope && !scope->is_declared(name)) scope = scope->parent_;
    const Declaration* declared = scope ? scope->declaration(name) : nullptr;
    const auto* variable = declared ? declared->as<Variable>() : nullptr;
    const auto* call = variable && variable->value ? variable->value->as<ast::Call>() : nullptr;
    const auto* callee = call ? call->func->as<ast::Name>() : nullptr;
    return callee && scope->is_maker(callee->id, way);
}

bool ModuleScope::makes_functions(std::span<FunctionInfo* const> all, int way) const {
    return std::ranges::any_of(all, [&](const FunctionInfo* one) { return makes_functions(*one, way + 1); });
}

bool ModuleScope::makes_functions(const FunctionInfo& info, int way) const {
    if (info.kind != FunctionKind::plain) return false;
    auto& seen = shared_->seen_functions;
    if (const auto known = shared_->makers.find(&info); known != shared_->makers.end()) return known->second;
    if (!seen.insert(&info).second) return false;
    bool found = defines_function(info.def->body) || may_decorate(info.span.text());
    for (const ast::Stmt* stmt : info.def->body)
        for_each_name(*stmt, [&](std::string_view used) {
            found = found || info.scope->is_maker(used, way + 1) || info.scope->names_object_of_maker(used, way + 1);
        });
    if (found) shared_->makers.emplace(&info, true);
    // What led nowhere leads nowhere the next time.
    if (!found && way == 0)
        for (const FunctionInfo* one : seen) shared_->makers.emplace(one, false);
    return found;
}

// The meaning of a name that a `def`, a class or an import gives it, or an assignment of what may hold functions.
std::optional<Entity> ModuleScope::lookup_declared(std::string_view name) const {
    const ModuleScope* scope = this;
    while (scope && !scope->is_declared(name)) scope = scope->parent_;
    const Declaration* declared = scope ? scope->declaration(name) : nullptr;
    return declared && !declared->as<Variable>() ? scope->own(name) : std::nullopt;
}

// Whether a variable may hold functions: `make(16)`, `cuda.jit(f)`, `KERNELS[2]`. Other values stay unread. `way`: how
// many variables lead to it; 0 begins a search.
bool ModuleScope::may_hold_functions(const Variable& variable, int way) const {
    auto& seen = shared_->seen_variables;
    if (way == 0) seen.clear(), shared_->seen_names.clear();
    if (shared_->plain_variables.contains(&variable) || !seen.insert(&variable).second) return false;
    bool found = false;
    const auto visit = [&](std::string_view name) {
        if (found || !shared_->seen_names.insert({this, name}).second) return;
        const auto is_compiled = [](const FunctionInfo* one) { return one->kind != FunctionKind::plain; };
        const auto declared = lookup_declared(name);
        const FunctionInfo* info = function_in(declared);
        const ModuleScope* of_class = Shared::class_in(declared);  // `k = A.kernel`
        found = (info && is_compiled(info)) || (of_class && std::ranges::any_of(of_class->order_, is_compiled)) ||
                is_maker(name, 0);
        const auto others = names_.find(name);
        if (found || others == names_.end()) return;
        for (const Declaration& one : others->second)
            if (const auto* other = one.as<Variable>()) found = found || may_hold_functions(*other, way + 1);
    };
    const auto* call = variable.value && !variable.made_by ? variable.value->as<ast::Call>() : nullptr;
    // `package.module.make(16)`.
    const ast::Expr* root = call ? call->func : nullptr;
    while (root && root->as<ast::Attribute>()) root = root->as<ast::Attribute>()->value;
    const auto* package = root && root != call->func ? root->as<ast::Name>() : nullptr;
    const Declaration* imported = package ? declaration(package->id) : nullptr;
    const FunctionInfo* made_by = imported && imported->as<Import>() ? function_in(evaluate(*call->func)) : nullptr;
    if (made_by && made_by->scope->is_maker(made_by->def->name, 0))
        found = true;
    else if (!variable.value && !variable.made_by && variable.known)  // an object that stands for a function
        found = true;
    else if (call && (is_decorator(*call->func) || call->func->as<ast::Call>()))
        found = true;
    else if (variable.value && (!call || last_name(*call->func) == "staticmethod") &&
             may_decorate(variable.value->span.text()))
        found = true;
    else if (variable.made_by && may_decorate(variable.made_by->span.text()))
        found = true;
    else if (variable.made_by)
        for_each_name(*variable.made_by, visit);
    else if (variable.value)
        for_each_name(*variable.value, visit);
    if (!found && way == 0) shared_->plain_variables.insert(seen.begin(), seen.end());
    return found;
}

// Whether what an expression or a loop of the file does may make functions.
bool ModuleScope::leads_to_functions(const Action& action) const {
    if (may_decorate(action.loop ? action.loop->span.text() : action.expr->span.text())) return true;
    bool found = false;
    const auto visit = [&](std::string_view name) {
        if (found || is_maker(name, 0)) return void(found = true);
        const auto variables = names_.find(name);
        if (variables == names_.end()) return;
        for (const Declaration& one : variables->second) {
            const auto* variable = one.as<Variable>();
            found = found || (one.at < action.at && variable && may_hold_functions(*variable, 0));
        }
    };
    if (action.loop)
        for_each_name(*action.loop, visit);
    else
        for_each_name(*action.expr, visit);
    return found;
}

void ModuleScope::collect(Wanted wanted, std::vector<FunctionInfo*>& found) const {
    // Each is one of ours: made in a scope of this compilation.
    const auto add = [&](const FunctionInfo* info) {
        if (wanted(*info) && std::ranges::find(found, info) == found.end())
            found.push_back(const_cast<FunctionInfo*>(info));
    };
    for (const FunctionInfo* info : order_) add(info);
    std::vector<std::pair<std::string_view, Const>> containers;
    for (const std::string_view name : order_of_variables_) {
        const Declaration* declared = declaration(name);
        const auto may_hold = [&](const Declaration& one) {
            const auto* variable = one.as<Variable>();
            return variable && may_hold_functions(*variable, 0);
        };
        if (!declared->as<Variable>() || std::ranges::none_of(names_.at(name), may_hold)) continue;
        auto value = lookup(name);
        // A name that is given up at the end of a function had a kernel before.
        const auto given_up = constant_in(value);
        for (size_t i = names_.at(name).size(); parent_ && given_up && given_up->as<Const::None>() && i-- > 0;)
            if (auto before = meaning(name, names_.at(name)[i]); function_in(before)) {
                value = std::move(before);
                break;
            }
        if (const FunctionInfo* info = function_in(value)) {
            // Another name of a kernel is a kernel of that name.
            auto& slot = shared_->made[{declared, this}];
            if (!slot && info->name != name && !info->is_named && wanted(*info)) {
                slot = std::make_unique<FunctionInfo>(*info);
                slot->name = std::string(name);
            }
            const FunctionInfo* held = slot ? slot.get() : info;
            if (!parent_) const_cast<FunctionInfo*>(held)->is_global = true;
            add(held);
        }
        if (const auto constant = value ? to_const(*value) : std::nullopt) containers.emplace_back(name, *constant);
        const auto* object = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
        if (!object || !(*object)->is_object_) continue;
        for (const auto& [attr, held] : (*object)->names_)
            if (const FunctionInfo* info = function_in((*object)->own(attr))) add(info);
        for (const auto& [attr, held] : (*object)->bindings_)
            if (const FunctionInfo* info = function_in(held)) add(info);
    }
    for (const auto& [name, value] : containers) {
        const auto* dict = value.as<Const::Dict>();
        const auto items = dict ? dict->values : items_of(value).value_or(std::vector<Const>());
        for (size_t i = 0; i < items.size(); ++i) {
            const auto* info = items[i].as<const FunctionInfo*>();
            if (!info) continue;
            if ((*info)->is_made && !(*info)->is_named) {
                auto* made = const_cast<FunctionInfo*>(*info);
                made->name = name_in(name, dict ? dict->keys[i] : Const{static_cast<Const::Int>(i), {}});
                made->is_made = false;
            }
            add(*info);
        }
    }
    for (const FunctionInfo* info : order_)
        if (info->kind == FunctionKind::plain) inside(*info).collect(wanted, found);
    for (const auto& [name, declared] : names_)
        // Statements that change its attributes may follow the class.
        for (size_t i = declared.size(); i-- > 0;) {
            const auto* variable = declared[i].as<Variable>();
            const auto* node = declared[i].as<const ast::ClassDef*>();
            if (node) shared_->body(**node, *this).collect(wanted, found);
            if (!variable || !variable->made_by) break;
        }
}

// Also those that no name of the file's leads to, where there may be some.
std::vector<const FunctionInfo*> ModuleScope::kernels() const {
    const Wanted is_kernel = [](const FunctionInfo& info) { return info.kind == FunctionKind::kernel; };
    std::vector<FunctionInfo*> found;
    collect(is_kernel, found);
    const bool has_open =
        std::ranges::any_of(found, [&](const FunctionInfo* f) { return f->is_in_branch || !open_names(*f).empty(); });
    if (found.empty() || has_open || calls_decorator(file_->source->text()) || defines_in_loop(file_->body))
        add_made(found);
    return settled(std::move(found));
}

std::vector<const FunctionInfo*> ModuleScope::array_functions() const {
    return entry_functions(
        [](const FunctionInfo& info) { return info.array != ArrayKind::none && info.array != ArrayKind::reduction; });
}

std::vector<const FunctionInfo*> ModuleScope::operators() const {
    auto found = entry_functions([](const FunctionInfo& info) {
        const bool is_of_parts = info.array == ArrayKind::gufunc || info.array == ArrayKind::stencil;
        return info.kind != FunctionKind::kernel && !is_of_parts;
    });
    std::erase_if(found, [&](const FunctionInfo* info) { return info->scope != this; });
    return found;
}

std::vector<const FunctionInfo*> ModuleScope::host_functions() const {
    return entry_functions([](const FunctionInfo& info) { return info.is_for_host; });
}

std::vector<const FunctionInfo*> ModuleScope::entry_functions(Wanted wanted) const {
    std::vector<FunctionInfo*> found;
    collect(wanted, found);
    return settled(std::move(found));
}

// In their order, each with a name of its own.
std::vector<const FunctionInfo*> ModuleScope::settled(std::vector<FunctionInfo*> found) {
    std::ranges::stable_sort(found, [](const FunctionInfo* a, const FunctionInfo* b) {
        return (a->scope->parent_ == nullptr) > (b->scope->parent_ == nullptr);
    });
    // A factory's own kernel stands for nothing once a call made one.
    std::erase_if(found, [all = found](const FunctionInfo* f) {
        // Nor does one of its branches that no call took, where another was.
        const auto is_beside = [&](const FunctionInfo* made) {
            return made->scope->runs_ && made->def != f->def && made->def->name == f->def->name &&
                   std::ranges::any_of(
                       all, [&](const FunctionInfo* h) { return h->scope == f->scope && h->def == made->def; });
        };
        if (f->is_in_branch && std::ranges::any_of(all, is_beside)) return true;
        const bool is_signed_inside = f->signature_scope && f->signature_scope->parent_ && !Shared::is_of_call(*f);
        // One that a variable of the module holds is meant, whatever is not known of it.
        const bool is_open = f->scope->parent_ && !f->is_global && !f->scope->open_names(*f).empty();
        return std::ranges::any_of(all, [&](const FunctionInfo* g) {
            const bool is_made = g->scope->runs_ && (!f->scope->runs_ || (is_open && g->scope->open_names(*g).empty()));
            return g->def == f->def && (is_made || (is_signed_inside && Shared::is_of_call(*g)));
        });
    });
    // Kernels of one name in several functions: the first keeps it, the others are numbered.
    std::set<std::string, std::less<>> taken, seen;
    for (const FunctionInfo* info : found) taken.insert(info->name);
    for (FunctionInfo* info : found) {
        if (seen.insert(info->name).second) continue;
        std::string name;
        for (int n = 2; name.empty() || !taken.insert(name).second; ++n) name = fmt::format("{}_{}", info->name, n);
        info->name = std::move(name);
    }
    return {found.begin(), found.end()};
}

}  // namespace pyk
