// Words of texts: the names of C++, of PTX, of Python.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyk {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Of a word of C++ or PTX: a letter, a digit or `_`.
constexpr bool is_of_word(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }
/// Of a name of Python: also what is not ASCII (UTF-8).
constexpr bool is_of_name(char c) { return is_of_word(c) || (c & 0x80) != 0; }

/// Which characters words are made of.
using WordOf = bool (*)(char);

/// What is a word from `at` on; empty: none begins there.
constexpr std::string_view word_at(std::string_view text, size_t at, WordOf is_of = is_of_word) {
    size_t end = at;
    while (end < text.size() && is_of(text[end])) ++end;
    return text.substr(at, end - at);
}

/// Calls `visit(word, at)` for each word of the text.
constexpr void for_each_word(std::string_view text, WordOf is_of, const auto& visit) {
    for (size_t at = 0; at < text.size();) {
        const std::string_view word = word_at(text, at, is_of);
        if (!word.empty()) visit(word, at);
        at += word.size() + word.empty();
    }
}

/// Whether a word of the text is that one.
constexpr bool has_word(std::string_view text, std::string_view word, WordOf is_of = is_of_word) {
    for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        if ((at == 0 || !is_of(text[at - 1])) && (end == text.size() || !is_of(text[end]))) return true;
    }
    return false;
}

/// Whether the text is one word, which does not begin with a digit.
constexpr bool is_identifier(std::string_view text, WordOf is_of = is_of_word) {
    return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), is_of);
}

/// Reads one code point at `at` and moves behind it. The text is UTF-8, surrogates allowed.
uint32_t next_code_point(std::string_view text, size_t& at);
/// Words of C++ as they are, other characters as `_uXXXX_`, so that every tool takes the name.
std::string ascii_name(std::string_view name);

}  // namespace pyk
