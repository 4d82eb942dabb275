#include "module/const_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "module/formatted_text.h"
#include "module/host_iterators.h"

namespace pyk {

namespace {

/// The fewest digits that give the number back.
std::string float_text(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
}

/// A value for `%d`, `%x` or `%f`: those that Python converts.
std::optional<Const> number_for(char type, const Const& value) {
    if (value.as<bool>()) return number_for(type, Const{Const::Int(*value.as<bool>()), {}});
    if (value.member_of || (!value.as<Const::Int>() && !value.as<double>())) return std::nullopt;
    if (std::string_view("di").find(type) != std::string_view::npos) return whole_number(value);
    if (std::string_view("xXo").find(type) != std::string_view::npos)
        return value.as<double>() ? std::nullopt : std::optional(value);
    return std::string_view("fFeEgG").find(type) == std::string_view::npos ? std::nullopt
                                                                           : cast(value, Scalar::float64);
}

/// `%-8s`: `flags` and what is behind them, before the type.
std::optional<std::string> percent_field(std::string_view flags, std::string_view size, char type, const Const& value) {
    const auto has = [&](char flag) { return flags.find(flag) != std::string_view::npos; };
    const bool is_text = type == 's' || type == 'r';
    if (is_text && (size.find('.') != size.npos || flags.find_first_not_of('-') != flags.npos)) return std::nullopt;
    std::string specification(has('-') ? "<" : is_text ? ">" : "");
    if (has('+') || has(' ')) specification += has('+') ? '+' : ' ';
    if (has('#')) specification += '#';
    if (has('0') && !has('-')) specification += '0';
    specification += size;
    if (is_text) {
        auto text = type == 's' ? text_of(value) : representation(value);
        return text ? formatted_value(Const{std::move(*text), {}}, 0, size.empty() ? "" : specification) : std::nullopt;
    }
    const auto number = number_for(type, value);
    const bool is_integer = number && !number->as<double>();
    if (is_integer && size.find('.') != size.npos) return std::nullopt;
    return number ? formatted_value(*number, 0, specification + (type == 'i' ? 'd' : type)) : std::nullopt;
}

}  // namespace

std::optional<std::string> text_of(const Const& constant) {
    if (constant.typed.is_distinct()) return std::nullopt;
    // Of `class M(str, Enum)` it is the name.
    if (constant.member_of && constant.member_of.name().starts_with("Enum<")) return std::nullopt;
    if (const auto* text = constant.as<std::string>()) return *text;
    if (const bool* truth = constant.as<bool>()) return *truth ? "True" : "False";
    if (const auto* type = constant.as<Type>()) return type->name();
    if (const auto number = to_int(constant)) return fmt::format("{}", *number);
    if (const auto* real = constant.as<double>(); real && (!constant.typed || constant.typed.is(Scalar::float64)))
        return float_text(*real);
    return constant.typed ? std::nullopt : representation(constant);
}

std::optional<std::string> representation(const Const& value) {
    if (const auto* text = value.as<std::string>()) {
        const bool is_plain =
            std::ranges::all_of(*text, [](char c) { return c >= ' ' && c < 127 && c != '\'' && c != '\\'; });
        return is_plain && !value.member_of ? std::optional(fmt::format("'{}'", *text)) : std::nullopt;
    }
    if (value.typed || value.member_of || value.as<Type>() || is_iterator(value)) return std::nullopt;
    if (value.as<Const::None>()) return "None";
    const auto* tuple = value.as<Const::Tuple>();
    const auto* list = value.as<Const::List>();
    if (!tuple && !list)
        return value.as<bool>() || value.as<Const::Int>() || value.as<double>() ? text_of(value) : std::nullopt;
    std::string made;
    for (const Const& item : tuple ? *tuple : (*list)->items) {
        const auto text = representation(item);
        if (!text) return std::nullopt;
        made += (made.empty() ? "" : ", ") + *text;
    }
    if (list) return fmt::format("[{}]", made);
    return fmt::format("({}{})", made, tuple->size() == 1 ? "," : "");
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
        const size_t sized = std::min(text.find_first_not_of("-+ #0", i), text.size());
        const size_t end = std::min(text.find_first_not_of(".0123456789", sized), text.size());
        if (end == text.size() || next == values.size()) return std::nullopt;
        const auto value =
            percent_field(text.substr(i, sized - i), text.substr(sized, end - sized), text[end], values[next++]);
        if (!value) return std::nullopt;
        made += *value;
        i = end;
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
