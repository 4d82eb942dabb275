// Running another program: no shell, both streams captured.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pyk {

struct ProcessResult {
    int exit_code = 0;     ///< 128 + signal when a signal ended it, as shells say it
    std::string output;    ///< stdout
    std::string messages;  ///< stderr
};

/// Runs `argv[0]` (a path, or a name looked up in PATH) with an empty stdin and waits. `folder`: where it runs; empty:
/// here. nullopt: it could not be started, and errno says why.
std::optional<ProcessResult> run_process(const std::vector<std::string>& argv, const std::string& folder = {});

/// The absolute path of a program: itself if it contains a slash, else its first match in PATH, where an empty folder
/// is this one. nullopt: not an executable file.
std::optional<std::string> find_program(const std::string& name);

}  // namespace pyk
