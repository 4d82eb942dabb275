// What functions use of the functions around them that has no value, and what would give it one.
#include <algorithm>
#include <set>

#include "module/free_names.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr int kLongestChain = 10;  ///< of variables that are computed of others

/// Whether an expression has a value once its names have some: arithmetic.
bool is_computed(const ast::Expr& expr) {
    const auto* call = expr.as<ast::Call>();
    const bool is_part = expr.as<ast::Name>() || expr.as<ast::Constant>() || expr.as<ast::BinOp>() ||
                         expr.as<ast::Unary>() || expr.as<ast::Compare>() || expr.as<ast::BoolOp>() ||
                         expr.as<ast::IfExp>() || expr.as<ast::Tuple>() || (call && call->keywords.empty());
    if (!is_part) return false;
    if (call) return std::ranges::all_of(call->args, [](const ast::Expr* arg) { return is_computed(*arg); });
    bool all = true;
    for_each_child(expr, [&](const ast::Expr& child) { all = all && is_computed(child); });
    return all;
}

void add_once(std::vector<std::string_view>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

void ModuleScope::Shared::add_open(const FunctionInfo& info, Open& open) {
    if (info.signatures && info.signature_scope->parent_)
        for_each_name(*info.signatures, [&](std::string_view name) {
            if (info.signature_scope->is_opaque(name)) open.add(name, info);
        });
    if (!info.scope->parent_ || !open.seen.insert(&info).second) return;
    // In a function that nobody called, which of its values a variable has is not known either.
    const ModuleScope& around = info.scope->for_functions();
    const auto changes = [&](std::string_view name) {
        const auto found = info.scope->names_.find(name);
        const bool is_variable = found != info.scope->names_.end() && found->second.back().as<Variable>();
        return is_variable && !info.scope->runs_ && found->second.back().at >= info.at;
    };
    for (const std::string_view name : free_names(*info.def)) {
        if (open.names.contains(name)) continue;
        if ((around.is_opaque(name) && !around.device_table(name)) || changes(name)) {
            open.add(name, info);
            continue;
        }
        // Another function of the same one may use more.
        const ModuleScope* of = &around;
        while (of->parent_ && !of->is_declared(name) && !of->bindings_.contains(name)) of = of->parent_;
        const FunctionInfo* other = of->parent_ ? function_in(of->own(name)) : nullptr;
        if (other) add_open(*other, open);
    }
}

std::vector<std::string_view> ModuleScope::open_names(const FunctionInfo& info) const {
    Shared::Open open;
    Shared::add_open(info, open);
    return std::move(open.order);
}

// The names that a variable is computed of, if it is.
bool ModuleScope::Shared::sources_of(const ModuleScope& scope, std::string_view name,
                                     std::vector<std::string_view>& found, int depth) {
    const ModuleScope* of = &scope;
    while (of && !of->is_declared(name) && std::ranges::find(of->parameters_, name) == of->parameters_.end())
        of = of->parent_;
    const Declaration* declared = of ? of->declaration(name) : nullptr;
    const auto* variable = declared ? declared->as<Variable>() : nullptr;
    if (!variable || !variable->value || !variable->items.empty() || depth == kLongestChain) return false;
    if (!is_computed(*variable->value)) return false;
    const Then then(*of, declared->at);
    std::vector<std::string_view> sources;
    bool are_known = true;
    for_each_name(*variable->value, [&](std::string_view used) {
        if (of->lookup(used)) return;
        are_known = are_known && of->is_opaque(used);
        if (!sources_of(*of, used, sources, depth + 1)) add_once(sources, used);
    });
    if (!are_known || sources.empty()) return false;
    for (const std::string_view source : sources) add_once(found, source);
    return true;
}

std::vector<std::string_view> ModuleScope::names_to_define(const FunctionInfo& info) const {
    Shared::Open open;
    Shared::add_open(info, open);
    std::vector<std::string_view> names;
    for (const std::string_view name : open.order)
        if (!Shared::sources_of(*open.names.at(name)->scope, name, names, 0)) add_once(names, name);
    return names;
}

std::string ModuleScope::way_to_define(const FunctionInfo& info) const {
    Shared::Open open;
    Shared::add_open(info, open);
    const auto is_object = [](const ast::FunctionDef& user, std::string_view name) {
        bool found = false;
        const std::function<void(const ast::Expr&)> look = [&](const ast::Expr& expr) {
            const auto* call = expr.as<ast::Call>();
            const auto* attribute = expr.as<ast::Attribute>();
            const ast::ExprRef base = call ? call->func : attribute ? attribute->value : ast::ExprRef(nullptr);
            const auto* named = base ? base->as<ast::Name>() : nullptr;
            found = found || (named && named->id == name);
            for_each_host_child(expr, look);
        };
        for_each_expression(user.body, look);
        return found;
    };
    if (open.names.empty()) return "";
    for (const auto& [name, user] : open.names)
        if (is_object(*user->def, name))
            return fmt::format("call the function around it in the file: what that gets for `{}` is part of the kernel",
                               name);
    return fmt::format("give what it uses with -D {}=…", fmt::join(names_to_define(info), "=… -D "));
}

// Whether a call in the file gives a parameter of a function, or may do so.
bool ModuleScope::Shared::is_given(const ModuleScope& scope, const ast::FunctionDef& def, std::string_view param) {
    const auto is_param = [&](const ast::Arg& arg) { return arg.arg == param; };
    const auto place = static_cast<size_t>(std::ranges::find_if(def.args->args, is_param) - def.args->args.begin());
    const auto is_name = [&](const ast::Expr* expr) { return last_name(*expr) == def.name; };
    bool found = false;
    const auto look = [&](const ast::Call& call) {
        found = found || std::ranges::any_of(call.args, is_name);
        if (!is_name(call.func)) return;
        const size_t count = call.args.size() + (call.func->as<ast::Attribute>() ? 1 : 0);  // `self` is one
        found = found || count > place;
        found = found || std::ranges::any_of(call.args, [](const ast::Expr* arg) { return arg->as<ast::Starred>(); });
        for (const ast::Keyword& keyword : call.keywords) found = found || keyword.arg == param || keyword.arg.empty();
    };
    for_each_expression(scope.file_->body, [&](const ast::Expr& expr) { for_each_call(expr, look); });
    return found;
}

// The parameters of a function that nobody called: their defaults, where no call gives them something else.
void ModuleScope::Shared::bind_defaults(ModuleScope& inside, const FunctionInfo& info) {
    const ast::Arguments& args = *info.def->args;
    const auto bind = [&](const ast::Arg& param, ast::ExprRef written) {
        const auto value = written ? inside.parent_->evaluate(*written) : std::nullopt;
        const auto constant = value ? to_const(*value) : std::nullopt;
        const bool is_known = value && (std::holds_alternative<TypeName>(*value) ||
                                        (constant && (is_number(*constant) || constant->as<Const::Tuple>())));
        if (!is_known || inside.shared_->defines.contains(param.arg)) return;
        if (is_given(*inside.parent_, *info.def, param.arg)) return;
        if (std::holds_alternative<TypeName>(*value))
            inside.bindings_.emplace(param.arg, *value);
        else
            inside.bindings_.emplace(param.arg, NamedConst{std::string(param.arg), *constant, param.span});
    };
    const Then then(*inside.parent_, info.at);
    for (size_t i = 0; i < args.defaults.size() && i < args.args.size(); ++i)
        bind(args.args[args.args.size() - 1 - i], args.defaults[args.defaults.size() - 1 - i]);
    for (size_t i = 0; i < args.kwonlyargs.size(); ++i) bind(args.kwonlyargs[i], args.kw_defaults[i]);
}

}  // namespace pyk
