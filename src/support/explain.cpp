#include "support/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "pyk_diagnostic_pages.h"
#include "support/diagnostics.h"
#include "support/nearest.h"

namespace pyk {
namespace {

/// `a {} of {1}` → `a … of …`.
std::string without_holes(std::string_view format) {
    std::string text;
    for (size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '{') {
            text += format[at];
            continue;
        }
        text += "…";
        at = format.find('}', at);
    }
    return text;
}

/// A page without its title and with its code set in, not fenced.
std::string plain(std::string_view page) {
    std::string text;
    bool in_code = false;
    page.remove_prefix(std::min(page.find("\n\n"), page.size()));
    while (!page.empty()) {
        page.remove_prefix(1);
        const std::string_view line = page.substr(0, page.find('\n'));
        page.remove_prefix(line.size());
        if (line.starts_with("```")) {
            in_code = !in_code;
            continue;
        }
        text += fmt::format("{}{}\n", in_code && !line.empty() ? "    " : "", line);
    }
    return text.substr(0, text.find_last_not_of('\n') + 2);
}

}  // namespace

std::optional<std::string> explain(std::string_view id) {
    std::string result;
    for (const DiagnosticInfo& row : all_diagnostics()) {
        if (row.id != id) continue;
        const bool is_all_hole = row.format == "{}";
        result += fmt::format("{}: {}\n", name_of(row.severity), is_all_hole ? row.id : without_holes(row.format));
        if (!row.group.empty() && result.find("-W") == std::string::npos)
            result += fmt::format("Reported with -W{} or -W{}.\n", row.group, row.id);
    }
    if (result.empty()) return std::nullopt;
    for (const DiagnosticPage& page : diagnostic_pages())
        if (page.name == id) result += plain(page.text);
    return result;
}

std::vector<std::string_view> diagnostic_ids() {
    std::vector<std::string_view> ids;
    for (const DiagnosticInfo& row : all_diagnostics())
        if (std::ranges::find(ids, row.id) == ids.end()) ids.push_back(row.id);
    return ids;
}

std::string nearest_id(std::string_view wrong) { return nearest_name(wrong, diagnostic_ids()); }

}  // namespace pyk
