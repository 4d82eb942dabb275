// Calls that the module makes while it is imported: of its own functions, of types and of Python's builtins.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "sema/const_text.h"
#include "sema/free_names.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"
#include "sema/type_info.h"

namespace pyk {
namespace {

constexpr int kDeepestCalls = 50;
constexpr int kMostCalls = 10000;  ///< of one compilation: host code may compute for hours

}  // namespace

// The scope inside of a function that nobody called: its parameters have no values.
const ModuleScope& ModuleScope::inside(const FunctionInfo& info) const {
    const bool is_new = !shared_->bodies.contains({info.def, this});
    auto& slot = shared_->bodies[{info.def, this}];
    if (is_new) {
        slot.reset(new ModuleScope(*shared_, file_, this, {}));
        for_each_parameter(*info.def->args, [&](const ast::Arg& arg) { slot->parameters_.push_back(arg.arg); });
        slot->declare(info.def->body);
    }
    return *slot;
}

// A call of a plain function, as the module makes it while it is imported: what it returns, when that is known at
// compile time. Kernels that it returns get the name of the variable.
std::optional<Entity> ModuleScope::call_function(const FunctionInfo& info, const ast::Call& node) const {
    if (info.kind != FunctionKind::plain || shared_->depth >= kDeepestCalls || shared_->calls_made >= kMostCalls)
        return std::nullopt;
    const ast::Arguments& args = *info.def->args;
    if (args.vararg || args.kwarg) return std::nullopt;
    std::vector<const ast::Arg*> params;
    for_each_parameter(args, [&](const ast::Arg& arg) { params.push_back(&arg); });
    const size_t positional = args.posonlyargs.size() + args.args.size();
    if (node.args.size() > positional) return std::nullopt;
    std::string key;
    Bindings bindings;
    const auto bind = [&](const ast::Arg& param, const std::optional<Entity>& value) {
        if (!value) return false;
        Entity entity = *value;
        if (const auto constant = to_const(entity); constant && std::holds_alternative<Const>(to_entity(*constant)))
            entity = NamedConst{std::string(param.arg), *constant, param.span};
        key += key_of(entity) + ";";
        return bindings.emplace(std::string(param.arg), std::move(entity)).second;
    };
    for (size_t i = 0; i < node.args.size(); ++i)
        if (!bind(*params[i], evaluate(*node.args[i]))) return std::nullopt;
    for (const ast::Keyword& keyword : node.keywords) {
        const auto at = std::ranges::find(params, keyword.arg, [](const ast::Arg* arg) { return arg->arg; });
        if (at == params.end() || !bind(**at, evaluate(*keyword.value))) return std::nullopt;
    }
    for (size_t i = 0; i < params.size(); ++i) {
        if (bindings.contains(params[i]->arg)) continue;
        const ast::ExprRef fallback = i >= positional ? args.kw_defaults[i - positional]
                                      : i + args.defaults.size() >= positional
                                          ? args.defaults[i + args.defaults.size() - positional]
                                          : nullptr;
        if (!fallback || !bind(*params[i], info.scope->evaluate(*fallback))) return std::nullopt;
    }
    auto& slot = shared_->calls[{node.func, this}];
    if (!slot) {
        ++shared_->depth;
        ++shared_->calls_made;
        std::unique_ptr<ModuleScope> scope(
            new ModuleScope(*shared_, info.scope->file_, info.scope, std::move(bindings)));
        scope->runs_ = true;
        scope->declare(info.def->body);
        --shared_->depth;
        slot = std::move(scope);
    }
    if (!slot->returned_ || shared_->depth >= kDeepestCalls) return std::nullopt;
    ++shared_->depth;
    std::optional<Entity> result = slot->evaluate(*slot->returned_);
    --shared_->depth;
    if (const FunctionInfo* made = function_in(result); made && made->scope == slot.get() && !evaluating_.empty()) {
        for (FunctionInfo* own : slot->order_)
            if (own == made) own->name = evaluating_.front();
        for (auto& [site, own] : shared_->made)
            if (own.get() == made) own->name = evaluating_.front();
    }
    return result;
}

namespace {

/// What Python's `float` makes of a text.
std::optional<double> number_in(std::string text) {
    std::erase(text, '_');
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool is_all = end != text.c_str() && text.find_first_not_of(" \t\n", end - text.c_str()) == text.npos;
    return is_all && text.find_first_of("xX(") == text.npos ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<Entity> ModuleScope::call(const ast::Call& node) const {
    if (node.args.size() == 1)
        if (auto made = decorated(node)) return made;
    if (const auto type = called_type(*this, node)) return TypeName{*type};
    if (const auto time = called_time(*this, node)) return *time;
    if (auto value = called_constant(*this, node)) return *value;
    if (auto text = formatted(node)) return Const{std::move(*text), {}};
    const std::optional<Entity> callee = evaluate(*node.func);
    if (const FunctionInfo* info = function_in(callee)) return call_function(*info, node);
    if (const auto* info = callee ? std::get_if<const ClassInfo*>(&*callee) : nullptr;
        info && (*info)->kind == ClassKind::named_tuple) {
        const auto made = named_tuple(**info, node);
        return made ? std::optional<Entity>(*made) : std::nullopt;
    }
    // An FFI object is as good as its class: it has no state that kernels see.
    if (const Path* path = callee ? std::get_if<Path>(&*callee) : nullptr; path && path->name == "cffi.FFI")
        return callee;
    const Builtin* const* declares = callee ? std::get_if<const Builtin*>(&*callee) : nullptr;
    if (declares && (*declares)->special == Special::declare_device) return declared(node);
    if (!callee || node.args.empty() || node.args.size() > 2 || !node.keywords.empty()) return std::nullopt;
    const Builtin* const* builtin = std::get_if<const Builtin*>(&*callee);
    if (builtin && (*builtin)->special == Special::type_info) {
        const auto type = evaluate_type(*this, *node.args[0]);
        const auto path = type ? type_info_path(**builtin, *type) : std::nullopt;
        return path ? std::optional<Entity>(Path{*path}) : std::nullopt;
    }
    const std::optional<Const> arg = constant(*node.args[0]);
    if (!arg) return std::nullopt;
    if (const auto* info = std::get_if<const ClassInfo*>(&*callee)) {
        const auto member = enum_member_with(**info, *arg);
        return member ? std::optional<Entity>(*member) : std::nullopt;
    }
    if (node.args.size() == 2) {
        const std::optional<Const> imaginary = constant(*node.args[1]);
        if (!builtin || (*builtin)->special != Special::complex_ || !imaginary) return std::nullopt;
        return complex_of(*arg, *imaginary);
    }
    if (const TypeName* type = std::get_if<TypeName>(&*callee))
        if (const auto value = cast(*arg, type->type)) return *value;
    if (!builtin) return std::nullopt;
    // Python's own conversions, so that `N = int(1e6)` is a constant.
    if ((*builtin)->special == Special::int_) {
        auto value = cast(*arg, Scalar::int64);
        if (value) value->typed = {};
        return value;
    }
    if ((*builtin)->special == Special::complex_) return complex_of(*arg, Const{0.0, {}});
    if (const auto* text = arg->as<std::string>(); text && (*builtin)->special == Special::float_)
        if (const auto number = number_in(*text)) return Const{*number, {}};
    if ((*builtin)->special == Special::float_)
        if (auto value = cast(*arg, Scalar::float64)) {
            value->typed = {};
            return *value;
        }
    if ((*builtin)->special == Special::len) {
        if (const auto* dict = arg->as<Const::Dict>()) return Const{static_cast<Const::Int>(dict->keys.size()), {}};
        if (const auto* text = arg->as<std::string>()) return Const{static_cast<Const::Int>(text->size()), {}};
    }
    return std::nullopt;
}

// `"…{}…".format(…)`.
std::optional<std::string> ModuleScope::formatted(const ast::Call& node) const {
    const auto* method = node.func->as<ast::Attribute>();
    if (!method || method->attr != "format") return std::nullopt;
    const auto text = constant(*method->value);
    if (!text || !text->as<std::string>()) return std::nullopt;
    size_t next = 0;
    return braces(*text->as<std::string>(), [&](std::string_view field) -> std::optional<Const> {
        const auto named = std::ranges::find(node.keywords, field, &ast::Keyword::arg);
        if (!field.empty() && named != node.keywords.end()) return element(*this, *named->value);
        size_t at = next++;
        const char* const end = field.data() + field.size();
        if (!field.empty() && std::from_chars(field.data(), end, at).ptr != end) return std::nullopt;
        return at < node.args.size() ? element(*this, *node.args[at]) : std::nullopt;
    });
}

// `f"…{name}…"`: of names and their attributes.
std::optional<std::string> ModuleScope::formatted(const ast::JoinedStr& node) const {
    const auto body = body_of_literal(node.raw);
    if (!body) return std::nullopt;
    return braces(*body, [&](std::string_view field) -> std::optional<Const> {
        std::optional<Entity> value = lookup(field.substr(0, field.find('.')));
        for (size_t dot = field.find('.'); value && dot != std::string_view::npos; dot = field.find('.', dot + 1)) {
            const std::string_view rest = field.substr(dot + 1);
            value = member(*value, rest.substr(0, rest.find('.')));
        }
        return value ? to_const(*value) : std::nullopt;
    });
}

// `P(1, y=2)` of the module.
std::optional<Const> ModuleScope::named_tuple(const ClassInfo& info, const ast::Call& node) const {
    Const::Tuple items;
    std::vector<Type> types;
    if (node.args.size() + node.keywords.size() > info.names.size()) return std::nullopt;
    for (size_t i = 0; i < info.names.size(); ++i) {
        const auto named = std::ranges::find(node.keywords, info.names[i], &ast::Keyword::arg);
        const bool is_named = named != node.keywords.end();
        const ast::ExprRef written = i < node.args.size() ? node.args[i] : is_named ? named->value : info.defaults[i];
        const auto value =
            written ? element(i < node.args.size() || is_named ? *this : *info.scope, *written) : std::nullopt;
        if (!value || !type_of(*value)) return std::nullopt;
        types.push_back(type_of(*value));
        items.push_back(*value);
    }
    return Const{std::move(items), Type::named_tuple(TupleKind::named, info.name, info.names, types)};
}

}  // namespace pyk
