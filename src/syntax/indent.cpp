#include "syntax/indent.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "syntax/characters.h"
#include "syntax/failure.h"
#include "syntax/syntax_error.h"

namespace pyk::syntax {
namespace {

constexpr size_t kMaxBrackets = 200;
constexpr size_t kMaxIndents = 100;
constexpr uint32_t kTab = 8;

/// Where a line's first token stands, counted twice: with tabs to multiples of 8, and with tabs as one column. Lines
/// that compare differently by the two counts mix tabs and spaces in a way that depends on the reader.
struct Column {
    uint32_t tabs8 = 0;
    uint32_t tabs1 = 0;
};

/// One open level of indentation. A level opened under `match …:` holds nothing but `case`s.
struct Level {
    Column column;
    bool of_match = false;
};

class Layout {
  public:
    Layout(const SourceFile& source, const std::vector<Token>& raw) : source_(source), text_(source.text()), raw_(raw) {
        out_.reserve(raw.size() + raw.size() / 4 + 8);
        levels_.push_back({});
    }

    std::vector<Token> run() {
        for (size_t i = 0; i < raw_.size(); ++i) take(i);
        finish();
        return std::move(out_);
    }

    std::vector<Token> run_field(uint32_t end) {
        at_line_start_ = false;
        for (size_t i = 0; i < raw_.size(); ++i)
            if (raw_[i].kind != kNewline) take(i);
        check_brackets();
        out_.push_back({end, end, kEndOfFile});
        return std::move(out_);
    }

  private:
    const SourceFile& source_;
    std::string_view text_;
    const std::vector<Token>& raw_;
    std::vector<Token> out_;
    std::vector<Level> levels_;
    std::vector<Token> brackets_;
    bool at_line_start_ = true;
    size_t line_start_ = 0;  ///< index in out_ of the current logical line's first token
    size_t match_line_ = 0;  ///< 1 + index in out_ of the `match` whose block opens with the next line; 0: none

    Span span(const Token& t) const { return {&source_, t.begin, t.end}; }
    char first_char(const Token& t) const { return text_[t.begin]; }

    void take(size_t i) {
        const Token& t = raw_[i];
        if (t.kind == kNewline) return line_end(t);
        check(t, i);
        if (at_line_start_) open_line(i);
        const bool first = line_start_ == out_.size();
        out_.push_back(t);
        if (t.kind == kUnicodeName) out_.back().kind = kName;
        if (first && levels_.back().of_match && text_of(t, text_) == "case") out_.back().kind = kCase;
        if (t.end - t.begin == 1) bracket(t);
    }

    void line_end(const Token& t) {
        if (at_line_start_ || !brackets_.empty()) return;
        at_line_start_ = true;
        match_line_ = may_be_match() ? line_start_ + 1 : 0;
        out_.push_back(t);
    }

    /// The line that just ended reads `match …:`.
    bool may_be_match() const {
        return text_of(out_[line_start_], text_) == "match" && out_.size() - line_start_ > 2 &&
               first_char(out_.back()) == ':' && out_.back().end - out_.back().begin == 1;
    }

    // --- indentation ------------------------------------------------------------------------------------------------
    /// Of the line whose first token is raw_[i]. Between it and the token before stand only white space and joined
    /// lines; a joined line counts from where its first part's backslash stands, as in CPython.
    Column column_of(size_t i) const {
        Column column, joined;
        for (uint32_t at = i == 0 ? 0 : raw_[i - 1].end; at < raw_[i].begin; ++at) {
            switch (text_[at]) {
                case ' ':
                    ++column.tabs8, ++column.tabs1;
                    break;
                case '\t':
                    column.tabs8 = (column.tabs8 / kTab + 1) * kTab, ++column.tabs1;
                    break;
                case '\f':
                    column = {};
                    break;
                case '\\':
                    joined = joined.tabs8 ? joined : Column{column.tabs8, column.tabs8};
                    break;
                default:
                    break;  // the rest of a joined line's end, or a byte-order mark
            }
        }
        return joined.tabs8 ? joined : column;
    }

    void open_line(size_t i) {
        const Token& t = raw_[i];
        at_line_start_ = false;
        const Column column = column_of(i);
        const Column current = levels_.back().column;
        if (column.tabs8 == current.tabs8) {
            if (column.tabs1 != current.tabs1) inconsistent(t);
        } else if (column.tabs8 > current.tabs8) {
            if (column.tabs1 <= current.tabs1) inconsistent(t);
            indent(column, t);
        } else {
            dedent(column, t);
        }
        line_start_ = out_.size();
        match_line_ = 0;
    }

    void indent(Column column, const Token& t) {
        if (levels_.size() >= kMaxIndents)
            fail(span(t), fmt::format("too many levels of indentation (at most {})", kMaxIndents - 1));
        const bool of_match = match_line_ != 0 && text_of(t, text_) == "case";
        if (of_match) out_[match_line_ - 1].kind = kMatch;
        levels_.push_back({column, of_match});
        out_.push_back({t.begin, t.begin, kIndent});
    }

    void dedent(Column column, const Token& t) {
        while (levels_.size() > 1 && column.tabs8 < levels_.back().column.tabs8) {
            levels_.pop_back();
            out_.push_back({t.begin, t.begin, kDedent});
        }
        if (column.tabs8 != levels_.back().column.tabs8)
            fail(span(t), "this line's indentation does not match any outer indentation level");
        if (column.tabs1 != levels_.back().column.tabs1) inconsistent(t);
    }

    [[noreturn]] void inconsistent(const Token& t) const {
        fail(span(t), "inconsistent use of tabs and spaces in indentation; indent with spaces only");
    }

    // --- brackets ---------------------------------------------------------------------------------------------------
    void bracket(const Token& t) {
        switch (first_char(t)) {
            case '(':
            case '[':
            case '{':
                if (brackets_.size() >= kMaxBrackets)
                    fail(span(t), fmt::format("too many nested brackets (at most {})", kMaxBrackets));
                brackets_.push_back(t);
                break;
            case ')':
                close(t, '(');
                break;
            case ']':
                close(t, '[');
                break;
            case '}':
                close(t, '{');
                break;
            default:
                break;
        }
    }

    void close(const Token& t, char opener) {
        if (brackets_.empty()) fail(span(t), fmt::format("unmatched `{}`", first_char(t)));
        const Token open = brackets_.back();
        if (first_char(open) != opener)
            throw Failure{span(t),
                          fmt::format("closing `{}` does not match opening `{}`", first_char(t), first_char(open)),
                          span(open), "opened here"};
        brackets_.pop_back();
    }

    // --- tokens -----------------------------------------------------------------------------------------------------
    void check(const Token& t, size_t i) const {
        switch (t.kind) {
            case kUnicodeName:
                check_identifier(source_, t.begin, t.end);
                break;
            case kNumber:
                check_number_end(t, i);
                break;
            case kUnterminatedString:
                fail(span(t), "unterminated string literal; a string ends on the line where it starts");
            case kUnterminatedTriple:
                fail({&source_, t.begin, t.begin + 3}, "unterminated triple-quoted string literal");
            case kBad:
                bad(t);
            default:
                break;
        }
    }

    /// Nothing may stick to a number, except the keywords of `1if x else 2`, which CPython 3.11 still lets pass.
    void check_number_end(const Token& t, size_t i) const {
        if (i + 1 >= raw_.size() || raw_[i + 1].begin != t.end) return;
        const Token& next = raw_[i + 1];
        const bool keyword =
            next.kind >= kFirstKeyword && next.kind <= kLastKeyword && !may_follow_number(text_of(next, text_));
        const bool word = next.kind == kName || next.kind == kUnicodeName || next.kind == kNumber;
        if (keyword || (word && first_char(next) != '.'))
            fail(cover(span(t), span(next)),
                 fmt::format("invalid number `{}`{}", text_.substr(t.begin, next.end - t.begin),
                             instead_of_suffix(text_of(t, text_), text_of(next, text_))));
    }
    /// `1.0f` and `10u` of C.
    static std::string instead_of_suffix(std::string_view number, std::string_view suffix) {
        if (suffix == "f" || suffix == "F") return fmt::format("; a float32 is written `float32({})`", number);
        const bool is_size = suffix.find_first_not_of("uUlL") == std::string_view::npos;
        return is_size ? fmt::format("; a type is written around the number, as in `uint32({})`", number) : "";
    }
    static bool may_follow_number(std::string_view keyword) {
        constexpr std::array<std::string_view, 8> keywords = {"and", "else", "for", "if", "in", "is", "not", "or"};
        return std::find(keywords.begin(), keywords.end(), keyword) != keywords.end();
    }

    [[noreturn]] void bad(const Token& t) const {
        const char c = first_char(t);
        if (c == '\\')
            fail(span(t), t.end == text_.size()
                              ? "unexpected end of file after `\\`"
                              : "unexpected character after `\\`; it joins lines only as a line's last character");
        if (const auto message = notebook_command(text_, t.begin); !message.empty())
            fail(span(t), std::string(message));
        if (c == '!' && t.begin > 0 && text_[t.begin - 1] == '=') fail(span(t), "Python has no `=!`; write `!=`");
        if (c == '!') fail(span(t), "invalid syntax near `!`; write `not` for negation");
        if (c == '?') fail(span(t), "Python has no `?:`; write `a if condition else b`");
        if (c > ' ' && c < 0x7F) fail(span(t), fmt::format("invalid character `{}`", c));
        fail(span(t), fmt::format("invalid non-printable character U+{:04X}", static_cast<unsigned char>(c)));
    }

    void check_brackets() const {
        if (!brackets_.empty())
            fail(span(brackets_.back()), fmt::format("`{}` was never closed", first_char(brackets_.back())));
    }

    void finish() {
        check_brackets();
        const auto end = static_cast<uint32_t>(text_.size());
        if (ends_joined()) fail({&source_, end, end}, "unexpected end of file after `\\`");
        if (!at_line_start_) out_.push_back({end, end, kNewline});
        for (; levels_.size() > 1; levels_.pop_back()) out_.push_back({end, end, kDedent});
        out_.push_back({end, end, kEndOfFile});
    }

    /// The last line ends with a backslash: another should follow.
    bool ends_joined() const {
        const std::string_view rest = text_.substr(raw_.empty() ? 0 : raw_.back().end);
        return rest.find('\\') < rest.find('#');
    }
};

}  // namespace

std::vector<Token> lay_out(const SourceFile& source, const std::vector<Token>& raw) {
    return Layout(source, raw).run();
}

std::vector<Token> lay_out_field(Span field, const std::vector<Token>& raw) {
    return Layout(*field.file, raw).run_field(field.end);
}

}  // namespace pyk::syntax
