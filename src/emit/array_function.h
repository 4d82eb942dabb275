// Entry points that call a function for each element of arrays (`@vectorize`), or for parts of them
// (`@guvectorize`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/scope.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// Its entry points: CUDA has one for each way to reach elements, the CPU one for all.
std::optional<std::string> array_function_text(const ModuleScope& scope, const ir::ArrayEntry& entry,
                                               const Templates& templates);

void add_array_entries(const ModuleScope& scope, std::vector<EntryPoint>& entries);

}  // namespace pyk::emitter
