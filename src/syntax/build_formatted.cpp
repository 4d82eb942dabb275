// f-strings: the parser sees one token, and each field's expression is parsed by itself.
#include <fmt/format.h>

#include "syntax/build_ast.h"
#include "syntax/formatted.h"
#include "syntax/literals.h"
#include "syntax/parse_field.h"

namespace pyk::syntax {
namespace {

/// Levels of nesting that a field counts for: a parser in a parser takes more of the stack than a node.
constexpr int kLevelsOfField = kMaxDepth / 16;

}  // namespace

/// Collects texts and fields; texts that meet are one.
class Builder::Formatted {
  public:
    Formatted(Builder& builder, Span at) : builder_(builder), at_(at) {}

    void add(const StringLiteral& literal, Span part, bool is_specification) {
        const auto range = [&](Range text) {
            return Span{part.file, static_cast<uint32_t>(text.begin), static_cast<uint32_t>(text.end)};
        };
        const auto pieces =
            formatted_pieces(part.file->text(), {part.begin, part.end}, literal.is_raw, is_specification);
        if (!pieces)
            fail(part, "a brace of this f-string has no other; one that is text is written twice, `{{` or `}}`");
        for (const FormattedPiece& piece : *pieces) {
            if (!piece.is_field) {
                decode(literal, range(piece.text), text_);
                continue;
            }
            if (piece.shown_end) text_ += range({piece.text.begin, piece.shown_end}).text();
            end_text();
            values_.push_back(field(literal, piece, range));
        }
    }
    void add_text(const StringLiteral& literal) { decode(literal, literal.body, text_); }

    ast::ExprRef made() {
        end_text();
        return builder_.expr(at_, ast::JoinedStr{builder_.list(values_)});
    }

  private:
    template <typename ToSpan>
    ast::ExprRef field(const StringLiteral& literal, const FormattedPiece& piece, const ToSpan& range) {
        const Span value = range(piece.text);
        if (value.text().find_first_not_of(" \t\r\n\f") == std::string_view::npos)
            fail({value.file, value.begin - 1, value.end + 1},
                 "an expression is missing between the braces of an f-string");
        ast::FormattedValue made{parse_field(value, builder_.arena_, builder_.depth_ + kLevelsOfField), 0, nullptr};
        if (piece.conversion) made.conversion = conversion(range(*piece.conversion));
        if (piece.specification) {
            Formatted specification(builder_, range(*piece.specification));
            specification.add(literal, range(*piece.specification), true);
            made.format_spec = specification.made();
        }
        if (piece.shown_end && !piece.conversion && !piece.specification) made.conversion = 'r';
        return builder_.expr(value, made);
    }

    static char conversion(Span at) {
        const std::string_view text = at.text();
        if (text != "s" && text != "r" && text != "a")
            fail(at, fmt::format("invalid conversion `!{}` in an f-string; there are `!s`, `!r` and `!a`", text));
        return text[0];
    }

    void end_text() {
        if (text_.empty()) return;
        values_.push_back(builder_.expr(at_, ast::Constant{ast::StrValue{keep(text_, builder_.arena_), false}}));
        text_.clear();
    }

    Builder& builder_;
    Span at_;
    std::string text_;
    std::vector<ast::ExprRef> values_;
};

ast::ExprRef Builder::formatted(std::span<const StringLiteral> literals, Span at) {
    Formatted all(*this, at);
    for (const StringLiteral& literal : literals) {
        if (literal.is_formatted)
            all.add(literal, literal.body, false);
        else
            all.add_text(literal);
    }
    return all.made();
}

}  // namespace pyk::syntax
