// Objects of the host's: of its classes, of namespaces, of named tuples.
#include <algorithm>

#include "sema/scope.h"
#include "sema/scope_shared.h"

namespace pyk {

// A property of an object.
std::optional<Entity> ModuleScope::called_method(const FunctionInfo& info) const {
    const ModuleScope* run = run_of(info, &info, {.values = {Entity(this)}});
    return run ? run->returned_value_ : std::nullopt;
}

// An object of a class of the host's: what its `__init__` stores in it.
std::optional<Entity> ModuleScope::object(const ModuleScope& body, const ast::Call& node) const {
    auto arguments = host_arguments(node);
    if (!arguments) return std::nullopt;
    const auto known = running_ ? shared_->calls.end() : shared_->calls.find({&node, this});
    if (known != shared_->calls.end()) return known->second.get();
    std::unique_ptr<ModuleScope> made(new ModuleScope(*shared_, body.file_, body.parent_, {}));
    made->class_ = &body;
    made->is_object_ = true;
    const ModuleScope* object = made.get();
    if (running_)
        shared_->lifted_scopes.push_back(std::move(made));
    else
        shared_->calls[{&node, this}] = std::move(made);
    if (const FunctionInfo* init = function_in(body.own("__init__"))) {
        arguments->values.insert(arguments->values.begin(), Entity(object));
        if (!run_of(*init, node.func, std::move(*arguments))) return std::nullopt;
    }
    return object;
}

// An object that has these fields, and whatever else is given by name where there are none.
std::optional<Entity> ModuleScope::object_of_fields(const ast::Call& node, const ClassInfo* info) const {
    auto arguments = host_arguments(node);
    if (!arguments || (info && arguments->values.size() > info->names.size())) return std::nullopt;
    std::unique_ptr<ModuleScope> made(new ModuleScope(*shared_, file_, this, {}));
    made->is_object_ = true;
    const auto add_field = [&](const std::string& name, const std::optional<Entity>& value) {
        if (value) made->bindings_.insert_or_assign(name, *value);
    };
    for (size_t i = 0; info && i < info->names.size(); ++i) {
        if (info->defaults[i]) add_field(info->names[i], info->scope->evaluate(*info->defaults[i]));
        if (i < arguments->values.size()) add_field(info->names[i], arguments->values[i]);
    }
    for (const auto& [name, value] : arguments->named) add_field(name, value);
    if (info && info->kind == ClassKind::named_tuple) made->field_names_ = info;
    const ModuleScope* object = made.get();
    shared_->lifted_scopes.push_back(std::move(made));
    return object;
}

std::optional<Const> ModuleScope::fields() const {
    if (!field_names_) return std::nullopt;
    Const::Tuple items;
    for (const std::string& name : field_names_->names) {
        const auto field = bindings_.find(name);
        const auto item = field != bindings_.end() ? to_const(field->second) : std::nullopt;
        if (!item) return std::nullopt;
        items.push_back(*item);
    }
    return Const{std::move(items), {}};
}

}  // namespace pyk
