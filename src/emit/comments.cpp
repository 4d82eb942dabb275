#include "emit/comments.h"

#include <algorithm>
#include <span>
#include <sstream>

#include "emit/lines.h"

namespace pyk::emitter {
namespace {

using Kind = SourceStatement::Kind;
constexpr size_t kNone = SIZE_MAX;

/// By the line that it begins in, or goes on in; `end()`: none.
auto statement_at(const std::vector<SourceStatement>& statements, uint32_t line) {
    auto at = std::ranges::upper_bound(statements, line, {}, &SourceStatement::line);
    return at == statements.begin() ? statements.end() : std::prev(at);
}

/// What is further in than a `def`, up to what is not.
std::span<const SourceStatement> body_of(const std::vector<SourceStatement>& statements, size_t head) {
    size_t end = head + 1;
    while (end < statements.size() && statements[end].indent > statements[head].indent) ++end;
    return std::span(statements).subspan(head + 1, end - head - 1);
}

/// The comments that end right above a line.
std::span<const SourceComment> adjoining(const std::vector<SourceComment>& comments, uint32_t line) {
    size_t begin = comments.size();
    while (begin > 0 && comments[begin - 1].line + 1 == line) --begin, --line;
    return std::span(comments).subspan(begin);
}

/// `d_time: ` where a parameter stands in a line of its own; empty in the one line of a `def`.
std::string named_parameters(const ir::Function& function, uint32_t line) {
    const std::string_view code = function.span.file->line_text(line);
    const bool is_whole_head = line == function.span.line() && code.substr(0, code.find('#')).find("):") != code.npos;
    std::string names;
    for (const ir::LocalId id : function.params)
        if (const ir::Local& param = function.local(id); !is_whole_head && param.span && param.span.line() == line)
            names += (names.empty() ? "" : ", ") + param.name;
    return names.empty() ? names : names + ": ";
}

/// Finds for each statement of a function the line that its comments go to.
class Placing {
  public:
    Placing(std::span<const SourceStatement> body, std::vector<Line>& lines) : lines_(lines) {
        collect(body);
        find_emitted();
    }

    std::vector<std::string> run() {
        above_.resize(lines_.size());
        behind_.resize(lines_.size());
        std::vector<size_t> targets = all_targets();
        for (size_t i = 0; i < statements_.size(); ++i) {
            if (targets[i] == kNone) continue;
            for (const SourceComment& comment : statements_[i]->above) add(above_, first_[targets[i]], comment);
            place_behind(i, targets[i]);
        }
        insert();
        return std::move(behind_);
    }

  private:
    /// Without functions in it, which have theirs.
    void collect(std::span<const SourceStatement> body) {
        uint32_t nested = UINT32_MAX;
        for (const SourceStatement& statement : body) {
            if (statement.indent > nested) continue;
            nested = UINT32_MAX;
            if (statement.kind == Kind::function) nested = statement.indent;
            if (statement.kind == Kind::plain || statement.kind == Kind::clause) statements_.push_back(&statement);
        }
    }

    void find_emitted() {
        first_.assign(statements_.size(), kNone);
        head_.assign(statements_.size(), kNone);
        for (size_t i = 0; i < lines_.size(); ++i) {
            const auto at = std::ranges::lower_bound(statements_, lines_[i].source, {}, &SourceStatement::line);
            if (at == statements_.end() || (*at)->line != lines_[i].source) continue;
            const auto statement = static_cast<size_t>(at - statements_.begin());
            if (first_[statement] == kNone) first_[statement] = i;
            if (lines_[i].construct && head_[statement] == kNone) head_[statement] = i;
        }
    }

    std::vector<size_t> all_targets() const {
        std::vector<size_t> result(statements_.size(), kNone);
        size_t next = kNone;          // that is emitted
        uint32_t least = UINT32_MAX;  // indentation from the statement behind on to that one
        for (size_t i = statements_.size(); i-- > 0;) {
            const uint32_t indent = statements_[i]->indent;
            if (first_[i] != kNone) {
                result[i] = next = i;
                least = indent;
                continue;
            }
            if (next != kNone && least >= indent + has_block(i)) result[i] = next;
            if (next == kNone || least < indent) result[i] = joined_to(i);
            least = std::min(least, indent);
        }
        return result;
    }

    bool has_block(size_t i) const {
        return i + 1 < statements_.size() && statements_[i + 1]->indent > statements_[i]->indent;
    }

    /// `return` of `if (i >= n) return;`
    size_t joined_to(size_t i) const {
        const bool is_alone = i > 0 && has_block(i - 1) &&
                              (i + 1 == statements_.size() || statements_[i + 1]->indent < statements_[i]->indent);
        return is_alone && first_[i - 1] != kNone ? i - 1 : kNone;
    }

    /// Several have no line that all of them could stand behind.
    void place_behind(size_t i, size_t target) {
        const std::vector<SourceComment>& comments = statements_[i]->behind;
        const bool is_clause = statements_[i]->kind == Kind::clause;
        if (comments.empty() || (first_[i] == kNone && !is_clause && target > i)) return;
        const size_t line = head_[target] != kNone ? head_[target] : first_[target];
        const bool is_one = comments.size() == 1 && !is_clause && behind_[line].empty();
        if (is_one) behind_[line] = comments.front().text;
        if (!is_one)
            for (const SourceComment& comment : comments) add(above_, first_[target], comment);
    }

    static void add(std::vector<std::vector<std::string>>& places, size_t line, const SourceComment& comment) {
        places[line].push_back(comment.text);
    }

    void insert() {
        std::vector<Line> lines;
        std::vector<std::string> behind;
        for (size_t i = 0; i < lines_.size(); ++i) {
            const std::string indent = indentation(lines_[i]);
            for (const std::string& text : above_[i]) lines.push_back({indent + "// " + text, 0, false});
            behind.resize(lines.size());
            lines.push_back(std::move(lines_[i]));
            behind.push_back(std::move(behind_[i]));
        }
        lines_ = std::move(lines);
        behind_ = std::move(behind);
    }

    std::vector<Line>& lines_;
    std::vector<const SourceStatement*> statements_;
    std::vector<size_t> first_, head_;  ///< by statement: the first line that stems from it, and the one with its block
    std::vector<std::vector<std::string>> above_;  ///< by line
    std::vector<std::string> behind_;
};

}  // namespace

std::vector<Values> doc_lines(const std::string& docstring) {
    std::vector<std::string> lines;
    std::istringstream text(docstring);
    for (std::string line; std::getline(text, line);) lines.push_back(comment_text(line));
    // The first line begins behind the quotes.
    size_t indent = std::string::npos;
    for (size_t i = 1; i < lines.size(); ++i) indent = std::min(indent, lines[i].find_first_not_of(' '));
    std::vector<Values> result;
    bool follows_blank = false;
    for (size_t i = 0; i < lines.size(); ++i) {
        std::string& line = lines[i];
        line.erase(0, i == 0 ? line.find_first_not_of(' ') : indent);
        const bool is_blank = line.empty();
        if (!is_blank) {
            if (follows_blank && !result.empty()) result.push_back({{"line", std::string()}});
            result.push_back({{"line", std::move(line)}});
        }
        follows_blank = is_blank;
    }
    return result;
}

Comments::Comments(const ModuleScope& scope) : is_wanted_(scope.options.line_directives == LineDirectives::none) {}

const Comments::Statements& Comments::statements_of(const SourceFile& file) {
    const auto [at, is_new] = files_.try_emplace(&file);
    if (is_new) at->second = commented_statements(file.text());
    return at->second;
}

bool Comments::has_comments_of(const ir::Function& function) const {
    return is_wanted_ && function.span.file && !is_of_library(function.span) && !function.one_thread;
}

std::vector<Values> Comments::above(const ir::Function& function) {
    std::vector<Values> result;
    if (!has_comments_of(function)) return result;
    const Statements& statements = statements_of(*function.span.file);
    const auto def = statement_at(statements, function.span.line());
    const auto add = [&](std::span<const SourceComment> comments) {
        for (const SourceComment& comment : comments) result.push_back({{"line", comment.text}});
    };
    if (def != statements.end() && def->kind == Kind::function) {
        auto first = def;
        while (first != statements.begin() && std::prev(first)->kind == Kind::decorator) --first;
        add(adjoining(first->above, first->line));
        for (auto at = first; at != def; ++at) {
            add(at->behind);
            add(std::next(at)->above);
        }
        for (const SourceComment& comment : def->behind)
            result.push_back({{"line", named_parameters(function, comment.line) + comment.text}});
    }
    for (Values& line : doc_lines(function.docstring)) result.push_back(std::move(line));
    return result;
}

std::vector<std::string> Comments::place(const ir::Function& function, std::vector<Line>& lines) {
    if (!has_comments_of(function)) return {};
    const Statements& statements = statements_of(*function.span.file);
    const auto def = statement_at(statements, function.span.line());
    if (def == statements.end() || def->kind != Kind::function) return {};
    const auto body = body_of(statements, static_cast<size_t>(def - statements.begin()));
    const auto has_comments = [](const SourceStatement& at) { return !at.above.empty() || !at.behind.empty(); };
    return std::ranges::any_of(body, has_comments) ? Placing(body, lines).run() : std::vector<std::string>();
}

std::string Comments::behind(const ir::ModuleConstant& constant) {
    if (!is_wanted_ || !constant.span) return {};
    const Statements& statements = statements_of(*constant.span.file);
    const auto at = statement_at(statements, constant.span.line());
    const bool is_one = at != statements.end() && at->kind == Kind::plain && at->behind.size() == 1;
    return is_one ? "  // " + at->behind.front().text : "";
}

}  // namespace pyk::emitter
