#include "syntax/characters.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>

#include "support/words.h"
#include "syntax/failure.h"

namespace pyk::syntax {
namespace {

struct Range {
    uint32_t first, last;
};

template <size_t N>
bool contains(const Range (&ranges)[N], uint32_t c) {
    return std::any_of(std::begin(ranges), std::end(ranges), [c](Range r) { return r.first <= c && c <= r.last; });
}

// Unicode's DerivedCoreProperties, as differences from the general categories.
constexpr Range kOtherStart[] = {{0x1885, 0x1886}, {0x2118, 0x2118}, {0x212E, 0x212E}};
constexpr Range kNotStart[] = {
    {0x037A, 0x037A}, {0x0E33, 0x0E33}, {0x0EB3, 0x0EB3}, {0x2E2F, 0x2E2F}, {0xFF9E, 0xFF9F}};
constexpr Range kOtherContinue[] = {{0x00B7, 0x00B7}, {0x0387, 0x0387}, {0x1369, 0x1371}, {0x19DA, 0x19DA},
                                    {0x0E33, 0x0E33}, {0x0EB3, 0x0EB3}, {0xFF9E, 0xFF9F}};
// Letters whose NFKC form is not a name.
constexpr Range kUnstable[] = {{0xFC5E, 0xFC63}, {0xFDFA, 0xFDFB}, {0xFE70, 0xFE70}, {0xFE72, 0xFE72},
                               {0xFE74, 0xFE74}, {0xFE76, 0xFE76}, {0xFE78, 0xFE78}, {0xFE7A, 0xFE7A},
                               {0xFE7C, 0xFE7C}, {0xFE7E, 0xFE7E}};

bool is_start(uint32_t c) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_NL:
            return !contains(kNotStart, c) && !contains(kUnstable, c);
        default:
            return c == '_' || contains(kOtherStart, c);
    }
}

bool is_continue(uint32_t c) {
    if (is_start(c) || contains(kOtherContinue, c)) return true;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_PC:
            return true;
        default:
            return false;
    }
}

/// Length of the well-formed sequence at the start of `text`, or 0.
size_t sequence_length(std::string_view text) {
    const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const unsigned lead = byte(0), second = byte(1);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead < 0xE0) return tail(1) ? 2 : 0;
    if ((lead & 0xF0) == 0xE0) {
        const bool overlong = lead == 0xE0 && second < 0xA0, surrogate = lead == 0xED && second >= 0xA0;
        return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xF0 && lead < 0xF5) {
        const bool overlong = lead == 0xF0 && second < 0x90, beyond = lead == 0xF4 && second >= 0x90;
        return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

bool ascii_without_nul(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

}  // namespace

void check_text(const SourceFile& source) {
    const std::string_view text = source.text();
    if (ascii_without_nul(text)) return;
    for (size_t i = 0; i < text.size();) {
        const Span at{&source, static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1)};
        if (text[i] == '\0') fail(at, "source text cannot contain NUL bytes");
        const size_t length = sequence_length(text.substr(i));
        if (length == 0)
            fail(at, fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8",
                                 static_cast<unsigned char>(text[i])));
        i += length;
    }
}

namespace {

/// What word processors and slides have in place of Python's characters.
std::string in_place_of(uint32_t c) {
    static constexpr struct {
        uint32_t written;
        std::string_view meant;
    } kCharacters[] = {{0x201C, "\""}, {0x201D, "\""}, {0x201E, "\""},  {0x2018, "'"},   {0x2019, "'"}, {0x2212, "-"},
                       {0x2013, "-"},  {0x2014, "-"},  {0x00D7, "*"},   {0x22C5, "*"},   {0x00F7, "/"}, {0x2264, "<="},
                       {0x2265, ">="}, {0x2260, "!="}, {0x00B2, "**2"}, {0x00B3, "**3"}, {0xFF08, "("}, {0xFF09, ")"},
                       {0xFF0C, ","},  {0xFF1A, ":"},  {0xFF1D, "="}};
    const auto* found = std::ranges::find_if(kCharacters, [&](const auto& row) { return row.written == c; });
    return found == std::end(kCharacters) ? std::string() : fmt::format("; write `{}`", found->meant);
}

}  // namespace

void check_identifier(const SourceFile& source, uint32_t begin, uint32_t end) {
    const std::string_view name = source.text().substr(begin, end - begin);
    for (size_t i = 0; i < name.size();) {
        const size_t start = i;
        const uint32_t c = next_code_point(name, i);
        if (start == 0 ? is_start(c) : is_continue(c)) continue;
        const Span span{&source, begin + static_cast<uint32_t>(start), begin + static_cast<uint32_t>(i)};
        if (is_printable(c))
            fail(span,
                 fmt::format("invalid character `{}` (U+{:04X}){}", name.substr(start, i - start), c, in_place_of(c)));
        fail(span,
             fmt::format("invalid non-printable character U+{:04X}{}", c, c == 0x00A0 ? "; write a plain space" : ""));
    }
}

std::string normalized(std::string_view name) {
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()), static_cast<utf8proc_ssize_t>(name.size()),
                     &mapped, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
    return length < 0 ? std::string(name) : std::string(reinterpret_cast<char*>(mapped), static_cast<size_t>(length));
}

void append_utf8(std::string& out, uint32_t c) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6)), tail(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0);
    } else {
        out += static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0);
    }
}

bool is_printable(uint32_t c) {
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_CS:
        case UTF8PROC_CATEGORY_CO:
        case UTF8PROC_CATEGORY_CN:
        case UTF8PROC_CATEGORY_ZL:
        case UTF8PROC_CATEGORY_ZP:
            return false;
        case UTF8PROC_CATEGORY_ZS:
            return c == ' ';
        default:
            return true;
    }
}

}  // namespace pyk::syntax
