// Objects with fields: of dataclasses, also of those that are derived from others, and named tuples.
#include <algorithm>

#include "module/host_values.h"
#include "module/scope.h"
#include "module/scope_shared.h"

namespace pyk {
namespace {

bool is_set(const ClassField& field, std::string_view option) {
    const auto* call = field.default_value ? field.default_value->as<ast::Call>() : nullptr;
    return call && last_name(*call->func) == "field" &&
           std::ranges::any_of(call->keywords, [&](const ast::Keyword& one) { return one.arg == option; });
}

}  // namespace

std::optional<Entity> ModuleScope::field_default(const ClassField& field) {
    const ModuleScope& scope = *field.scope;
    const auto evaluated = [&](const ast::Expr& expr) {
        const Then then(scope, field.at);
        return scope.evaluate(expr);
    };
    const auto* call = field.default_value->as<ast::Call>();
    if (!call || last_name(*call->func) != "field") return evaluated(*field.default_value);
    for (const ast::Keyword& keyword : call->keywords) {
        if (keyword.arg == "default") return evaluated(*keyword.value);
        if (keyword.arg != "default_factory") continue;
        const auto factory = evaluated(*keyword.value);
        if (const FunctionInfo* function = function_in(factory)) {
            const bool running = std::exchange(scope.running_, true);  // each call is another one
            const ModuleScope* run = scope.run_of(*function, call, {});
            scope.running_ = running;
            return run ? run->returned_value_ : std::nullopt;
        }
        if (const ModuleScope* body = Shared::class_in(factory))
            if (const ModuleScope* maker = scope.shared_->maker_of(*body))
                return Shared::object_with_fields(*body, *maker, {});
        const auto* name = keyword.value->as<ast::Name>();
        if (name && name->id == "list" && !scope.is_declared("list")) return list_of({});
        if (name && name->id == "dict" && !scope.is_declared("dict")) return Const{Const::Dict(), {}};
    }
    return std::nullopt;
}

const ClassInfo* ModuleScope::Shared::dataclass_of(const ModuleScope& body) const {
    const auto known = classes.find(&body);
    if (known == classes.end() || !body.parent_) return nullptr;
    const auto info = body.parent_->known_classes_.find(known->second->name);
    const bool is_dataclass = info != body.parent_->known_classes_.end() && info->second.kind == ClassKind::dataclass;
    return is_dataclass ? &info->second : nullptr;
}

const ClassInfo* ModuleScope::dataclass() const {
    return is_object_ && class_ ? shared_->dataclass_of(*class_) : nullptr;
}

// The dataclass whose `__init__` makes the objects of a class; null: it has one that is written, or none.
const ModuleScope* ModuleScope::Shared::maker_of(const ModuleScope& body) const {
    const auto known = classes.find(&body);
    if (known == classes.end() || body.names_.contains("__init__")) return nullptr;
    if (dataclass_of(body)) return &body;
    const auto& bases = known->second->bases;
    const ModuleScope* base = bases.size() == 1 ? base_in(body, *bases[0]) : nullptr;
    return base ? maker_of(*base) : nullptr;
}

// In the order of `__init__`; nullopt: not known.
std::optional<std::vector<ModuleScope::Shared::ObjectField>> ModuleScope::Shared::fields_of(
    const ModuleScope& body) const {
    const auto known = classes.find(&body);
    if (known == classes.end()) return std::nullopt;
    std::vector<ObjectField> all;
    for (const ast::Expr* base : known->second->bases) {
        if (last_name(*base) == "object" || last_name(*base) == "ABC") continue;
        const ModuleScope* of = base_in(body, *base);
        const auto inherited = of ? fields_of(*of) : std::nullopt;
        if (!inherited || (!inherited->empty() && !all.empty()))
            return std::nullopt;  // which comes first is not followed
        if (!inherited->empty()) all = *inherited;
    }
    const ClassInfo* info = dataclass_of(body);
    for (const ClassField& field : info ? std::span(info->fields) : std::span<const ClassField>()) {
        if (field.is_inherited) continue;
        const std::string_view type = field.annotation ? field.annotation->span.text() : std::string_view();
        if (type.find("InitVar") != type.npos || type.find("KW_ONLY") != type.npos) return std::nullopt;
        if (is_set(field, "kw_only")) return std::nullopt;
        const auto same = std::ranges::find(
            all, field.name, [](const ObjectField& one) -> auto& { return one.says->name; });
        if (same != all.end())
            *same = {&field, &body};
        else
            all.push_back({&field, &body});
    }
    for (const ast::Expr* decorator : known->second->decorator_list)
        if (decorator->span.text().find("kw_only") != std::string_view::npos) return std::nullopt;
    return all;
}

std::optional<Entity> ModuleScope::Shared::object_with_fields(const ModuleScope& body, const ModuleScope& maker,
                                                              const HostArguments& arguments) {
    Shared& shared = *body.shared_;
    const auto fields = shared.fields_of(maker);
    if (!fields) return std::nullopt;
    std::unique_ptr<ModuleScope> made(new ModuleScope(shared, body.file_, body.parent_, {}));
    made->class_ = &body;
    made->is_object_ = true;
    size_t next = 0, named = 0;
    for (const auto& [field, of] : *fields) {
        const bool is_given = !is_set(*field, "init");
        const auto by_name = std::ranges::find(arguments.named, field->name, [](const auto& one) { return one.first; });
        std::optional<Entity> value;
        if (is_given && next < arguments.values.size())
            value = arguments.values[next++];
        else if (is_given && by_name != arguments.named.end())
            value = by_name->second, ++named;
        else if (field->default_value)
            value = field_default(*field);
        else
            return std::nullopt;
        if (value)
            made->bindings_.insert_or_assign(field->name, *value);
        else if (const auto known = of->names_.find(field->name); known != of->names_.end())
            made->names_[known->first].push_back({0, Variable{}});  // not the class' own
    }
    if (next != arguments.values.size() || named != arguments.named.size()) return std::nullopt;
    const ModuleScope* object = made.get();
    shared.lifted_scopes.push_back(std::move(made));
    const FunctionInfo* init = function_in(body.own("__post_init__"));
    if (init && !body.run_of(*init, object, {.values = {Entity(object)}})) return std::nullopt;
    return object;
}

// `dataclasses.replace(config, n=4)`, `asdict(config)`, `astuple(config)`.
std::optional<Entity> ModuleScope::Shared::asked_of_fields(const ModuleScope& scope, const ast::Call& node) {
    const std::string_view name = last_name(*node.func);
    if ((name != "replace" && name != "asdict" && name != "astuple") || node.args.size() != 1) return std::nullopt;
    if (!scope.path_of(*node.func).starts_with("dataclasses.")) return std::nullopt;
    const auto value = scope.evaluate(*node.args[0]);
    const auto* object = value ? std::get_if<const ModuleScope*>(&*value) : nullptr;
    const ModuleScope* body = object && (*object)->is_object_ ? (*object)->class_ : nullptr;
    const ModuleScope* maker = body ? scope.shared_->maker_of(*body) : nullptr;
    const auto fields = maker ? scope.shared_->fields_of(*maker) : std::nullopt;
    auto arguments = fields ? scope.host_arguments(node) : std::nullopt;
    if (!arguments) return std::nullopt;
    if (name == "replace") {
        HostArguments given{.named = std::move(arguments->named)};
        for (const auto& [field, of] : *fields) {
            const auto is_it = [&](const auto& one) { return one.first == field->name; };
            if (!is_set(*field, "init") && std::ranges::none_of(given.named, is_it))
                given.named.emplace_back(field->name, scope.member(*value, field->name));
        }
        return object_with_fields(*body, *maker, given);
    }
    std::optional<Const> dict = Const{Const::Dict(), {}};
    Const::Tuple items;
    for (const auto& [field, of] : *fields) {
        const auto held = scope.member(*value, field->name);
        const auto item = held ? to_const(*held) : std::nullopt;
        if (!dict || !item || can_change(*item)) return std::nullopt;
        dict = with_item(*dict, Const{field->name, {}}, *item);
        items.push_back(*item);
    }
    return name == "astuple" ? Const{std::move(items), {}} : *dict;
}

// What `@dataclass` makes of `==` and, with `order=True`, of `<`: the fields of objects of one class, in their order.
std::optional<bool> ModuleScope::Shared::compared_fields(ast::CompareOp op, const ModuleScope& left,
                                                         const ModuleScope& right) {
    const ModuleScope* maker = left.class_ == right.class_ ? left.shared_->maker_of(*left.class_) : nullptr;
    const auto fields = maker ? left.shared_->fields_of(*maker) : std::nullopt;
    const bool is_equality = op == ast::CompareOp::Eq || op == ast::CompareOp::NotEq;
    if (!fields || (!is_equality && !left.shared_->dataclass_of(*maker)->is_ordered)) return std::nullopt;
    for (const ast::Expr* decorator : left.shared_->classes.at(maker)->decorator_list)
        if (decorator->span.text().find("eq") != std::string_view::npos) return std::nullopt;
    Const::Tuple values, others;
    for (const auto& [field, of] : *fields) {
        const auto value = left.own(field->name), other = right.own(field->name);
        const auto item = value ? to_const(*value) : std::nullopt, other_item = other ? to_const(*other) : std::nullopt;
        if (!item || !other_item || is_set(*field, "compare")) return std::nullopt;
        values.push_back(*item);
        others.push_back(*other_item);
    }
    return compare(op, Const{std::move(values), {}}, Const{std::move(others), {}});
}

// `P(1, y=2)` of the module.
std::optional<Const> ModuleScope::Shared::named_tuple(const ClassInfo& info, const HostArguments& arguments) {
    if (arguments.values.size() + arguments.named.size() > info.fields.size()) return std::nullopt;
    Const::Tuple items;
    std::vector<Type> types;
    for (size_t i = 0; i < info.fields.size(); ++i) {
        const ClassField& field = info.fields[i];
        const auto named = std::ranges::find(arguments.named, field.name, [](const auto& one) { return one.first; });
        const bool is_given = i < arguments.values.size() || named != arguments.named.end();
        std::optional<Entity> value;
        if (is_given)
            value = i < arguments.values.size() ? arguments.values[i] : named->second;
        else if (field.default_value)
            value = field_default(field);
        const auto item = value ? to_const(*value) : std::nullopt;
        if (!item || !type_of(*item)) return std::nullopt;
        types.push_back(type_of(*item));
        items.push_back(*item);
    }
    return Const{std::move(items), Type::named_tuple(TupleKind::named, info.name, info.field_names(), types)};
}

// The same by a call, also `P._make(values)`.
std::optional<Const> ModuleScope::Shared::called_named_tuple(const ModuleScope& scope, const ClassInfo& info,
                                                             const ast::Call& node, bool is_of_items) {
    if (!is_of_items) {
        const auto arguments = scope.host_arguments(node);
        return arguments ? named_tuple(info, *arguments) : std::nullopt;
    }
    const auto all = node.args.size() == 1 && node.keywords.empty() ? taken(scope, *node.args[0]) : std::nullopt;
    const auto items = all ? items_of(*all) : std::nullopt;
    if (!items || items->size() != info.fields.size()) return std::nullopt;
    HostArguments arguments;
    for (const Const& item : *items) arguments.values.emplace_back(to_entity(item));
    return named_tuple(info, arguments);
}

}  // namespace pyk
