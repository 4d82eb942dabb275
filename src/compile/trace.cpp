#include "compile/trace.h"

#include <algorithm>
#include <cctype>

namespace pyk {
namespace {

ToolTrace& trace() {
    static ToolTrace the_trace;
    return the_trace;
}

bool is_plain(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-_=+,./:@%^").find(c) != std::string::npos;
}

}  // namespace

void set_tool_trace(ToolTrace new_trace) { trace() = std::move(new_trace); }

bool may_run_tool(const std::string& tool, const std::vector<std::string>& arguments) {
    if (!trace().show) return trace().execute;
    std::vector<std::string> words = {tool};
    words.insert(words.end(), arguments.begin(), arguments.end());
    trace().show(shell_quoted(words));
    return trace().execute;
}

std::string shell_quoted(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        if (!line.empty()) line += ' ';
        if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace pyk
