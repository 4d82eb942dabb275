#include "emit/long_line.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <vector>

#include "support/printer.h"

namespace pyk::emitter {
namespace {

/// A place that may become a line's end.
struct Break {
    size_t at = 0;         ///< the line ends in front of it
    size_t next = 0;       ///< the next one begins here, without a blank
    int rank = 0;          ///< how much hangs together there
    bool assigns = false;  ///< what follows is the value of a statement
};

/// What binds less comes first. A line ends in front of it.
constexpr std::array<std::string_view, 7> kOperators = {
    " ? : ", " || ", " && ", " == != < <= > >= ", " | ^ & << >> ", " + - ", " * / % "};
constexpr std::string_view kAssignments = " = += -= *= /= %= &= |= ^= <<= >>= ";
constexpr int kRanks = 2 + kOperators.size();  ///< of each depth of parentheses; a list's comma is the first
constexpr int kSumRank = kRanks - 1;           ///< of the assignment of what has operators in no parentheses
constexpr int kCallRank = 2 * kRanks - 1;      ///< of others: in front of what is in two parentheses
constexpr int kParenthesisRank = 100 * kRanks, kPlaceRank = 2 * kParenthesisRank;

bool is_among(std::string_view words, std::string_view word) {
    const size_t at = word.empty() ? std::string_view::npos : words.find(word);
    return at != std::string_view::npos && at > 0 && words[at - 1] == ' ' && words[at + word.size()] == ' ';
}

/// Negative: a line does not end between the two words.
int rank_between(std::string_view before, std::string_view after, int depth) {
    if (depth > 0 && (before.ends_with(',') || before.ends_with(';'))) return depth * kRanks;
    for (size_t i = 0; i < kOperators.size(); ++i)
        if (is_among(kOperators[i], after)) return depth * kRanks + 1 + static_cast<int>(i);
    return -1;
}

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Those of a line, as far as its comment.
std::vector<Break> breaks_in(std::string_view code) {
    std::vector<Break> result;
    int depth = 0, angles = 0;
    char quote = 0;
    size_t word = 0;
    std::optional<size_t> assignment;
    for (size_t at = 0; at < code.size(); ++at) {
        const char c = code[at], previous = at ? code[at - 1] : ' ';
        if (quote) {
            if (c == '\\') ++at;
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == ' ') {
            const std::string_view before = code.substr(word, at - word);
            const std::string_view after = code.substr(at + 1, code.find(' ', at + 1) - at - 1);
            if (after == "//") break;
            word = at + 1;
            if (depth == 0 && is_among(kAssignments, before)) {
                // The place is broken where nothing else will do.
                for (Break& one : result) one.rank += kPlaceRank;
                assignment = result.size();
                result.push_back({at, word, kCallRank, !after.starts_with('{')});
            } else if (const int rank = angles == 0 ? rank_between(before, after, depth) : -1; rank >= 0) {
                if (depth == 0 && assignment) result[*assignment].rank = kSumRank;
                result.push_back({at, word, rank});
            }
        } else if (c == '<' && is_part_of_name(previous)) {
            ++angles;
        } else if (c == '>' && angles && previous != '-') {
            --angles;
        } else if (c == '(' || c == '[' || c == '{') {
            if (c == '(' && is_part_of_name(previous)) result.push_back({at + 1, at + 1, kParenthesisRank + depth});
            ++depth;
        } else {
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
    const size_t size = code_size(line);
    std::string result;
    auto next = breaks.begin();
    for (size_t begin = 0;;) {
        const size_t room = kLineWidth - (begin ? indent.size() : 0);
        if (size - begin <= room || next == breaks.end()) return result.append(line.substr(begin));
        const auto rank = [&](const Break& one) {
            const bool ends_it = one.assigns && size - one.next + indent.size() <= kLineWidth;
            return ends_it ? -1 : one.rank;
        };
        const auto end = std::find_if(next, breaks.end(), [&](const Break& one) { return one.at > begin + room; });
        // Of those that are alike the last; the first one where none is early enough.
        auto best = next;
        for (auto one = next; one != end; ++one)
            if (rank(*one) <= rank(*best)) best = one;
        result.append(line.substr(begin, best->at - begin)).append("\n").append(indent);
        begin = best->next;
        next = std::next(best);
    }
}

}  // namespace pyk::emitter
