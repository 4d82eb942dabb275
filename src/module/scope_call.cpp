// Calls that the module makes while it is imported: of its own functions, of types and of Python's builtins.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "module/const_math.h"
#include "module/const_text.h"
#include "module/free_names.h"
#include "module/host_defaults.h"
#include "module/host_functions.h"
#include "module/host_iterators.h"
#include "module/host_tuples.h"
#include "module/host_values.h"
#include "module/memo.h"
#include "module/scope.h"
#include "module/scope_shared.h"
#include "module/type_info.h"
#include "syntax/literals.h"

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
        if (info.span.text().find("jit") != std::string_view::npos) Shared::bind_defaults(*slot, info);
        for_each_parameter(*info.def->args, [&](const ast::Arg& arg) {
            if (!slot->bindings_.contains(arg.arg)) slot->parameters_.push_back(arg.arg);
        });
        slot->declare(info.def->body);
    }
    return *slot;
}

std::optional<ModuleScope::HostArguments> ModuleScope::host_arguments(const ast::Call& node) const {
    HostArguments arguments;
    for (const ast::Expr* arg : node.args) {
        const auto* starred = arg->as<ast::Starred>();
        if (!starred) {
            arguments.values.push_back(evaluate(*arg));
            continue;
        }
        const auto all = constant(*starred->value);
        const auto items = all ? items_of(*all) : std::nullopt;
        if (!items) return std::nullopt;
        for (const Const& item : *items) arguments.values.emplace_back(to_entity(item));
    }
    for (const ast::Keyword& keyword : node.keywords) {
        if (!keyword.arg.empty()) {
            arguments.named.emplace_back(keyword.arg, evaluate(*keyword.value));
            continue;
        }
        const auto all = constant(*keyword.value);
        const auto* dict = all ? all->as<Const::Dict>() : nullptr;
        if (!dict) return std::nullopt;
        for (size_t i = 0; i < dict->keys.size(); ++i) {
            const auto* name = dict->keys[i].as<std::string>();
            if (!name) return std::nullopt;
            arguments.named.emplace_back(*name, to_entity(dict->values[i]));
        }
    }
    return arguments;
}

/// Gives the parameters of a function of the host what a call has for them.
class ModuleScope::Binder {
  public:
    Bindings bindings;
    std::vector<std::string_view> unknown;

    void bind(const ast::Arg& param, const std::optional<Entity>& value) {
        if (!value) {
            unknown.push_back(param.arg);
            return;
        }
        Entity entity = *value;
        if (const auto constant = to_const(entity); constant && std::holds_alternative<Const>(to_entity(*constant)))
            entity = NamedConst{std::string(param.arg), *constant, param.span};
        bindings.emplace(std::string(param.arg), std::move(entity));
    }

    bool has(std::string_view name) const {
        return bindings.contains(name) || std::ranges::find(unknown, name) != unknown.end();
    }
};

bool has_decorator(const FunctionInfo& info, std::string_view name) {
    return std::ranges::any_of(info.def->decorator_list, [&](const ast::Expr* d) { return last_name(*d) == name; });
}

namespace {

bool has_nonlocal(const ast::Block& body) {
    bool found = false;
    for_each_stmt(body, [&](const ast::Stmt& stmt) { found = found || stmt.as<ast::Nonlocal>(); });
    return found;
}

}  // namespace

// nullopt: the function cannot be called so.
std::optional<ModuleScope::Binder> ModuleScope::bound(const FunctionInfo& info, const HostArguments& arguments) const {
    const ast::Arguments& args = *info.def->args;
    std::vector<const ast::Arg*> params;
    for (const auto* list : {&args.posonlyargs, &args.args, &args.kwonlyargs})
        for (const ast::Arg& arg : *list) params.push_back(&arg);
    const size_t positional = args.posonlyargs.size() + args.args.size();
    if (arguments.values.size() > positional && !args.vararg) return std::nullopt;
    Binder binder;
    for (size_t i = 0; i < arguments.values.size() && i < positional; ++i) binder.bind(*params[i], arguments.values[i]);
    const auto all_known = [](const std::optional<Entity>& value) { return value && to_const(*value); };
    if (args.vararg) {
        const auto first =
            arguments.values.begin() + static_cast<std::ptrdiff_t>(std::min(positional, arguments.values.size()));
        Const::Tuple rest;
        const bool is_known = std::all_of(first, arguments.values.end(), all_known);
        for (auto at = first; is_known && at != arguments.values.end(); ++at) rest.push_back(*to_const(**at));
        binder.bind(*args.vararg, is_known ? std::optional<Entity>(Const{std::move(rest), {}}) : std::nullopt);
    }
    Const more{Const::Dict(), {}};
    bool more_is_known = true;
    for (const auto& [name, value] : arguments.named) {
        const auto at = std::ranges::find(params, std::string_view(name), [](const ast::Arg* arg) { return arg->arg; });
        if (at != params.end() && !binder.has(name)) {
            binder.bind(**at, value);
        } else if (at == params.end() && args.kwarg) {
            const auto held = all_known(value) ? with_item(more, Const{name, {}}, *to_const(*value)) : std::nullopt;
            more_is_known = more_is_known && held;
            if (held) more = *held;
        } else {
            return std::nullopt;
        }
    }
    if (args.kwarg) binder.bind(*args.kwarg, more_is_known ? std::optional<Entity>(more) : std::nullopt);
    for (size_t i = 0; i < params.size(); ++i) {
        if (binder.has(params[i]->arg)) continue;
        const ast::ExprRef fallback = i >= positional ? args.kw_defaults[i - positional]
                                      : i + args.defaults.size() >= positional
                                          ? args.defaults[i + args.defaults.size() - positional]
                                          : nullptr;
        if (!fallback) return std::nullopt;
        const Then then(*info.scope, info.at);
        const AroundBody around(*info.scope);
        const auto value = info.scope->evaluate(*fallback);
        const bool is_kept = value && shared_->is_default_shared(info, *params[i], *value);
        binder.bind(*params[i], is_kept && !is_memo(*info.def, params[i]->arg) ? std::nullopt : value);
    }
    return binder;
}

// The body of a plain function of the host that ran with these arguments. `key`: the call. Null: it cannot be called
// so.
const ModuleScope* ModuleScope::run_of(const FunctionInfo& info, const void* key, HostArguments arguments) const {
    if (info.kind != FunctionKind::plain || shared_->depth >= kDeepestCalls || shared_->calls_made >= kMostCalls)
        return nullptr;
    // What a closure keeps from call to call is not followed.
    const bool is_closure = info.scope->runs_ && !info.scope->running_;
    const auto is_kept = [&](const Change& change) {
        return !change.is_argument && info.scope->is_declared(change.inside);
    };
    const ast::FunctionDef* around = info.scope->def_;
    const auto counts = [&](const Change& change) {
        return is_kept(change) && !(around && is_memo_of(*info.def, *around, change.inside));
    };
    if (is_closure && std::ranges::any_of(changes_of(info), counts)) return nullptr;
    const auto known = running_ ? shared_->calls.end() : shared_->calls.find({key, this});
    if (known != shared_->calls.end()) return known->second.get();
    if (has_nonlocal(info.def->body)) {
        auto* around = const_cast<ModuleScope*>(info.scope);
        for (const Change& change : changes_of(info))
            if (is_kept(change) && around->running_) around->assign(change.inside, {.span = change.written->span});
        return nullptr;
    }
    if (is_replaced(info)) {
        const FunctionInfo* by = replacement_of(info);
        return by ? run_of(*by, key, std::move(arguments)) : nullptr;
    }
    std::optional<Binder> binder = bound(info, arguments);
    if (!binder) return nullptr;
    std::unique_ptr<ModuleScope> scope(
        new ModuleScope(*shared_, info.scope->file_, info.scope, std::move(binder->bindings)));
    scope->def_ = info.def;
    scope->parameters_ = std::move(binder->unknown);
    scope->runs_ = scope->running_ = true;
    scope->runs_at_ = info.scope->now_;
    Shared::note_forgetful(*scope, info.span.text().substr(info.def->body.front()->span.begin - info.span.begin));
    Shared::begin_yields(*scope, info);
    shared_->have_run.insert(info.def);
    if (shared_->depth++ == 0) shared_->steps = 0;
    ++shared_->calls_made;
    Shared::Running running{info.scope, scope.get(), false, {}};
    for (const Change& change : changes_of(info))
        if (!change.is_argument && !change.is_rebound) running.names.push_back(change.inside);
    shared_->running.push_back(std::move(running));
    scope->declare(info.def->body);
    shared_->running.pop_back();
    scope->returned_value_ = Shared::result_of(*scope);
    scope->running_ = false;
    --shared_->depth;
    ModuleScope* made = scope.get();
    if (running_)
        shared_->lifted_scopes.push_back(std::move(scope));
    else
        shared_->calls[{key, this}] = std::move(scope);
    return made;
}

const ModuleScope* ModuleScope::run_of(const ast::Call& node) const {
    const FunctionInfo* info = function_in(evaluate(*node.func));
    if (!info || info->kind != FunctionKind::plain) return nullptr;
    auto arguments = host_arguments(node);
    if (!arguments) return nullptr;
    const auto* attribute = node.func->as<ast::Attribute>();
    const auto owner = attribute ? evaluate(*attribute->value) : std::nullopt;
    const auto* object = owner ? std::get_if<const ModuleScope*>(&*owner) : nullptr;
    const auto held = owner ? constant_in(*owner) : std::nullopt;
    const bool is_member = held && enumeration_of(held->member_of ? held->member_of : held->typed);
    const bool is_of_class = object || is_member || (owner && std::holds_alternative<const ClassInfo*>(*owner));
    const bool is_method =
        is_of_class && shared_->classes.contains(info->scope) && !has_decorator(*info, "staticmethod");
    const auto* super = attribute ? attribute->value->as<ast::Call>() : nullptr;
    std::optional<Entity> self;
    if (is_method && has_decorator(*info, "classmethod"))
        self = object && (*object)->is_object_ && (*object)->class_ ? Entity((*object)->class_) : *owner;
    else if (is_method && (is_member || (object && (*object)->is_object_)))
        self = *owner;
    else if (is_method && super && last_name(*super->func) == "super")
        self = lookup("self");
    if (self) arguments->values.insert(arguments->values.begin(), *self);
    return run_of(*info, node.func, std::move(*arguments));
}

namespace {

/// What Python's `float` makes of a text.
std::optional<double> number_in(std::string text) {
    std::erase(text, '_');
    text.erase(text.find_last_not_of(" \t\n") + 1);
    text.erase(0, text.find_first_not_of(" \t\n"));
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.erase(0, 1);
    if (text.starts_with('-') || text.ends_with(')')) return std::nullopt;  // from_chars knows `-1` and `nan(1)`
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) number = syntax::out_of_range(text);
    return is_negative ? -number : number;
}

/// And what its `int` does.
std::optional<Const::Int> integer_in(std::string text, int base) {
    std::erase(text, '_');
    const size_t digits = std::min(text.find_first_not_of(" \t\n+-"), text.size());
    const std::string prefix = text.substr(digits, 2);  // of these C has `0x` alone
    const int written = prefix == "0b" || prefix == "0B" ? 2 : prefix == "0o" || prefix == "0O" ? 8 : 0;
    if (written != 0 && (base == 0 || base == written)) base = written, text.erase(digits, 2);
    char* end = nullptr;
    errno = 0;
    const long long number = std::strtoll(text.c_str(), &end, base);
    const bool is_all = end != text.c_str() && text.find_first_not_of(" \t\n", end - text.c_str()) == text.npos;
    return is_all && errno == 0 ? std::optional(Const::Int(number)) : std::nullopt;
}

/// Python's functions as values: `map(int, texts)`, `sorted(names, key=len)`.
std::optional<Const> call_value(const Const& callee, std::span<const Const> args) {
    const auto* builtin = callee.as<const Builtin*>();
    const auto* type = callee.as<Type>();
    if (type) return args.size() == 1 ? cast(args[0], *type) : std::nullopt;
    if (!builtin) return std::nullopt;
    const bool is_int = (*builtin)->special == Special::int_, is_float = (*builtin)->special == Special::float_;
    if (args.size() == 1 && (is_int || is_float)) {
        if (const auto* text = args[0].as<std::string>()) {
            const auto integer = is_int ? integer_in(*text, 10) : std::nullopt;
            const auto real = is_float ? number_in(*text) : std::nullopt;
            return integer ? std::optional(Const{*integer, {}}) : real ? std::optional(Const{*real, {}}) : std::nullopt;
        }
        if (is_int) return whole_number(args[0]);
        auto value = cast(args[0], Scalar::float64);
        if (value) value->typed = {};
        return value;
    }
    if (auto value = call_function((*builtin)->name, args)) return value;
    const HostFunction* function = find_host_function((*builtin)->name);
    HostCall call;
    call.args.assign(args.begin(), args.end());
    return function ? call_host_function(*function, call) : std::nullopt;
}

}  // namespace

namespace {

/// `defaultdict(int)`, `defaultdict(list, {…})`.
std::optional<Const> default_dict(const ModuleScope& scope, const ast::Call& node) {
    if (last_name(*node.func) != "defaultdict" || scope.path_of(*node.func) != "collections.defaultdict")
        return std::nullopt;
    const auto* factory = node.args.empty() ? nullptr : node.args[0]->as<ast::Name>();
    if (!factory || scope.assigned_at(factory->id) || node.args.size() > 2 || !node.keywords.empty())
        return std::nullopt;
    const auto entries = node.args.size() == 2 ? scope.constant(*node.args[1]) : Const{Const::Dict(), {}};
    const auto* dict = entries ? entries->as<Const::Dict>() : nullptr;
    return dict ? dict_with_default(factory->id, *dict) : std::nullopt;
}

/// `namedtuple('P', 'x y')(1, 2)`: of a class without a name of its own.
std::optional<Const> named_tuple_in_place(const ModuleScope& scope, const ast::Call& node) {
    const auto* maker = node.func->as<ast::Call>();
    if (!maker || last_name(*maker->func) != "namedtuple" || maker->args.size() != 2 || !maker->keywords.empty())
        return std::nullopt;
    const auto name = scope.constant(*maker->args[0]), fields = scope.constant(*maker->args[1]);
    if (!name || !name->as<std::string>() || !fields) return std::nullopt;
    const auto known = field_names(*fields);
    if (!known || node.args.size() + node.keywords.size() != known->size()) return std::nullopt;
    const std::vector<std::string>& names = *known;
    Const::Tuple items;
    std::vector<Type> types;
    for (size_t i = 0; i < names.size(); ++i) {
        const auto named = std::ranges::find(node.keywords, names[i], &ast::Keyword::arg);
        if (i >= node.args.size() && named == node.keywords.end()) return std::nullopt;
        const auto value = element(scope, i < node.args.size() ? *node.args[i] : *named->value);
        if (!value || !type_of(*value)) return std::nullopt;
        types.push_back(type_of(*value));
        items.push_back(*value);
    }
    return Const{std::move(items), Type::named_tuple(TupleKind::named, *name->as<std::string>(), names, types)};
}

}  // namespace

std::optional<Entity> ModuleScope::call(const ast::Call& node) const {
    const auto* own = node.func->as<ast::Name>();
    if (own && own->id == "super" && node.args.empty()) return Shared::base_class(*this);
    if (own && own->id == "type" && node.args.size() == 3) return Shared::class_of_fields(*this, *node.args[2]);
    // Each call of a chain would run again for each question about the next one.
    const auto* link = running_ ? node.func->as<ast::Attribute>() : nullptr;
    if (link && link->value->as<ast::Call>() && Shared::object_called(*this, node)) return std::nullopt;
    if (auto made = decorated(node)) return made;
    if (auto arguments = Shared::parsed_arguments(*this, node)) return arguments;
    if (const auto type = called_type(*this, node)) return TypeName{*type};
    if (const auto time = called_time(*this, node)) return *time;
    if (auto value = called_constant(*this, node)) return *value;
    if (auto text = formatted(node)) return Const{std::move(*text), {}};
    if (const auto made = default_dict(*this, node)) return *made;
    if (const auto made = named_tuple_in_place(*this, node)) return *made;
    if (const auto asked = Shared::asked_of_function(*this, node)) return *asked;
    if (const auto asked = Shared::asked_of_fields(*this, node)) return *asked;
    if (own && own->id == "staticmethod" && node.args.size() == 1 && !is_declared(own->id))
        return evaluate(*node.args[0]);
    if (const auto* method = node.func->as<ast::Attribute>(); method && method->attr == "copy")
        if (const auto base = evaluate(*method->value); base && std::holds_alternative<TypeName>(*base))
            if (const Type type = std::get<TypeName>(*base).type; type.is_array())
                if (const auto copied = copied_array_type(*this, type, node)) return TypeName{*copied};
    const std::optional<Entity> callee = evaluate(*node.func);
    if (function_in(callee)) {
        const ModuleScope* run = run_of(node);
        return run ? run->returned_value_ : std::nullopt;
    }
    if (const auto* scope = callee ? std::get_if<const ModuleScope*>(&*callee) : nullptr) {
        if ((*scope)->is_object_) return Shared::called_object(*this, **scope, node);
        return (*scope)->parent_ ? object(**scope, node) : std::nullopt;
    }
    const auto* info = callee ? std::get_if<const ClassInfo*>(&*callee) : nullptr;
    if (info && (*info)->kind == ClassKind::named_tuple)
        if (const auto made = Shared::called_named_tuple(*this, **info, node, false)) return *made;
    if (info && (*info)->kind == ClassKind::dataclass) {
        const ModuleScope* body = (*info)->scope->body_of(**info);
        return body ? object(*body, node) : std::nullopt;
    }
    if (info && (*info)->kind == ClassKind::named_tuple) return object_of_fields(node, *info);
    // An FFI object is as good as its class: it has no state that kernels see.
    if (const Path* path = callee ? std::get_if<Path>(&*callee) : nullptr) {
        if (path->name == "cffi.FFI") return callee;
        if (const auto type = constructed_type(*this, path->name, node)) return TypeName{*type};
    }
    if (last_name(*node.func) == "get_current_device" && path_of(*node.func) == "cuda.get_current_device")
        return Path{std::string(kDevice)};
    if (callee)
        if (auto signature = called_signature(*this, *callee, node)) return *signature;
    const Builtin* const* declares = callee ? std::get_if<const Builtin*>(&*callee) : nullptr;
    if (declares && (*declares)->special == Special::declare_device) return declared(node);
    if (auto value = asked_of(callee, node)) return value;
    if (auto value = Shared::asked_of_object(*this, callee, node)) return value;
    if (const auto* method = node.func->as<ast::Attribute>(); method && method->attr == "_make") {
        const auto owner = evaluate(*method->value);
        const auto* of = owner ? std::get_if<const ClassInfo*>(&*owner) : nullptr;
        if (of && (*of)->kind == ClassKind::named_tuple)
            if (const auto made = Shared::called_named_tuple(*this, **of, node, true)) return *made;
    }
    if (declares && (*declares)->special == Special::isinstance)
        if (const auto is = is_instance(*this, node)) return Const{*is, {}};
    if (auto value = call_host(node)) return value;
    if (auto value = Shared::call_library(*this, node)) return value;
    return callee ? converted(*callee, node) : std::nullopt;
}

// `numba.typeof(value)`, `importlib.import_module("math")`.
std::optional<Entity> ModuleScope::asked_of(const std::optional<Entity>& callee, const ast::Call& node) const {
    const Path* path = callee ? std::get_if<Path>(&*callee) : nullptr;
    if (path && (path->name == "typeof" || path->name == "cuda.typeof") && node.args.size() == 1) {
        const auto value = constant(*node.args[0]);
        Type type = value ? type_of(*value) : Type();
        if (type.is_array()) type = Type::array(type.element(), type.ndim(), type.layout());
        return type ? std::optional<Entity>(TypeName{type}) : std::nullopt;
    }
    const Builtin* const* builtin = callee ? std::get_if<const Builtin*>(&*callee) : nullptr;
    if (path && path->name == "typing.cast" && node.args.size() == 2) return evaluate(*node.args[1]);
    if (path && path->name == "importlib.import_module" && node.args.size() == 1) {
        const auto name = constant(*node.args[0]);
        const auto* text = name ? name->as<std::string>() : nullptr;
        const ModuleScope* own = text ? file(*text, 0) : nullptr;
        return own ? std::optional<Entity>(own) : text ? entity_of_path(*text) : std::nullopt;
    }
    return Shared::asked_of_member(*this, builtin ? *builtin : nullptr, node);
}

// A type, a member of an enumeration, or Python's own conversions, so that `N = int(1e6)` is a constant.
std::optional<Entity> ModuleScope::converted(const Entity& callee, const ast::Call& node) const {
    if (node.args.empty() || node.args.size() > 2 || !node.keywords.empty()) return std::nullopt;
    const Builtin* const* builtin = std::get_if<const Builtin*>(&callee);
    if (builtin && (*builtin)->special == Special::type_info) {
        const auto type = evaluate_type(*this, *node.args[0]);
        const auto path = type ? type_info_path(**builtin, *type) : std::nullopt;
        return path ? std::optional<Entity>(Path{*path}) : std::nullopt;
    }
    std::optional<Const> arg = constant(*node.args[0]);
    if (!arg) return std::nullopt;
    arg = number_of(*arg);
    if (const auto* info = std::get_if<const ClassInfo*>(&callee)) {
        const auto member = enum_member_with(**info, *arg);
        return member ? std::optional<Entity>(*member) : std::nullopt;
    }
    const auto* text = arg->as<std::string>();
    if (node.args.size() == 2) {
        const std::optional<Const> second = constant(*node.args[1]);
        if (!builtin || !second) return std::nullopt;
        if ((*builtin)->special == Special::complex_) return complex_of(*arg, *second);
        const auto base = (*builtin)->special == Special::int_ ? to_int(*second) : std::nullopt;
        const auto number = text && base ? integer_in(*text, static_cast<int>(*base)) : std::nullopt;
        return number ? std::optional<Entity>(Const{*number, {}}) : std::nullopt;
    }
    if (const TypeName* type = std::get_if<TypeName>(&callee))
        if (const auto value = cast(*arg, type->type)) return *value;
    if (!builtin) return std::nullopt;
    switch ((*builtin)->special) {
        case Special::int_: {
            if (text) {
                const auto number = integer_in(*text, 10);
                return number ? std::optional<Entity>(Const{*number, {}}) : std::nullopt;
            }
            return whole_number(*arg);
        }
        case Special::bool_:
            return Const{truth(*arg), {}};
        case Special::complex_:
            return complex_of(*arg, Const{0.0, {}});
        case Special::float_: {
            const auto number = text ? number_in(*text) : std::nullopt;
            if (text) return number ? std::optional<Entity>(Const{*number, {}}) : std::nullopt;
            auto value = cast(*arg, Scalar::float64);
            if (value) value->typed = {};
            return value;
        }
        default:
            return std::nullopt;
    }
}

// A function of Python's, of `math` or of NumPy's that makes values of values: a row of host_functions.cpp.
// Calls what a call of the host's is given: the `key` of `sorted`.
std::function<std::optional<Const>(const Const&, std::span<const Const>)> ModuleScope::Shared::caller_at(
    const ModuleScope& scope, const ast::Call& node) {
    return [&scope, &node](const Const& callee, std::span<const Const> args) -> std::optional<Const> {
        const auto* info = callee.as<const FunctionInfo*>();
        if (!info) return call_value(callee, args);
        HostArguments given;
        for (const Const& arg : args) given.values.emplace_back(to_entity(arg));
        const bool running = std::exchange(scope.running_, true);  // each call is another one
        const ModuleScope* run = scope.run_of(**info, node.func, std::move(given));
        scope.running_ = running;
        return run && run->returned_value_ ? to_const(*run->returned_value_) : std::nullopt;
    };
}

namespace {

/// Of a function of Python's or of a library; empty: of none.
std::string library_path(const std::optional<Entity>& callee) {
    const Path* path = callee ? std::get_if<Path>(&*callee) : nullptr;
    const Builtin* const* builtin = callee ? std::get_if<const Builtin*>(&*callee) : nullptr;
    return path ? path->name : builtin ? std::string((*builtin)->name) : std::string();
}

}  // namespace

std::optional<Entity> ModuleScope::call_host(const ast::Call& node) const {
    const auto as_entity = [](const std::optional<Const>& value) {
        return value ? std::optional(to_entity(*value)) : std::nullopt;
    };
    const auto* method = node.func->as<ast::Attribute>();
    const auto base = method ? constant(*method->value) : std::nullopt;
    std::string path = base ? std::string() : path_of(*node.func);
    const bool is_variable = path.empty() && node.func->as<ast::Name>();  // `area = np.trapezoid`
    if (is_variable) path = library_path(evaluate(*node.func));
    if (path == "types.SimpleNamespace" || path == "argparse.Namespace") return object_of_fields(node, nullptr);
    const HostFunction* function = base ? nullptr : find_host_function(path);
    if (!base && !function && (!is_variable || path.empty())) return std::nullopt;
    auto arguments = host_arguments(node);
    if (!arguments || !Shared::take_arguments(*this, node, *arguments)) return std::nullopt;
    if (taken_by_next(node) && root_of(*node.args[0])) return std::nullopt;  // each time another item
    HostCall call;
    call.call = Shared::caller_at(*this, node);
    for (const auto& value : arguments->values) {
        const bool is_taken =
            value && (std::holds_alternative<const ClassInfo*>(*value) || Shared::is_instance_object(*value));
        const auto known = is_taken ? Shared::iterated(*value) : value ? to_const(*value) : std::nullopt;
        if (!known) return std::nullopt;
        call.args.push_back(*known);
    }
    for (const auto& [name, value] : arguments->named) {
        const auto known = value ? to_const(*value) : std::nullopt;
        if (!known) return std::nullopt;
        call.named.emplace_back(name, *known);
    }
    if (!base && !function) return as_entity(call_library(path, node.func, call));
    if (base)
        if (const auto value = named_tuple_method(*base, method->attr, call)) return *value;
    if (base) return call.named.empty() ? as_entity(method_result(*base, method->attr, call.args)) : std::nullopt;
    auto result = call_host_function(*function, call);
    auto coming = result && gives_iterator(path) ? coming_of(*result) : std::nullopt;
    return as_entity(coming ? iterator_of(*std::move(coming)) : result);
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

}  // namespace pyk
