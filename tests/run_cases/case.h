// One case of tests/run (or of the folder in $PYK_RUN_CASES): a kernel, its arguments, and what they must be after the
// launch.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/pipeline.h"
#include "value.h"

namespace pyk::run_cases {

struct Case {
    std::string name;  ///< `loops/for_else`
    std::shared_ptr<const Program> program;
    Request request;  ///< for the types that the kernel declares, else for those of the arguments
    std::vector<int64_t> grid, block;
    int64_t shared = 0;
    std::vector<Argument> args;
    std::map<size_t, Array> expected;  ///< by argument; those not named must stay as they were
    std::vector<bool> is_repeated;     ///< by argument: the same array as one before it
    double rtol = 0, atol = 0;
    bool runs = true;  ///< false: nobody said what comes out, or the arguments could not be written down
};

/// Names of all cases, in order.
std::vector<std::string> find_cases();
Case read_case(const std::string& name);

/// The text of a case for a target; reports the diagnostics as test failures.
std::optional<Unit> translate_case(const Case& c, const Target& target, const EmitOptions& options = {});

/// What is wrong after a launch, one line per argument; empty: nothing. `before`: the case as it was read.
std::string differences(const Case& before, const std::vector<Argument>& after);

}  // namespace pyk::run_cases
