#include "emit/long_line.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "support/printer.h"

namespace pyk::emitter {
namespace {

/// A blank that may become a line's end.
struct Break {
    size_t at = 0;
    int rank = 0;  ///< how much hangs together there
};

/// What binds less comes first. A line ends in front of the first ones, and behind the others.
constexpr std::array<std::string_view, 7> kOperators = {
    " ? : ", " || ", " && ", " == != < <= > >= ", " | ^ & << >> ", " + - ", " * / % "};
constexpr std::string_view kAssignments = " = += -= *= /= ";
constexpr int kRanks = 1 + kOperators.size();  ///< of each depth of parentheses; a list's comma is the first
constexpr int kAssignmentRank = 3 * kRanks;

bool is_among(std::string_view words, std::string_view word) {
    const size_t at = word.empty() ? std::string_view::npos : words.find(word);
    return at != std::string_view::npos && at > 0 && words[at - 1] == ' ' && words[at + word.size()] == ' ';
}

/// Negative: a line does not end between the two words.
int rank_between(std::string_view before, std::string_view after, int depth) {
    if (depth > 0 && (before.ends_with(',') || before.ends_with(';'))) return depth * kRanks;
    if (is_among(kAssignments, before)) return kAssignmentRank;
    for (size_t i = 0; i < kOperators.size(); ++i)
        if (is_among(kOperators[i], i == 0 ? after : before)) return depth * kRanks + 1 + static_cast<int>(i);
    return -1;
}

/// Those of a line, as far as its comment.
std::vector<Break> breaks_in(std::string_view code) {
    std::vector<Break> result;
    int depth = 0;
    char quote = 0;
    size_t word = 0;
    for (size_t at = 0; at < code.size(); ++at) {
        const char c = code[at];
        if (quote) {
            if (c == '\\') ++at;
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == ' ') {
            const std::string_view after = code.substr(at + 1, code.find(' ', at + 1) - at - 1);
            if (after == "//") break;
            const int rank = rank_between(code.substr(word, at - word), after, depth);
            if (rank >= 0) result.push_back({at, rank});
            word = at + 1;
        } else {
            depth += c == '(' || c == '[' || c == '{';
            depth -= c == ')' || c == ']' || c == '}';
        }
    }
    return result;
}

size_t code_size(std::string_view line) { return std::min(line.size(), line.find("  // ")); }

}  // namespace

std::string broken(std::string_view line) {
    const std::vector<Break> breaks = breaks_in(line);
    const std::string indent(line.find_first_not_of(' ') + 2 * Printer::kIndent, ' ');
    std::string result;
    auto next = breaks.begin();
    for (std::string_view rest = line;;) {
        const size_t begin = line.size() - rest.size();
        const size_t room = kLineWidth - (begin ? indent.size() : 0);
        const auto end = std::find_if(next, breaks.end(), [&](const Break& one) { return one.at > begin + room; });
        if (code_size(rest) <= room || next == end) return result.append(rest);
        // Of those that are alike the last.
        const auto best = std::min_element(std::reverse_iterator(end), std::reverse_iterator(next),
                                           [](const Break& a, const Break& b) { return a.rank < b.rank; });
        result.append(line.substr(begin, best->at - begin)).append("\n").append(indent);
        next = best.base();
        rest = line.substr(best->at + 1);
    }
}

}  // namespace pyk::emitter
