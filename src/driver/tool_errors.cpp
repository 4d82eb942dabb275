#include "driver/tool_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "compile/gpu.h"
#include "driver/archs.h"
#include "driver/requests.h"
#include "support/words.h"

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

// What stands between the marks of inline code, each register and operand as `@`, without space.
std::string without_registers(const std::string& ptx, const std::regex& registers) {
    std::string text = std::regex_replace(ptx, registers, "@");
    std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
    return text;
}

// What ptxas got; empty: it cannot be made again.
std::string ptx_of(const Unit& unit) {
    const Tooled<Artifact> made = compile_for_gpu(unit, ArtifactKind::ptx, default_arch(unit, true));
    return made ? made->bytes : std::string();
}

// The inline PTX that a line of the module's PTX is of, or that stands last before it, where a missing `;` is noticed.
// Empty: there is none, or it cannot be told.
Span inline_ptx_at(size_t line, const std::string& module, const Unit& unit) {
    static const std::regex registers("%[a-z]{1,2}[0-9]+"), operands("%[0-9]+");
    std::istringstream lines(module);
    std::string text;
    bool is_inside = false;
    size_t at = 1;
    for (std::string row; at <= line && std::getline(lines, row); ++at) {
        if (row.find("// begin inline asm") != std::string::npos)
            is_inside = true, text.clear();
        else if (row.find("// end inline asm") != std::string::npos)
            is_inside = false;
        else if (is_inside)
            text += row;
    }
    for (std::string row; is_inside && std::getline(lines, row) && row.find("// end inline asm") == std::string::npos;)
        text += row;
    const auto is_this = [&](const auto& written) {
        std::string ptx = without_registers(written.first, operands);
        for (size_t sign = 0; (sign = ptx.find("%%", sign)) != std::string::npos; ++sign) ptx.erase(sign, 1);
        return ptx == without_registers(text, registers);
    };
    const auto found = std::ranges::find_if(unit.inline_ptx, is_this);
    return found == unit.inline_ptx.end() ? Span() : found->second;
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
    static const std::regex ptxas("ptxas.*\\b(error|fatal)\\s*:\\s*(.*)"), place("\\bline ([0-9]{1,9});");
    static const std::regex shared("uses too much shared data \\(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\\)");
    bool found = false;
    std::set<std::pair<std::string, uint32_t>> said;  // once, however many kernels have it
    std::optional<std::string> module;
    std::istringstream lines(error.log);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match, sizes, at;
        if (!std::regex_search(line, match, ptxas) || (match[1] == "fatal" && unit.inline_ptx.empty())) continue;
        const std::string text = match[2];
        const EntryPoint* kernel = kernel_in(line, unit);
        // The last line only counts the others.
        if (text.find("aborted due to") != std::string::npos) continue;
        found = true;
        if (kernel && std::regex_search(text, sizes, shared)) {
            diagnostics.report(diag::shared_too_large, span_of(program, kernel), kernel->kernel, hexadecimal(sizes[1]),
                               hexadecimal(sizes[2]));
            continue;
        }
        Span inline_ptx;
        if (!unit.inline_ptx.empty() && std::regex_search(line, at, place)) {
            if (!module) module = ptx_of(unit);
            inline_ptx = inline_ptx_at(std::stoul(at[1]), *module, unit);
        }
        if (!inline_ptx) inline_ptx = inline_ptx_of(text, unit);
        if (said.emplace(text, inline_ptx.begin).second)
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
        const std::string file = source ? unit.source_files[line - 1] : "";
        result.append(begin, (*at)[0].first);
        result +=
            source ? fmt::format("{}{}{}", file.empty() ? source_name : file, (*at)[1].str(), source) : (*at)[0].str();
        begin = (*at)[0].second;
    }
    return result.append(begin, log.cend());
}

}  // namespace pyk
