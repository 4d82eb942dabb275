#include "module/scope.h"

#include <algorithm>

#include "module/decorators.h"
#include "module/free_names.h"
#include "module/host_sets.h"
#include "module/host_values.h"
#include "module/scope_grids.h"
#include "module/scope_shared.h"
#include "support/words.h"
#include "types/time.h"

namespace pyk {
namespace {

/// What all GPUs have alike.
std::optional<Const> constant_of_device(std::string_view name) {
    static constexpr std::pair<std::string_view, int> kConstants[] = {
        {"WARP_SIZE", 32},       {"MAX_THREADS_PER_BLOCK", 1024}, {"MAX_BLOCK_DIM_X", 1024}, {"MAX_BLOCK_DIM_Y", 1024},
        {"MAX_BLOCK_DIM_Z", 64}, {"MAX_GRID_DIM_X", 2147483647},  {"MAX_GRID_DIM_Y", 65535}, {"MAX_GRID_DIM_Z", 65535},
    };
    const auto* found = std::ranges::find(kConstants, name, &std::pair<std::string_view, int>::first);
    return found == std::end(kConstants) ? std::nullopt : std::optional(Const{Const::Int(found->second), {}});
}

/// `f.__annotations__`.
std::optional<Entity> annotations_of(const FunctionInfo& function) {
    Const all{Const::Dict(), {}};
    bool are_known = true;
    const ModuleScope::Then then(*function.scope, function.at);
    const auto add = [&](std::string_view name, ast::ExprRef written) {
        const auto value = written ? element(*function.scope, *written) : std::nullopt;
        const auto more = value ? with_item(all, Const{std::string(name), {}}, *value) : std::nullopt;
        are_known = are_known && (!written || more);
        if (more) all = *more;
    };
    for_each_parameter(*function.def->args, [&](const ast::Arg& arg) { add(arg.arg, arg.annotation); });
    add("return", function.def->returns);
    return are_known ? std::optional<Entity>(all) : std::nullopt;
}

}  // namespace

std::string_view last_name(const ast::Expr& expr) {
    if (const auto* name = expr.as<ast::Name>()) return name->id;
    if (const auto* attribute = expr.as<ast::Attribute>()) return attribute->attr;
    return {};
}

ModuleScope::ModuleScope(const ast::Module& module, const Defines& defines, Importer* importer)
    : owned_(std::make_unique<Shared>(defines, importer)), file_(&module) {
    shared_ = owned_.get();
    declare(module.body);
}

ModuleScope::ModuleScope(Shared& shared, const ast::Module* file, const ModuleScope* parent, Bindings bindings)
    : shared_(&shared), file_(file), parent_(parent), bindings_(std::move(bindings)) {}

ModuleScope::~ModuleScope() = default;

ModuleScope::AroundBody::AroundBody(const ModuleScope& body) {
    for (const ModuleScope* scope = &body; scope->parent_; scope = scope->parent_)
        if (scope->runs_at_ < scope->parent_->now_)
            before_.emplace_back(scope->parent_, std::exchange(scope->parent_->now_, scope->runs_at_));
}

ModuleScope::AroundBody::~AroundBody() {
    for (const auto& [scope, now] : before_) scope->now_ = now;
}

/// Whether a statement stands in the class whose body a scope is, if it is one.
bool ModuleScope::Shared::is_in_body(const ModuleScope& scope, const ast::Stmt& stmt) {
    const auto known = scope.shared_->classes.find(&scope);
    if (known == scope.shared_->classes.end()) return true;
    const ast::Block& body = known->second->body;
    return body.front()->span.begin <= stmt.span.begin && stmt.span.begin <= body.back()->span.begin;
}

// --- names ---
const ModuleScope& ModuleScope::for_functions() const {
    const ModuleScope* scope = this;
    while (scope->is_class_body_ || scope->class_) scope = scope->parent_;
    return *scope;
}

std::vector<std::string_view> ModuleScope::names() const {
    std::vector<std::string_view> all = parent_ ? enclosing()->names() : std::vector<std::string_view>();
    for (const auto& [name, entity] : bindings_) all.push_back(name);
    for (const auto& [name, declared] : names_) all.push_back(name);
    if (parent_) return all;
    for (const Builtin& builtin : all_builtins())
        if (builtin.name.find('.') == std::string_view::npos) all.push_back(builtin.name);
    return all;
}

/// The time before which what a name is given counts.
size_t ModuleScope::end_of(const std::vector<Declaration>& declarations) const {
    if (as_of_ == SIZE_MAX || declarations.front().at >= now_) return now_;
    return std::min(now_, std::max(as_of_, declarations.front().at + 1));
}

// What the last statement gives a name; null: none does.
const ModuleScope::Declaration* ModuleScope::declaration(std::string_view name) const {
    const auto found = names_.find(name);
    if (found == names_.end()) return nullptr;
    const size_t end = end_of(found->second);
    const auto last = std::find_if(found->second.rbegin(), found->second.rend(),
                                   [&](const Declaration& declared) { return declared.at < end; });
    return last == found->second.rend() ? nullptr : &*last;
}

bool ModuleScope::is_opaque(std::string_view name) const {
    const bool is_parameter = std::ranges::find(parameters_, name) != parameters_.end();
    const Declaration* declared = declaration(name);
    if (!is_parameter && !declared && !bindings_.contains(name)) return parent_ && enclosing()->is_opaque(name);
    const auto* import = declared ? declared->as<Import>() : nullptr;
    if (import && !lookup(name))
        if (const ModuleScope* scope = file(import->module, import->level)) {
            const Following following(shared_->importing, import);
            return !following.is_again() && scope->is_opaque(import->attr);
        }
    const bool is_variable = declared && (declared->as<Variable>() || declared->as<Entity>());
    if (!is_parameter && !is_variable) return false;
    const auto value = lookup(name);
    const auto constant = value ? to_const(*value) : std::nullopt;
    return !value || (constant && (constant->as<Const::List>() || is_set(*constant)));
}

// What to do about a variable without a value, where something is known of it.
std::string ModuleScope::remedy(std::string_view name, const Variable& variable) const {
    if (shared_->steps > kMostSteps || shared_->made_items > kMostMade)
        return "; this module code computes more than is followed, so -D has to give it";
    const auto* call = variable.value ? variable.value->as<ast::Call>() : nullptr;
    const std::string path = call ? path_of(*call->func) : std::string();
    if (path.starts_with("cuda.") || path.starts_with("cupy.")) {
        const Shared::DeviceTable* table = Shared::device_table_of(*this, name);
        return table && table->writer
                   ? fmt::format(", on the device, and line {} may write to it: pass it to the kernel",
                                 table->writer->span.line())
                   : ", on the device: pass it to the kernel";
    }
    const auto held = lookup(name);
    const auto constant = held ? to_const(*held) : std::nullopt;
    const bool is_list =
        constant ? constant->as<Const::List>() != nullptr : variable.value && variable.value->as<ast::ListExpr>();
    if (is_list) return "; a tuple is a constant, a list may change";
    const auto may_change = [&](const ast::Expr* element) {
        const auto entity = evaluate(*element);
        const auto* object = entity ? std::get_if<const ModuleScope*>(&*entity) : nullptr;
        const ClassInfo* info = object ? (*object)->dataclass() : nullptr;
        return info && !info->is_frozen;
    };
    const auto* tuple = variable.value ? variable.value->as<ast::Tuple>() : nullptr;
    const bool holds_objects = tuple && std::ranges::any_of(tuple->elts, may_change);
    return holds_objects ? "; its objects may change, those of `@dataclass(frozen=True)` cannot" : "";
}

std::optional<Note> ModuleScope::assigned_at(std::string_view name) const {
    const Declaration* declared = declaration(name);
    const auto* variable = declared ? declared->as<Variable>() : nullptr;
    if (!variable) return parent_ ? enclosing()->assigned_at(name) : std::nullopt;
    const std::string_view what = !variable->again  ? "gets its value here"
                                  : variable->value ? "gets another value here"
                                                    : "is changed here";
    return Note{variable->span, fmt::format("`{}` {}{}", name, what, remedy(name, *variable))};
}

namespace {

/// While it lives, the file's names have no values but its own.
template <typename Shared>
class NothingRuns {
  public:
    explicit NothingRuns(Shared& shared) : shared_(shared) { running_.swap(shared.running); }
    ~NothingRuns() { running_.swap(shared_.running); }
    NothingRuns(const NothingRuns&) = delete;
    NothingRuns& operator=(const NothingRuns&) = delete;

  private:
    Shared& shared_;
    decltype(Shared::running) running_;
};

}  // namespace

std::optional<Entity> ModuleScope::variable(std::string_view name, const Variable& variable, size_t at) const {
    if (variable.known) return variable.known;
    if (!variable.value && !variable.made_by) return std::nullopt;
    if (variable.value && variable.value->as<ast::Call>())
        if (const auto found = known_classes_.find(name); found != known_classes_.end()) return &found->second;
    const Then then(*this, at);
    const NothingRuns nothing_runs(*shared_);
    const auto evaluated = [&] {
        return variable.made_by ? ran(*variable.made_by).own(name) : part(*variable.value, variable.items);
    };
    std::optional<Entity> value;
    {
        // What follows a class and changes its attributes sees the names of its own time.
        const bool is_later = variable.made_by && !Shared::is_in_body(*this, *variable.made_by);
        const AroundBody around(is_later ? *parent_ : *this);
        value = evaluated();
    }
    // An object that has a name around the class is what it is by now, as long as it has that name.
    const auto held = value && variable.value && shared_->classes.contains(this) ? to_const(*value) : std::nullopt;
    if (held && can_change(*held)) {
        bool is_changed = false, is_rebound = false;
        const auto look = [&](std::string_view used) {
            const auto named = parent_->names_.find(used);
            if (named == parent_->names_.end()) return;
            for (const Declaration& one : named->second) {
                if (one.at <= runs_at_ || one.at >= parent_->now_) continue;
                const auto* other = one.as<Variable>();
                const bool is_in_place =
                    other && other->made_by && !other->made_by->as<ast::For>() && !other->made_by->as<ast::While>();
                (is_in_place ? is_changed : is_rebound) = true;
            }
        };
        const bool is_name =
            root_of(*variable.value) || variable.value->as<ast::Tuple>() || variable.value->as<ast::ListExpr>();
        if (is_name) for_each_name(*variable.value, look);
        if (is_rebound) return std::nullopt;
        if (is_changed) value = evaluated();
    }
    if (!value) return std::nullopt;
    if (const auto constant = to_const(*value)) {
        value = to_entity(*constant);
        if (std::holds_alternative<Const>(*value)) value = NamedConst{std::string(name), *constant, variable.span};
    }
    // A function that a call makes is known by the name that the file gives it.
    if (const FunctionInfo* info = function_in(value); info && info->is_made && !info->is_named && !runs_) {
        auto* made = const_cast<FunctionInfo*>(info);
        made->name = std::string(name);
        made->is_made = false;
    }
    variable.known = value;
    return value;
}

std::optional<Entity> ModuleScope::meaning(std::string_view name, const Declaration& declared) const {
    if (const auto* entity = declared.as<Entity>()) return *entity;
    if (const auto* value = declared.as<Variable>()) return variable(name, *value, declared.at);
    if (FunctionInfo* const* info = declared.as<FunctionInfo*>()) return *info;
    if (const ast::ClassDef* const* node = declared.as<const ast::ClassDef*>()) {
        if (!shared_->is_followed(**node, *this)) return std::nullopt;
        if (const auto found = known_classes_.find(name); found != known_classes_.end()) return &found->second;
        return &shared_->body(**node, *this);
    }
    if (std::ranges::find(importing_, name) != importing_.end()) return std::nullopt;
    importing_.push_back(name);
    std::optional<Entity> entity = imported(*declared.as<Import>());
    importing_.pop_back();
    return entity;
}

// What the last `import *` behind a statement brings.
std::optional<Entity> ModuleScope::from_stars(std::string_view name, size_t after) const {
    for (size_t i = star_imports_.size(); i-- > 0 && star_imports_[i].at > after;) {
        const Import& star = star_imports_[i];
        if (star.at >= now_) continue;
        if (const ModuleScope* scope = file(star.module, star.level)) {
            if (std::ranges::find(importing_, name) != importing_.end()) continue;
            importing_.push_back(name);
            std::optional<Entity> entity = name.starts_with('_') ? std::nullopt : scope->own(name);
            importing_.pop_back();
            if (entity || (!name.starts_with('_') && scope->is_declared(name))) return entity;
        } else {
            // NumPy and Numba leave these Python's.
            if (name == "complex" || name == "float" || name == "int") continue;
            const auto entity = entity_of_path(fmt::format("{}.{}", star.module, name));
            const Path* path = std::get_if<Path>(&*entity);
            const bool is_of_numba = star.module == "numba" && find_decorator(name);
            const bool is_of_cuda = path && path->name.starts_with("cuda.") &&
                                    (find_decorator(path->name) || is_builtin_namespace(path->name));
            const bool is_of_types = star.module.starts_with("numba") && is_type_maker(name);
            if (!path || is_of_numba || is_of_cuda || is_of_types) return entity;
        }
    }
    return std::nullopt;
}

// What the scope itself says of a name; Python's builtins are none of its names.
std::optional<Entity> ModuleScope::own(std::string_view name) const {
    if (shared_->is_stored(*this, name)) return std::nullopt;
    if (const ModuleScope* by = shared_->running.empty() ? nullptr : Shared::running_value(*this, name))
        return by->own(name);
    const auto found = names_.find(name);
    bool is_unknown = false;
    const size_t end = found != names_.end() ? end_of(found->second) : 0;
    if (found != names_.end())
        for (size_t i = found->second.size(); i-- > 0;) {
            const Declaration& declared = found->second[i];
            const bool is_variable = declared.as<Variable>() || declared.as<Entity>();
            if (is_unknown && is_variable) continue;
            const auto* variable = declared.as<Variable>();
            if (variable && variable->made_by && declared.at == as_of_ && launch_.by && declared.at < now_) {
                const auto is_set = is_set_before_launch(name);
                if (is_set && !*is_set) continue;
                if (!is_set) return std::nullopt;
            } else if (declared.at >= end) {
                continue;
            }
            // What an importer would not see leaves the value open, but for what the file launches itself.
            const bool is_open = variable && variable->is_of_main && as_of_ == SIZE_MAX && now_ == SIZE_MAX;
            if (auto entity = from_stars(name, declared.at)) return entity;
            if (auto entity = is_open ? std::nullopt : meaning(name, declared))
                return shared_->classes.contains(this) && shared_->may_change(name, *entity) ? std::nullopt : entity;
            if (!is_variable) return std::nullopt;
            is_unknown = true;  // a value that is not known leaves a function or an import as it was
        }
    if (is_unknown) return std::nullopt;
    if (const auto bound = bindings_.find(name); bound != bindings_.end()) return bound->second;
    if (class_)
        if (auto entity = shared_->present(*class_).own(name)) return entity;
    if (const auto known = shared_->classes.find(this); known != shared_->classes.end()) {
        const auto& bases = known->second->bases;
        const ModuleScope* only = bases.size() == 1 ? shared_->base_in(*this, *bases[0]) : nullptr;
        if (auto entity = only ? only->own(name) : std::nullopt) return entity;
        if (bases.size() > 1)
            for (const ModuleScope* scope : shared_->method_order(*this, 0))
                if (scope != this && scope->is_declared(name)) return scope->own(name);
    }
    return from_stars(name);
}

std::optional<Entity> ModuleScope::lookup(std::string_view name) const {
    const bool is_parameter = std::ranges::find(parameters_, name) != parameters_.end();
    if (!bindings_.contains(name) && (!parent_ || is_parameter || is_declared(name)))
        if (const auto define = shared_->defines.find(name); define != shared_->defines.end())
            return defined(std::string(name), define->second);
    if (auto entity = own(name)) return entity;
    if (is_parameter || is_declared(name)) return std::nullopt;
    if (parent_) return enclosing()->lookup(name);
    if (name == "__name__") return Const{std::string(owned_ ? "__main__" : "an imported file"), {}};
    if (name == "__debug__") return Const{true, {}};  // as without python -O
    if (const Builtin* builtin = find_builtin(name); builtin && name.find('.') == std::string_view::npos)
        return builtin;
    return std::nullopt;
}

namespace {

Const texts(std::span<const std::string> names) {
    Const::Tuple all;
    for (const std::string& name : names) all.push_back({name, {}});
    return Const{std::move(all), {}};
}

std::optional<Entity> member_of_constant(const Const& constant, std::string_view attr) {
    if (constant.as<Const::Array>() || constant.as<Const::Record>()) return array_member(constant, attr);
    if (const auto part = part_of_number(constant, attr)) return *part;
    const auto* fields = constant.as<Const::Tuple>();
    const auto names = fields && constant.typed ? constant.typed.element_names() : std::span<const std::string>();
    if (attr == "_fields" && !names.empty()) return texts(names);
    const auto at = std::ranges::find(names, attr);
    return at == names.end() ? std::nullopt
                             : std::optional(to_entity((*fields)[static_cast<size_t>(at - names.begin())]));
}

std::optional<Entity> member_of_dtype(Type dtype, std::string_view attr) {
    if (attr == "type") return TypeName{dtype};
    if (attr == "itemsize") return Const{Const::Int(static_cast<Const::Int>(dtype.byte_size())), {}};
    if ((attr == "__name__" || attr == "name") && dtype.is_scalar())
        return Const{dtype.is_boolean() ? std::string("bool") : dtype.name(), {}};
    if (attr == "kind" && dtype.is_scalar()) return Const{std::string(1, info(dtype.scalar()).numpy[1]), {}};
    if (dtype.is_record() && (attr == "names" || attr == "fields")) {
        Const::Dict fields;
        for (size_t i = 0; i < dtype.fields().size(); ++i) {
            const Field& field = dtype.fields()[i];
            fields.keys.push_back({field.name, {}});
            const Const offset{static_cast<Const::Int>(field.offset), {}};
            fields.values.push_back({Const::Tuple{Const{dtype.field_type(i), {}}, offset}, {}});
        }
        return attr == "names" ? Const{Const::Tuple(std::move(fields.keys)), {}} : Const{std::move(fields), {}};
    }
    if (attr == "alignment") return Const{static_cast<Const::Int>(dtype.alignment()), {}};
    if (attr == "kind" && is_datetime(dtype)) return Const{std::string("M"), {}};
    if (attr == "kind" && is_timedelta(dtype)) return Const{std::string("m"), {}};
    return std::nullopt;
}

/// Of Numba's type of an array.
std::optional<Entity> member_of_array_type(Type array, std::string_view attr) {
    if (attr == "dtype") return TypeName{array.element()};
    if (attr == "ndim") return Const{Const::Int(array.ndim()), {}};
    if (attr == "layout") return Const{std::string(1, "CFA"[static_cast<size_t>(array.layout())]), {}};
    return std::nullopt;
}

std::optional<Entity> member_of_tuple_type(Type tuple, std::string_view attr) {
    if (attr == "count") return Const{static_cast<Const::Int>(tuple.size()), {}};
    if (attr == "dtype" && tuple.size() > 0 && tuple.is_uniform_tuple()) return TypeName{tuple.elements()[0]};
    if (attr != "types") return std::nullopt;
    Const::Tuple types;
    for (const Type type : tuple.elements()) types.push_back({type, {}});
    return Const{std::move(types), {}};
}

std::optional<Entity> member_of_type(Type type, std::string_view attr) {
    if (type.is_array()) return member_of_array_type(type, attr);
    return type.is_tuple() ? member_of_tuple_type(type, attr) : member_of_dtype(type, attr);
}

}  // namespace

std::optional<Entity> ModuleScope::member(const Entity& base, std::string_view attr) const {
    if (const auto* info = std::get_if<const ClassInfo*>(&base)) return member_of_class(**info, attr);
    if (const auto* scope = std::get_if<const ModuleScope*>(&base)) return member_of_scope(**scope, attr);
    if (const FunctionInfo* function = function_in(base))
        if (auto found = member_of_function(*function, base, attr)) return found;
    const auto constant = to_const(base);
    if (auto found = constant ? member_of_constant(*constant, attr) : std::nullopt) return found;
    if (const auto part = constant ? member_of_member(*constant, attr) : std::nullopt) return to_entity(*part);
    if (const auto method = constant ? method_of_member(*constant, attr) : std::nullopt) return method;
    if (const auto* of = std::get_if<TypeName>(&base); of && of->type) return member_of_type(of->type, attr);
    // What Numba compiled another function of: `cuda.jit(device=True)(f.py_func)`.
    if (std::holds_alternative<const FunctionInfo*>(base) && attr == "py_func") return base;
    const Path* path = std::get_if<Path>(&base);
    return path ? member_of_path(path->name, attr) : std::nullopt;
}

std::optional<Entity> ModuleScope::member_of_class(const ClassInfo& info, std::string_view attr) const {
    if (const auto found = enum_member(info, attr)) return *found;
    if (attr == "_fields" && info.kind == ClassKind::named_tuple) return texts(info.field_names());
    const ModuleScope* body = info.scope->body_of(info);
    const auto own = body ? body->own(attr) : std::nullopt;
    return info.kind != ClassKind::enumeration || function_in(own) ? own : std::nullopt;
}

// Of a file, or of an object.
std::optional<Entity> ModuleScope::member_of_scope(const ModuleScope& scope, std::string_view attr) const {
    if (shared_->is_private_of_several(scope, attr)) return std::nullopt;
    if (auto entity = scope.own(attr)) {
        const FunctionInfo* method = scope.is_object_ ? function_in(entity) : nullptr;
        const bool is_property = method && std::ranges::any_of(method->def->decorator_list, [](const ast::Expr* d) {
                                     return last_name(*d) == "property" || last_name(*d) == "cached_property";
                                 });
        return is_property ? scope.called_method(*method) : entity;
    }
    const ModuleScope* inner = scope.parent_ ? nullptr : scope.file(attr, 1);
    return inner ? std::optional<Entity>(inner) : std::nullopt;
}

std::optional<Entity> ModuleScope::member_of_function(const FunctionInfo& function, const Entity& base,
                                                      std::string_view attr) const {
    const ast::Arguments& args = *function.def->args;
    if (attr == "forall") shared_->note_launch(function);
    if (attr == "__name__") return Const{function.is_named ? function.name : std::string(function.def->name), {}};
    if (attr == "__code__") return base;
    if (attr == "co_argcount") return Const{Const::Int(args.posonlyargs.size() + args.args.size()), {}};
    return attr == "__annotations__" ? annotations_of(function) : std::nullopt;
}

std::optional<Entity> ModuleScope::member_of_path(const std::string& path, std::string_view attr) const {
    if (path == kDevice) {
        const auto known = constant_of_device(attr);
        return known ? std::optional<Entity>(*known) : std::nullopt;
    }
    const std::string dotted = path + "." + std::string(attr);
    std::optional<Entity> found = entity_of_path(dotted);
    // `cuda` and `cuda.threadIdx` have members; what is neither a row nor a prefix of rows does not exist.
    const Path* still = std::get_if<Path>(&*found);
    if (still)
        if (const ModuleScope* scope = file(dotted, 0)) return scope;
    const bool known_root = path == "cuda" || path == "math" || is_builtin_namespace(path);
    if (still && known_root && !is_builtin_namespace(still->name)) return std::nullopt;
    return found;
}

const ast::Expr* ModuleScope::definition(std::string_view name) const {
    const Declaration* declared = declaration(name);
    const auto* variable = declared ? declared->as<Variable>() : nullptr;
    return variable && variable->items.empty() ? variable->value : nullptr;
}

namespace {

/// The names in the annotations and decorators of a function, where types stand.
std::set<std::string_view> names_in_types(const ast::FunctionDef& def) {
    std::set<std::string_view> names;
    const auto add = [&](std::string_view text) {
        for_each_word(text, is_of_name, [&](std::string_view name, size_t) { names.insert(name); });
    };
    for (const ast::Expr* decorator : def.decorator_list) add(decorator->span.text());
    for_each_parameter(*def.args, [&](const ast::Arg& arg) {
        if (arg.annotation) add(arg.annotation->span.text());
    });
    return names;
}

}  // namespace

std::vector<ir::NamedType> ModuleScope::named_types() const {
    std::vector<std::pair<uint32_t, ir::NamedType>> found;
    // Imported types that signatures name; other imports may be of the host, and are not looked at.
    std::set<std::string_view> in_signatures;
    for (const auto& [name, declared] : names_)
        if (FunctionInfo* const* info = declared.back().as<FunctionInfo*>())
            in_signatures.merge(names_in_types(*(*info)->def));
    for (const auto& [name, declared] : names_) {
        const auto* import = declared.back().as<Import>();
        if (import && !import->attr.empty() && in_signatures.contains(name)) {
            const auto entity = lookup(name);
            const auto* type = entity ? std::get_if<TypeName>(&*entity) : nullptr;
            if (type && type->type.is_record()) found.push_back({import->span.begin, {import->attr, type->type}});
        }
        const auto* variable = declared.back().as<Variable>();
        const ast::Expr* written = variable ? variable->value : nullptr;
        if (!written || !(written->as<ast::Call>() || written->as<ast::Attribute>())) continue;
        // Types are not made by methods of what a call makes; arrays are, and take time.
        const auto* call = written->as<ast::Call>();
        if (call && !called_type(*this, *call)) continue;
        const auto entity = lookup(name);
        const auto* type = entity ? std::get_if<TypeName>(&*entity) : nullptr;
        if (type && type->type.is_record()) found.push_back({variable->span.begin, {std::string(name), type->type}});
    }
    std::ranges::sort(found, {}, &std::pair<uint32_t, ir::NamedType>::first);
    std::vector<ir::NamedType> types;
    for (auto& [at, named] : found) types.push_back(std::move(named));
    return types;
}

}  // namespace pyk
