// What module code asks of objects and classes: `hasattr`, `getattr`, `isinstance`, `issubclass`.
#include <fmt/format.h>

#include <algorithm>

#include "module/decorators.h"
#include "module/free_names.h"
#include "module/host_functions.h"
#include "module/method_order.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

constexpr int kMostBases = 20;  ///< of a base, and so on

/// `__name` of a class, which Python calls after it.
bool is_private(std::string_view name) { return name.starts_with("__") && !name.ends_with("__"); }

/// Those whose text has a name, also classes inside of others.
size_t classes_with(const ast::Block& body, std::string_view name) {
    size_t count = 0;
    for (const ast::Stmt* stmt : body) {
        const auto* node = stmt->as<ast::ClassDef>();
        if (node && stmt->span.text().find(name) != std::string_view::npos) ++count;
        for_each_block(*stmt, [&](const ast::Block& inner) { count += classes_with(inner, name); });
        if (const auto* def = stmt->as<ast::FunctionDef>()) count += classes_with(def->body, name);
    }
    return count;
}

/// Whether a value of Python's or NumPy's has an attribute; nullopt: not among those that are told here.
std::optional<bool> has_attribute(const Const& value, std::string_view attr) {
    const auto* array = value.as<Const::Array>();
    const bool is_sequence = value.as<Const::List>() || value.as<Const::Dict>() || value.as<Const::Tuple>() ||
                             value.as<std::string>() || (array && !(*array)->table.shape.empty());
    const bool is_plain = !array && !value.typed && !value.member_of;
    if (attr == "__len__" || attr == "__iter__")
        return is_sequence || is_plain ? std::optional(is_sequence) : std::nullopt;
    if (attr == "shape" || attr == "dtype" || attr == "ndim" || attr == "size")
        return array || is_plain ? std::optional(array != nullptr) : std::nullopt;
    return std::nullopt;
}

}  // namespace

// nullopt: not known, or not whether it has it.
std::optional<bool> ModuleScope::Shared::has_member(const ModuleScope& scope, const Entity& base,
                                                    std::string_view attr) {
    const auto found = scope.member(base, attr);
    const Path* path = found ? std::get_if<Path>(&*found) : nullptr;
    if (found && (!path || is_builtin_namespace(path->name))) return true;
    if (path && (find_host_function(path->name) || scope.shared_->library_entity(path->name))) return true;
    if (const auto constant = to_const(base)) return has_attribute(*constant, attr);
    const Path* of = std::get_if<Path>(&base);
    if (of && find_decorator(fmt::format("{}.{}", of->name, attr))) return true;
    const auto* owner = std::get_if<const ModuleScope*>(&base);
    if (!owner || !(*owner)->parent_ || attr.starts_with("__")) return std::nullopt;
    const bool is_class = scope.shared_->classes.contains(*owner);
    if (!is_class && !(*owner)->class_) return std::nullopt;
    const auto is_there = scope.shared_->has_name(**owner, attr);
    // What is stored in an attribute of a computed name may be this one.
    const bool is_computed =
        !scope.shared_->texts.empty() || scope.file_->source->text().find("__dict__") != std::string_view::npos;
    return is_there && !*is_there && is_computed ? std::nullopt : is_there;
}

namespace {

/// Whether nothing but its body and its bases makes a class what it is.
bool is_as_written(const ast::ClassDef& node) {
    return node.keywords.empty() && std::ranges::all_of(node.decorator_list, [](const ast::Expr* one) {
               return plain_name(*one) == "dataclass";
           });
}

}  // namespace

// Whether an object, its class or a class of that gives a name something.
std::optional<bool> ModuleScope::Shared::has_name(const ModuleScope& object, std::string_view name) const {
    if (object.names_.contains(name) || object.bindings_.contains(name)) return true;
    if (stored_attributes.contains({kSomeClass, name}) || stored_attributes.contains({std::string_view(), name}))
        return std::nullopt;
    if (object.class_) return has_name(*object.class_, name);
    const auto known = classes.find(&object);
    if (known == classes.end() || object.names_.contains("__getattr__")) return std::nullopt;
    if (stored_attributes.contains({known->second->name, name}) || !is_as_written(*known->second)) return std::nullopt;
    for (const ast::Expr* base : known->second->bases) {
        const auto* of = base->as<ast::Name>();
        if (of && of->id == "object") continue;
        const ModuleScope* body = base_in(object, *base);
        const auto inherited = body ? has_name(*body, name) : std::nullopt;
        if (!inherited || *inherited) return inherited;
    }
    return false;
}

// The body of a class of the file's; null: it is something else.
const ModuleScope* ModuleScope::Shared::class_in(const std::optional<Entity>& value) {
    const auto* scope = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
    if (scope) return (*scope)->shared_->classes.contains(*scope) ? *scope : nullptr;
    const auto* info = value ? std::get_if<const ClassInfo*>(&*value) : nullptr;
    return info && (*info)->kind == ClassKind::dataclass ? (*info)->scope->body_of(**info) : nullptr;
}

// A base of a class, which was evaluated when the class was made: `class Task(Task)` has what had the name before.
const ModuleScope* ModuleScope::Shared::base_in(const ModuleScope& body, const ast::Expr& base) const {
    const ast::ClassDef* node = classes.at(&body);
    const auto named = body.parent_->names_.find(node->name);
    size_t at = body.parent_->now();
    if (named != body.parent_->names_.end())
        for (const Declaration& declared : named->second)
            if (const auto* made = declared.as<const ast::ClassDef*>(); made && *made == node) at = declared.at;
    const ModuleScope* found = nullptr;
    {
        const Then then(*body.parent_, at);
        found = class_in(body.parent_->evaluate(base));
    }
    return found && found != &body ? &found->shared_->present(*found) : nullptr;
}

// The classes of the file that a class has its members of, in Python's order, itself first; empty: it is not known.
std::vector<const ModuleScope*> ModuleScope::Shared::method_order(const ModuleScope& of, int depth) const {
    using Classes = std::vector<const ModuleScope*>;
    std::vector<Classes> orders;
    Classes bases;
    for (const ast::Expr* base : classes.at(&of)->bases)
        if (const ModuleScope* body = base_in(of, *base)) {  // others are Python's own, such as ABC
            orders.push_back(depth < kMostBases ? method_order(*body, depth + 1) : Classes());
            if (orders.back().empty()) return {};
            bases.push_back(body);
        }
    orders.push_back(bases);
    auto order = merged_orders(std::move(orders), [&](const ModuleScope* one) { return classes.at(one); });
    if (!order) return {};
    order->insert(order->begin(), &of);
    return *order;
}

// Which class an attribute belongs to is not followed: of several that have the name it may be the one or the other.
bool ModuleScope::Shared::is_private_of_several(const ModuleScope& scope, std::string_view attr) const {
    return is_private(attr) && classes_with(scope.file_->body, attr) > 1;
}

// Whether a class is what its body and its bases say: nothing of the file's replaces it or changes it where it is made,
// and its objects are made and read as Python does by itself.
bool ModuleScope::Shared::is_followed(const ast::ClassDef& node, const ModuleScope& of) {
    const auto [slot, is_new] = followed_classes.try_emplace(&node, true);
    if (!is_new) return slot->second;
    const auto leaves = [&](const ast::Expr* decorator) {
        const auto by = of.evaluate(*decorator);
        const FunctionInfo* function = function_in(by);
        if (!function || function->kind != FunctionKind::plain) return !is_class_or_object(by);
        const auto& changes = of.changes_of(*function);
        return !of.replaces(*decorator) && std::ranges::none_of(changes, &Change::is_argument);
    };
    const auto is_usual = [](const ast::Keyword& one) { return last_name(*one.value) == "ABCMeta"; };
    const auto is_own_way = [](const ast::Stmt* stmt) {
        static constexpr std::string_view kNames[] = {"__new__",          "__setattr__",       "__delattr__",
                                                      "__getattribute__", "__init_subclass__", "__set_name__"};
        const auto* method = stmt->as<ast::FunctionDef>();
        return method && std::ranges::find(kNames, method->name) != std::end(kNames);
    };
    const auto is_base_followed = [&](const ast::Expr* base) {
        const auto* name = base->as<ast::Name>();
        const Declaration* declared = name ? of.declaration(name->id) : nullptr;
        const auto* other = declared ? declared->as<const ast::ClassDef*>() : nullptr;
        return !other || *other == &node || is_followed(**other, of);
    };
    const bool is =
        std::ranges::all_of(node.decorator_list, leaves) && std::ranges::all_of(node.keywords, is_usual) &&
        (of.known_classes_.contains(std::string(node.name)) || std::ranges::none_of(node.body, is_own_way)) &&
        std::ranges::all_of(node.bases, is_base_followed);
    return followed_classes[&node] = is;
}

// `super()`: of the object's classes the one behind that of the method.
std::optional<Entity> ModuleScope::Shared::base_class(const ModuleScope& of) {
    const Shared& shared = *of.shared_;
    const ModuleScope* method = &of;
    while (method->parent_ && !shared.classes.contains(method->parent_)) method = method->parent_;
    const ModuleScope* own = method->parent_;
    if (!own) return std::nullopt;
    const bool has_self = method->def_ && !method->def_->args->args.empty();
    const auto self = has_self ? method->lookup(method->def_->args->args[0].arg) : std::nullopt;
    const auto* object = self ? std::get_if<const ModuleScope*>(&*self) : nullptr;
    const ModuleScope* from = object && (*object)->is_object_ ? (*object)->class_ : class_in(self);
    const auto order = shared.method_order(from ? *from : *own, 0);
    const auto at = std::ranges::find_if(
        order, [&](const ModuleScope* one) { return shared.classes.at(one) == shared.classes.at(own); });
    if (at == order.end() || at + 1 == order.end()) return std::nullopt;
    return *(at + 1);
}

// Whether a class is another one, or is derived from it; nullopt: it has bases that are not known.
std::optional<bool> ModuleScope::Shared::is_derived(const ModuleScope& from, const ModuleScope& base) const {
    const auto own = classes.find(&from), other = classes.find(&base);
    if (own == classes.end() || other == classes.end() || !is_as_written(*other->second)) return std::nullopt;
    if (own->second == other->second) return true;
    bool is_certain = true;
    for (const ast::Expr* one : own->second->bases) {
        const auto* name = one->as<ast::Name>();
        if (name && name->id == "object") continue;
        const ModuleScope* body = base_in(from, *one);
        const auto is = body ? is_derived(*body, base) : std::nullopt;
        if (is && *is) return true;
        is_certain = is_certain && is;
    }
    return is_certain ? std::optional(false) : std::nullopt;
}

// `isinstance(x, C)` of an object of the host's, `issubclass(D, C)`; nullopt: other values, or not known.
std::optional<bool> ModuleScope::Shared::is_object_of(const ModuleScope& scope, const ast::Call& call) {
    const bool asks_class = last_name(*call.func) == "issubclass";
    if (call.args.size() != 2) return std::nullopt;
    const auto value = scope.evaluate(*call.args[0]);
    const auto* object = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
    const ModuleScope* from = asks_class                        ? class_in(value)
                              : object && (*object)->is_object_ ? (*object)->class_
                                                                : nullptr;
    const auto constant = value && !asks_class ? to_const(*value) : std::nullopt;
    if (!from && !constant) return std::nullopt;
    const auto* several = call.args[1]->as<ast::Tuple>();
    for (const ast::Expr* one : several ? several->elts : ast::ExprList(&call.args[1], 1)) {
        const ModuleScope* base = class_in(scope.evaluate(*one));
        if (base && !is_as_written(*scope.shared_->classes.at(base))) return std::nullopt;
        const auto* name = one->as<ast::Name>();
        static constexpr std::string_view kOthers[] = {"int", "float", "complex", "bool",
                                                       "str", "list",  "tuple",   "dict"};
        const bool is_other = from && !base && name && std::ranges::find(kOthers, name->id) != std::end(kOthers) &&
                              !scope.is_declared(name->id) && scope.shared_->has_name(*from, "") == false;
        // A value of Python's own is an object of none of the file's classes, but for members of enumerations.
        const bool is_plain = constant && base && !constant->typed && !constant->member_of;
        const auto is = is_other || is_plain ? std::optional(false)
                        : from && base       ? scope.shared_->is_derived(*from, *base)
                                             : std::nullopt;
        if (!is || *is) return is;
    }
    return false;
}

// `hasattr(cuda, "fp16")`, `getattr(np, "float32", None)`, `isinstance(shape, Box)`.
std::optional<Entity> ModuleScope::Shared::asked_of_member(const ModuleScope& scope, const Builtin* builtin,
                                                           const ast::Call& call) {
    const std::string_view name = builtin ? builtin->name : last_name(*call.func);
    if (name == "callable" && call.args.size() == 1 && !scope.is_declared(name)) {
        const auto value = scope.evaluate(*call.args[0]);
        const auto constant = constant_in(value);
        if (!constant && !function_in(value)) return std::nullopt;
        return Const{!constant, {}};
    }
    if (name == "isinstance" || (name == "issubclass" && !scope.is_declared(name))) {
        const auto is = is_object_of(scope, call);
        return is ? std::optional<Entity>(Const{*is, {}}) : std::nullopt;
    }
    const bool is_getattr = builtin && builtin->special == Special::getattr;
    if ((!is_getattr && (name != "hasattr" || scope.is_declared(name))) || call.args.size() < 2) return std::nullopt;
    const auto base = scope.evaluate(*call.args[0]);
    const auto written = base ? scope.constant(*call.args[1]) : std::nullopt;
    const auto* text = written ? written->as<std::string>() : nullptr;
    if (!text) return std::nullopt;
    if (is_getattr)
        if (auto found = scope.member(*base, *text)) return found;
    const auto has = has_member(scope, *base, *text);
    if (!is_getattr) return has ? std::optional<Entity>(Const{*has, {}}) : std::nullopt;
    return has && !*has && call.args.size() == 3 ? scope.evaluate(*call.args[2]) : std::nullopt;
}

}  // namespace pyk
