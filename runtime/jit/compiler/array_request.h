// Array functions between libpyk's plain data and the compiler.
#pragma once

#include <vector>

#include "driver/pipeline.h"
#include "jit/compiler/interface.h"

namespace pyk::jit {

std::vector<ArraySummary> array_summaries(const Program& program);
std::vector<OperatorSummary> operator_summaries(const Program& program);
/// Precondition: the program has the function. Of an algorithm its operators may be missing: that is a diagnostic.
Result<Request> array_request_of(const Program& program, const BuildRequest& request);

}  // namespace pyk::jit
