#include "syntax/syntax_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "support/nearest.h"

namespace pyk::syntax {
namespace {

constexpr std::array<std::string_view, 13> kBlockKeywords = {
    "if", "elif", "else", "while", "for", "try", "except", "finally", "with", "def", "class", "match", "case"};

class Explainer {
  public:
    explicit Explainer(const UnexpectedToken& error) : e_(error), at_(error.tokens[error.index]) {}

    Failure explain() const {
        using Rule = std::optional<Failure> (Explainer::*)() const;
        constexpr Rule rules[] = {&Explainer::command_of_notebook,
                                  &Explainer::keyword_assigned,
                                  &Explainer::old_not_equal,
                                  &Explainer::bare_walrus,
                                  &Explainer::bare_tuple_before_for,
                                  &Explainer::bad_indent,
                                  &Explainer::missing_block,
                                  &Explainer::loop_of_c,
                                  &Explainer::missing_colon,
                                  &Explainer::comment_of_c,
                                  &Explainer::scope_of_c,
                                  &Explainer::launch_of_cuda,
                                  &Explainer::address_of_c,
                                  &Explainer::default_case,
                                  &Explainer::print_statement,
                                  &Explainer::equals_sign,
                                  &Explainer::keyword_as_name,
                                  &Explainer::else_if,
                                  &Explainer::declaration_of_c,
                                  &Explainer::cast_of_c,
                                  &Explainer::arrow_of_c,
                                  &Explainer::brace_of_c,
                                  &Explainer::decorated_word,
                                  &Explainer::capital_operator,
                                  &Explainer::misspelt_keyword,
                                  &Explainer::import_comma,
                                  &Explainer::exception_list,
                                  &Explainer::lone_clause,
                                  &Explainer::missing_clause,
                                  &Explainer::missing_else,
                                  &Explainer::operator_of_c,
                                  &Explainer::missing_operand,
                                  &Explainer::missing_comma,
                                  &Explainer::bracket,
                                  &Explainer::only_one_choice};
        for (const Rule rule : rules)
            if (std::optional<Failure> found = (this->*rule)()) return *found;
        return Failure{span(at_), fmt::format("invalid syntax near {}", shown(at_))};
    }

  private:
    const UnexpectedToken& e_;
    const Token& at_;

    std::string_view text(const Token& t) const { return text_of(t, e_.source.text()); }
    Span span(const Token& t) const { return {&e_.source, t.begin, t.end}; }
    const Token* before() const { return e_.index > 0 ? &e_.tokens[e_.index - 1] : nullptr; }
    const Token* after() const { return e_.index + 1 < e_.tokens.size() ? &e_.tokens[e_.index + 1] : nullptr; }
    bool expects(std::string_view name) const {
        return std::find(e_.expected.begin(), e_.expected.end(), name) != e_.expected.end();
    }
    static bool is_keyword(const Token& t) { return t.kind >= kFirstKeyword && t.kind <= kLastKeyword; }
    bool ends_operand(const Token& t) const {
        const std::string_view s = text(t);
        return t.kind == kName || t.kind == kNumber || t.kind == kString || s == ")" || s == "]" || s == "}" ||
               s == "None" || s == "True" || s == "False" || s == "...";
    }
    bool starts_operand(const Token& t) const {
        const std::string_view s = text(t);
        return t.kind == kName || t.kind == kNumber || t.kind == kString || s == "(" || s == "None" || s == "True" ||
               s == "False" || s == "lambda";
    }

    std::string shown(const Token& t) const {
        switch (t.kind) {
            case kEndOfFile:
                return t.begin < e_.source.text().size() ? "the end of the field" : "the end of the file";
            case kNewline:
                return "the end of the line";
            case kIndent:
                return "this indentation";
            case kDedent:
                return "the end of the block";
            default:
                return fmt::format("`{}`", text(t).substr(0, text(t).find_first_of("\r\n")));
        }
    }

    /// The first token of the logical line that the token at `index` stands in.
    const Token& line_start(size_t index) const {
        while (index > 0 && e_.tokens[index - 1].kind != kNewline && e_.tokens[index - 1].kind != kIndent &&
               e_.tokens[index - 1].kind != kDedent)
            --index;
        return e_.tokens[index];
    }
    bool starts_block(const Token& t) const {
        return std::find(kBlockKeywords.begin(), kBlockKeywords.end(), text(t)) != kBlockKeywords.end();
    }
    /// The bracket that is open at the error, or null.
    const Token* open_bracket() const {
        int depth = 0;
        for (size_t i = e_.index; i-- > 0;) {
            const std::string_view s = text(e_.tokens[i]);
            if (s == ")" || s == "]" || s == "}") ++depth;
            if ((s == "(" || s == "[" || s == "{") && depth-- == 0) return &e_.tokens[i];
            if (e_.tokens[i].kind == kNewline) return nullptr;
        }
        return nullptr;
    }

    // --- the rules, tried in order ----------------------------------------------------------------------------------
    std::optional<Failure> bad_indent() const {
        if (at_.kind != kIndent) return {};
        return Failure{after() ? span(*after()) : span(at_),
                       "unexpected indentation; only the lines of a block are indented"};
    }

    std::optional<Failure> missing_block() const {
        if (!expects("INDENT") || e_.index == 0) return {};
        size_t header = e_.index - 1;
        const Token& keyword = line_start(header);
        return Failure{at_.end > at_.begin ? span(at_) : Span{&e_.source, at_.begin, at_.begin + 1},
                       fmt::format("expected an indented block after this `{}`", text(keyword)), span(keyword),
                       "the block belongs to this line"};
    }

    std::optional<Failure> missing_colon() const {
        if (!expects(":") || open_bracket()) return {};
        const Token& keyword = line_start(e_.index);
        if (at_.kind != kNewline || !starts_block(keyword)) return {};
        return Failure{span(at_), fmt::format("expected `:` at the end of this `{}` line", text(keyword))};
    }

    std::optional<Failure> print_statement() const {
        if (!before() || (text(*before()) != "print" && text(*before()) != "exec") || !starts_operand(at_) ||
            at_.kind == kNewline)
            return {};
        return Failure{span(*before()), fmt::format("`{0}` is a function; write `{0}(…)`", text(*before()))};
    }

    std::optional<Failure> keyword_assigned() const {
        if (text(at_) != "=" || !before() || !is_keyword(*before()) || &line_start(e_.index) != before()) return {};
        return Failure{span(*before()), fmt::format("`{}` is a keyword and cannot be used as a name", text(*before()))};
    }

    std::optional<Failure> command_of_notebook() const {
        const std::string_view message = notebook_command(e_.source.text(), at_.begin);
        return message.empty() ? std::nullopt : std::optional(Failure{span(at_), std::string(message)});
    }

    std::optional<Failure> old_not_equal() const {
        if (text(at_) != ">" || !before() || text(*before()) != "<" || before()->end != at_.begin) return {};
        return Failure{cover(span(*before()), span(at_)), "`<>` is no operator of Python 3; write `!=`"};
    }

    std::optional<Failure> bare_walrus() const {
        if (text(at_) != ":=") return {};
        return Failure{span(at_), "`:=` needs parentheses around it here, or is meant to be `=`"};
    }

    std::optional<Failure> bare_tuple_before_for() const {
        if (text(at_) != "for" || !expects(",") || !open_bracket()) return {};
        return Failure{span(at_),
                       "what stands before `for` in a comprehension is one expression; put a tuple in parentheses"};
    }

    std::optional<Failure> equals_sign() const {
        if (text(at_) != "=") return {};
        const bool is_joined = after() && after()->begin == at_.end;
        if (is_joined && (text(*after()) == ">" || text(*after()) == "<"))
            return Failure{cover(span(at_), span(*after())),
                           fmt::format("Python has no `={0}`; write `{0}=`", text(*after()))};
        for (const std::string_view op : {"+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"})
            if (before() && text(*before()) == op)
                return Failure{cover(span(*before()), span(at_)),
                               fmt::format("the operator is written without a space, `{}=`", op)};
        return Failure{span(at_), "invalid syntax near `=`; to compare, write `==`"};
    }

    std::optional<Failure> keyword_as_name() const {
        if (!is_keyword(at_) || !before() || !expects("NAME")) return {};
        const std::string_view previous = text(*before());
        const bool names = previous == "def" || previous == "class" || previous == "import" || previous == "as" ||
                           previous == "." || previous == "global" || previous == "nonlocal";
        const bool assigned = after() && text(*after()) == "=" && !starts_operand(at_);
        if (!names && !assigned) return {};
        return Failure{span(at_), fmt::format("`{}` is a keyword and cannot be used as a name", text(at_))};
    }

    std::optional<Failure> import_comma() const {
        const Token& first = line_start(e_.index);
        if (at_.kind != kNewline || text(first) != "from" || !before() || text(*before()) != ",") return {};
        return Failure{span(*before()), "a trailing comma is allowed only inside parentheses"};
    }

    std::optional<Failure> exception_list() const {
        if (text(at_) != "," || text(line_start(e_.index)) != "except") return {};
        return Failure{span(at_), "several exception types are written in parentheses"};
    }

    std::optional<Failure> lone_clause() const {
        const std::string_view s = text(at_);
        if (&line_start(e_.index) != &at_ || (s != "else" && s != "elif" && s != "except" && s != "finally")) return {};
        const std::string_view owner = s == "else" ? "`if`, loop or `try`" : s == "elif" ? "`if`" : "`try`";
        return Failure{span(at_), fmt::format("this `{}` has no {} that it belongs to", s, owner)};
    }

    std::optional<Failure> missing_clause() const {
        if (!expects("except") || !expects("finally") ||
            !(&line_start(e_.index) == &at_ || at_.kind == kDedent || at_.kind == kEndOfFile))
            return {};
        return Failure{span(at_), "expected `except` or `finally` after the block of `try`"};
    }

    std::optional<Failure> missing_else() const {
        if (!expects("else") || e_.expected.size() > 40) return {};
        for (size_t i = e_.index; i-- > 0 && e_.tokens[i].kind != kNewline;)
            if (text(e_.tokens[i]) == "if") {
                if (&line_start(i) == &e_.tokens[i]) return {};
                return Failure{span(at_), "expected `else` after the condition of this conditional expression",
                               span(e_.tokens[i]), "the condition is here"};
            }
        return {};
    }

    /// What ends at a token: a name with its items, calls and attributes.
    std::string_view operand_until(size_t last) const {
        size_t first = last;
        for (int depth = 0; first > 0; --first) {
            const std::string_view s = text(e_.tokens[first]);
            depth += (s == "]" || s == ")") - (s == "[" || s == "(");
            if (depth != 0) continue;
            const Token& previous = e_.tokens[first - 1];
            const bool is_part =
                s == "." || text(previous) == "." || ((s == "[" || s == "(") && ends_operand(previous));
            if (!is_part) break;
        }
        return cover(span(e_.tokens[first]), span(e_.tokens[last])).text();
    }

    // `&&`, `||`, `i++`, `i--`.
    std::optional<Failure> operator_of_c() const {
        const auto doubled = [&](size_t last) {
            const Token &a = e_.tokens[last - 1], &b = e_.tokens[last];
            return a.end == b.begin && text(a) == text(b) ? text(b) : std::string_view();
        };
        if (e_.index >= 1)
            if (const std::string_view s = doubled(e_.index); s == "&" || s == "|")
                return Failure{cover(span(*before()), span(at_)),
                               fmt::format("Python has no `{0}{0}`; write `{1}`", s, s == "&" ? "and" : "or")};
        if (e_.index >= 3 && (at_.kind == kNewline || at_.kind == kEndOfFile))
            if (const std::string_view s = doubled(e_.index - 1); s == "+" || s == "-")
                return Failure{
                    cover(span(e_.tokens[e_.index - 2]), span(*before())),
                    fmt::format("Python has no `{0}{0}`; write `{1} {0}= 1`", s, operand_until(e_.index - 3))};
        return {};
    }

    // --- what C++ writes otherwise
    /// The name of the type here; empty: it is no type's.
    static std::string_view type_of_c(std::string_view word) {
        static constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
            {"int", "int32"}, {"float", "float32"}, {"double", "float64"},  {"long", "int64"},   {"short", "int16"},
            {"char", "int8"}, {"bool", "bool"},     {"unsigned", "uint32"}, {"size_t", "uint64"}};
        const auto* found =
            std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& row) { return row.first == word; });
        return found == std::end(kTypes) ? std::string_view() : found->second;
    }
    const Token* back(size_t steps) const { return e_.index >= steps ? &e_.tokens[e_.index - steps] : nullptr; }

    std::optional<Failure> else_if() const {
        if (text(at_) != "if" || !before() || text(*before()) != "else") return {};
        return Failure{cover(span(*before()), span(at_)), "Python has no `else if`; write `elif`"};
    }

    // `for (int i = 0; …)`, `for (i = 0; …)`, `for i = 0 to n`.
    std::optional<Failure> loop_of_c() const {
        const Token& keyword = line_start(e_.index);
        const bool is_assigned =
            text(at_) == "=" && ((back(3) == &keyword && text(*back(2)) == "(") || back(2) == &keyword);
        const bool is_declared = at_.kind == kName && before() && !type_of_c(text(*before())).empty() &&
                                 back(3) == &keyword && text(*back(2)) == "(";
        if (text(keyword) != "for" || !(is_assigned || is_declared)) return {};
        const std::string_view name = text(is_assigned ? *before() : at_);
        return Failure{span(keyword), fmt::format("a loop over numbers is written `for {} in range(n):`", name)};
    }

    std::optional<Failure> declaration_of_c() const {
        if (at_.kind != kName || !before() || &line_start(e_.index) != before() || !after()) return {};
        const std::string_view word = text(*before());
        const bool is_type = !type_of_c(word).empty() || word == "const" || word == "auto";
        if (word == "__shared__")
            return Failure{span(*before()), "memory of a block is made by `s = cuda.shared.array(shape, dtype)`"};
        if (!is_type) return {};
        const bool is_value = text(*after()) == "=";
        return Failure{span(*before()),
                       fmt::format("variables are not declared in Python; write `{} = …`", is_value ? text(at_) : "x")};
    }

    std::optional<Failure> cast_of_c() const {
        if (!starts_operand(at_) || !back(3) || text(*before()) != ")" || text(*back(3)) != "(") return {};
        const std::string_view type = type_of_c(text(*back(2)));
        if (type.empty()) return {};
        return Failure{cover(span(*back(3)), span(*before())),
                       fmt::format("a conversion is written as a call, `{}(…)`", type)};
    }

    std::optional<Failure> arrow_of_c() const {
        if (text(at_) != "->" || !before() || !ends_operand(*before())) return {};
        return Failure{span(at_), "Python has no `->` here; write `.`"};
    }

    std::optional<Failure> brace_of_c() const {
        if (text(at_) != "{" || !expects(":") || !starts_block(line_start(e_.index))) return {};
        return Failure{span(at_), "a block has no braces; it begins with `:`, and its lines are indented"};
    }

    // `x = 1 // one`: a division, then two operands side by side. `// one`, `/* one */` as a line.
    std::optional<Failure> comment_of_c() const {
        const bool begins_line = &line_start(e_.index) == &at_;
        if (begins_line && (text(at_) == "//" || (text(at_) == "/" && after() && text(*after()) == "*")))
            return Failure{span(at_), "a comment begins with `#`"};
        if (!before() || !ends_operand(*before()) || !starts_operand(at_)) return {};
        for (size_t i = e_.index; i-- > 0 && e_.tokens[i].kind != kNewline;)
            if (text(e_.tokens[i]) == "//")
                return Failure{span(e_.tokens[i]), "`//` divides and rounds down; a comment begins with `#`"};
        return {};
    }

    std::optional<Failure> scope_of_c() const {
        if (text(at_) != ":" || !after() || text(*after()) != ":" || at_.end != after()->begin) return {};
        return Failure{cover(span(at_), span(*after())),
                       "Python has no `::`; names of a module are written `module.name`"};
    }

    std::optional<Failure> launch_of_cuda() const {
        if (text(at_) != "<" || !before() || text(*before()) != "<<" || before()->end != at_.begin) return {};
        return Failure{cover(span(*before()), span(at_)),
                       "Python has no `<<<`; the host launches kernels, as `kernel[blocks, threads](…)`"};
    }

    std::optional<Failure> address_of_c() const {
        if (text(at_) != "&" || !expects("NAME") || (before() && (ends_operand(*before()) || text(*before()) == "&")))
            return {};
        return Failure{span(at_),
                       "Python has no addresses; an array is passed as it is, a part of it as a slice, `x[i:]`"};
    }

    // `if a AND b:`, `if a then`.
    std::optional<Failure> capital_operator() const {
        if (at_.kind != kName || !before() || !ends_operand(*before())) return {};
        constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
            {"AND", "and"}, {"OR", "or"}, {"NOT", "not"}, {"IN", "in"}, {"IS", "is"}};
        for (const auto& [written, meant] : kOperators)
            if (text(at_) == written) return Failure{span(at_), fmt::format("`{}` is written `{}`", written, meant)};
        if (text(at_) == "then" && expects(":"))
            return Failure{span(at_), "Python has no `then`; the condition ends with `:`"};
        return {};
    }

    // `function k(x):` below a decorator.
    std::optional<Failure> decorated_word() const {
        if (!expects("def") || !expects("class") || expects("if") || at_.kind != kName || !after() ||
            after()->kind != kName)
            return {};
        return Failure{span(at_), fmt::format("`{}` is no statement; write `def`", text(at_))};
    }

    // `whlie n > 0:`, `retrun x`, `esle:`, `switch (n):`: a name where a keyword was meant.
    std::optional<Failure> misspelt_keyword() const {
        const Token& first = line_start(e_.index);
        const bool has_operand = before() == &first && (starts_operand(at_) || text(at_) == "not");
        const bool has_brackets = &first + 2 < &at_ && text(*(&first + 1)) == "(";
        const bool ends =
            at_.kind == kNewline && before() && text(*before()) == ":" && (back(2) == &first || has_brackets);
        if (first.kind != kName || !(has_operand || ends)) return {};
        static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
            {"switch", "match"},   {"elsif", "elif"},   {"elseif", "elif"}, {"foreach", "for"},
            {"include", "import"}, {"catch", "except"}, {"throw", "raise"}, {"function", "def"},
            {"fn", "def"},         {"func", "def"},     {"void", "def"},    {"do", "while"}};
        static constexpr std::string_view kKeywords[] = {
            "if",     "elif",   "else", "while", "for",    "try",      "except", "finally", "with",  "def",    "class",
            "return", "import", "from", "del",   "global", "nonlocal", "assert", "raise",   "yield", "lambda", "not"};
        const std::string_view word = text(first);
        if (word == "let" || word == "var" || word == "const" || word == "auto")
            return Failure{span(first), fmt::format("variables are not declared in Python; write `{} = …`", text(at_))};
        const auto* other =
            std::find_if(std::begin(kOthers), std::end(kOthers), [&](const auto& row) { return row.first == word; });
        bool imports = false;  // `form math import sqrt`
        for (size_t i = e_.index; i < e_.tokens.size() && e_.tokens[i].kind != kNewline; ++i)
            imports |= text(e_.tokens[i]) == "import";
        const std::string meant = other != std::end(kOthers) ? std::string(other->second)
                                  : imports                  ? std::string("from")
                                                             : nearest_name(word, kKeywords);
        if (meant.empty() || meant == word) return {};
        return Failure{span(first), fmt::format("`{}` is no statement; did you mean `{}`?", word, meant)};
    }

    // A line of `match` that begins no case.
    std::optional<Failure> default_case() const {
        if (e_.expected.size() > 2 || !expects("DEDENT")) return {};
        for (const std::string_view word : {"elif", "else", "except", "finally"})
            if (text(at_) == word)
                return Failure{span(at_), fmt::format("`{}` does not continue the statement before it", word)};
        if (text(at_) == "default") return Failure{span(at_), "the case that takes all others is written `case _:`"};
        return Failure{span(at_), fmt::format("expected `case` or the end of the block, not {}", shown(at_))};
    }

    std::optional<Failure> missing_operand() const {
        if (!expects("NAME") || !expects("(") || starts_operand(at_)) return {};
        if (!before()) return Failure{span(at_), fmt::format("expected an expression, not {}", shown(at_))};
        const bool line_begins = before()->end == before()->begin || before()->kind == kNewline;
        if (line_begins || ends_operand(*before()) || text(*before()) == ",") return {};
        return Failure{span(at_),
                       fmt::format("expected an expression after `{}`, not {}", text(*before()), shown(at_))};
    }

    std::optional<Failure> missing_comma() const {
        if (!before() || !ends_operand(*before()) || !starts_operand(at_) || !open_bracket()) return {};
        return Failure{cover(span(*before()), span(at_)), "invalid syntax: is a comma missing here?"};
    }

    std::optional<Failure> bracket() const {
        const std::string_view s = text(at_);
        if (s != ")" && s != "]" && s != "}") return {};
        return Failure{span(at_),
                       fmt::format("invalid syntax: `{}` closes too early, something is missing before it", s)};
    }

    std::optional<Failure> only_one_choice() const {
        if (e_.expected.size() != 1) return {};
        const std::string_view wanted = e_.expected.front();
        if (wanted == "NAME") return Failure{span(at_), fmt::format("expected a name, not {}", shown(at_))};
        if (wanted == "NEWLINE")
            return Failure{span(at_), fmt::format("expected the end of the line, not {}", shown(at_))};
        if (wanted == "EOF")
            return Failure{span(at_), fmt::format("expected the end of the expression, not {}", shown(at_))};
        if (wanted == "CASE") return Failure{span(at_), fmt::format("expected `case`, not {}", shown(at_))};
        return Failure{span(at_), fmt::format("expected `{}`, not {}", wanted, shown(at_))};
    }
};

}  // namespace

// `%%time`, `%matplotlib inline`, `!pip install …`, `?name`.
std::string_view notebook_command(std::string_view text, size_t at) {
    const bool begins = at == 0 || text[at - 1] == '\n';
    if (!begins || std::string_view("%!?").find(text[at]) == std::string_view::npos) return {};
    return "this is a command of a notebook, not Python; leave the line out, or compile the notebook itself";
}

Failure explain(const UnexpectedToken& error) { return Explainer(error).explain(); }

}  // namespace pyk::syntax
