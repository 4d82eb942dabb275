#include "module/const_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "module/formatted_text.h"

namespace pyk {

std::optional<std::string> text_of(const Const& constant) {
    if (constant.typed.is_distinct()) return std::nullopt;
    if (const auto* text = constant.as<std::string>()) return *text;
    if (const bool* truth = constant.as<bool>()) return *truth ? "True" : "False";
    if (const auto* type = constant.as<Type>()) return type->name();
    if (const auto number = to_int(constant)) return fmt::format("{}", *number);
    return std::nullopt;
}

size_t characters_in(std::string_view text) {
    return static_cast<size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::optional<std::string> percent(std::string_view text, std::span<const Const> values) {
    std::string made;
    size_t next = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            made += text[i];
            continue;
        }
        if (++i == text.size()) return std::nullopt;
        if (text[i] == '%') {
            made += '%';
            continue;
        }
        if (std::string_view("sdi").find(text[i]) == std::string_view::npos || next == values.size())
            return std::nullopt;
        const auto value = text_of(values[next++]);
        if (!value) return std::nullopt;
        made += *value;
    }
    return next == values.size() ? std::optional(made) : std::nullopt;
}

std::optional<std::string> braces(std::string_view text, const FormatField& field) {
    std::string made;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool is_brace = text[i] == '{' || text[i] == '}';
        if (is_brace && i + 1 < text.size() && text[i + 1] == text[i])
            ++i;
        else if (is_brace) {
            const size_t end = text.find('}', i);
            if (text[i] == '}' || end == std::string_view::npos) return std::nullopt;
            const std::string_view inside = text.substr(i + 1, end - i - 1);
            const size_t colon = std::min(inside.find(':'), inside.size());
            const auto value = field(inside.substr(0, colon));
            const auto known =
                value ? formatted_value(*value, 0, inside.substr(std::min(colon + 1, inside.size()))) : std::nullopt;
            if (!known) return std::nullopt;
            made += *known;
            i = end;
            continue;
        }
        made += text[i];
    }
    return made;
}

}  // namespace pyk
