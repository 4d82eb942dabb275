// `--time-report`: where the time of a compilation went.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "driver/cli/options.h"

namespace pyk {

/// The phases of one input, in order.
struct TimeReportRow {
    std::string file;
    std::vector<std::pair<std::string, double>> phases;  ///< name, seconds

    /// Runs a phase; several of one name add up.
    template <typename Work>
    auto measure(const std::string& phase, const Work& work) {
        const auto begin = std::chrono::steady_clock::now();
        struct Stop {
            TimeReportRow& row;
            const std::string& phase;
            std::chrono::steady_clock::time_point begin;
            ~Stop() { row.add(phase, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()); }
        } const stop{*this, phase, begin};
        return work();
    }
    void add(const std::string& phase, double seconds);
};

/// One line per phase and input in milliseconds, or one JSON object; ends with a line end.
std::string time_report(const std::vector<TimeReportRow>& rows, TimeReport form);

}  // namespace pyk
