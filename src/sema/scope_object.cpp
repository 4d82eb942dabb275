// Objects of the host's: of its classes, of namespaces, of named tuples.
#include <algorithm>

#include "sema/free_names.h"
#include "sema/host_values.h"
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

// The body of a class that the file writes out; null: of one that a call makes.
const ModuleScope* ModuleScope::body_of(const ClassInfo& info) const {
    const auto found = names_.find(info.name);
    if (found == names_.end()) return nullptr;
    const auto* node = found->second.back().as<const ast::ClassDef*>();
    if (!node) return nullptr;
    const ModuleScope& body = shared_->body(*node, (*node)->body, *this);
    shared_->classes.emplace(&body, *node);
    return &body;
}

// What a field of a dataclass has that is not given: `n: int = 3`, `field(default=3)`, `field(default_factory=list)`.
std::optional<Entity> ModuleScope::field_default(const ast::Expr& written) const {
    const auto* call = written.as<ast::Call>();
    if (!call || last_name(*call->func) != "field") return evaluate(written);
    for (const ast::Keyword& keyword : call->keywords) {
        if (keyword.arg == "default") return evaluate(*keyword.value);
        if (keyword.arg != "default_factory") continue;
        const auto factory = evaluate(*keyword.value);
        if (const FunctionInfo* function = function_in(factory)) {
            const bool running = std::exchange(running_, true);  // each call is another one
            const ModuleScope* run = run_of(*function, call, {});
            running_ = running;
            return run ? run->returned_value_ : std::nullopt;
        }
        const auto* name = keyword.value->as<ast::Name>();
        if (name && name->id == "list" && !is_declared("list")) return list_of({});
        if (name && name->id == "dict" && !is_declared("dict")) return Const{Const::Dict(), {}};
    }
    return std::nullopt;
}

namespace {

bool is_set(const ast::Expr& field, std::string_view option) {
    const auto* call = field.as<ast::Call>();
    return call && last_name(*call->func) == "field" &&
           std::ranges::any_of(call->keywords, [&](const ast::Keyword& one) { return one.arg == option; });
}

}  // namespace

// An object of a dataclass; its functions run as those of other classes do.
std::optional<Entity> ModuleScope::object_of_dataclass(const ast::Call& node, const ClassInfo& info) const {
    const ModuleScope* body = info.scope->body_of(info);
    if (!body) return std::nullopt;
    if (body->is_declared("__init__")) return object(*body, node);
    if (!shared_->classes.at(body)->bases.empty()) return std::nullopt;  // their fields come first
    auto arguments = host_arguments(node);
    if (!arguments) return std::nullopt;
    std::unique_ptr<ModuleScope> made(new ModuleScope(*shared_, body->file_, body->parent_, {}));
    made->class_ = body;
    made->is_object_ = true;
    size_t next = 0, named = 0;
    for (size_t i = 0; i < info.names.size(); ++i) {
        const ast::ExprRef written = info.defaults[i];
        const std::string_view type = info.annotations[i] ? info.annotations[i]->span.text() : std::string_view();
        if (type.find("ClassVar") != type.npos) continue;
        if (type.find("InitVar") != type.npos || type.find("KW_ONLY") != type.npos) return std::nullopt;
        if (written && is_set(*written, "kw_only")) return std::nullopt;
        const bool is_given = !(written && is_set(*written, "init"));
        const auto by_name =
            std::ranges::find(arguments->named, info.names[i], [](const auto& one) { return one.first; });
        std::optional<Entity> value;
        if (is_given && next < arguments->values.size())
            value = arguments->values[next++];
        else if (is_given && by_name != arguments->named.end())
            value = by_name->second, ++named;
        else if (written)
            value = info.scope->field_default(*written);
        else
            return std::nullopt;
        if (value)
            made->bindings_.insert_or_assign(info.names[i], *value);
        else if (const auto known = body->names_.find(info.names[i]); known != body->names_.end())
            made->names_[known->first].push_back({0, Variable{}});  // not the class' own
    }
    if (next != arguments->values.size() || named != arguments->named.size()) return std::nullopt;
    const ModuleScope* object = made.get();
    shared_->lifted_scopes.push_back(std::move(made));
    const FunctionInfo* init = function_in(body->own("__post_init__"));
    if (init && !run_of(*init, &node, {.values = {Entity(object)}})) return std::nullopt;
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
    const FunctionInfo* info = function_in(scope.member(Entity(&object), "__call__"));
    auto arguments = info ? scope.host_arguments(node) : std::nullopt;
    if (!arguments) return std::nullopt;
    arguments->values.insert(arguments->values.begin(), Entity(&object));
    const ModuleScope* run = scope.run_of(*info, node.func, std::move(*arguments));
    return run ? run->returned_value_ : std::nullopt;
}

// `vars(self).update(n=4)`, `self.__dict__.update(fields)`: each becomes an attribute. False: it is another call.
bool ModuleScope::Shared::update_fields(ModuleScope& scope, const ast::Call& call) {
    const auto* method = call.func->as<ast::Attribute>();
    if (!method || method->attr != "update") return false;
    const auto* attribute = method->value->as<ast::Attribute>();
    const auto* vars = method->value->as<ast::Call>();
    const bool is_vars = vars && last_name(*vars->func) == "vars" && vars->args.size() == 1;
    if (!is_vars && !(attribute && attribute->attr == "__dict__")) return false;
    const ast::Expr& place = is_vars ? *vars->args[0] : *attribute->value;
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
    for (const std::string& name : field_names_->names) {
        const auto field = bindings_.find(name);
        const auto item = field != bindings_.end() ? to_const(field->second) : std::nullopt;
        if (!item) return std::nullopt;
        items.push_back(*item);
    }
    return Const{std::move(items), {}};
}

}  // namespace pyk
