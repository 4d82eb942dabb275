#include "support/explain.h"

#include <fmt/format.h>

#include "support/diagnostics.h"

namespace pyk {
namespace {

struct Explanation {
    std::string_view id, text;
};
constexpr Explanation kExplanations[] = {
#define PYK_EXPLANATION(id, text) {id, text},
#include "support/explanations.def"
};

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

}  // namespace

std::optional<std::string> explain(std::string_view id) {
    std::string result;
    for (const DiagnosticInfo& row : all_diagnostics()) {
        if (row.id != id) continue;
        result += fmt::format("{}: {}\n", name_of(row.severity), without_holes(row.format));
        if (!row.group.empty() && result.find("-W") == std::string::npos)
            result += fmt::format("Reported with -W{} or -W{}.\n", row.group, row.id);
    }
    if (result.empty()) return std::nullopt;
    for (const Explanation& explanation : kExplanations)
        if (explanation.id == id) result += fmt::format("\n{}\n", explanation.text);
    return result;
}

}  // namespace pyk
