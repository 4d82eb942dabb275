#include "driver/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

#include "compile/temp_folder.h"
#include "module/foreign.h"

namespace fs = std::filesystem;

namespace pyk {

void load_links(ir::Module& module, const std::vector<std::string>& files, Diagnostics& diagnostics) {
    for (const std::string& file : files) {
        const auto kind = kind_of_file(file);
        const bool known = std::ranges::find(module.links, file, &ir::LinkedCode::name) != module.links.end();
        if (kind && !known) module.links.push_back({*kind, file, {}, {}});
        if (!kind) diagnostics.report(diag::bad_link, {}, fmt::format("{}: {}", file, kLinkedFiles));
    }
    for (ir::LinkedCode& link : module.links) {
        if (!link.bytes.empty()) continue;
        if (!read_file(link.name, link.bytes))
            diagnostics.report(diag::cannot_link, link.span,
                               fmt::format("cannot read {}: {}", link.name, std::strerror(errno)));
        else if (link.bytes.empty())
            diagnostics.report(diag::cannot_link, link.span, fmt::format("{} is empty", link.name));
    }
}

namespace {

void add_with_includes(const fs::path& file, std::vector<std::string>& files) {
    std::error_code ignored;
    const std::string name = file.lexically_normal().string();
    if (!fs::is_regular_file(file, ignored) || std::ranges::find(files, name) != files.end()) return;
    files.push_back(name);
    static const std::regex kInclude(R"re(^\s*#\s*include\s*"([^"\n]+)")re");
    std::ifstream text(file);
    for (std::string line; std::getline(text, line);)
        if (std::smatch include;
            line.find("include") != std::string::npos && std::regex_search(line, include, kInclude))
            add_with_includes(file.parent_path() / include[1].str(), files);
}

bool is_text(ir::LinkedCode::Kind kind) {
    return kind == ir::LinkedCode::Kind::cuda || kind == ir::LinkedCode::Kind::cpp;
}

}  // namespace

std::vector<std::string> files_of_links(const std::vector<ir::LinkedCode>& links) {
    std::vector<std::string> files;
    std::error_code ignored;
    for (const ir::LinkedCode& link : links) {
        if (is_text(link.kind))
            add_with_includes(link.name, files);
        else if (fs::is_regular_file(link.name, ignored))
            files.push_back(link.name);
    }
    return files;
}

}  // namespace pyk
