#include "emit/source_comments.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "support/words.h"

namespace pyk::emitter {
namespace {

constexpr uint32_t kTab = 8;

/// What comments begin with that only tools read.
constexpr std::string_view kPragmas[] = {
    "type:", "noqa", "pylint:", "pragma:", "fmt:", "ruff:", "flake8:", "mypy:", "isort:", "pykc:", "%%", "!"};

bool is_pragma(std::string_view text) {
    const std::string_view word = text.substr(std::min(text.find_first_not_of(' '), text.size()));
    return std::ranges::any_of(kPragmas, [&](std::string_view pragma) { return word.starts_with(pragma); });
}

SourceStatement::Kind kind_of(std::string_view statement) {
    using Kind = SourceStatement::Kind;
    if (statement.starts_with('@')) return Kind::decorator;
    const std::string_view word = word_at(statement, 0, is_of_name);
    if (word == "def" || word == "class" || word == "async") return Kind::function;
    return word == "else" || word == "try" || word == "finally" ? Kind::clause : Kind::plain;
}

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::vector<SourceStatement> run() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n')
                end_line();
            else if (c == '#')
                comment();
            else if (c == ' ' || c == '\t' || c == '\r' || c == '\f')
                blank(c);
            else
                code(c);
        }
        return std::move(statements_);
    }

  private:
    void end_line() {
        ++at_;
        ++line_;
        indent_ = 0;
        if (brackets_ == 0) is_inside_ = false;
    }

    void blank(char c) {
        ++at_;
        indent_ = c == '\t' ? (indent_ / kTab + 1) * kTab : indent_ + 1;
    }

    void code(char c) {
        if (!is_inside_) begin_statement();
        if (c == '"' || c == '\'') return string(c);
        if (c == '(' || c == '[' || c == '{') ++brackets_;
        if (c == ')' || c == ']' || c == '}') --brackets_;
        ++at_;
        if (c != '\\') return;
        at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
        ++line_;
    }

    void begin_statement() {
        is_inside_ = true;
        std::erase_if(above_, [&](const SourceComment& comment) { return comment.indent > indent_; });
        statements_.push_back({line_, indent_, kind_of(text_.substr(at_)), std::exchange(above_, {}), {}});
    }

    void string(char quote) {
        const bool is_long = text_.substr(at_ + 1, 2) == std::string(2, quote);
        const std::string end(is_long ? 3 : 1, quote);
        at_ += end.size();
        while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
            if (text_[at_] == '\\') ++at_;
            if (at_ < text_.size() && text_[at_] == '\n') ++line_;
            ++at_;
        }
        at_ = std::min(at_ + end.size(), text_.size());
    }

    void comment() {
        const size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view said = text_.substr(at_, end - at_);
        at_ = end;
        said.remove_prefix(std::min(said.find_first_not_of('#'), said.size()));
        if (is_pragma(said)) return;
        if (said.starts_with(' ')) said.remove_prefix(1);
        std::string text = comment_text(said);
        if (text.empty()) return;
        (is_inside_ ? statements_.back().behind : above_).push_back({line_, indent_, std::move(text)});
    }

    std::string_view text_;
    size_t at_ = 0;
    uint32_t line_ = 1, indent_ = 0;
    int brackets_ = 0;
    bool is_inside_ = false;  ///< a statement
    std::vector<SourceComment> above_;
    std::vector<SourceStatement> statements_;
};

}  // namespace

std::vector<SourceStatement> commented_statements(std::string_view text) {
    if (text.find('#') == std::string_view::npos) return {};
    return Scanner(text).run();
}

std::string comment_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        result += code < 0x20 || code == 0x7f ? ' ' : c;
    }
    result.erase(result.find_last_not_of(" \\") + 1);
    if (result.ends_with("?\?/")) result.insert(result.size() - 1, " ");  // a trigraph: it would join the next line
    return result;
}

}  // namespace pyk::emitter
