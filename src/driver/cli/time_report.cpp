#include "driver/cli/time_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pyk {

void TimeReportRow::add(const std::string& phase, double seconds) {
    const auto known = std::ranges::find(phases, phase, &std::pair<std::string, double>::first);
    if (known != phases.end())
        known->second += seconds;
    else
        phases.emplace_back(phase, seconds);
}

std::string time_report(const std::vector<TimeReportRow>& rows, TimeReport form) {
    nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
    std::string text;
    for (const TimeReportRow& row : rows) {
        nlohmann::ordered_json phases = nlohmann::ordered_json::object();
        double total = 0;
        text += row.file + "\n";
        for (const auto& [name, seconds] : row.phases) {
            total += seconds;
            phases[name] = seconds;
            text += fmt::format("  {:<10} {:9.2f} ms\n", name, seconds * 1e3);
        }
        text += fmt::format("  {:<10} {:9.2f} ms\n", "total", total * 1e3);
        inputs.push_back({{"file", row.file}, {"seconds", std::move(phases)}, {"total", total}});
    }
    return form == TimeReport::json ? nlohmann::ordered_json{{"inputs", std::move(inputs)}}.dump() + "\n" : text;
}

}  // namespace pyk
