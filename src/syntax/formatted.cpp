#include "syntax/formatted.h"

#include <string>

namespace pyk::syntax {
namespace {

constexpr int kDeepest = 100;  ///< strings in strings

/// Reads a string, and what is in it.
class Reader {
  public:
    Reader(std::string_view text, size_t at) : text_(text), at_(at) {}

    /// Behind a string with its prefix; 0: there is none. `formatted`: only an f-string counts.
    size_t string(bool formatted) {
        size_t quote = at_;
        bool is_formatted = false;
        for (; quote < text_.size() && quote - at_ < 2 && is_prefix(text_[quote]); ++quote)
            is_formatted = is_formatted || (text_[quote] | 0x20) == 'f';
        if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) return 0;
        if ((formatted && !is_formatted) || ++depth_ > kDeepest) return 0;
        const bool is_triple = text_.substr(quote, 3) == std::string(3, text_[quote]);
        const std::string_view end = text_.substr(quote, is_triple ? 3 : 1);
        at_ = quote + end.size();
        const bool is_closed = literal(end, is_formatted, false);
        --depth_;
        return is_closed ? at_ : 0;
    }

  private:
    static bool is_prefix(char c) {
        return std::string_view("rbfu").find(static_cast<char>(c | 0x20)) != std::string_view::npos;
    }
    bool has(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

    // The text up to its end; of a format specification (`end` is the string's) up to the brace that closes the field.
    bool literal(std::string_view end, bool is_formatted, bool is_specification) {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (is_specification && c == '}') return true;
            if (has(end)) {
                if (is_specification) return false;
                at_ += end.size();
                return true;
            }
            if (end.size() == 1 && (c == '\n' || c == '\r')) return false;
            if (c == '\\') {
                at_ += has("\\\r\n") ? 3 : 2;
            } else if (is_formatted && !is_specification && (has("{{") || has("}}"))) {
                at_ += 2;
            } else if (is_formatted && c == '{') {
                ++at_;
                if (!field(end)) return false;
            } else {
                ++at_;
            }
        }
        return false;
    }

    // `value!r:specification}`.
    bool field(std::string_view end) {
        int open = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (const size_t behind = Reader(text_, at_, depth_).string(false); behind && !is_in_name()) {
                at_ = behind;
                continue;
            }
            if (c == '#') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
                continue;
            }
            ++at_;
            if (c == '(' || c == '[' || c == '{') ++open;
            if (open == 0 && c == '}') return true;
            if (open == 0 && c == ':') {
                if (!literal(end, true, true)) return false;
                ++at_;
                return true;
            }
            if (c == ')' || c == ']' || c == '}') --open;
            if (c == '"' || c == '\'' || open < 0) return false;
        }
        return false;
    }

    // A letter that ends a name is no prefix of a string.
    bool is_in_name() const {
        const char c = at_ > 0 ? text_[at_ - 1] : ' ';
        const bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        return is_prefix(text_[at_]) && (is_letter || c == '_' || (c >= '0' && c <= '9') || (c & 0x80));
    }

    Reader(std::string_view text, size_t at, int depth) : text_(text), at_(at), depth_(depth) {}

    std::string_view text_;
    size_t at_;
    int depth_ = 0;
};

}  // namespace

size_t end_of_formatted(std::string_view text, size_t at) {
    const char c = static_cast<char>(text[at] | 0x20);
    const auto is_quote = [&](size_t i) { return i < text.size() && (text[i] == '"' || text[i] == '\''); };
    const bool may_be = (c == 'f' || c == 'r') && (is_quote(at + 1) || is_quote(at + 2));
    return may_be ? Reader(text, at).string(true) : 0;
}

}  // namespace pyk::syntax
