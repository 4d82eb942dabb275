// Lines with the trail back to the source, through the templates and out again.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/printer.h"

namespace pyk::emitter {

/// Adds `// matmul.pyk:12`, then `// :15`, to the lines of a function where a reader could lose the place, and the
/// author's comments, by line: `// :15: one row per thread`. One that makes its line too wide stands above it.
void add_trail(std::vector<Line>& lines, std::string_view source_name, std::vector<std::string> comments);

/// The blanks that a line begins with.
std::string indentation(const Line& line);

/// Somewhere in a line of what templates render, says where the line stems from; templates leave it alone.
/// `imported_from`: the file, where it is not the module's own.
std::string mark(uint32_t line, std::string_view imported_from);

/// One text, each line marked.
std::string marked(const std::vector<Line>& lines, std::string_view imported_from = {});

/// Calls `use(line)` for each line of a text, without its end.
template <typename Use>
void for_each_line(std::string_view text, Use use) {
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        use(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Stands for `, ` in a list that no statement is around, but that may go on in the next line.
inline constexpr std::string_view kListBreak = ",\x03";
/// Such a list.
std::string joined(const std::vector<std::string>& items);

/// Rendered text without its marks, and what they said per line. No two blank lines follow each other,
/// and lists and statements are broken where lines would become too long.
struct Unmarked {
    std::string text;
    std::vector<uint32_t> source_lines;
    std::vector<std::string> source_files;  ///< of each line; empty: the module's own
};
Unmarked unmarked(std::string_view text);

/// The same with `#line` wherever the source's line does not simply go on.
Unmarked with_line_directives(const Unmarked& unit, std::string_view source_name);

}  // namespace pyk::emitter
