// What the tools behind us say about emitted text, told of the user's source.
#pragma once

#include <string>

#include "compile/artifact.h"
#include "driver/pipeline.h"
#include "support/diagnostics.h"

namespace pyk {

/// Reports what of a tool's refusal is the kernel's doing: too much shared memory, PTX of the user's that ptxas does
/// not take. False: nothing of it is, so that the refusal is a fault of ours.
bool report_tool_errors(const ToolError& error, const Unit& unit, const Program& program, Diagnostics& diagnostics);

/// The tool's words with places in the emitted text replaced by those in the source that they stem from:
/// `module.cu(41): error` becomes `saxpy.pyk(7): error`.
std::string in_terms_of_source(const std::string& log, const Unit& unit, const std::string& source_name);

}  // namespace pyk
