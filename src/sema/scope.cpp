#include "sema/scope.h"

#include <algorithm>

#include "sema/decorators.h"
#include "sema/free_names.h"
#include "sema/options.h"
#include "sema/scope_shared.h"
#include "sema/type_info.h"
#include "types/fp8.h"
#include "types/vector.h"

namespace pyk {
namespace {

bool strip(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<Const> scipy_constant(std::string_view name) {
    struct Row {
        std::string_view name;
        double value;
        bool is_int;
    };
    static constexpr Row kRows[] = {
#define PYK_SCIPY_CONSTANT(name, value, is_int) {name, value, is_int},
#include "sema/scipy_constants.def"
#undef PYK_SCIPY_CONSTANT
    };
    const auto* found = std::ranges::find(kRows, name, &Row::name);
    if (found == std::end(kRows)) return std::nullopt;
    if (found->is_int) return Const{static_cast<Const::Int>(found->value), {}};
    return Const{found->value, {}};
}

// The constants of `math` and `numpy`, by the last part of their names.
std::optional<Const> constant_of_module(std::string_view name) {
    static constexpr std::pair<std::string_view, double> kConstants[] = {
        {"pi", 3.141592653589793}, {"e", 2.718281828459045},   {"tau", 6.283185307179586},
        {"inf", __builtin_inf()},  {"nan", __builtin_nan("")}, {"euler_gamma", 0.5772156649015329},
    };
    for (const auto& [known, value] : kConstants)
        if (known == name) return Const{value, {}};
    return std::nullopt;
}

}  // namespace

std::string_view last_name(const ast::Expr& expr) {
    if (const auto* name = expr.as<ast::Name>()) return name->id;
    if (const auto* attribute = expr.as<ast::Attribute>()) return attribute->attr;
    return {};
}

std::optional<Entity> entity_of_path(std::string_view path) {
    std::string_view name = path;
    if (strip(name, "scipy.constants.")) {
        if (const auto constant = scipy_constant(name)) return *constant;
        return Path{std::string(path)};
    }
    // CuPy's scalar types and constants are NumPy's own.
    const bool cupy = strip(name, "cupy.");
    const bool is_info = name == "finfo" || name == "iinfo" || type_info(name);
    if (cupy && !is_info && !scalar_from_name(name) && !constant_of_module(name)) return Path{std::string(path)};
    const bool numpy = cupy || strip(name, "numpy.") || strip(name, "np.");
    const bool numba =
        !numpy && (strip(name, "numba.types.") || strip(name, "numba.core.types.") ||
                   strip(name, "numba.cuda.types.") || strip(name, "cuda.types.") || strip(name, "types."));
    const bool numba_root = !numpy && !numba && strip(name, "numba.");
    if (numba_root) strip(name, "core.");
    if (numpy || numba || numba_root) {
        const std::string_view last = name.starts_with("cuda.") ? name.substr(5) : name;
        if (const auto scalar = scalar_from_name(last)) return TypeName{Type(*scalar)};
    }
    if (name.starts_with("cuda."))
        if (const auto vector = vector_from_name(name.substr(5))) return TypeName{*vector};
    if (numba && name == "dim3") return TypeName{dim3_type()};
    if (name == "cuda.bf16.bfloat16" || name == "cuda.types.bfloat16") return TypeName{Type(Scalar::bfloat16)};
    if (path.starts_with("cuda.bindings.runtime.cudaRoundMode")) strip(name, "cuda.bindings.runtime.");
    if (strip(name, "cuda._internal.cuda_fp8.") || strip(name, "cuda.fp8.") || name.starts_with("cudaRoundMode.")) {
        if (const auto type = fp8_from_name(name)) return TypeName{*type};
        if (const Builtin* builtin = find_builtin(fmt::format("cuda.fp8.{}", name))) return builtin;
        return Path{fmt::format("cuda.fp8.{}", name)};
    }
    if ((numba || numba_root) && name.ends_with("voidptr")) return TypeName{Type::pointer(Type::none())};
    if (path.ends_with("random.xoroshiro128p_type") || path.ends_with("random.xoroshiro128p_dtype"))
        return TypeName{Type::xoroshiro128p_state()};
    if (numba_root && (name == "carray" || name == "farray")) return find_builtin(fmt::format("cuda.{}", name));
    if (numba_root && name == "prange") name = "range";
    if (path.ends_with("misc.special.literal_unroll")) name = "literal_unroll";
    if (numpy || path.starts_with("math."))
        if (const auto constant = constant_of_module(numpy ? name : path.substr(5))) return *constant;
    if (numpy) {
        if (name == "newaxis") return Const{Const::None{}, {}};
        if (const auto constant = type_info(name)) return *constant;
        if (const Builtin* builtin = find_builtin("np." + std::string(name))) return builtin;
        return Path{std::string(path)};
    }
    if (const Builtin* builtin = find_builtin(name)) return builtin;
    return Path{std::string(name)};
}

ModuleScope::ModuleScope(const ast::Module& module, const Defines& defines, Importer* importer)
    : owned_(std::make_unique<Shared>(defines, importer)), file_(&module) {
    shared_ = owned_.get();
    declare(module.body);
}

ModuleScope::ModuleScope(Shared& shared, const ast::Module* file, const ModuleScope* parent, Bindings bindings)
    : shared_(&shared), file_(file), parent_(parent), bindings_(std::move(bindings)) {}

ModuleScope::~ModuleScope() = default;

// --- declarations
// -----------------------------------------------------------------------------------------------------
void ModuleScope::declare(const ast::Block& block) {
    for (const ast::Stmt* stmt : block) {
        if (has_returned_) return;
        declare(*stmt);
    }
}

void ModuleScope::declare(const ast::Stmt& stmt) {
    const bool certain = certain_;
    if (const auto* node = stmt.as<ast::Import>()) import_names(*node, stmt.span);
    if (const auto* node = stmt.as<ast::ImportFrom>()) import_names(*node, stmt.span);
    if (const auto* node = stmt.as<ast::Assign>())
        for (const ast::Expr* target : node->targets) assign(*target, node->value);
    if (const auto* node = stmt.as<ast::AnnAssign>(); node && node->value) assign(*node->target, node->value);
    if (const auto* node = stmt.as<ast::AugAssign>()) assign(*node->target, nullptr);
    if (const auto* node = stmt.as<ast::If>()) {
        // Which branch runs is known or not; what may run leaves names of unknown values behind.
        const auto test = constant(*node->test);
        certain_ = test.has_value() && certain_;
        const auto* compared = node->test->as<ast::Compare>();
        const auto* subject = compared ? compared->left->as<ast::Name>() : nullptr;
        const bool in_main = std::exchange(in_main_, in_main_ || (subject && subject->id == "__name__"));
        if (!test || truth(*test)) declare(node->body);
        if (!test || !truth(*test)) declare(node->orelse);
        in_main_ = in_main;
    }
    if (const auto* node = stmt.as<ast::For>()) {
        certain_ = false;
        assign(*node->target, nullptr);
        declare(node->body);
        declare(node->orelse);
    }
    if (const auto* node = stmt.as<ast::While>()) {
        certain_ = false;
        declare(node->body);
        declare(node->orelse);
    }
    if (const auto* node = stmt.as<ast::Try>()) declare(*node);
    if (const auto* node = stmt.as<ast::With>()) declare(node->body);
    if (const auto* node = stmt.as<ast::ExprStmt>()) {
        const auto* call = node->value->as<ast::Call>();
        const auto* method = call ? call->func->as<ast::Attribute>() : nullptr;
        static constexpr std::string_view kChanges[] = {"fill",   "sort",    "partition", "put",    "itemset",
                                                        "resize", "append",  "extend",    "insert", "pop",
                                                        "remove", "reverse", "update"};
        if (method && std::ranges::find(kChanges, method->attr) != std::end(kChanges)) changed_in_place(*method->value);
    }
    if (const auto* node = stmt.as<ast::FunctionDef>()) add_function(*node, stmt.span);
    if (const auto* node = stmt.as<ast::ClassDef>()) declare_class(*node, stmt.span);
    if (const auto* node = stmt.as<ast::Return>(); node && parent_) {
        // A return that may or may not be reached leaves the result unknown.
        returned_ = certain_ ? node->value : nullptr;
        has_returned_ = true;
    }
    certain_ = certain;
}

// Where every import of the body is known to work, its handlers do not run. Else they may, but what the body defines
// stays.
void ModuleScope::declare(const ast::Try& node) {
    const bool certain = certain_;
    const auto is_import = [](const ast::Stmt* s) { return s->as<ast::Import>() || s->as<ast::ImportFrom>(); };
    const bool works =
        std::ranges::any_of(node.body, is_import) &&
        std::ranges::all_of(node.body, [&](const ast::Stmt* s) { return !is_import(s) || can_import(*s); });
    declare(node.body);
    if (!works) {
        certain_ = false;
        for (const ast::ExceptHandler& handler : node.handlers)
            for (const ast::Stmt* stmt : handler.body) {
                const auto* def = stmt->as<ast::FunctionDef>();
                if (!def || !is_declared(def->name)) declare(*stmt);
            }
        certain_ = certain;
    }
    declare(node.orelse);
    declare(node.finalbody);
}

bool ModuleScope::is_declared(std::string_view name) const {
    return functions_.contains(name) || variables_.contains(name) || imports_.contains(name) || classes_.contains(name);
}

void ModuleScope::assign(const ast::Expr& target, ast::ExprRef value, const std::vector<size_t>& items) {
    if (const auto* name = target.as<ast::Name>()) {
        if (runs_) {
            bindings_.erase(std::string(name->id));
            const auto known = certain_ && value ? variable(name->id, {value, items, target.span}) : std::nullopt;
            if (known) bindings_.emplace(std::string(name->id), *known);
            value = nullptr;
        }
        // A second assignment replaces the first: functions see the value that the module ends with.
        if (!variables_.contains(name->id)) variable_order_.push_back(name->id);
        // What an importer would not see leaves the value open.
        if (in_main_ && variables_.contains(name->id)) value = nullptr;
        const bool rebinds = functions_.contains(name->id) || imports_.contains(name->id);
        const bool again = variables_.contains(name->id);
        variables_[name->id] = Variable{certain_ ? value : nullptr, items, target.span, again, rebinds};
        if (const auto* call = value && items.empty() ? value->as<ast::Call>() : nullptr)
            declare_named_tuple(name->id, *call);
        return;
    }
    if (const auto* starred = target.as<ast::Starred>()) return assign(*starred->value, nullptr);
    if (const auto* subscript = target.as<ast::Subscript>()) return changed_in_place(*subscript->value);
    const auto* tuple = target.as<ast::Tuple>();
    const auto* list = target.as<ast::ListExpr>();
    if (!tuple && !list) return;
    const ast::ExprList elements = tuple ? tuple->elts : list->elts;
    const bool plain =
        std::ranges::none_of(elements, [](const ast::Expr* e) { return e->as<ast::Starred>() != nullptr; });
    for (size_t i = 0; i < elements.size(); ++i) {
        std::vector<size_t> part = items;
        part.push_back(i);
        assign(*elements[i], plain ? value : nullptr, part);
    }
}

// What the module stores into has a value that only running it would tell.
void ModuleScope::changed_in_place(const ast::Expr& place) {
    if (const auto* subscript = place.as<ast::Subscript>()) return changed_in_place(*subscript->value);
    if (const auto* name = place.as<ast::Name>(); name && variables_.contains(name->id)) assign(place, nullptr);
}

void ModuleScope::add_function(const ast::FunctionDef& def, Span span) {
    FunctionInfo info{.def = &def, .span = span, .name = std::string(def.name), .scope = this};
    for (const ast::Expr* decorator : def.decorator_list) decorate(info, *decorator);
    // The last definition of a name is the one that callers see.
    std::erase_if(order_, [&](const FunctionInfo* f) { return f->def->name == def.name; });
    if (const auto found = variables_.find(def.name); found != variables_.end()) found->second.rebinds = false;
    auto& slot = functions_[def.name];
    slot = std::make_unique<FunctionInfo>(std::move(info));
    order_.push_back(slot.get());
}

// --- names
// -----------------------------------------------------------------------------------------------------------
std::vector<std::string_view> ModuleScope::names() const {
    std::vector<std::string_view> all = parent_ ? parent_->names() : std::vector<std::string_view>();
    for (const auto& [name, entity] : bindings_) all.push_back(name);
    for (const auto& [name, path] : imports_) all.push_back(name);
    for (const auto& [name, value] : variables_) all.push_back(name);
    for (const auto& [name, info] : functions_) all.push_back(name);
    for (const auto& [name, node] : classes_) all.push_back(name);
    if (parent_) return all;
    for (const Builtin& builtin : all_builtins())
        if (builtin.name.find('.') == std::string_view::npos) all.push_back(builtin.name);
    return all;
}

bool ModuleScope::is_opaque(std::string_view name) const {
    const bool is_parameter = std::ranges::find(parameters_, name) != parameters_.end();
    if (!is_parameter && !is_declared(name) && !bindings_.contains(name)) return parent_ && parent_->is_opaque(name);
    if (const auto import = imports_.find(name); import != imports_.end() && !lookup(name))
        if (const ModuleScope* scope = file(import->second.module, import->second.level))
            return scope->is_opaque(import->second.attr);
    return (is_parameter || variables_.contains(name)) && !lookup(name);
}

std::optional<Note> ModuleScope::assigned_at(std::string_view name) const {
    const auto found = variables_.find(name);
    if (found == variables_.end()) return parent_ ? parent_->assigned_at(name) : std::nullopt;
    const Variable& variable = found->second;
    const std::string_view what = !variable.again  ? "gets its value here"
                                  : variable.value ? "gets another value here"
                                                   : "is changed here";
    return Note{variable.span, fmt::format("`{}` {}", name, what)};
}

std::optional<Entity> ModuleScope::variable(std::string_view name, const Variable& variable) const {
    if (!variable.value || std::ranges::find(evaluating_, name) != evaluating_.end()) return std::nullopt;
    evaluating_.push_back(name);
    std::optional<Entity> value = evaluate(*variable.value);
    evaluating_.pop_back();
    if (!value) return std::nullopt;
    const Const* constant = std::get_if<Const>(&*value);
    if (const NamedConst* named = std::get_if<NamedConst>(&*value)) constant = &named->value;
    if (!constant) return variable.items.empty() ? value : std::nullopt;
    for (const size_t item : variable.items) {
        const auto* tuple = constant->as<Const::Tuple>();
        if (!tuple || item >= tuple->size()) return std::nullopt;
        constant = &(*tuple)[item];
    }
    const Entity entity = to_entity(*constant);
    if (!variable.items.empty() && !std::holds_alternative<Const>(entity)) return entity;
    return NamedConst{std::string(name), *constant, variable.span};
}

// What the scope itself says of a name; Python's builtins are none of its names.
std::optional<Entity> ModuleScope::own(std::string_view name) const {
    if (const auto bound = bindings_.find(name); bound != bindings_.end()) return bound->second;
    const auto assigned = variables_.find(name);
    if (assigned != variables_.end() && assigned->second.rebinds)
        if (auto value = variable(name, assigned->second)) return value;
    if (const auto found = functions_.find(name); found != functions_.end()) return found->second.get();
    if (const auto found = known_classes_.find(name); found != known_classes_.end()) return &found->second;
    if (assigned != variables_.end() && !assigned->second.rebinds) return variable(name, assigned->second);
    if (const auto found = classes_.find(name); found != classes_.end())
        return &shared_->body(found->second, found->second->body, *this);
    if (const auto found = imports_.find(name); found != imports_.end()) {
        const bool rebound = assigned != variables_.end() && assigned->second.rebinds;
        if (std::ranges::count(evaluating_, name) > (rebound ? 1 : 0)) return std::nullopt;
        evaluating_.push_back(name);
        std::optional<Entity> entity = imported(found->second);
        evaluating_.pop_back();
        return entity;
    }
    for (const Import& star : star_imports_) {
        if (const ModuleScope* scope = file(star.module, star.level)) {
            if (std::ranges::find(evaluating_, name) != evaluating_.end()) continue;
            evaluating_.push_back(name);
            std::optional<Entity> entity = name.starts_with('_') ? std::nullopt : scope->own(name);
            evaluating_.pop_back();
            if (entity) return entity;
        } else if (const auto entity = entity_of_path(fmt::format("{}.{}", star.module, name));
                   !std::get_if<Path>(&*entity)) {
            return entity;
        }
    }
    return std::nullopt;
}

std::optional<Entity> ModuleScope::lookup(std::string_view name) const {
    const bool is_parameter = std::ranges::find(parameters_, name) != parameters_.end();
    if (!bindings_.contains(name) && (!parent_ || is_parameter || is_declared(name)))
        if (const auto define = shared_->defines.find(name); define != shared_->defines.end())
            return defined(std::string(name), define->second);
    if (auto entity = own(name)) return entity;
    if (is_parameter || is_declared(name)) return std::nullopt;
    if (parent_) return parent_->lookup(name);
    if (name == "__name__") return Const{std::string(owned_ ? "__main__" : "an imported file"), {}};
    if (const Builtin* builtin = find_builtin(name); builtin && name.find('.') == std::string_view::npos)
        return builtin;
    return std::nullopt;
}

std::optional<Entity> ModuleScope::member(const Entity& base, std::string_view attr) const {
    if (const ClassInfo* const* info = std::get_if<const ClassInfo*>(&base)) {
        if (const auto found = enum_member(**info, attr)) return *found;
        return std::nullopt;
    }
    if (const ModuleScope* const* scope = std::get_if<const ModuleScope*>(&base)) {
        if (auto entity = (*scope)->own(attr)) return entity;
        const bool is_file = !(*scope)->parent_;
        const ModuleScope* inner = is_file ? (*scope)->file(attr, 1) : nullptr;
        return inner ? std::optional<Entity>(inner) : std::nullopt;
    }
    if (const auto constant = to_const(base); constant && constant->as<Const::Array>())
        return array_member(*constant, attr);
    if (const auto* dtype = std::get_if<TypeName>(&base); dtype && dtype->type) {
        if (attr == "type") return base;
        if (attr == "itemsize") return Const{Const::Int(static_cast<Const::Int>(dtype->type.byte_size())), {}};
        if (attr == "kind" && dtype->type.is_scalar())
            return Const{std::string(1, info(dtype->type.scalar()).numpy[1]), {}};
        return std::nullopt;
    }
    const Path* path = std::get_if<Path>(&base);
    if (!path) return std::nullopt;
    const std::string dotted = path->name + "." + std::string(attr);
    std::optional<Entity> found = entity_of_path(dotted);
    // `cuda` and `cuda.threadIdx` have members; what is neither a row nor a prefix of rows does not exist.
    const Path* still = std::get_if<Path>(&*found);
    if (still)
        if (const ModuleScope* scope = file(dotted, 0)) return scope;
    const bool known_root = path->name == "cuda" || path->name == "math" || is_builtin_namespace(path->name);
    if (still && known_root && !is_builtin_namespace(still->name)) return std::nullopt;
    return found;
}

const ast::Expr* ModuleScope::definition(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() || !found->second.items.empty() ? nullptr : found->second.value;
}

std::vector<ir::NamedType> ModuleScope::named_types() const {
    std::vector<std::pair<uint32_t, ir::NamedType>> found;
    for (const auto& [name, variable] : variables_) {
        if (!variable.value || !(variable.value->as<ast::Call>() || variable.value->as<ast::Attribute>())) continue;
        // Types are not made by methods of what a call makes; arrays are, and take time.
        const auto* call = variable.value->as<ast::Call>();
        if (call && !called_type(*this, *call)) continue;
        const auto entity = lookup(name);
        const auto* type = entity ? std::get_if<TypeName>(&*entity) : nullptr;
        if (type && type->type.is_record()) found.push_back({variable.span.begin, {std::string(name), type->type}});
    }
    std::ranges::sort(found, {}, &std::pair<uint32_t, ir::NamedType>::first);
    std::vector<ir::NamedType> types;
    for (auto& [at, named] : found) types.push_back(std::move(named));
    return types;
}

}  // namespace pyk
