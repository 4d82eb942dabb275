// Functions for the CPU that cannot be compiled, in files that are about kernels.
#pragma once

#include <functional>
#include <vector>

#include "driver/pipeline.h"

namespace pyk {

/// Numba compiles functions for the CPU apart from kernels, and knows more of Python there: where the file itself says
/// the types of one (`@njit`, `@vectorize`, `@guvectorize` for the CPU) that pykc cannot compile, the others go on
/// without it, with a warning. `translates`: whether a request can be made, and what is found.
std::vector<Request> without_failing(const Program& program, std::vector<Request> requests, Diagnostics& diagnostics,
                                     const std::function<bool(const Request&, Diagnostics&)>& translates);

}  // namespace pyk
