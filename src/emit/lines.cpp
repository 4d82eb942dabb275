#include "emit/lines.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "emit/long_line.h"
#include "emit/text.h"
#include "support/display_width.h"

namespace pyk::emitter {
namespace {

constexpr char kMark = '\x01', kMarkEnd = '\x05';
constexpr size_t kLongestMark = 13;   ///< with ten digits, without the file's name
constexpr uint32_t kObviousStep = 2;  ///< lines of the source that a reader may skip without a comment
constexpr size_t kWidest = 90;        ///< comments behind longer lines are not aligned
constexpr size_t kGap = 2;            ///< in front of such a comment

/// What stands behind the lines of a function: of each whose origin does not follow from the line above, where that is.
std::vector<std::string> origins(const std::vector<Line>& lines, std::string_view source_name) {
    std::vector<std::string> result(lines.size());
    uint32_t previous = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
        const Line& line = lines[i];
        if (line.source == 0) continue;
        const bool follows = previous != 0 && line.source >= previous && line.source - previous <= kObviousStep;
        if (!follows || (line.construct && line.source != previous))
            result[i] = fmt::format(FMT_COMPILE("{}:{}"), previous == 0 ? source_name : "", line.source);
        previous = line.source;
    }
    return result;
}

/// `// :15: one row per thread` of the two, of which one may be empty.
std::string trail_of(const std::string& origin, const std::string& comment) {
    return "// " + origin + (origin.empty() || comment.empty() ? "" : ": ") + comment;
}

struct Origin {
    uint32_t line = 0;
    std::string_view file;  ///< empty: the module's own
    bool is_head = false;   ///< of a function: said within the line
};

/// Adds a line without its marks and the blanks at its end; the first mark counts.
Origin add_unmarked(std::string_view line, std::string& text) {
    Origin origin;
    for (size_t at = line.find(kMark); at != std::string_view::npos; at = line.find(kMark)) {
        const size_t end = line.find(kMarkEnd, at);
        const char* const last = line.data() + end;
        uint32_t number = 0;
        const char* number_end = std::from_chars(line.data() + at + 1, last, number).ptr;
        const std::string_view file(number_end == last ? last : number_end + 1, last);
        text += line.substr(0, at);
        line.remove_prefix(end + 1);
        if (!origin.line) origin = {number, file, !line.empty()};
    }
    text += line;
    text.erase(text.find_last_not_of(' ') + 1);
    return origin;
}

}  // namespace

void add_trail(std::vector<Line>& lines, std::string_view source_name, std::vector<std::string> comments) {
    const std::vector<std::string> origin = origins(lines, source_name);
    comments.resize(lines.size());
    size_t column = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (origin[i].empty() && comments[i].empty()) continue;
        if (const size_t width = display_width(lines[i].text); width <= kWidest) column = std::max(column, width);
    }
    std::vector<Line> result;
    result.reserve(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
        const size_t width = display_width(lines[i].text), before = std::max(column, width) + kGap;
        if (!comments[i].empty() && before + display_width(trail_of(origin[i], comments[i])) > kLineWidth)
            result.push_back({indentation(lines[i]) + trail_of("", std::exchange(comments[i], "")), 0, false});
        if (!origin[i].empty() || !comments[i].empty())
            lines[i].text.append(before - width, ' ') += trail_of(origin[i], comments[i]);
        result.push_back(std::move(lines[i]));
    }
    lines = std::move(result);
}

std::string indentation(const Line& line) {
    return std::string(std::min(line.text.find_first_not_of(' '), line.text.size()), ' ');
}

std::string mark(uint32_t line, std::string_view imported_from) {
    std::string text = kMark + std::to_string(line);
    if (!imported_from.empty()) (text += kMark) += imported_from;
    return text += kMarkEnd;
}

std::string marked(const std::vector<Line>& lines, std::string_view imported_from) {
    std::string text;
    size_t size = lines.size() * (1 + kLongestMark + imported_from.size());
    for (const Line& line : lines) size += line.text.size();
    text.reserve(size);
    for (const Line& line : lines) {
        if (!text.empty()) text += '\n';
        text += line.text;
        if (line.source) text += mark(line.source, imported_from);
    }
    return text;
}

std::string joined(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, kListBreak)); }

Unmarked unmarked(std::string_view text) {
    Unmarked result;
    result.text.reserve(text.size());
    for_each_line(text, [&](std::string_view written) {
        const size_t begin = result.text.size();
        const Origin origin = add_unmarked(written, result.text);
        if (result.text.size() == begin && (begin == 0 || result.text.ends_with("\n\n"))) return;
        result.source_lines.push_back(origin.line);
        result.source_files.emplace_back(origin.file);
        bool may_break = origin.line != 0;
        for (size_t at = begin; (at = result.text.find(kListBreak.back(), at)) != std::string::npos; may_break = true)
            result.text[at] = ' ';
        if (may_break && result.text.size() - begin > kLineWidth) {
            const std::string lines = broken(std::string_view(result.text).substr(begin));
            const auto more = static_cast<size_t>(std::count(lines.begin(), lines.end(), '\n'));
            // No directive stands among parameters.
            result.source_lines.insert(result.source_lines.end(), more, origin.is_head ? 0 : origin.line);
            result.source_files.insert(result.source_files.end(), more, std::string(origin.file));
            result.text.replace(begin, std::string::npos, lines);
        }
        result.text += '\n';
    });
    return result;
}

Unmarked with_line_directives(const Unmarked& unit, std::string_view source_name) {
    Unmarked result;
    size_t number = 0;
    uint32_t expected = 0;
    std::string file(source_name);
    for_each_line(unit.text, [&](std::string_view line) {
        const uint32_t source = unit.source_lines[number];
        const std::string& named = unit.source_files[number++];
        const std::string_view from = named.empty() ? source_name : std::string_view(named);
        if (source && (source != expected || from != file)) {
            result.text += fmt::format("#line {} {}\n", source, cpp_string(from));
            result.source_lines.push_back(0);
            result.source_files.emplace_back();
            expected = source;
            file = from;
        }
        result.text.append(line) += '\n';
        result.source_lines.push_back(source);
        result.source_files.push_back(named);
        if (expected) ++expected;
    });
    return result;
}

}  // namespace pyk::emitter
