// What decorators ask of the compiler behind us, as it takes it.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk::emitter {

/// Flags that nvcc and NVRTC share; none for the CPU. They apply to a whole module: where kernels disagree the exact
/// choice holds for all, with a warning, unless the command line decides.
std::vector<std::string> compiler_flags(const ir::Module& module, const Target& target, const CodeOptions& options,
                                        Diagnostics& diagnostics);

/// Whether the source's lines stand in `#line` directives.
bool has_line_directives(const ir::Module& module, const EmitOptions& options);

/// Whether what is linked is linked as LTO-IR: Numba's `lto`, on but for debug code.
bool inlines_linked_code(const ir::Module& module, const CodeOptions& options);

/// `__launch_bounds__(256, 2)`, `__maxnreg__(32)`, or empty.
std::string launch_limits(const ir::CompileOptions& options);

}  // namespace pyk::emitter
