#include "syntax/literals.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "syntax/characters.h"
#include "syntax/failure.h"

namespace pyk::syntax {
namespace {

// CPython 3.11's limit on decimal integers (sys.get_int_max_str_digits).
constexpr size_t kMaxDecimalDigits = 4300;

// --- numbers --------------------------------------------------------------------------------------------------------
std::string without_underscores(std::string_view text) {
    std::string out(text);
    std::erase(out, '_');
    return out;
}

double float_value(std::string_view text) {
    const std::string digits = without_underscores(text);
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return result.ec == std::errc::result_out_of_range ? out_of_range(digits) : value;
}

ast::IntValue int_value(Span token) {
    const std::string_view text = token.text();
    std::string digits = without_underscores(text);
    int base = 10;
    if (digits.size() > 1 && digits[0] == '0' && !(digits[1] >= '0' && digits[1] <= '9')) {
        const char marker = static_cast<char>(digits[1] | 0x20);
        base = marker == 'x' ? 16 : marker == 'o' ? 8 : 2;
        digits.erase(0, 2);
    }
    const bool zero = digits.find_first_not_of('0') == std::string::npos;
    if (base == 10 && digits[0] == '0' && !zero)
        fail(token, fmt::format("leading zeros are not allowed in `{}`; octal integers are written `0o…`", text));
    if (base == 10 && digits.size() > kMaxDecimalDigits && !zero)
        fail(token, fmt::format("an integer of {} decimal digits exceeds the limit of {}; write it in hexadecimal",
                                digits.size(), kMaxDecimalDigits));
    ast::IntValue value{0, true, text};
    for (const char c : digits) {
        const auto digit = static_cast<uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        uint64_t product = 0;
        value.fits &= !__builtin_mul_overflow(value.value, static_cast<uint64_t>(base), &product);
        value.fits &= !__builtin_add_overflow(product, digit, &value.value);
    }
    return value;
}

// --- strings --------------------------------------------------------------------------------------------------------
StringLiteral split(Span token) {
    StringLiteral literal{token, token};
    const std::string_view text = token.text();
    size_t prefix = 0;
    for (; text[prefix] != '\'' && text[prefix] != '"'; ++prefix) {
        switch (text[prefix] | 0x20) {
            case 'b':
                literal.is_bytes = true;
                break;
            case 'r':
                literal.is_raw = true;
                break;
            case 'f':
                literal.is_formatted = true;
                break;
            default:
                literal.is_unicode = true;
                break;
        }
    }
    const bool triple =
        text.size() >= prefix + 6 && text[prefix + 1] == text[prefix] && text[prefix + 2] == text[prefix];
    const uint32_t quotes = triple ? 3 : 1;
    literal.body.begin += static_cast<uint32_t>(prefix) + quotes;
    literal.body.end -= quotes;
    return literal;
}

/// Decodes a part of one string's body into `out`.
class Decoder {
  public:
    Decoder(const StringLiteral& literal, Span part, std::string& out)
        : literal_(literal), part_(part), text_(part.text()), out_(out) {}

    void run() {
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '\\' && !literal_.is_raw && at_ < text_.size())
                escape();
            else
                plain(c);
        }
    }

  private:
    const StringLiteral& literal_;
    Span part_;
    std::string_view text_;
    std::string& out_;
    size_t at_ = 0;

    Span here(size_t begin) const {
        return {part_.file, part_.begin + static_cast<uint32_t>(begin), part_.begin + static_cast<uint32_t>(at_)};
    }

    /// Line ends in strings are `\n`, whatever the file has.
    void plain(char c) {
        if (literal_.is_bytes && static_cast<signed char>(c) < 0)
            fail(here(at_ - 1), "bytes can only contain ASCII literal characters");
        if (c == '\r') {
            if (at_ < text_.size() && text_[at_] == '\n') ++at_;
            c = '\n';
        }
        out_ += c;
    }

    void put(uint32_t code) {
        if (literal_.is_bytes)
            out_ += static_cast<char>(code);
        else
            append_utf8(out_, code);
    }

    void escape() {
        const size_t begin = at_ - 1;
        const char c = text_[at_++];
        switch (c) {
            case '\r':
                if (at_ < text_.size() && text_[at_] == '\n') ++at_;
                return;
            case '\n':
                return;
            case '\\':
            case '\'':
            case '"':
                return put(static_cast<unsigned char>(c));
            case 'a':
                return put('\a');
            case 'b':
                return put('\b');
            case 'f':
                return put('\f');
            case 'n':
                return put('\n');
            case 'r':
                return put('\r');
            case 't':
                return put('\t');
            case 'v':
                return put('\v');
            case 'x':
                return put(hex(begin, 2));
            default:
                break;
        }
        if (c >= '0' && c <= '7') return put(octal(c));
        if (!literal_.is_bytes && (c == 'u' || c == 'U')) return put(hex(begin, c == 'u' ? 4 : 8));
        if (!literal_.is_bytes && c == 'N') return named(begin);
        out_ += '\\';
        --at_;
    }

    uint32_t octal(char first) {
        uint32_t value = static_cast<uint32_t>(first - '0');
        for (int i = 0; i < 2 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i)
            value = value * 8 + static_cast<uint32_t>(text_[at_++] - '0');
        return value;
    }

    uint32_t hex(size_t begin, size_t digits) {
        uint32_t value = 0;
        const char* first = text_.data() + at_;
        const char* last = first + std::min(digits, text_.size() - at_);
        const auto [end, error] = std::from_chars(first, last, value, 16);
        at_ = static_cast<size_t>(end - text_.data());
        if (error != std::errc() || static_cast<size_t>(end - first) != digits)
            fail(here(begin),
                 fmt::format("truncated `\\{}` escape: {} hexadecimal digits are needed", text_[begin + 1], digits));
        if (value > 0x10FFFF) fail(here(begin), "illegal Unicode character: the largest is \\U0010ffff");
        return value;
    }

    /// `\N{NAME}`: the names are a database that this compiler does not carry. The character becomes U+FFFD; kernels
    /// have no text to put it in, and host code is passed over.
    void named(size_t begin) {
        const size_t close = at_ < text_.size() && text_[at_] == '{' ? text_.find('}', at_) : std::string_view::npos;
        if (close == std::string_view::npos || close == at_ + 1)
            fail(here(begin), "malformed `\\N{…}` escape: a character's name is needed");
        at_ = close + 1;
        put(0xFFFD);
    }
};

bool as_written(const StringLiteral& literal) {
    return literal.body.text().find_first_of(literal.is_raw ? std::string_view("\r") : std::string_view("\\\r")) ==
               std::string_view::npos &&
           !literal.is_bytes;
}

}  // namespace

double out_of_range(std::string_view digits) {
    const size_t e = digits.find_first_of("eE");
    const std::string_view mantissa = digits.substr(0, e);
    const size_t point = std::min(mantissa.find('.'), mantissa.size());
    const size_t first = mantissa.find_first_of("123456789");
    const long scale = static_cast<long>(point) - static_cast<long>(first);
    const bool negative_exponent = e != std::string::npos && digits[e + 1] == '-';
    if (e == std::string::npos) return scale > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    long exponent = 0;
    const char* const begin = digits.data() + e + 1 + (negative_exponent || digits[e + 1] == '+');
    if (std::from_chars(begin, digits.data() + digits.size(), exponent).ec != std::errc())
        exponent = std::numeric_limits<int>::max();
    return (negative_exponent ? -exponent : exponent) + scale > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

ast::ConstantValue number_value(Span token) {
    const std::string_view text = token.text();
    const bool prefixed =
        text.size() > 1 && text[0] == '0' && std::string_view("xXoObB").find(text[1]) != std::string_view::npos;
    if (!prefixed && (text.back() | 0x20) == 'j')
        return ast::ImaginaryValue{float_value(text.substr(0, text.size() - 1))};
    if (!prefixed && text.find_first_of(".eE") != std::string_view::npos) return float_value(text);
    return int_value(token);
}

std::string_view keep(std::string_view text, Arena& arena) {
    if (text.empty()) return {};
    auto* copy = static_cast<char*>(arena.allocate(text.size(), 1));
    std::memcpy(copy, text.data(), text.size());
    return {copy, text.size()};
}

std::vector<StringLiteral> string_literals(std::span<const Span> tokens) {
    std::vector<StringLiteral> literals;
    for (const Span& token : tokens) {
        literals.push_back(split(token));
        if (literals.back().is_bytes != literals.front().is_bytes)
            fail(token, "bytes and text cannot be joined in one literal");
    }
    return literals;
}

void decode(const StringLiteral& literal, Span part, std::string& out) { Decoder(literal, part, out).run(); }

ast::ConstantValue string_value(std::span<const StringLiteral> literals, Arena& arena) {
    const StringLiteral& first = literals.front();
    std::string_view text = first.body.text();
    if (literals.size() > 1 || !as_written(first)) {
        std::string joined;
        for (const StringLiteral& literal : literals) decode(literal, literal.body, joined);
        text = keep(joined, arena);
    }
    if (first.is_bytes) return ast::BytesValue{text};
    return ast::StrValue{text, first.is_unicode};
}

}  // namespace pyk::syntax
