#include "annotations.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace pyk::golden {
namespace {

// Every `severity: id` of the comment at the end of a line, several apart by `;`.
void add_line(const std::string& text, uint32_t line, std::multiset<Finding>& found) {
    static const std::regex comment(R"(#((?:(?: elsewhere:)? (?:error|warning|note): [a-z0-9-]+;?)+)$)");
    static const std::regex one(R"(( elsewhere:)? (error|warning|note): ([a-z0-9-]+))");
    std::smatch match;
    if (!std::regex_search(text, match, comment)) return;
    const std::string list = match[1];
    for (std::sregex_iterator it(list.begin(), list.end(), one), end; it != end; ++it)
        found.insert({(*it)[1].matched ? 0 : line, (*it)[2], (*it)[3]});
}

}  // namespace

std::multiset<Finding> expected_findings(std::string_view source) {
    std::multiset<Finding> found;
    uint32_t line = 1;
    for (size_t begin = 0; begin <= source.size(); ++line) {
        const size_t end = std::min(source.find('\n', begin), source.size());
        add_line(std::string(source.substr(begin, end - begin)), line, found);
        begin = end + 1;
    }
    return found;
}

std::multiset<Finding> findings(const Diagnostics& diagnostics, const SourceFile& file) {
    std::multiset<Finding> found;
    for (const Diagnostic& d : diagnostics.all())
        found.insert({d.span.file == &file ? d.span.line() : 0, std::string(name_of(d.severity)), std::string(d.id)});
    return found;
}

std::string missing_from(const std::multiset<Finding>& a, const std::multiset<Finding>& b) {
    std::multiset<Finding> missing;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(missing, missing.end()));
    std::string text;
    for (const Finding& f : missing)
        text += "\n  " + (f.line ? "line " + std::to_string(f.line) : "elsewhere") + ": " + f.severity + ": " + f.id;
    return text;
}

std::map<std::string, std::string> exemptions() {
    std::map<std::string, std::string> reasons;
    std::ifstream in(std::filesystem::path(PYK_SOURCE_DIR) / "tests/golden/diagnostics/exempt.txt");
    for (std::string line; std::getline(in, line);)
        if (const size_t colon = line.find(": "); colon != std::string::npos)
            reasons[line.substr(0, colon)] = line.substr(colon + 2);
    return reasons;
}

}  // namespace pyk::golden
