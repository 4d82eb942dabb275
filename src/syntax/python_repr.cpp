#include "syntax/python_repr.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "support/words.h"
#include "syntax/characters.h"

namespace pyk::syntax {
namespace {

// --- text and bytes -------------------------------------------------------------------------------------------------
char quote_for(std::string_view text) {
    return text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
}

/// What text and bytes write alike; false: not one of these.
bool append_simple(std::string& out, uint32_t c, char quote) {
    switch (c) {
        case '\n':
            out += "\\n";
            return true;
        case '\r':
            out += "\\r";
            return true;
        case '\t':
            out += "\\t";
            return true;
        case '\\':
            out += "\\\\";
            return true;
        default:
            break;
    }
    if (c == static_cast<unsigned char>(quote)) out += '\\';
    if (c < ' ' || c >= 0x7F) return false;
    out += static_cast<char>(c);
    return true;
}

void append_bytes(std::string& out, std::string_view bytes) {
    const char quote = quote_for(bytes);
    out += 'b';
    out += quote;
    for (const char c : bytes)
        if (!append_simple(out, static_cast<unsigned char>(c), quote))
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    out += quote;
}

void append_character(std::string& out, uint32_t c) {
    if (c >= 0x80 && is_printable(c))
        append_utf8(out, c);
    else if (c < 0x100)
        out += fmt::format("\\x{:02x}", c);
    else if (c < 0x10000)
        out += fmt::format("\\u{:04x}", c);
    else
        out += fmt::format("\\U{:08x}", c);
}

// --- numbers --------------------------------------------------------------------------------------------------------
/// The shortest digits that read back as the same number; an exponent from 1e16 and below 1e-4 on.
std::string shortest(double value) {
    if (std::isinf(value)) return "inf";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    const std::string_view text(buffer, static_cast<size_t>(end - buffer));
    const size_t e = text.find('e');
    int exponent = 0;
    const char* digits = text.data() + e + 1 + (text[e + 1] == '+');
    std::from_chars(digits, end, exponent);
    if (exponent < -4 || exponent >= 16) return std::string(text);
    const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr;
    return std::string(buffer, fixed);
}

std::string float_repr(double value) {
    std::string text = shortest(value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

/// The decimal digits of an integer of any size, written in base 2, 8, 10 or 16.
std::string decimal(std::string_view written) {
    std::string digits(written);
    std::erase(digits, '_');
    const bool prefixed = digits.size() > 1 && digits[0] == '0' && (digits[1] | 0x20) >= 'a';
    if (!prefixed) return digits;
    const uint32_t base = (digits[1] | 0x20) == 'x' ? 16 : (digits[1] | 0x20) == 'o' ? 8 : 2;
    constexpr uint32_t kChunk = 1'000'000'000;
    std::vector<uint32_t> chunks{0};  // least significant first
    for (const char c : std::string_view(digits).substr(2)) {
        uint64_t carry = static_cast<uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        for (uint32_t& chunk : chunks) {
            carry += uint64_t{chunk} * base;
            chunk = static_cast<uint32_t>(carry % kChunk);
            carry /= kChunk;
        }
        if (carry) chunks.push_back(static_cast<uint32_t>(carry));
    }
    std::string out = fmt::format("{}", chunks.back());
    for (size_t i = chunks.size() - 1; i-- > 0;) out += fmt::format("{:09}", chunks[i]);
    return out;
}

struct Writer {
    std::string& out;
    void operator()(ast::NoneValue) const { out += "None"; }
    void operator()(bool value) const { out += value ? "True" : "False"; }
    void operator()(const ast::IntValue& value) const {
        out += value.fits ? fmt::format("{}", value.value) : decimal(value.digits);
    }
    void operator()(double value) const { out += float_repr(value); }
    void operator()(ast::ImaginaryValue value) const { out += shortest(value.value) + "j"; }
    void operator()(const ast::StrValue& value) const { append_repr(out, value.text); }
    void operator()(const ast::BytesValue& value) const { append_bytes(out, value.bytes); }
    void operator()(ast::EllipsisValue) const { out += "Ellipsis"; }
};

}  // namespace

void append_repr(std::string& out, const ast::ConstantValue& value) { std::visit(Writer{out}, value); }

void append_repr(std::string& out, std::string_view text) {
    const char quote = quote_for(text);
    out += quote;
    for (size_t i = 0; i < text.size();) {
        const uint32_t c = next_code_point(text, i);
        if (!append_simple(out, c, quote)) append_character(out, c);
    }
    out += quote;
}

}  // namespace pyk::syntax
