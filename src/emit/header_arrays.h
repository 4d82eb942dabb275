// The functions of a header that are called with whole arrays.
#pragma once

#include <vector>

#include "emit/emit.h"
#include "emit/scope.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// For each array function and its signatures: how the header declares it, the record of what it launches, and its
/// entry on the CPU. `cuda`, `host`: one module in both scopes.
std::vector<Values> array_functions(const ModuleScope& cuda, const ModuleScope& host, const HeaderParts& parts);

/// A type as a signature has it, which does not say what is only read.
std::string text_of(Type type, const ir::Module& module);

}  // namespace pyk::emitter
