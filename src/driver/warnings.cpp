#include "driver/warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/nearest.h"

namespace pyk {

std::vector<std::string_view> warning_names() {
    std::vector<std::string_view> names;
    const auto add = [&](std::string_view name) {
        if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const DiagnosticInfo& row : all_diagnostics()) {
        if (row.severity != Severity::warning) continue;
        add(row.id);
        add(row.group);
    }
    return names;
}

std::string apply_warning(WarningOptions& options, std::string_view text) {
    constexpr std::string_view as_error = "error=", no_error = "no-error=", off = "no-";
    if (std::ranges::find(kIgnoredWarnings, text) != std::end(kIgnoredWarnings)) return {};
    if (text == "none") options.none = true;
    if (text == "error" || text == "no-error") options.all_as_errors = text == "error";
    if (text == "none" || text == "error" || text == "no-error") return {};
    const bool is_error = text.starts_with(as_error), is_no_error = text.starts_with(no_error);
    const bool is_off = !is_no_error && text.starts_with(off);
    const size_t prefix = is_error ? as_error.size() : is_no_error ? no_error.size() : is_off ? off.size() : 0;
    const std::string name(text.substr(prefix));
    const std::vector<std::string_view> names = warning_names();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
        const auto& rows = all_diagnostics();
        const auto row = std::ranges::find(rows, name, &DiagnosticInfo::id);
        if (row != rows.end() && row->severity == Severity::error)
            return fmt::format("`{}` is an error, which cannot be switched", name);
        const std::string nearest = nearest_name(name, names);
        return fmt::format("there is no warning `{}`{}", name,
                           nearest.empty() ? "" : "; did you mean `" + nearest + "`?");
    }
    if (is_error) {
        options.disabled.erase(name);
        options.no_errors.erase(name);
        options.as_errors.insert(name);
    } else if (is_no_error) {
        options.as_errors.erase(name);
        options.no_errors.insert(name);
    } else if (is_off) {
        options.disabled.insert(name);
        options.enabled.erase(name);
    } else {
        options.disabled.erase(name);
        options.enabled.insert(name);
    }
    return {};
}

std::vector<std::string> texts_of(const WarningOptions& options) {
    std::vector<std::string> texts(options.enabled.begin(), options.enabled.end());
    for (const std::string& id : options.as_errors) texts.push_back("error=" + id);
    for (const std::string& id : options.no_errors) texts.push_back("no-error=" + id);
    for (const std::string& id : options.disabled) texts.push_back("no-" + id);
    if (options.all_as_errors) texts.emplace_back("error");
    if (options.none) texts.emplace_back("none");
    return texts;
}

}  // namespace pyk
