#include "sema/scope.h"

#include <algorithm>

namespace pyk {
namespace {

bool strip(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

// The constants of `math` and `numpy`, by the last part of their names.
std::optional<Const> constant_of_module(std::string_view name) {
    static constexpr std::pair<std::string_view, double> kConstants[] = {
        {"pi", 3.141592653589793}, {"e", 2.718281828459045},   {"tau", 6.283185307179586},
        {"inf", __builtin_inf()},  {"nan", __builtin_nan("")},
    };
    for (const auto& [known, value] : kConstants)
        if (known == name) return Const{value, {}};
    return std::nullopt;
}

// A full import path as the tables name it: `numba.cuda.random.f` → `cuda.random.f`, `numpy.float32` → the type.
std::optional<Entity> entity_of_path(std::string_view path) {
    std::string_view name = path;
    const bool numpy = strip(name, "numpy.") || strip(name, "np.");
    const bool numba =
        !numpy && (strip(name, "numba.types.") || strip(name, "numba.core.types.") || strip(name, "types."));
    const bool numba_root = !numpy && !numba && strip(name, "numba.");
    if (numba_root) strip(name, "core.");
    if (numpy || numba || numba_root)
        if (const auto scalar = scalar_from_name(name)) return TypeName{Type(*scalar)};
    if (path.ends_with("random.xoroshiro128p_type") || path.ends_with("random.xoroshiro128p_dtype"))
        return TypeName{Type::xoroshiro128p_state()};
    if (numba_root && name == "prange") name = "range";
    if (numpy || path.starts_with("math."))
        if (const auto constant = constant_of_module(numpy ? name : path.substr(5))) return *constant;
    if (numpy) return Path{std::string(path)};
    if (const Builtin* builtin = find_builtin(name)) return builtin;
    return Path{std::string(name)};
}

// The decorator without its call: `cuda.jit` of `@cuda.jit(device=True)`.
std::string dotted_name(const ast::Expr& expr) {
    if (const auto* name = expr.as<ast::Name>()) return std::string(name->id);
    if (const auto* attribute = expr.as<ast::Attribute>()) {
        const std::string base = dotted_name(*attribute->value);
        return base.empty() ? "" : base + "." + std::string(attribute->attr);
    }
    return "";
}

bool is_true(const ast::Expr& expr) {
    const auto* constant = expr.as<ast::Constant>();
    const bool* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
    return value && *value;
}

bool is_string(const ast::Expr& expr, std::string_view text) {
    const auto* constant = expr.as<ast::Constant>();
    const auto* value = constant ? std::get_if<ast::StrValue>(&constant->value) : nullptr;
    return value && value->text == text;
}

}  // namespace

ModuleScope::ModuleScope(const ast::Module& module, const Defines& defines) : defines_(defines) {
    for (const ast::Stmt* stmt : module.body) declare(*stmt);
}

void ModuleScope::declare(const ast::Stmt& stmt) {
    const bool certain = certain_;
    const auto block = [&](const ast::Block& body) {
        for (const ast::Stmt* inner : body) declare(*inner);
    };
    if (const auto* node = stmt.as<ast::Import>()) import_names(*node);
    if (const auto* node = stmt.as<ast::ImportFrom>()) import_names(*node);
    if (const auto* node = stmt.as<ast::Assign>())
        for (const ast::Expr* target : node->targets) assign(*target, node->value, {});
    if (const auto* node = stmt.as<ast::AnnAssign>(); node && node->value) assign(*node->target, node->value, {});
    if (const auto* node = stmt.as<ast::AugAssign>()) assign(*node->target, nullptr, {});
    if (const auto* node = stmt.as<ast::If>()) {
        // Which branch runs is known or not; what may run leaves names of unknown values behind.
        const auto test = constant(*node->test);
        certain_ = test.has_value() && certain_;
        if (!test || truth(*test)) block(node->body);
        if (!test || !truth(*test)) block(node->orelse);
    }
    if (const auto* node = stmt.as<ast::For>()) {
        certain_ = false;
        assign(*node->target, nullptr, {});
        block(node->body);
        block(node->orelse);
    }
    if (const auto* node = stmt.as<ast::While>()) {
        certain_ = false;
        block(node->body);
        block(node->orelse);
    }
    if (const auto* node = stmt.as<ast::Try>()) {
        block(node->body);
        certain_ = false;
        for (const ast::ExceptHandler& handler : node->handlers) block(handler.body);
        certain_ = certain;
        block(node->orelse);
        block(node->finalbody);
    }
    if (const auto* node = stmt.as<ast::With>()) block(node->body);
    if (const auto* node = stmt.as<ast::ClassDef>()) declare_class(*node, stmt.span);
    if (const auto* node = stmt.as<ast::FunctionDef>()) {
        auto& slot = functions_[node->name];
        slot = std::make_unique<FunctionInfo>(classify(*node, stmt.span));
        std::erase_if(order_, [&](const FunctionInfo* f) { return f->def->name == node->name; });
        order_.push_back(slot.get());
    }
    certain_ = certain;
}

void ModuleScope::import_names(const ast::Import& node) {
    for (const ast::Alias& alias : node.names) {
        if (!alias.asname.empty()) {
            imports_[alias.asname] = std::string(alias.name);
        } else {
            const std::string_view root = alias.name.substr(0, alias.name.find('.'));
            imports_[root] = std::string(root);
        }
    }
}

void ModuleScope::import_names(const ast::ImportFrom& node) {
    for (const ast::Alias& alias : node.names)
        if (alias.name == "*")
            star_imports_.push_back(node.module);
        else
            imports_[alias.asname.empty() ? alias.name : alias.asname] =
                std::string(node.module) + "." + std::string(alias.name);
}

void ModuleScope::assign(const ast::Expr& target, ast::ExprRef value, std::optional<size_t> item) {
    if (const auto* name = target.as<ast::Name>()) {
        // A second assignment replaces the first: functions see the value that the module ends with.
        variables_[name->id] = Variable{certain_ ? value : nullptr, item, target.span};
        if (const auto* call = value && !item ? value->as<ast::Call>() : nullptr) declare_named_tuple(name->id, *call);
        return;
    }
    if (const auto* starred = target.as<ast::Starred>()) return assign(*starred->value, nullptr, {});
    const auto* tuple = target.as<ast::Tuple>();
    const auto* list = target.as<ast::ListExpr>();
    if (!tuple && !list) return;
    const ast::ExprList elements = tuple ? tuple->elts : list->elts;
    const bool plain =
        !item && std::ranges::none_of(elements, [](const ast::Expr* e) { return e->as<ast::Starred>() != nullptr; });
    for (size_t i = 0; i < elements.size(); ++i) assign(*elements[i], plain ? value : nullptr, i);
}

FunctionInfo ModuleScope::classify(const ast::FunctionDef& def, Span span) const {
    FunctionInfo info{&def, span, FunctionKind::plain, false, nullptr};
    for (const ast::Expr* decorator : def.decorator_list) {
        const auto* call = decorator->as<ast::Call>();
        const std::string dotted = dotted_name(call ? *call->func : *decorator);
        const std::string root = dotted.substr(0, dotted.find('.'));
        const auto import = imports_.find(root);
        std::string path = import == imports_.end() ? dotted : import->second + dotted.substr(root.size());
        if (path.starts_with("numba.")) path.erase(0, 6);
        const bool is_cuda = path == "cuda.jit" || path == "cuda.declare_device";
        const bool is_cpu = path == "jit" || path == "njit";
        if (!is_cuda && !is_cpu) continue;
        info.kind = is_cuda ? FunctionKind::kernel : FunctionKind::device;
        if (!call) continue;
        if (!call->args.empty()) info.signatures = call->args[0];
        for (const ast::Keyword& keyword : call->keywords) {
            if (keyword.arg == "device" && is_true(*keyword.value)) info.kind = FunctionKind::device;
            if (keyword.arg == "inline")
                info.always_inline = is_true(*keyword.value) || is_string(*keyword.value, "always");
            if (keyword.arg == "forceinline") info.always_inline |= is_true(*keyword.value);
            if (keyword.arg == "signature" || keyword.arg == "func_or_sig" || keyword.arg == "argtypes")
                info.signatures = keyword.value;
        }
    }
    return info;
}

const FunctionInfo* ModuleScope::function(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second.get();
}

std::vector<std::string_view> ModuleScope::names() const {
    std::vector<std::string_view> all;
    for (const auto& [name, path] : imports_) all.push_back(name);
    for (const auto& [name, value] : variables_) all.push_back(name);
    for (const auto& [name, info] : functions_) all.push_back(name);
    for (const Builtin& builtin : all_builtins())
        if (builtin.name.find('.') == std::string_view::npos) all.push_back(builtin.name);
    return all;
}

bool ModuleScope::is_opaque(std::string_view name) const { return variables_.contains(name) && !lookup(name); }

std::optional<Entity> ModuleScope::variable(std::string_view name, const Variable& variable) const {
    if (!variable.value || std::ranges::find(evaluating_, name) != evaluating_.end()) return std::nullopt;
    evaluating_.push_back(name);
    std::optional<Entity> value = evaluate(*variable.value);
    evaluating_.pop_back();
    if (!value) return std::nullopt;
    const Const* constant = std::get_if<Const>(&*value);
    if (const NamedConst* named = std::get_if<NamedConst>(&*value)) constant = &named->value;
    if (!constant) return variable.item ? std::nullopt : value;
    if (!variable.item) return NamedConst{std::string(name), *constant, variable.span};
    const auto* tuple = constant->as<Const::Tuple>();
    if (!tuple || *variable.item >= tuple->size()) return std::nullopt;
    return NamedConst{std::string(name), (*tuple)[*variable.item], variable.span};
}

std::optional<Entity> ModuleScope::lookup(std::string_view name) const {
    if (const auto define = defines_.find(name); define != defines_.end()) {
        const Const value = std::visit(
            [](auto v) -> Const {
                if constexpr (std::is_integral_v<decltype(v)> && !std::is_same_v<decltype(v), bool>)
                    return {static_cast<Const::Int>(v), {}};
                else
                    return {v, {}};
            },
            define->second);
        return NamedConst{std::string(name), value, {}};
    }
    if (const FunctionInfo* info = function(name)) return info;
    if (const ClassInfo* info = class_named(name)) return info;
    if (const auto found = variables_.find(name); found != variables_.end()) return variable(name, found->second);
    if (const auto found = imports_.find(name); found != imports_.end()) return entity_of_path(found->second);
    for (const std::string_view module : star_imports_)
        if (const auto entity = entity_of_path(fmt::format("{}.{}", module, name)); !std::get_if<Path>(&*entity))
            return entity;
    if (const Builtin* builtin = find_builtin(name); builtin && name.find('.') == std::string_view::npos)
        return builtin;
    return std::nullopt;
}

std::optional<Entity> ModuleScope::member(const Entity& base, std::string_view attr) const {
    if (const ClassInfo* const* info = std::get_if<const ClassInfo*>(&base)) {
        if (const auto found = enum_member(**info, attr)) return *found;
        return std::nullopt;
    }
    const Path* path = std::get_if<Path>(&base);
    if (!path) return std::nullopt;
    const std::string dotted = path->name + "." + std::string(attr);
    std::optional<Entity> found = entity_of_path(dotted);
    // `cuda` and `cuda.threadIdx` have members; what is neither a row nor a prefix of rows does not exist.
    const Path* still = std::get_if<Path>(&*found);
    const bool known_root = path->name == "cuda" || path->name == "math" || is_builtin_namespace(path->name);
    if (still && known_root && !is_builtin_namespace(still->name)) return std::nullopt;
    return found;
}

const ast::Expr* ModuleScope::definition(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() || found->second.item ? nullptr : found->second.value;
}

std::vector<ir::NamedType> ModuleScope::named_types() const {
    std::vector<std::pair<uint32_t, ir::NamedType>> found;
    for (const auto& [name, variable] : variables_) {
        if (!variable.value || !(variable.value->as<ast::Call>() || variable.value->as<ast::Attribute>())) continue;
        const auto entity = lookup(name);
        const auto* type = entity ? std::get_if<TypeName>(&*entity) : nullptr;
        if (type && type->type.is_record()) found.push_back({variable.span.begin, {std::string(name), type->type}});
    }
    std::ranges::sort(found, {}, &std::pair<uint32_t, ir::NamedType>::first);
    std::vector<ir::NamedType> types;
    for (auto& [at, named] : found) types.push_back(std::move(named));
    return types;
}

std::optional<Entity> ModuleScope::call(const ast::Call& node) const {
    if (const auto type = called_type(*this, node)) return TypeName{*type};
    const std::optional<Entity> callee = evaluate(*node.func);
    if (!callee || node.args.empty() || node.args.size() > 2 || !node.keywords.empty()) return std::nullopt;
    const std::optional<Const> arg = constant(*node.args[0]);
    if (!arg) return std::nullopt;
    if (node.args.size() == 2) {
        const auto* builtin = std::get_if<const Builtin*>(&*callee);
        const std::optional<Const> imaginary = constant(*node.args[1]);
        if (!builtin || (*builtin)->special != Special::complex_ || !imaginary) return std::nullopt;
        return complex_of(*arg, *imaginary);
    }
    if (const TypeName* type = std::get_if<TypeName>(&*callee))
        if (const auto value = cast(*arg, type->type)) return *value;
    const Builtin* const* builtin = std::get_if<const Builtin*>(&*callee);
    if (!builtin) return std::nullopt;
    // Python's own conversions, so that `N = int(1e6)` is a constant.
    if ((*builtin)->special == Special::int_) {
        auto value = cast(*arg, Scalar::int64);
        if (value) value->typed = {};
        return value;
    }
    if ((*builtin)->special == Special::complex_) return complex_of(*arg, Const{0.0, {}});
    if ((*builtin)->special == Special::float_)
        if (auto value = cast(*arg, Scalar::float64)) {
            value->typed = {};
            return *value;
        }
    return std::nullopt;
}

std::optional<Const> ModuleScope::constant(const ast::Expr& expr) const {
    const std::optional<Entity> value = evaluate(expr);
    if (!value) return std::nullopt;
    if (const Const* constant = std::get_if<Const>(&*value)) return *constant;
    if (const NamedConst* named = std::get_if<NamedConst>(&*value)) return named->value;
    return std::nullopt;
}

std::optional<Entity> ModuleScope::evaluate(const ast::Expr& expr) const {
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
        if (auto value = apply(node->op, *lhs, *rhs)) return *value;
        return std::nullopt;
    }
    if (const auto* node = expr.as<ast::Unary>()) {
        const auto operand = constant(*node->operand);
        if (!operand) return std::nullopt;
        if (auto value = apply(node->op, *operand)) return *value;
        return std::nullopt;
    }
    if (const auto* node = expr.as<ast::Compare>(); node && node->ops.size() == 1) {
        const auto lhs = constant(*node->left), rhs = constant(*node->comparators[0]);
        if (!lhs || !rhs) return std::nullopt;
        if (const auto value = compare(node->ops[0], *lhs, *rhs)) return Const{*value, {}};
        return std::nullopt;
    }
    if (const auto* node = expr.as<ast::IfExp>()) {
        const auto test = constant(*node->test);
        return test ? evaluate(truth(*test) ? *node->body : *node->orelse) : std::nullopt;
    }
    if (const auto* node = expr.as<ast::Tuple>()) {
        Const::Tuple elements;
        for (const ast::Expr* element : node->elts) {
            const auto value = constant(*element);
            if (!value) return std::nullopt;
            elements.push_back(*value);
        }
        return Const{std::move(elements), {}};
    }
    if (const auto* node = expr.as<ast::Subscript>()) {
        const auto base = constant(*node->value), index = constant(*node->slice);
        const auto* tuple = base ? base->as<Const::Tuple>() : nullptr;
        auto at = index ? to_int(*index) : std::nullopt;
        if (!tuple || !at) return std::nullopt;
        if (*at < 0) *at += static_cast<int64_t>(tuple->size());
        if (*at < 0 || *at >= static_cast<int64_t>(tuple->size())) return std::nullopt;
        return (*tuple)[static_cast<size_t>(*at)];
    }
    if (const auto* node = expr.as<ast::Call>()) return call(*node);
    return std::nullopt;
}

}  // namespace pyk
