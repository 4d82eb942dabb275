// Classes of the module as types of values: named tuples, dataclasses with methods, enumerations.
#include <fmt/format.h>

#include <algorithm>

#include "module/free_names.h"
#include "sema/infer.h"

namespace pyk {
namespace {

std::vector<std::string_view> names_of_fields(const ClassInfo& info) {
    std::vector<std::string_view> names;
    for (const ClassField& field : info.fields) names.push_back(field.name);
    return names;
}

}  // namespace

Value Inference::field_default(const ClassField& field) {
    const auto entity = ModuleScope::field_default(field);
    const Span written = field.default_value->span;
    return entity ? of_entity(*entity, written) : not_constant(written);
}

// `P(1, y=2)`: a tuple with names. A dataclass' fields have the types of its annotations.
Value Inference::call_class(const ClassInfo& info, const ast::Call& node, Span span, ir::Block& out) {
    if (info.kind == ClassKind::enumeration) return member_with_value(info, node, span, out);
    if (info.kind == ClassKind::dataclass && info.has_own_init())
        return error(diag::unsupported_syntax, span, "dataclasses with an `__init__` or a `__post_init__`",
                     "make the value in a function");
    const size_t count = info.fields.size();
    std::vector<ast::ExprRef> written(node.args.begin(), node.args.end());
    for (const ast::Keyword& keyword : node.keywords) written.push_back(keyword.value);
    std::vector<Value> given = lower_list(written, out), items;  // `*values` gives several
    if (std::ranges::any_of(given, &Value::is_unknown)) return Value();
    const size_t by_place = given.size() - node.keywords.size();
    std::vector<std::optional<size_t>> bound(count);
    for (size_t i = 0; i < std::min(by_place, count); ++i) bound[i] = i;
    for (size_t i = 0; i < node.keywords.size(); ++i) {
        const ast::Keyword& keyword = node.keywords[i];
        const size_t at = info.find_field(keyword.arg);
        if (at == count) return unknown_parameter(info.name, keyword.arg, names_of_fields(info), keyword.span);
        if (bound[at]) return error(diag::parameter_twice, keyword.span, info.name, keyword.arg);
        bound[at] = by_place + i;
    }
    bool fits = by_place <= count;
    for (size_t i = 0; i < count; ++i) fits = fits && (bound[i] || info.fields[i].default_value);
    if (!fits)
        return error(diag::wrong_argument_count, span, info.name, std::string_view(std::to_string(count)),
                     static_cast<int>(given.size()));
    for (size_t i = 0; i < count; ++i)
        items.push_back(bound[i] ? std::move(given[*bound[i]]) : field_default(info.fields[i]));
    return made_of(info, std::move(items), span);
}

// A value of a class. The fields of a dataclass have the types of its annotations.
Value Inference::made_of(const ClassInfo& info, std::vector<Value> items, Span span) {
    for (size_t i = 0; i < items.size(); ++i) {
        Value& item = items[i];
        if (info.kind == ClassKind::named_tuple) hold(item);
        materialize(item);
        if (item.is_unknown() || !needs_value(item, item.span)) return Value();
        if (info.kind == ClassKind::dataclass) {
            const ClassField& field = info.fields[i];
            const auto type = field.annotation ? evaluate_type(*field.scope, *field.annotation) : std::nullopt;
            if (!type) return error(diag::not_a_constant, span, std::string_view(field.name));
            item = converted(std::move(item), *type, item.span);
            if (!item.expr) return Value();
        }
        settle(item);
        item.is_weak = false;
    }
    Value whole = make_tuple(std::move(items), span);
    if (!whole.expr) return Value();
    whole.type = whole.expr->type =
        Type::named_tuple(info.kind == ClassKind::dataclass ? TupleKind::structure : TupleKind::named, info.name,
                          info.field_names(), whole.type.elements());
    whole.constant.reset();
    whole.is_literal = false;
    return whole;
}

// The dataclass of an object of the module; null: the value is something else.
const ClassInfo* Inference::dataclass_of(const Value& value) {
    const auto* object =
        value.entity && !value.is_runtime() ? std::get_if<const ModuleScope*>(&*value.entity) : nullptr;
    return object ? (*object)->dataclass() : nullptr;
}

// `super().area`, `super(Box, self).area`: what the object has of the classes behind the one that says this method.
// nullopt: it is something else.
std::optional<Value> Inference::member_of_super(const ast::Attribute& node, Span span) {
    const auto* call = node.value->as<ast::Call>();
    const auto* name = call ? call->func->as<ast::Name>() : nullptr;
    const std::string& owner = instance_.info->owner;
    if (!name || name->id != "super" || owner.empty() || scope_.lookup("super")) return std::nullopt;
    std::string_view self;
    for_each_parameter(*def_.args, [&](const ast::Arg& arg) { self = self.empty() ? arg.arg : self; });
    const ClassInfo* info = scope_.class_named(owner);
    if (!info || self.empty()) return std::nullopt;
    Value object = lower_name(ast::Name{self}, call->func->span);
    const ClassInfo* own = dataclass_of(object);
    if (!own && object.type && object.type.is_tuple()) own = scope_.class_named(object.type.tuple_name());
    const std::vector<std::string>& order = own && own != info ? own->bases : info->bases;
    const auto said = std::ranges::find(order, owner);
    for (auto at = said == order.end() ? order.begin() : said + 1; at != order.end(); ++at) {
        const ClassInfo* base = scope_.class_named(*at);
        if (!base) continue;
        const auto method = base->methods.find(node.attr);
        if (method != base->methods.end() && method->second.owner == *at)
            return bound_method(method->second, base, std::move(object), span);
    }
    return error(diag::unknown_attribute, node.attr_span, "super()", node.attr);
}

// Such an object as a value: its fields are what they are when the kernel is compiled.
Value Inference::structure_of(const Value& object) {
    const ClassInfo& info = *dataclass_of(object);
    std::vector<Value> items;
    for (const ClassField& field : info.fields) {
        const auto held = scope_.member(*object.entity, field.name);
        if (!held)
            return error(diag::not_a_constant, object.span,
                         std::string_view(fmt::format("{}.{}", info.name, field.name)));
        items.push_back(of_entity(*held, object.span));
    }
    return made_of(info, std::move(items), object.span);
}

// Where an object of the module has to be a value.
void Inference::as_structure(Value& value) {
    if (dataclass_of(value)) value = structure_of(value);
}

// `dataclasses.replace(v, x=1)`: another value, with these fields.
Value Inference::replaced_fields(const ast::Call& node, Span span, ir::Block& out) {
    std::vector<ast::ExprRef> written(node.args.begin(), node.args.end());
    for (const ast::Keyword& keyword : node.keywords) written.push_back(keyword.value);
    std::vector<Value> given = lower_list(written, out);
    for (Value& value : given) as_structure(value);
    if (std::ranges::any_of(given, &Value::is_unknown)) return Value();
    const bool is_one = node.args.size() == 1 && is_structure(given[0].type);
    const ClassInfo* info = is_one ? scope_.class_named(given[0].type.tuple_name()) : nullptr;
    if (!info)
        return error(diag::unsupported_syntax, span, "calls of `dataclasses.replace` with anything but a dataclass",
                     "make the value anew");
    std::vector<Value> items = elements(std::move(given[0]), out);
    for (size_t i = 0; i < node.keywords.size(); ++i) {
        const ast::Keyword& keyword = node.keywords[i];
        const size_t at = info->find_field(keyword.arg);
        if (at == items.size()) return unknown_parameter(info->name, keyword.arg, names_of_fields(*info), keyword.span);
        items[at] = std::move(given[i + 1]);
    }
    return made_of(*info, std::move(items), span);
}

// `Color(2)`: the member that has the value.
Value Inference::member_with_value(const ClassInfo& info, const ast::Call& node, Span span, ir::Block& out) {
    if (node.args.size() != 1 || !node.keywords.empty())
        return error(diag::wrong_argument_count, span, std::string_view(info.name), "1",
                     static_cast<int>(node.args.size()));
    const Value value = lower(*node.args[0], out);
    if (value.is_unknown()) return Value();
    if (!value.constant) return not_constant(node.args[0]->span);
    if (const auto member = scope_.enum_member_with(info, *value.constant)) return of_const(*member, span);
    return error(diag::no_overload, span, std::string_view(info.name), described(value));
}

// The elements of a named tuple of functions.
std::optional<Const> Inference::fields_of(const Value& value) {
    const auto* object = value.entity ? std::get_if<const ModuleScope*>(&*value.entity) : nullptr;
    return object ? (*object)->fields() : std::nullopt;
}

// `.value` of a member, which may be known only when the kernel runs.
Value Inference::value_of_member(Value member, Span span) {
    const ClassInfo* info = scope_.enumeration_of(member.type);
    if (!info || !info->is_placed) return number_of(std::move(member));
    if (member.constant)
        if (const auto known = scope_.member_of_member(*member.constant, "value")) return of_const(*known, span);
    std::vector<Value> all;
    size_t longest = 1;
    for (const auto& [name, value] : info->members) {
        all.push_back(of_const(value, span));
        if (const auto text = known_text(all.back())) longest = std::max(longest, text->characters.size());
    }
    for (Value& value : all) value = as_text(std::move(value), Type::text(Scalar::uint32, longest));
    if (!std::ranges::all_of(all, &Value::is_runtime))
        return error(diag::unsupported_syntax, span, "such values, where only the run knows the member,",
                     "compare the members themselves");
    Value values = make_tuple(std::move(all), span);
    Value value;
    value.span = span;
    value.type = values.type.elements()[0];
    value.effects = member.effects;
    value.expr = ir::make(value.type, span, ir::TupleAt{std::move(values.expr), number_of(std::move(member)).expr});
    return value;
}

// A member of an enumeration as the number that it stands for.
Value Inference::number_of(Value member) const {
    if (!member.type.is_distinct()) return member;
    const Type type = member.type.scalar();
    if (member.constant && member.constant->as<std::string>()) {  // by its place
        const auto place = specializer_.integer(*member.expr);
        member.constant.reset();
        if (place) member.constant = Const{Const::Int(*place), {}};
    }
    if (member.constant) member.constant->typed = type;
    member.expr = ir::convert(std::move(member.expr), type);
    member.type = type;
    return member;
}

}  // namespace pyk
