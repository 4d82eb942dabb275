#include "module/entity.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace pyk {

std::vector<std::string> ClassInfo::field_names() const {
    std::vector<std::string> names;
    for (const ClassField& field : fields) names.push_back(field.name);
    return names;
}

size_t ClassInfo::find_field(std::string_view field) const {
    return static_cast<size_t>(std::ranges::find(fields, field, &ClassField::name) - fields.begin());
}

std::optional<Const> to_const(const Entity& entity) {
    if (const Const* constant = std::get_if<Const>(&entity)) return *constant;
    if (const NamedConst* named = std::get_if<NamedConst>(&entity)) return named->value;
    if (const TypeName* type = std::get_if<TypeName>(&entity)) return Const{type->type, {}};
    if (const auto* info = std::get_if<const FunctionInfo*>(&entity)) return Const{*info, {}};
    if (const auto* builtin = std::get_if<const Builtin*>(&entity)) return Const{*builtin, {}};
    return std::nullopt;
}

Entity to_entity(const Const& constant) {
    if (const Type* type = constant.as<Type>()) return TypeName{*type};
    if (const auto* info = constant.as<const FunctionInfo*>()) return *info;
    if (const auto* builtin = constant.as<const Builtin*>()) return *builtin;
    return constant;
}

std::string key_of(const Entity& entity) {
    const auto text = [](const auto& self, const Const& c) -> std::string {
        std::string type = fmt::format("{}:{}", c.value.index(), fmt::ptr(c.typed.data()));
        return type +
               std::visit(
                   [&](const auto& v) -> std::string {
                       using T = std::decay_t<decltype(v)>;
                       if constexpr (std::is_same_v<T, Const::None>)
                           return "";
                       else if constexpr (std::is_same_v<T, Const::Int>)
                           return fmt::format("{},{}", static_cast<int64_t>(v >> 64), static_cast<uint64_t>(v));
                       else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>)
                           return fmt::format("{}", v);
                       else if constexpr (std::is_same_v<T, std::complex<double>>)
                           return fmt::format("{},{}", v.real(), v.imag());
                       else if constexpr (std::is_same_v<T, std::string>)
                           return fmt::format("{}'{}'", v.size(), v);
                       else if constexpr (std::is_same_v<T, Type>)
                           return fmt::format("{}", fmt::ptr(v.data()));
                       else if constexpr (std::is_same_v<T, Const::Tuple>) {
                           std::string all = "(";
                           for (const Const& item : v) all += self(self, item) + ",";
                           return all + ")";
                       } else if constexpr (std::is_same_v<T, Const::DictObject>) {
                           std::string all =
                               fmt::format("{}{}{{", static_cast<int>(v.dict->kind), fmt::ptr(v.dict->factory));
                           for (const Const& item : v.dict->keys) all += self(self, item) + ",";
                           for (const Const& item : v.dict->values) all += self(self, item) + ",";
                           return all + "}";
                       } else if constexpr (std::is_same_v<T, Const::List>) {
                           std::string all = fmt::format("{}[", static_cast<int>(v->kind));
                           for (const Const& item : v->items) all += self(self, item) + ",";
                           return all + "]";
                       } else if constexpr (std::is_same_v<T, Const::Array>) {
                           const auto& bytes = v->table.bytes;
                           const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
                           return fmt::format("{}[{}]{}", fmt::ptr(v->type.data()), fmt::join(v->table.shape, ","),
                                              std::hash<std::string_view>()(text));
                       } else if constexpr (std::is_same_v<T, Const::Record>)
                           return self(self, Const{v.array, {}});
                       else
                           return fmt::format("{}", fmt::ptr(v));
                   },
                   c.value);
    };
    if (const auto constant = to_const(entity)) return text(text, *constant);
    if (const Path* path = std::get_if<Path>(&entity)) return "path " + path->name;
    if (const auto* scope = std::get_if<const ModuleScope*>(&entity)) return fmt::format("scope {}", fmt::ptr(*scope));
    if (const auto* info = std::get_if<const ClassInfo*>(&entity)) return fmt::format("class {}", fmt::ptr(*info));
    if (const auto* group = std::get_if<Group>(&entity)) return fmt::format("{} {}", group->family, group->size);
    if (const auto* decoration = std::get_if<Decoration>(&entity))
        return fmt::format("decoration {} {}", fmt::ptr(decoration->scope), fmt::ptr(decoration->written));
    return "closure";
}

}  // namespace pyk
