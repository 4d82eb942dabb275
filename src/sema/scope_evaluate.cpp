// Compile-time expressions over the names of a scope, and the functions that they make.
#include <fmt/ranges.h>

#include <algorithm>

#include "sema/const_array.h"
#include "sema/const_text.h"
#include "sema/free_names.h"
#include "sema/scope.h"
#include "sema/scope_shared.h"
#include "sema/type_info.h"

namespace pyk {
namespace {

bool defines_function(const ast::Block& body) {
    bool found = false;
    for (const ast::Stmt* stmt : body) {
        if (stmt->as<ast::FunctionDef>()) return true;
        for_each_block(*stmt, [&](const ast::Block& inner) { found |= defines_function(inner); });
    }
    return found;
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
        if (!known.value || !known.items.empty() || !names_kernel_maker(*known.value)) continue;
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
