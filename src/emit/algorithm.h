// The entry points of algorithms over arrays: a loop of the prelude that calls the operator.
#pragma once

#include <optional>
#include <string>

#include "emit/emit.h"
#include "emit/function.h"
#include "emit/templates.h"

namespace pyk::emitter {

std::optional<std::string> algorithm_text(const ModuleScope& scope, const ir::ArrayEntry& entry,
                                          const Templates& templates);
/// Its parameters are the elements in memory, a value of the operator's and its result.
EntryPoint algorithm_entry(const ModuleScope& scope, const ir::ArrayEntry& entry);

}  // namespace pyk::emitter
