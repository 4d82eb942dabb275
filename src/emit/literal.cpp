#include <fmt/compile.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "emit/cpp_types.h"
#include "emit/text.h"

namespace pyk::emitter {
namespace {

template <typename Float>
std::string digits(Float value) {
    std::string text = fmt::format("{}", value);
    // A whole number to its last digit: the shortest text that gives it may be another one.
    if (text.find_first_of(".e") == std::string::npos) text = fmt::format("{:.1f}", value);
    return text;
}

Text floating(double value, Type type) {
    if (is_class(type))
        return {fmt::format("{}({})", scalar_name(type), floating(value, Scalar::float32).text), kPrimary, type};
    const bool single = type.bits() == 32;
    const std::string_view suffix = single ? "f" : "";
    const double magnitude = std::fabs(value);
    const bool negative = std::signbit(value) && !std::isnan(value);
    std::string text = single ? digits(static_cast<float>(magnitude)) : digits(magnitude);
    if (std::isinf(value))
        text = single ? "pyk::inf<float>()" : "pyk::inf()";
    else if (std::isnan(value))
        text = single ? "pyk::nan<float>()" : "pyk::nan()";
    else
        text += suffix;
    return {(negative ? "-" : "") + text, negative ? kUnary : kPrimary, type};
}

std::string_view suffix_of(Type type) {
    if (type.is_unsigned()) return type.bits() == 64 ? "ULL" : type.bits() == 32 ? "u" : "";
    return type.bits() == 64 ? "LL" : "";
}

/// The least value of a type cannot be written as the negation of a literal.
Text least(Type type) {
    const bool wide = type.bits() == 64;
    return {wide ? "(-9223372036854775807LL - 1)" : "(-2147483647 - 1)", kPrimary, type};
}

/// The number at the end of `0xFF00_FF00`, `np.uint32(0b101)` or `MASK = 0xff`. Empty: there is none in base 2 or 16.
std::string_view spelling_in(Span span) {
    std::string_view text = span.text();
    text = text.substr(0, text.find_last_not_of(" )") + 1);
    const size_t end = text.find_last_of(" (=-");
    if (end != text.npos) text.remove_prefix(end + 1);
    const bool has_base = text.size() > 2 && text[0] == '0' && std::string_view("xXbB").find(text[1]) != text.npos;
    return has_base ? text : std::string_view();
}

/// Without what C++ does not know. Empty: it is another number.
std::string based_digits(std::string_view spelling, uint64_t value) {
    if (spelling.empty()) return "";
    const bool is_hex = spelling[1] == 'x' || spelling[1] == 'X';
    std::string digits(spelling.substr(2));
    std::erase(digits, '_');
    uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number, is_hex ? 16 : 2);
    return read.ec == std::errc() && read.ptr == end && number == value ? (is_hex ? "0x" : "0b") + digits : "";
}

Text signed_integer(int64_t value, Type type, std::string_view suffix, std::string_view spelling) {
    if (value == std::numeric_limits<int64_t>::min()) return least(Scalar::int64);
    if (value == std::numeric_limits<int32_t>::min() && suffix.empty()) return least(Scalar::int32);
    if (const std::string digits = based_digits(spelling, static_cast<uint64_t>(std::abs(value))); !digits.empty())
        return {fmt::format("{}{}{}", value < 0 ? "-" : "", digits, suffix), value < 0 ? kUnary : kPrimary, type};
    return {std::to_string(value).append(suffix), value < 0 ? kUnary : kPrimary, type};
}

Text suffixed(const ir::ConstantValue& value, Type type, std::string_view spelling) {
    const auto* number = std::get_if<uint64_t>(&value);
    if (!number) return signed_integer(std::get<int64_t>(value), type, suffix_of(type), spelling);
    std::string digits = based_digits(spelling, *number);
    const bool is_mask = type.bits() == 32 && *number == UINT32_MAX;  // the default of a warp's operations
    if (digits.empty()) digits = is_mask ? "0xffffffff" : std::to_string(*number);
    return {fmt::format(FMT_COMPILE("{}{}"), digits, suffix_of(type)), kPrimary, type};
}

/// `int` holds it, so that no suffix is needed where the context converts.
bool fits_int(const ir::ConstantValue& value) {
    if (const auto* number = std::get_if<uint64_t>(&value)) return *number <= INT32_MAX;
    const int64_t number = std::get<int64_t>(value);
    return number >= INT32_MIN && number <= INT32_MAX;
}

Text integer(const ir::ConstantValue& value, Type type, std::string_view spelling) {
    const bool plain = fits_int(value);
    if (!plain) return suffixed(value, type.bits() < 32 ? Type(Scalar::int32) : type, spelling);
    const auto* number = std::get_if<uint64_t>(&value);
    Text text =
        signed_integer(number ? static_cast<int64_t>(*number) : std::get<int64_t>(value), Scalar::int32, "", spelling);
    text.literal = &value;
    text.spelling = spelling;
    return text;
}

std::string cast(Type type, Text operand) {
    const std::string name(scalar_name(type));
    if (name.find(' ') == std::string::npos) return name + "(" + operand.text + ")";
    return "(" + name + ")" + at_least(kUnary, std::move(operand));
}

bool is_one_word(Type type) { return scalar_name(type).find(' ') == std::string::npos; }

}  // namespace

std::string cpp_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '\n')
            result += "\\n";
        else if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < 0x20)
            result += fmt::format("\\{:03o}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + "\"";
}

std::string character(uint32_t code, Type type) {
    const bool is_byte = type.bits() == 8, is_plain = code >= ' ' && code <= '~' && code != '\'' && code != '\\';
    if (is_plain) return fmt::format("{}'{}'", is_byte ? "" : "U", static_cast<char>(code));
    return is_byte && code > 127 ? fmt::format("'\\x{:x}'", code) : fmt::format("{}", code);
}

Text literal(const ir::ConstantValue& value, Type type, Span span) {
    if (const auto* flag = std::get_if<bool>(&value)) return {*flag ? "true" : "false", kPrimary, Scalar::boolean};
    if (const auto* number = std::get_if<double>(&value)) return floating(*number, type);
    return integer(value, type, spelling_in(span));
}

Text exactly(Type type, Text text) {
    if (text.type == type || !type.is_scalar()) {
        text.pending = false;
        return text;
    }
    if (type.is_boolean() && is_class(text.type)) return {cast(type, std::move(text)), kPrimary, type};
    if (type.is_boolean()) return {at_least(kRelational, std::move(text)) + " != 0", kRelational - 1, type};
    if (text.literal && type.is_integer() && type.bits() >= 32) return suffixed(*text.literal, type, text.spelling);
    const int precedence = is_one_word(type) ? kPrimary : kUnary;
    return {cast(type, std::move(text)), precedence, type};
}

}  // namespace pyk::emitter
