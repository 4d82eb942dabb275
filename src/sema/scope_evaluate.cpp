// Compile-time expressions over the names of a scope, and the calls that make functions.
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sema/const_array.h"
#include "sema/const_text.h"
#include "sema/free_names.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"
#include "sema/type_info.h"

namespace pyk {
namespace {

constexpr int kDeepestCalls = 50;
constexpr int kMostCalls = 10000;  ///< of one compilation: host code may compute for hours

bool defines_function(const ast::Block& body) {
    bool found = false;
    for (const ast::Stmt* stmt : body) {
        if (stmt->as<ast::FunctionDef>()) return true;
        for_each_block(*stmt, [&](const ast::Block& inner) { found |= defines_function(inner); });
    }
    return found;
}

std::optional<Const> element(const ModuleScope& scope, const ast::Expr& expr) {
    const std::optional<Entity> value = scope.evaluate(expr);
    return value ? to_const(*value) : std::nullopt;
}

const FunctionInfo* function_in(const std::optional<Entity>& entity) {
    const auto* info = entity ? std::get_if<const FunctionInfo*>(&*entity) : nullptr;
    return info ? *info : nullptr;
}

}  // namespace

std::optional<Const> to_const(const Entity& entity) {
    if (const Const* constant = std::get_if<Const>(&entity)) return *constant;
    if (const NamedConst* named = std::get_if<NamedConst>(&entity)) return named->value;
    if (const TypeName* type = std::get_if<TypeName>(&entity)) return Const{type->type, {}};
    if (const auto* info = std::get_if<const FunctionInfo*>(&entity)) return Const{*info, {}};
    if (const auto* builtin = std::get_if<const Builtin*>(&entity)) return Const{*builtin, {}};
    return std::nullopt;
}

Entity to_entity(const Const& constant) {
    if (const Type* type = constant.as<Type>()) return TypeName{*type};
    if (const auto* info = constant.as<const FunctionInfo*>()) return *info;
    if (const auto* builtin = constant.as<const Builtin*>()) return *builtin;
    return constant;
}

std::string key_of(const Entity& entity) {
    const auto text = [](const auto& self, const Const& c) -> std::string {
        std::string type = fmt::format("{}:{}", c.value.index(), fmt::ptr(c.typed.data()));
        return type +
               std::visit(
                   [&](const auto& v) -> std::string {
                       using T = std::decay_t<decltype(v)>;
                       if constexpr (std::is_same_v<T, Const::None>)
                           return "";
                       else if constexpr (std::is_same_v<T, Const::Int>)
                           return fmt::format("{},{}", static_cast<int64_t>(v >> 64), static_cast<uint64_t>(v));
                       else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>)
                           return fmt::format("{}", v);
                       else if constexpr (std::is_same_v<T, std::complex<double>>)
                           return fmt::format("{},{}", v.real(), v.imag());
                       else if constexpr (std::is_same_v<T, std::string>)
                           return fmt::format("{}'{}'", v.size(), v);
                       else if constexpr (std::is_same_v<T, Type>)
                           return fmt::format("{}", fmt::ptr(v.data()));
                       else if constexpr (std::is_same_v<T, Const::Tuple>) {
                           std::string all = "(";
                           for (const Const& item : v) all += self(self, item) + ",";
                           return all + ")";
                       } else if constexpr (std::is_same_v<T, Const::Dict>) {
                           std::string all = "{";
                           for (const Const& item : v.keys) all += self(self, item) + ",";
                           for (const Const& item : v.values) all += self(self, item) + ",";
                           return all + "}";
                       } else if constexpr (std::is_same_v<T, Const::Array>) {
                           const auto& bytes = v->table.bytes;
                           const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                           return fmt::format("{}[{}]{}", fmt::ptr(v->type.data()), fmt::join(v->table.shape, ","),
                                              std::hash<std::string_view>()(text));
                       } else
                           return fmt::format("{}", fmt::ptr(v));
                   },
                   c.value);
    };
    if (const auto constant = to_const(entity)) return text(text, *constant);
    if (const Path* path = std::get_if<Path>(&entity)) return "path " + path->name;
    if (const auto* scope = std::get_if<const ModuleScope*>(&entity)) return fmt::format("scope {}", fmt::ptr(*scope));
    if (const auto* info = std::get_if<const ClassInfo*>(&entity)) return fmt::format("class {}", fmt::ptr(*info));
    if (const auto* group = std::get_if<Group>(&entity)) return fmt::format("{} {}", group->family, group->size);
    return "closure";
}

Entity defined(std::string name, const DefineValue& value) {
    const auto number = [](const ConstantValue& v) {
        return std::visit(
            [](auto n) -> Const {
                if constexpr (std::is_integral_v<decltype(n)> && !std::is_same_v<decltype(n), bool>)
                    return {static_cast<Const::Int>(n), {}};
                else
                    return {n, {}};
            },
            v);
    };
    if (const Type* type = std::get_if<Type>(&value)) return TypeName{*type};
    if (const auto* items = std::get_if<std::vector<ConstantValue>>(&value)) {
        Const::Tuple tuple;
        for (const ConstantValue& item : *items) tuple.push_back(number(item));
        return NamedConst{std::move(name), {std::move(tuple), {}}, {}};
    }
    return NamedConst{std::move(name), number(std::get<ConstantValue>(value)), {}};
}

ModuleScope& ModuleScope::Shared::body(const void* key, const ast::Block& block, const ModuleScope& parent) {
    auto& slot = bodies[{key, &parent}];
    if (!slot) {
        slot.reset(new ModuleScope(*this, parent.file_, &parent, {}));
        slot->declare(block);
    }
    return *slot;
}

const ast::FunctionDef& ModuleScope::function_of(const ast::Expr& lambda) const {
    auto& slot = shared_->lambdas[&lambda];
    if (!slot) {
        const auto& node = *lambda.as<ast::Lambda>();
        slot = std::make_unique<LambdaFunction>();
        slot->stmt = {node.body->span, ast::Return{node.body}};
        slot->body[0] = &slot->stmt;
        const Span name{lambda.span.file, lambda.span.begin, lambda.span.begin + 6};
        slot->def = {"lambda", name, node.args, ast::Block(slot->body, 1), {}, nullptr, false};
    }
    return slot->def;
}

const FunctionInfo& ModuleScope::lift(const ast::FunctionDef& def, Span span, std::string name, Bindings known,
                                      std::vector<std::string_view> captures) const {
    std::string key;
    for (const auto& [bound, entity] : known) key += fmt::format("{}={};", bound, key_of(entity));
    for (const std::string_view capture : captures) key += fmt::format("{},", capture);
    auto& slot = shared_->lifted[{&def, this, std::move(key)}];
    if (!slot) {
        shared_->lifted_scopes.emplace_back(new ModuleScope(*shared_, file_, this, std::move(known)));
        slot = std::make_unique<FunctionInfo>(FunctionInfo{.def = &def,
                                                           .span = span,
                                                           .kind = FunctionKind::device,
                                                           .name = std::move(name),
                                                           .scope = shared_->lifted_scopes.back().get(),
                                                           .captures = std::move(captures)});
    }
    return *slot;
}

// --- calls
// -----------------------------------------------------------------------------------------------------------
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
        if (const auto* tuple = arg->as<Const::Tuple>()) return Const{static_cast<Const::Int>(tuple->size()), {}};
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
        if (!field.empty() && std::from_chars(field.data(), field.data() + field.size(), at).ec != std::errc())
            return std::nullopt;
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

std::optional<Entity> ModuleScope::subscript(const ast::Subscript& node) const {
    const auto owner = evaluate(*node.value);
    if (const auto* info = owner ? std::get_if<const ClassInfo*>(&*owner) : nullptr) {
        const auto key = constant(*node.slice);
        const auto* name = key ? key->as<std::string>() : nullptr;
        const auto member = name ? enum_member(**info, *name) : std::nullopt;
        return member ? std::optional<Entity>(*member) : std::nullopt;
    }
    // Of a dict that the module writes out, only the value that is asked for has to be known.
    const auto [scope, written] = origin(*node.value);
    if (const auto* dict = written->as<ast::Dict>()) {
        const auto key = constant(*node.slice);
        for (size_t i = dict->keys.size(); key && i-- > 0;) {
            const auto known = dict->keys[i] ? scope->constant(*dict->keys[i]) : std::nullopt;
            if (!known) return std::nullopt;
            if (key_of(*known) == key_of(*key)) return scope->evaluate(*dict->values[i]);
        }
        return std::nullopt;
    }
    const auto base = constant(*node.value);
    if (const auto* array = base ? base->as<Const::Array>() : nullptr) {
        const auto value = array_subscript(*this, **array, *node.slice);
        return value ? std::optional<Entity>(*value) : std::nullopt;
    }
    const auto index = constant(*node.slice);
    if (!base || !index) return std::nullopt;
    if (const auto* dict = base->as<Const::Dict>()) {
        for (size_t i = 0; i < dict->keys.size(); ++i)
            if (key_of(dict->keys[i]) == key_of(*index)) return to_entity(dict->values[i]);
        return std::nullopt;
    }
    const auto* tuple = base->as<Const::Tuple>();
    auto at = to_int(*index);
    if (!tuple || !at) return std::nullopt;
    if (*at < 0) *at += static_cast<int64_t>(tuple->size());
    if (*at < 0 || *at >= static_cast<int64_t>(tuple->size())) return std::nullopt;
    return to_entity((*tuple)[static_cast<size_t>(*at)]);
}

// --- kernels
// ---------------------------------------------------------------------------------------------------------
// Whether the value of a variable may be a function: `make(16)`, `cuda.jit(f)`. Other calls stay unread.
bool ModuleScope::names_kernel_maker(const ast::Expr& value) const {
    const auto* call = value.as<ast::Call>();
    if (!call) return false;
    if (call->func->as<ast::Call>()) return true;
    if (is_decorator(*call->func)) return true;
    if (!call->func->as<ast::Name>() && !call->func->as<ast::Attribute>()) return false;
    const FunctionInfo* info = function_in(evaluate(*call->func));
    return info && info->kind == FunctionKind::plain && defines_function(info->def->body);
}

void ModuleScope::collect(Wanted wanted, std::vector<FunctionInfo*>& found) const {
    const auto add = [&](FunctionInfo* info) {
        if (wanted(*info) && std::ranges::find(found, info) == found.end()) found.push_back(info);
    };
    for (FunctionInfo* info : order_) add(info);
    for (const std::string_view name : variable_order_) {
        const Variable& known = variables_.at(name);
        if (!known.value || known.item || !names_kernel_maker(*known.value)) continue;
        // The function is one of ours: made by a call in a scope of this compilation.
        if (const FunctionInfo* info = function_in(lookup(name))) add(const_cast<FunctionInfo*>(info));
    }
    for (const FunctionInfo* info : order_)
        if (info->kind == FunctionKind::plain) inside(*info).collect(wanted, found);
    for (const auto& [name, node] : classes_) shared_->body(node, node->body, *this).collect(wanted, found);
}

std::vector<const FunctionInfo*> ModuleScope::kernels() const {
    return entry_functions([](const FunctionInfo& info) { return info.kind == FunctionKind::kernel; });
}

std::vector<const FunctionInfo*> ModuleScope::array_functions() const {
    return entry_functions([](const FunctionInfo& info) { return info.array != ArrayKind::none; });
}

std::vector<const FunctionInfo*> ModuleScope::entry_functions(Wanted wanted) const {
    std::vector<FunctionInfo*> found;
    collect(wanted, found);
    std::ranges::stable_sort(found, [](const FunctionInfo* a, const FunctionInfo* b) {
        return (a->scope->parent_ == nullptr) > (b->scope->parent_ == nullptr);
    });
    // A factory's own kernel stands for nothing once a call made one.
    std::erase_if(found, [all = found](const FunctionInfo* f) {
        return !f->scope->runs_ &&
               std::ranges::any_of(all, [&](const FunctionInfo* g) { return g->def == f->def && g->scope->runs_; });
    });
    // Kernels of one name in several functions: the first keeps it, the others are numbered.
    std::map<std::string, int, std::less<>> count;
    for (FunctionInfo* info : found)
        if (const int n = ++count[info->name]; n > 1) info->name += fmt::format("_{}", n);
    return {found.begin(), found.end()};
}

std::vector<std::string_view> ModuleScope::open_names(const FunctionInfo& info) const {
    std::vector<std::string_view> open;
    if (!info.scope->parent_) return open;
    for (const std::string_view name : free_names(*info.def))
        if (info.scope->is_opaque(name)) open.push_back(name);
    return open;
}

// --- expressions
// ------------------------------------------------------------------------------------------------------
std::optional<Const> ModuleScope::constant(const ast::Expr& expr) const {
    const std::optional<Entity> value = evaluate(expr);
    if (!value) return std::nullopt;
    if (const Const* constant = std::get_if<Const>(&*value)) return *constant;
    if (const NamedConst* named = std::get_if<NamedConst>(&*value)) return named->value;
    return std::nullopt;
}

const ModuleScope& ModuleScope::with(Bindings names) const {
    shared_->lifted_scopes.emplace_back(new ModuleScope(*shared_, file_, this, std::move(names)));
    return *shared_->lifted_scopes.back();
}

std::optional<Entity> ModuleScope::evaluate(const ast::Expr& expr) const {
    if (const auto known = shared_->arrays.find({&expr, this}); known != shared_->arrays.end()) return known->second;
    std::optional<Entity> value = computed(expr);
    if (const Const* constant = value ? std::get_if<Const>(&*value) : nullptr; constant && constant->as<Const::Array>())
        shared_->arrays.emplace(std::pair(&expr, this), *constant);
    return value;
}

std::optional<Entity> ModuleScope::computed(const ast::Expr& expr) const {
    if (const auto* node = expr.as<ast::Constant>()) {
        if (auto value = literal(*node)) return *value;
        return std::nullopt;
    }
    if (const auto* node = expr.as<ast::Name>()) return lookup(node->id);
    if (const auto* node = expr.as<ast::Attribute>()) {
        const auto base = evaluate(*node->value);
        if (!base) return std::nullopt;
        return member(*base, node->attr);
    }
    if (const auto* node = expr.as<ast::BinOp>()) {
        const auto lhs = constant(*node->left), rhs = constant(*node->right);
        if (!lhs || !rhs) return std::nullopt;
        const bool arrays = lhs->as<Const::Array>() || rhs->as<Const::Array>();
        if (auto value = arrays ? apply_arrays(node->op, *lhs, *rhs) : apply(node->op, *lhs, *rhs)) return *value;
        return std::nullopt;
    }
    if (const auto* node = expr.as<ast::Unary>()) {
        const auto operand = constant(*node->operand);
        if (!operand) return std::nullopt;
        const auto change = [&](std::span<const Const> v) { return apply(node->op, v[0]); };
        if (operand->as<Const::Array>() && node->op == ast::UnaryOp::Not) return std::nullopt;
        if (auto value = elementwise({&*operand, 1}, change)) return *value;
        return std::nullopt;
    }
    if (const auto* node = expr.as<ast::Compare>(); node && node->ops.size() == 1) {
        const auto lhs = constant(*node->left), rhs = constant(*node->comparators[0]);
        if (!lhs || !rhs) return std::nullopt;
        if (lhs->as<Const::Array>() || rhs->as<Const::Array>()) {
            const Const operands[] = {*lhs, *rhs};
            auto value = elementwise(operands, [&](std::span<const Const> v) -> std::optional<Const> {
                const auto truth = pyk::compare(node->ops[0], v[0], v[1]);
                return truth ? std::optional(Const{*truth, Scalar::boolean}) : std::nullopt;
            });
            return value ? std::optional<Entity>(*value) : std::nullopt;
        }
        if (const auto value = compare(node->ops[0], *lhs, *rhs)) return Const{*value, {}};
        return std::nullopt;
    }
    if (const auto* node = expr.as<ast::IfExp>()) {
        const auto test = constant(*node->test);
        return test ? evaluate(truth(*test) ? *node->body : *node->orelse) : std::nullopt;
    }
    if (const auto* node = expr.as<ast::BoolOp>()) {
        std::optional<Entity> value;
        for (const ast::Expr* operand : node->values) {
            value = evaluate(*operand);
            const auto known = value ? to_const(*value) : std::nullopt;
            if (!known) return std::nullopt;
            if (truth(*known) == (node->op == ast::LogicalOp::Or)) return value;
        }
        return value;
    }
    if (const auto* node = expr.as<ast::Tuple>()) {
        Const::Tuple elements;
        for (const ast::Expr* item : node->elts) {
            const auto value = element(*this, *item);
            if (!value) return std::nullopt;
            elements.push_back(*value);
        }
        return Const{std::move(elements), {}};
    }
    if (const auto* node = expr.as<ast::Dict>()) {
        Const::Dict dict;
        for (size_t i = 0; i < node->keys.size(); ++i) {
            const auto key = node->keys[i] ? constant(*node->keys[i]) : std::nullopt;
            const auto value = element(*this, *node->values[i]);
            if (!key || !value) return std::nullopt;
            dict.keys.push_back(*key);
            dict.values.push_back(*value);
        }
        return Const{std::move(dict), {}};
    }
    if (expr.as<ast::Lambda>()) {
        auto& slot = shared_->made[{&expr, this}];
        if (!slot)
            slot = std::make_unique<FunctionInfo>(
                FunctionInfo{.def = &function_of(expr), .span = expr.span, .name = "lambda", .scope = this});
        return slot.get();
    }
    if (const auto* node = expr.as<ast::JoinedStr>()) {
        const auto text = formatted(*node);
        return text ? std::optional<Entity>(Const{*text, {}}) : std::nullopt;
    }
    if (const auto* node = expr.as<ast::Subscript>()) return subscript(*node);
    if (const auto* node = expr.as<ast::Call>()) return call(*node);
    return std::nullopt;
}

}  // namespace pyk
