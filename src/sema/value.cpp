#include "sema/value.h"

#include <fmt/format.h>

namespace pyk {

std::string described(const Value& value) {
    if (value.is_runtime()) return value.type.name();
    if (!value.entity) return "this";
    const auto constant = to_const(*value.entity);
    const Entity entity = constant ? to_entity(*constant) : *value.entity;
    if (const Path* path = std::get_if<Path>(&entity)) return path->name;
    if (const auto* type = std::get_if<TypeName>(&entity)) return fmt::format("the type {}", type->type.name());
    if (const Builtin* const* builtin = std::get_if<const Builtin*>(&entity))
        return fmt::format("the function `{}`", (*builtin)->name);
    if (const auto* info = std::get_if<const FunctionInfo*>(&entity))
        return fmt::format("the function `{}`", (*info)->name);
    if (const auto* info = std::get_if<const ClassInfo*>(&entity)) return fmt::format("the class `{}`", (*info)->name);
    if (std::get_if<std::shared_ptr<const Closure>>(&entity)) return "a function";
    if (std::get_if<Group>(&entity)) return "a group of threads";
    if (const auto* scope = std::get_if<const ModuleScope*>(&entity))
        return (*scope)->dataclass() ? "an object" : "a class or a module";
    if (constant && constant->as<std::string>()) return "a string";
    if (constant && constant->as<Const::None>()) return "None";
    if (constant && constant->as<Const::Tuple>()) return "a tuple";
    if (constant && constant->as<Const::List>()) return "a list (a tuple is a constant, a list may change)";
    return constant && constant->as<Const::Dict>() ? "a dictionary" : "this";
}

std::string without_call(const Value& callee, const ast::Call& node) {
    const std::string_view written = node.func->span.text();
    if (!callee.is_runtime() || !node.keywords.empty()) return "";
    if (node.args.empty()) return node.func->as<ast::Attribute>() ? std::string(written) : "";
    const bool is_item = callee.type.is_array() || (callee.type.is_tuple() && node.args.size() == 1);
    if (!is_item) return "";
    const Span &first = node.args.front()->span, &last = node.args.back()->span;
    return fmt::format("{}[{}]", written, Span{first.file, first.begin, last.end}.text());
}

}  // namespace pyk
