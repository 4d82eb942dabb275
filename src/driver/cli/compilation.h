// One input of `pykc FILE…`, from its text to what is written.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driver/cli/options.h"
#include "driver/cli/outputs.h"
#include "driver/cli/time_report.h"
#include "support/diagnostics.h"

namespace pyk {

/// What an input becomes, and under which names.
struct PlannedOutput {
    EmitKind kind = EmitKind::cu;
    std::string path;       ///< `-`: stdout
    bool per_arch = false;  ///< one file for each architecture, its name before the extension
};

/// Of the input of that path. Throws UsageError where the options do not say it.
std::vector<PlannedOutput> plan_outputs(const CompileOptions& options, const std::string& file);

/// What a compilation found and made; without effects so far.
struct CompilationResult {
    Diagnostics diagnostics;
    bool good = false;  ///< nothing stands against writing the outputs
    Outputs outputs;
    std::vector<std::string> inputs;  ///< the files that were read, where good
    TimeReportRow times;
};

/// Compiles one input. Throws UsageError and InputOutputError. Thread-safe.
CompilationResult compile_file(const CompileOptions& options, const std::string& file);

}  // namespace pyk
