#include "emit/lines.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "emit/long_line.h"
#include "emit/text.h"

namespace pyk::emitter {
namespace {

constexpr char kMark = '\x01', kMarkEnd = '\x05';
constexpr size_t kLongestMark = 13;   ///< with ten digits, without the file's name
constexpr uint32_t kObviousStep = 2;  ///< lines of the source that a reader may skip without a comment
constexpr size_t kWidest = 90;        ///< comments behind longer lines are not aligned

/// The lines of a function whose origin does not follow from the line above.
std::vector<Line*> landmarks(std::vector<Line>& lines) {
    std::vector<Line*> result;
    uint32_t previous = 0;
    for (Line& line : lines) {
        if (line.source == 0) continue;
        const bool follows = previous != 0 && line.source >= previous && line.source - previous <= kObviousStep;
        if (!follows || (line.construct && line.source != previous)) result.push_back(&line);
        previous = line.source;
    }
    return result;
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

/// A line with its lists broken so that it is not too wide. It goes on two steps further in than it began.
std::string wrapped(std::string_view line) {
    const size_t indent = line.find_first_not_of(' ') + 2 * Printer::kIndent;
    std::string result;
    size_t column = 0;
    for (size_t at = 0; at <= line.size();) {
        const size_t end = std::min(line.find(kListBreak, at), line.size());
        const std::string_view item = line.substr(at, end + 1 - at);
        const bool breaks = at > 0 && column + item.size() + 1 > kLineWidth;
        if (at > 0) result += breaks ? "\n" + std::string(indent, ' ') : " ";
        column = (breaks ? indent : column + (at > 0)) + item.size();
        result += item;
        at = end == line.size() ? end + 1 : end + kListBreak.size();
    }
    return result;
}

}  // namespace

void add_trail(std::vector<Line>& lines, std::string_view source_name) {
    const std::vector<Line*> marks = landmarks(lines);
    size_t column = 0;
    for (const Line* line : marks)
        if (line->text.size() <= kWidest) column = std::max(column, line->text.size());
    for (Line* line : marks) {
        line->text.resize(std::max(column, line->text.size()) + 2, ' ');
        line->text += fmt::format(FMT_COMPILE("// {}:{}"), line == marks.front() ? source_name : "", line->source);
    }
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
        const std::string_view line = std::string_view(result.text).substr(begin);
        result.source_lines.push_back(origin.line);
        result.source_files.emplace_back(origin.file);
        const bool has_list = line.find(kListBreak.back()) != std::string_view::npos;
        const bool is_statement = origin.line && !origin.is_head;
        if (has_list || (is_statement && line.size() > kLineWidth)) {
            const std::string lines = has_list ? wrapped(line) : broken(line);
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
