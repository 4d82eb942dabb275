#include "driver/tool_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "driver/requests.h"

namespace pyk {
namespace {

// The kernel whose symbol the line quotes; null: none.
const EntryPoint* kernel_in(const std::string& line, const Unit& unit) {
    const auto at = std::ranges::find_if(unit.entries, [&](const EntryPoint& entry) {
        return line.find("'" + entry.symbol + "'") != std::string::npos;
    });
    return at == unit.entries.end() ? nullptr : &*at;
}

Span span_of(const Program& program, const EntryPoint* kernel) {
    if (!kernel) return program.kernels.size() == 1 ? program.kernels[0].span : Span();
    const KernelInfo* const found = find_kernel(program, kernel->kernel);
    return found ? found->span : Span();
}

bool has_word(std::string_view text, std::string_view word) {
    const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]))) return true;
    }
    return false;
}

// Where the inline PTX stands that ptxas means: its messages quote words of it. Of none that has them all, the only
// one; empty: another.
Span inline_ptx_of(const std::string& text, const Unit& unit) {
    static const std::regex quoted("'([^']+)'");
    std::vector<std::string> words;
    for (std::sregex_iterator at(text.begin(), text.end(), quoted), end; at != end; ++at) words.push_back((*at)[1]);
    const auto is_meant = [&](const auto& written) {
        return !words.empty() &&
               std::ranges::all_of(words, [&](const std::string& word) { return has_word(written.first, word); });
    };
    const auto at = std::ranges::find_if(unit.inline_ptx, is_meant);
    if (at != unit.inline_ptx.end()) return at->second;
    return unit.inline_ptx.size() == 1 ? unit.inline_ptx[0].second : Span();
}

unsigned long hexadecimal(const std::string& text) { return std::stoul(text, nullptr, 16); }

}  // namespace

bool report_tool_errors(const ToolError& error, const Unit& unit, const Program& program, Diagnostics& diagnostics) {
    static const std::regex ptxas("ptxas.*\\berror\\s*:\\s*(.*)");
    static const std::regex shared("uses too much shared data \\(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\\)");
    bool found = false;
    std::set<std::pair<std::string, uint32_t>> said;  // once, however many kernels have it
    std::istringstream lines(error.log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match, sizes;
        if (!std::regex_search(line, match, ptxas)) continue;
        const std::string text = match[1];
        const EntryPoint* kernel = kernel_in(line, unit);
        // The last line only counts the others.
        if (text.find("aborted due to") != std::string::npos) continue;
        found = true;
        if (kernel && std::regex_search(text, sizes, shared))
            diagnostics.report(diag::shared_too_large, span_of(program, kernel), kernel->kernel, hexadecimal(sizes[1]),
                               hexadecimal(sizes[2]));
        else if (const Span inline_ptx = inline_ptx_of(text, unit); said.emplace(text, inline_ptx.begin).second)
            diagnostics.report(diag::ptxas_error, inline_ptx ? inline_ptx : span_of(program, kernel), text);
    }
    return found;
}

std::string in_terms_of_source(const std::string& log, const Unit& unit, const std::string& source_name) {
    static const std::regex place("module\\.cu(\\(|:)([0-9]+)");
    std::string result;
    auto begin = log.cbegin();
    for (std::sregex_iterator at(log.cbegin(), log.cend(), place), end; at != end; ++at) {
        const size_t line = std::stoul((*at)[2]);
        const uint32_t source = line >= 1 && line <= unit.source_lines.size() ? unit.source_lines[line - 1] : 0;
        result.append(begin, (*at)[0].first);
        result += source ? fmt::format("{}{}{}", source_name, (*at)[1].str(), source) : (*at)[0].str();
        begin = (*at)[0].second;
    }
    return result.append(begin, log.cend());
}

}  // namespace pyk
