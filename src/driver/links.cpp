#include "driver/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <regex>
#include <sstream>

#include "module/foreign.h"
#include "support/files.h"

namespace fs = std::filesystem;

namespace pyk {

void load_links(ir::Module& module, const std::vector<std::string>& files, const fs::path& base,
                Diagnostics& diagnostics) {
    for (const std::string& file : files) {
        const auto kind = kind_of_file(file);
        const bool known = std::ranges::find(module.links, file, &ir::LinkedCode::name) != module.links.end();
        if (kind && !known) module.links.push_back({*kind, file, {}, {}});
        if (!kind) diagnostics.report(diag::bad_link, {}, fmt::format("{}: {}", file, kLinkedFiles));
    }
    for (ir::LinkedCode& link : module.links) {
        if (!link.name.empty()) link.path = (base / link.name).string();
        link.is_file = link.bytes.empty();
        if (!link.is_file) continue;
        if (!read_file(link.path, link.bytes))
            diagnostics.report(diag::cannot_link, link.span,
                               fmt::format("cannot read {}: {}", link.name, std::strerror(errno)));
        else if (link.bytes.empty())
            diagnostics.report(diag::cannot_link, link.span, fmt::format("{} is empty", link.name));
    }
}

namespace {

using Files = std::vector<cache::FileRead>;

bool is_text(ir::LinkedCode::Kind kind) {
    return kind == ir::LinkedCode::Kind::cuda || kind == ir::LinkedCode::Kind::cpp;
}

// False: it is among them.
bool add(const fs::path& file, std::string_view bytes, Files& files) {
    const std::string path = file.lexically_normal().string();
    if (std::ranges::find(files, path, &cache::FileRead::path) != files.end()) return false;
    files.push_back({path, cache::digest_of(bytes).hex()});
    return true;
}

void add_includes(const fs::path& folder, const std::string& text, Files& files) {
    static const std::regex kInclude(R"re(^\s*#\s*include\s*"([^"\n]+)")re");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::smatch include;
        if (line.find("include") == std::string::npos || !std::regex_search(line, include, kInclude)) continue;
        const fs::path path = folder / include[1].str();
        std::error_code ignored;
        std::string bytes;
        if (fs::is_regular_file(path, ignored) && read_file(path.string(), bytes) && add(path, bytes, files))
            add_includes(path.parent_path(), bytes, files);
    }
}

}  // namespace

Files files_of_links(const std::vector<ir::LinkedCode>& links) {
    Files files;
    for (const ir::LinkedCode& link : links) {
        const bool is_new = !link.is_file || add(link.path, link.bytes, files);
        if (is_new && is_text(link.kind)) add_includes(fs::path(link.path).parent_path(), link.bytes, files);
    }
    return files;
}

}  // namespace pyk
