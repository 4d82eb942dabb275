// The tokens of IR text.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace pyk::ir {

struct Token {
    enum class Kind { name, number, string, mark, end };
    Kind kind = Kind::end;
    std::string_view text;     ///< of a string: between the quotes, still escaped
    bool starts_line = false;  ///< nothing but blanks before it on its line
};

/// Thrown within read(), which turns it into a message.
struct SyntaxError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One token ahead of the parser.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) { advance(); }

    const Token& peek() const { return token_; }
    Token take();
    bool at(std::string_view text) const { return token_.kind != Token::Kind::string && token_.text == text; }
    bool accept(std::string_view text);
    void expect(std::string_view text);
    std::string_view name();
    std::string_view number();
    std::string string();

    [[noreturn]] void fail(const std::string& message) const;

  private:
    void advance();
    void skip_blanks();
    size_t token_length(Token::Kind& kind) const;
    size_t number_length() const;
    size_t string_length() const;
    bool starts_number() const;
    char char_at(size_t offset) const { return position_ + offset < text_.size() ? text_[position_ + offset] : '\0'; }

    std::string_view text_;
    size_t position_ = 0;
    int line_ = 1;
    Token token_;
};

}  // namespace pyk::ir
