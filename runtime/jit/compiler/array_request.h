// Array functions between libpyk's plain data and the compiler.
#pragma once

#include <vector>

#include "driver/pipeline.h"
#include "jit/compiler/interface.h"

namespace pyk::jit {

std::vector<ArraySummary> array_summaries(const Program& program);
/// Precondition: the program has the function.
Result<Request> array_request_of(const Program& program, const BuildRequest& request);

}  // namespace pyk::jit
