#include "driver/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "compile/temp_folder.h"
#include "sema/foreign.h"

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

}  // namespace pyk
