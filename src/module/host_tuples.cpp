#include "module/host_tuples.h"

#include <algorithm>

#include "module/host_values.h"

namespace pyk {

std::optional<std::vector<std::string>> field_names(const Const& fields) {
    std::vector<std::string> names;
    const auto* text = fields.as<std::string>();
    for (size_t at = 0; text && at < text->size();) {
        const size_t end = std::min(text->find_first_of(" ,\t\n", at), text->size());
        if (end > at) names.push_back(text->substr(at, end - at));
        at = end + 1;
    }
    const auto items = text ? std::vector<Const>() : items_of(fields);
    if (!items) return std::nullopt;
    for (const Const& field : *items) {
        if (!field.as<std::string>()) return std::nullopt;
        names.push_back(*field.as<std::string>());
    }
    return names;
}

std::optional<Const> named_tuple_method(const Const& value, std::string_view method, const HostCall& call) {
    const auto* items = value.as<Const::Tuple>();
    const auto names = items && value.typed ? value.typed.element_names() : std::span<const std::string>();
    if (names.empty() || !call.args.empty()) return std::nullopt;
    if (method == "_asdict" && call.named.empty()) {
        std::optional<Const> dict = Const{Const::Dict(), {}};
        for (size_t i = 0; dict && i < names.size(); ++i) dict = with_item(*dict, Const{names[i], {}}, (*items)[i]);
        return dict;
    }
    if (method != "_replace") return std::nullopt;
    Const::Tuple changed = *items;
    for (const auto& [name, item] : call.named) {
        const auto at = std::ranges::find(names, name);
        if (at == names.end()) return std::nullopt;
        changed[static_cast<size_t>(at - names.begin())] = item;
    }
    std::vector<Type> types;
    for (const Const& item : changed) types.push_back(type_of(item));
    if (std::ranges::any_of(types, [](Type type) { return !type; })) return std::nullopt;
    const Type type = value.typed.with_elements(types);
    return Const{std::move(changed), type};
}

}  // namespace pyk
