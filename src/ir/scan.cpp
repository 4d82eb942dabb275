#include "ir/scan.h"

#include <fmt/format.h>

#include "support/words.h"

namespace pyk::ir {
namespace {

bool is_name_char(char c) { return is_of_name(c) || c == '.'; }

}  // namespace

void Scanner::fail(const std::string& message) const {
    throw SyntaxError(fmt::format("line {}: {}, at `{}`", line_, message, token_.text));
}

Token Scanner::take() {
    const Token token = token_;
    advance();
    return token;
}

bool Scanner::accept(std::string_view text) {
    if (!at(text)) return false;
    advance();
    return true;
}

void Scanner::expect(std::string_view text) {
    if (!accept(text)) fail(fmt::format("expected `{}`", text));
}

std::string_view Scanner::name() {
    if (token_.kind != Token::Kind::name) fail("expected a name");
    return take().text;
}

std::string_view Scanner::number() {
    if (token_.kind != Token::Kind::number) fail("expected a number");
    return take().text;
}

std::string Scanner::string() {
    if (token_.kind != Token::Kind::string) fail("expected a string");
    const std::string_view raw = take().text;
    std::string result;
    for (size_t i = 0; i < raw.size(); ++i) {
        const bool escaped = raw[i] == '\\' && i + 1 < raw.size();
        if (escaped) ++i;
        result += escaped && raw[i] == 'n' ? '\n' : raw[i];
    }
    return result;
}

void Scanner::skip_blanks() {
    for (; position_ < text_.size(); ++position_) {
        const char c = text_[position_];
        if (c == '#') position_ = std::min(text_.find('\n', position_), text_.size());
        if (position_ == text_.size()) return;
        if (text_[position_] == '\n') {
            ++line_;
            token_.starts_line = true;
        } else if (text_[position_] != ' ') {
            return;
        }
    }
}

/// A minus sign belongs to the number that follows it without a blank.
bool Scanner::starts_number() const {
    if (is_digit(char_at(0))) return true;
    return char_at(0) == '-' && (is_digit(char_at(1)) || text_.substr(position_ + 1, 3) == "inf");
}

size_t Scanner::number_length() const {
    size_t length = 1;
    while (is_name_char(char_at(length)) ||
           ((char_at(length) == '+' || char_at(length) == '-') && char_at(length - 1) == 'e'))
        ++length;
    return length;
}

size_t Scanner::string_length() const {
    size_t length = 1;
    while (char_at(length) != '"' && position_ + length < text_.size()) length += char_at(length) == '\\' ? 2 : 1;
    return length + 1;
}

size_t Scanner::token_length(Token::Kind& kind) const {
    kind = Token::Kind::number;
    if (starts_number()) return number_length();
    kind = Token::Kind::name;
    size_t length = 0;
    while (is_name_char(char_at(length))) ++length;
    if (length) return length;
    kind = Token::Kind::mark;
    for (std::string_view mark : {"**", "//", "<<", ">>", "==", "!=", "<=", ">=", "->"})
        if (text_.substr(position_, 2) == mark) return 2;
    return 1;
}

void Scanner::advance() {
    token_ = {};
    skip_blanks();
    if (position_ >= text_.size()) return;
    size_t length = 0;
    if (char_at(0) == '"') {
        token_.kind = Token::Kind::string;
        length = string_length();
        if (position_ + length > text_.size()) fail("unterminated string");
        token_.text = text_.substr(position_ + 1, length - 2);
    } else {
        length = token_length(token_.kind);
        token_.text = text_.substr(position_, length);
    }
    position_ += length;
}

}  // namespace pyk::ir
