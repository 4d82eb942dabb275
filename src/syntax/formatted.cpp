#include "syntax/formatted.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pyk::syntax {
namespace {

constexpr int kDeepest = 100;  ///< strings in strings, specifications in specifications

struct Kind {
    bool is_formatted = false, is_raw = false;
};

bool is_quote(std::string_view text, size_t at) { return at < text.size() && (text[at] == '"' || text[at] == '\''); }

/// Reads a string, and what is in it.
class Reader {
  public:
    Reader(std::string_view text, size_t at) : text_(text), at_(at) {}

    /// Behind a string with its prefix; 0: there is none. `formatted`: only an f-string counts.
    size_t string(bool formatted) {
        const size_t quote = at_ + prefix();
        if (!is_quote(text_, quote)) return 0;
        Kind kind;
        for (const char c : text_.substr(at_, quote - at_)) {
            kind.is_formatted = kind.is_formatted || (c | 0x20) == 'f';
            kind.is_raw = kind.is_raw || (c | 0x20) == 'r';
        }
        if ((formatted && !kind.is_formatted) || ++depth_ > kDeepest) return 0;
        const bool is_triple = text_.substr(quote, 3) == std::string(3, text_[quote]);
        const std::string_view end = text_.substr(quote, is_triple ? 3 : 1);
        at_ = quote + end.size();
        const bool is_closed = literal(end, kind, false);
        --depth_;
        return is_closed ? at_ : 0;
    }

    /// Of a text without quotes, which ends where the reader's does.
    std::optional<std::vector<FormattedPiece>> pieces(bool is_raw, bool is_specification) {
        std::vector<FormattedPiece> found;
        pieces_ = &found;
        add_text({at_, at_});
        if (!literal({}, {true, is_raw}, is_specification)) return std::nullopt;
        std::erase_if(found, [](const FormattedPiece& p) { return !p.is_field && p.text.begin == p.text.end; });
        return found;
    }

  private:
    static bool is_prefix(char c) {
        return std::string_view("rbfu").find(static_cast<char>(c | 0x20)) != std::string_view::npos;
    }
    /// How many letters may be those in front of a string.
    size_t prefix() const {
        size_t length = 0;
        while (length < 2 && at_ + length < text_.size() && is_prefix(text_[at_ + length])) ++length;
        return length;
    }
    bool has(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

    // The text up to its end; of a format specification (`end` is the string's) up to the brace that closes the field.
    bool literal(std::string_view end, Kind kind, bool is_specification) {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (is_specification && c == '}') return true;
            if (!end.empty() && has(end)) {
                if (is_specification) return false;
                at_ += end.size();
                return true;
            }
            if (end.size() == 1 && (c == '\n' || c == '\r')) return false;
            if (c == '\\') {
                take(escape(kind));
            } else if (kind.is_formatted && !is_specification && (has("{{") || has("}}"))) {
                take(1);
                add_text({++at_, at_});
            } else if (kind.is_formatted && c == '{') {
                ++at_;
                if (!field(end, kind)) return false;
                add_text({at_, at_});
            } else if (kind.is_formatted && c == '}') {
                return false;
            } else {
                take(1);
            }
        }
        return end.empty();
    }

    // Of an escape, as far as it must not be read as something else.
    size_t escape(Kind kind) const {
        if (has("\\\r\n")) return 3;
        if (!kind.is_formatted) return 2;
        if (has("\\{") || has("\\}")) return 1;
        const size_t named = has("\\N{") && !kind.is_raw ? text_.find('}', at_) : std::string_view::npos;
        return named == std::string_view::npos ? 2 : named + 1 - at_;
    }

    void take(size_t count) {
        at_ = std::min(at_ + count, text_.size());
        if (pieces_) pieces_->back().text.end = at_;
    }
    void add_text(Range text) {
        if (pieces_) pieces_->push_back({text});
    }

    // `value!r:specification}`.
    bool field(std::string_view end, Kind kind) {
        FormattedPiece piece{{at_, 0}, true};
        const auto end_value = [&] {
            if (piece.text.end == 0) piece.text.end = at_;
        };
        int open = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (!is_in_name() && is_quote(text_, at_ + prefix())) {
                at_ = Reader(text_, at_, depth_).string(false);
                if (at_ == 0) return false;  // tried once: what is in it is read once more by nobody
                continue;
            }
            if (c == '#') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
                continue;
            }
            if (open == 0 && c == '!' && !has("!=")) {
                end_value();
                piece.conversion = Range{at_ + 1, at_ + 1};
            }
            if (open == 0 && c == '=' && !piece.shown_end) {
                if (const size_t shown = behind_shown()) end_value(), piece.shown_end = shown;
            }
            if (open == 0 && (c == '}' || c == ':')) {
                end_value();
                if (piece.conversion) piece.conversion->end = at_;
                return c == '}' ? close(piece) : specification(piece, end, kind);
            }
            at_ += has("==") || has("!=") || has("<=") || has(">=") ? 2 : 1;
            if (c == '(' || c == '[' || c == '{') ++open;
            if (c == ')' || c == ']' || c == '}') --open;
            if (open < 0) return false;
        }
        return false;
    }

    // Behind the `=` that ends a field's expression, and the blanks; 0: this one does not.
    size_t behind_shown() const {
        const size_t next = text_.find_first_not_of(" \t\r\n", at_ + 1);
        const bool ends =
            next != std::string_view::npos && std::string_view("!:}").find(text_[next]) != std::string_view::npos;
        return ends ? next : 0;
    }

    bool specification(FormattedPiece& piece, std::string_view end, Kind kind) {
        const size_t begin = ++at_;
        if (++depth_ > kDeepest) return false;
        auto* const outer = std::exchange(pieces_, nullptr);
        const bool is_closed = literal(end, kind, true) && has("}");
        pieces_ = outer;
        --depth_;
        piece.specification = Range{begin, at_};
        return is_closed && close(piece);
    }

    bool close(const FormattedPiece& piece) {
        if (pieces_) pieces_->push_back(piece);
        ++at_;
        return true;
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
    std::vector<FormattedPiece>* pieces_ = nullptr;  ///< of the outermost text, where they are asked for
};

}  // namespace

size_t end_of_formatted(std::string_view text, size_t at) {
    const char c = static_cast<char>(text[at] | 0x20);
    const bool may_be = (c == 'f' || c == 'r') && (is_quote(text, at + 1) || is_quote(text, at + 2));
    return may_be ? Reader(text, at).string(true) : 0;
}

std::optional<std::vector<FormattedPiece>> formatted_pieces(std::string_view text, Range part, bool is_raw,
                                                            bool is_specification) {
    return Reader(text.substr(0, part.end), part.begin).pieces(is_raw, is_specification);
}

}  // namespace pyk::syntax
