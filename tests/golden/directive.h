// How a test file asks to be compiled: `# pykc: --sig 'f(float32)' --kernel f -D N=4 -Werror=unassigned --emit=cpp` on
// any line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/pipeline.h"
#include "driver/requests.h"

namespace pyk::golden {

struct Directive {
    Selection selection;
    Defines defines;
    WarningOptions warnings;
    bool for_cpu = false;  ///< of `--emit=cpp`
};

Directive parse_directive(std::string_view source);

/// The text for a target, as pykc makes it; empty if there were errors.
std::optional<Unit> compile(const SourceFilePtr& source, const Directive& directive, const Target& target,
                            Diagnostics& diagnostics);

}  // namespace pyk::golden
