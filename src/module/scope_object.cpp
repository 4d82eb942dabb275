// Objects of the host's: of its classes, of namespaces, of named tuples.
#include <algorithm>

#include "module/free_names.h"
#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {

// A property of an object; one that changes it is not followed.
std::optional<Entity> ModuleScope::called_method(const FunctionInfo& info) const {
    if (!Shared::gives_the_same(info)) return std::nullopt;
    const ModuleScope* run = run_of(info, &info, {.values = {Entity(this)}});
    return run ? run->returned_value_ : std::nullopt;
}

// An object of a class of the host's: what its `__init__` stores in it.
std::optional<Entity> ModuleScope::object(const ModuleScope& body, const ast::Call& node) const {
    auto arguments = host_arguments(node);
    return arguments ? object(body, &node, *std::move(arguments)) : std::nullopt;
}
std::optional<Entity> ModuleScope::object(const ModuleScope& body, const void* key, HostArguments arguments) const {
    if (const ModuleScope* maker = shared_->maker_of(body)) return Shared::object_with_fields(body, *maker, arguments);
    const auto known = running_ ? shared_->calls.end() : shared_->calls.find({key, this});
    if (known != shared_->calls.end()) return known->second.get();
    std::unique_ptr<ModuleScope> made(new ModuleScope(*shared_, body.file_, body.parent_, {}));
    made->class_ = &body;
    made->is_object_ = true;
    const ModuleScope* object = made.get();
    if (running_)
        shared_->lifted_scopes.push_back(std::move(made));
    else
        shared_->calls[{key, this}] = std::move(made);
    if (const FunctionInfo* init = function_in(body.own("__init__"))) {
        arguments.values.insert(arguments.values.begin(), Entity(object));
        if (!run_of(*init, object, std::move(arguments))) return std::nullopt;
    }
    return object;
}

// The body of a class that the file writes out; null: of one that a call makes.
const ModuleScope* ModuleScope::body_of(const ClassInfo& info) const {
    const auto found = names_.find(info.name);
    if (found == names_.end()) return nullptr;
    const auto* node = found->second.back().as<const ast::ClassDef*>();
    if (!node) return nullptr;
    return &shared_->body(**node, *this);
}

// An object that has these fields, and whatever else is given by name where there are none.
std::optional<Entity> ModuleScope::object_of_fields(const ast::Call& node, const ClassInfo* info) const {
    auto arguments = host_arguments(node);
    if (!arguments || (info && arguments->values.size() > info->fields.size())) return std::nullopt;
    std::unique_ptr<ModuleScope> made(new ModuleScope(*shared_, file_, this, {}));
    made->is_object_ = true;
    const auto add_field = [&](const std::string& name, const std::optional<Entity>& value) {
        if (value) made->bindings_.insert_or_assign(name, *value);
    };
    for (size_t i = 0; info && i < info->fields.size(); ++i) {
        const ClassField& field = info->fields[i];
        if (field.default_value) add_field(field.name, field_default(field));
        if (i < arguments->values.size()) add_field(field.name, arguments->values[i]);
    }
    for (const auto& [name, value] : arguments->named) add_field(name, value);
    if (info) made->field_names_ = info;
    const ModuleScope* object = made.get();
    shared_->lifted_scopes.push_back(std::move(made));
    return object;
}

// `type("Config", (), {"n": 4})`: its objects have what the class has.
std::optional<Entity> ModuleScope::Shared::class_of_fields(const ModuleScope& scope, const ast::Expr& fields) {
    const auto known = scope.constant(fields);
    const auto* dict = known ? known->as<Const::Dict>() : nullptr;
    if (!dict) return std::nullopt;
    std::unique_ptr<ModuleScope> made(new ModuleScope(*scope.shared_, scope.file_, &scope, {}));
    made->is_object_ = true;
    for (size_t i = 0; i < dict->keys.size(); ++i) {
        const auto* name = dict->keys[i].as<std::string>();
        if (!name) return std::nullopt;
        made->bindings_.insert_or_assign(*name, to_entity(dict->values[i]));
    }
    const ModuleScope* object = made.get();
    scope.shared_->lifted_scopes.push_back(std::move(made));
    return object;
}

// `inspect.signature(f)`, `inspect.getfullargspec(f)`: an object with the parameters' names.
std::optional<Entity> ModuleScope::Shared::asked_of_function(const ModuleScope& scope, const ast::Call& call) {
    const std::string_view name = last_name(*call.func);
    if ((name != "signature" && name != "getfullargspec") || call.args.size() != 1) return std::nullopt;
    const std::string path = scope.path_of(*call.func);
    const bool is_signature = path == "inspect.signature";
    const FunctionInfo* info =
        is_signature || path == "inspect.getfullargspec" ? function_in(scope.evaluate(*call.args[0])) : nullptr;
    const bool has_more = info && (info->def->args->vararg || info->def->args->kwarg);
    if (!info || has_more || !info->def->args->kwonlyargs.empty()) return std::nullopt;
    std::vector<Const> names;
    std::optional<Const> by_name = Const{Const::Dict(), {}};
    for_each_parameter(*info->def->args, [&](const ast::Arg& arg) {
        names.push_back({std::string(arg.arg), {}});
        if (by_name) by_name = with_item(*by_name, names.back(), names.back());
    });
    scope.shared_->lifted_scopes.emplace_back(new ModuleScope(*scope.shared_, scope.file_, &scope, {}));
    ModuleScope& made = *scope.shared_->lifted_scopes.back();
    made.is_object_ = true;
    if (is_signature && by_name) made.bindings_.emplace("parameters", *by_name);
    if (!is_signature) made.bindings_.emplace("args", list_of(std::move(names)));
    return &made;
}

// `p(2.5)` of an object whose class has a `__call__`; of a class that `class_of_fields` made, another object of it.
std::optional<Entity> ModuleScope::Shared::called_object(const ModuleScope& scope, const ModuleScope& object,
                                                         const ast::Call& node) {
    if (!object.class_)
        return node.args.empty() && node.keywords.empty() ? std::optional<Entity>(&object) : std::nullopt;
    auto arguments = scope.host_arguments(node);
    return arguments ? called_object(scope, object, node.func, *std::move(arguments)) : std::nullopt;
}
std::optional<Entity> ModuleScope::Shared::called_object(const ModuleScope& scope, const ModuleScope& object,
                                                         const void* key, HostArguments arguments) {
    const FunctionInfo* info = function_in(scope.member(Entity(&object), "__call__"));
    if (!info) return std::nullopt;
    arguments.values.insert(arguments.values.begin(), Entity(&object));
    const ModuleScope* run = scope.run_of(*info, key, std::move(arguments));
    return run ? run->returned_value_ : std::nullopt;
}

// `self` of `vars(self)` and `self.__dict__`; null: it is another expression.
const ast::Expr* ModuleScope::Shared::object_with_attributes(const ast::Expr& dict) {
    const auto* attribute = dict.as<ast::Attribute>();
    const auto* vars = dict.as<ast::Call>();
    if (vars && last_name(*vars->func) == "vars" && vars->args.size() == 1) return vars->args[0];
    return attribute && attribute->attr == "__dict__" ? &*attribute->value : nullptr;
}

// `vars(self).update(n=4)`, `self.__dict__.update(fields)`, `super().__init__(4)` of a dataclass: each becomes an
// attribute. False: it is another call.
bool ModuleScope::Shared::update_fields(ModuleScope& scope, const ast::Call& call) {
    const auto* method = call.func->as<ast::Attribute>();
    if (method && method->attr == "__init__") {
        const ModuleScope* body = class_in(scope.evaluate(*method->value));
        const ModuleScope* maker = body ? scope.shared_->maker_of(*body) : nullptr;
        auto arguments = maker ? scope.host_arguments(call) : std::nullopt;
        if (!maker) return false;
        const bool is_super = method->value->as<ast::Call>();
        auto self = is_super ? scope.lookup("self") : std::nullopt;
        if (!is_super && arguments && !arguments->values.empty()) {
            self = arguments->values.front();
            arguments->values.erase(arguments->values.begin());
        }
        const auto made = arguments ? object_with_fields(*body, *maker, *arguments) : std::nullopt;
        if (!made || !self || !is_instance_object(*self)) return lose_objects(scope, {}), true;
        auto& object = const_cast<ModuleScope&>(*std::get<const ModuleScope*>(*self));  // objects are made by runs
        for (const auto& [field, of] : scope.shared_->fields_of(*maker).value_or(std::vector<ObjectField>())) {
            const auto value = scope.certain_ ? scope.member(*made, field->name) : std::nullopt;
            ++object.clock_;
            object.add(field->name, {object.clock_, Variable{}});
            if (value) object.names_[field->name].back().what = named(field->name, *value, call.func->span);
        }
        return true;
    }
    if (!method || method->attr != "update") return false;
    const ast::Expr* object = object_with_attributes(*method->value);
    if (!object) return false;
    const ast::Expr& place = *object;
    const auto arguments = scope.host_arguments(call);
    const auto known = arguments && arguments->values.size() == 1 && arguments->values[0]
                           ? to_const(*arguments->values[0])
                           : std::nullopt;
    const auto* dict = known ? known->as<Const::Dict>() : nullptr;
    for (size_t i = 0; dict && i < dict->keys.size(); ++i)
        if (const auto* name = dict->keys[i].as<std::string>())
            store_attribute(scope, place, *scope.shared_->texts.insert(*name).first, to_entity(dict->values[i]),
                            call.func->span);
    if (arguments)
        for (const auto& [name, value] : arguments->named)
            store_attribute(scope, place, *scope.shared_->texts.insert(name).first, value, call.func->span);
    return true;
}

std::optional<Const> ModuleScope::fields() const {
    if (!field_names_) return std::nullopt;
    Const::Tuple items;
    for (const ClassField& field : field_names_->fields) {
        const auto held = bindings_.find(field.name);
        const auto item = held != bindings_.end() ? to_const(held->second) : std::nullopt;
        if (!item) return std::nullopt;
        items.push_back(*item);
    }
    return Const{std::move(items), {}};
}

}  // namespace pyk
