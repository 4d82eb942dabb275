#include "module/formatted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>

#include "module/const_text.h"

namespace pyk {
namespace {

bool is_in(std::string_view all, char c) { return all.find(c) != std::string_view::npos; }

/// `[[fill]align][sign][#][0][width][grouping][.precision][type]`.
struct Specification {
    char fill = ' ', align = 0, sign = '-', grouping = 0, type = 0;
    bool has_prefix = false;
    size_t width = 0;
    int precision = -1;
};

std::optional<Specification> read_specification(std::string_view text) {
    Specification result;
    size_t at = 0;
    const auto number = [&] {
        size_t value = 0;
        for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) && value < 1000; ++at)
            value = value * 10 + static_cast<size_t>(text[at] - '0');
        return value;
    };
    const bool has_fill = text.size() > 1 && is_in("<>^=", text[1]);
    if (has_fill) result.fill = text[at++];
    if (at < text.size() && is_in("<>^=", text[at])) result.align = text[at++];
    if (at < text.size() && is_in("+- ", text[at])) result.sign = text[at++];
    if (at < text.size() && text[at] == '#') result.has_prefix = true, ++at;
    if (at < text.size() && text[at] == '0') {
        if (!has_fill) result.fill = '0';
        if (!result.align) result.align = '=';
        ++at;
    }
    result.width = number();
    if (at < text.size() && is_in(",_", text[at])) result.grouping = text[at++];
    if (at < text.size() && text[at] == '.') ++at, result.precision = static_cast<int>(number());
    if (at < text.size()) result.type = text[at++];
    return at == text.size() && result.width < 1000 ? std::optional(result) : std::nullopt;
}

std::string padded(std::string_view sign, std::string_view body, const Specification& spec, char align) {
    const size_t length = characters_in(sign) + characters_in(body);
    const size_t room = spec.width > length ? spec.width - length : 0;
    const size_t before = align == '>' ? room : align == '^' ? room / 2 : 0;
    const auto fill = [&](size_t count) { return std::string(count, spec.fill); };
    if (align == '=') return fmt::format("{}{}{}", sign, fill(room), body);
    return fmt::format("{}{}{}{}", fill(before), sign, body, fill(room - before));
}

/// The digits of a magnitude; nullopt: the type is none of integers.
std::optional<std::string> digits_of(uint64_t magnitude, const Specification& spec) {
    switch (spec.type) {
        case 0:
        case 'd':
            return fmt::format("{}", magnitude);
        case 'x':
            return fmt::format("{:x}", magnitude);
        case 'X':
            return fmt::format("{:X}", magnitude);
        case 'o':
            return fmt::format("{:o}", magnitude);
        case 'b':
            return fmt::format("{:b}", magnitude);
        default:
            return std::nullopt;
    }
}

/// `1234567` as `1,234,567`: the digits in front of the point.
std::string grouped(std::string digits, const Specification& spec, bool is_integer) {
    const size_t size = spec.type == 0 || is_in("dfF%gG", spec.type) ? 3 : 4;
    for (size_t at = is_integer ? digits.size() : digits.find_first_of(".e%"); at > size; at -= size)
        digits.insert(at - size, 1, spec.grouping);
    return digits;
}

std::optional<std::string> number_text(double magnitude, const Specification& spec) {
    if (spec.type == '%' && !spec.has_prefix)
        return fmt::format("{:.{}f}%", magnitude * 100, spec.precision < 0 ? 6 : spec.precision);
    if (!is_in("fFeEgG", spec.type) || spec.type == 0 || spec.has_prefix) return std::nullopt;
    const std::string format = fmt::format("{{:.{{}}{}}}", spec.type);  // whatever the program's locale is
    return fmt::format(fmt::runtime(format), magnitude, spec.precision < 0 ? 6 : spec.precision);
}

}  // namespace

std::optional<std::string> formatted_text(const ast::JoinedStr& node,
                                          const std::function<std::optional<Const>(const ast::Expr&)>& known) {
    std::string made;
    for (const ast::Expr* part : node.values) {
        if (const auto* text = part->as<ast::Constant>()) {
            made += std::get<ast::StrValue>(text->value).text;
            continue;
        }
        const auto& field = *part->as<ast::FormattedValue>();
        const auto value = known(*field.value);
        const auto specification =
            field.format_spec ? formatted_text(*field.format_spec->as<ast::JoinedStr>(), known) : std::string();
        const auto text =
            value && specification ? formatted_value(*value, field.conversion, *specification) : std::nullopt;
        if (!text) return std::nullopt;
        made += *text;
    }
    return made;
}

std::optional<std::string> formatted_value(const Const& value, char conversion, std::string_view specification) {
    if (conversion != 0) {
        auto text = conversion == 's' ? text_of(value) : conversion == 'r' ? representation(value) : std::nullopt;
        return text ? formatted_value(Const{std::move(*text), {}}, 0, specification) : std::nullopt;
    }
    if (specification.empty()) return text_of(value);
    const auto spec = read_specification(specification);
    if (!spec) return std::nullopt;
    if (const auto* text = value.as<std::string>()) {
        const bool is_plain =
            (spec->type == 0 || spec->type == 's') && spec->precision < 0 && spec->align != '=' && !spec->grouping;
        return is_plain ? std::optional(padded("", *text, *spec, spec->align ? spec->align : '<')) : std::nullopt;
    }
    const auto integer = value.as<Const::Int>() ? to_int(value) : std::nullopt;
    const double* real = value.as<double>();
    if (!integer && !real) return std::nullopt;
    const bool as_integer = integer && spec->precision < 0 && (spec->type == 0 || is_in("dxXob", spec->type));
    const double number = real ? *real : static_cast<double>(*integer);
    const bool is_negative = as_integer ? *integer < 0 : std::signbit(number);
    const auto bits = static_cast<uint64_t>(integer.value_or(0));
    auto body = as_integer ? digits_of(is_negative ? 0 - bits : bits, *spec) : number_text(std::abs(number), *spec);
    if (body && spec->grouping) {
        if (spec->fill == '0' && spec->align == '=') return std::nullopt;  // the zeros would be grouped too
        body = grouped(std::move(*body), *spec, as_integer);
    }
    std::string sign = is_negative ? "-" : spec->sign == '-' ? "" : std::string(1, spec->sign);
    if (as_integer && spec->has_prefix && spec->type != 0 && spec->type != 'd') sign += {'0', spec->type};
    return body ? std::optional(padded(sign, *body, *spec, spec->align ? spec->align : '>')) : std::nullopt;
}

std::optional<PrintedNumber> printed_number(std::string_view specification, bool is_integer, bool is_signed) {
    const auto spec = read_specification(specification);
    if (!spec || spec->grouping) return std::nullopt;
    const bool has_zeros = spec->fill == '0' && spec->align == '=';
    const bool is_padded = spec->width > 0 && !has_zeros;
    if (is_padded && (spec->fill != ' ' || is_in("^=", spec->align))) return std::nullopt;
    PrintedNumber made{"%", false};
    const auto add_flags = [&](size_t width) {
        if (spec->align == '<') made.format += '-';
        if (spec->sign != '-') made.format += spec->sign;
        if (has_zeros) made.format += '0';
        if (width > 0) made.format += std::to_string(width);
    };
    if (spec->type != 0 && is_in("feEgG", spec->type)) {
        if (spec->has_prefix) return std::nullopt;
        made.as_float = is_integer;
        add_flags(spec->width);
        made.format += fmt::format(".{}{}", spec->precision < 0 ? 6 : spec->precision, spec->type);
        return made;
    }
    if (!is_integer || spec->precision >= 0) return std::nullopt;
    if (spec->type == 0 || spec->type == 'd') {
        if (spec->has_prefix) return std::nullopt;
        add_flags(spec->width);
        made.format += is_signed ? "lld" : "llu";
        return made;
    }
    // Python writes a sign in front of the digits, C writes what the bits are.
    if (is_signed || spec->sign != '-' || !is_in("xXo", spec->type)) return std::nullopt;
    if (spec->has_prefix) {
        if (spec->width > 0 && !has_zeros) return std::nullopt;
        made.format = fmt::format("0{}%", spec->type);
    }
    add_flags(spec->has_prefix ? std::max<size_t>(spec->width, 2) - 2 : spec->width);
    made.format += fmt::format("ll{}", spec->type);
    return made;
}

}  // namespace pyk
