// Functions that the user's own code defines → their declarations in C, and functions around these that take our types.
#pragma once

#include <optional>
#include <string>

#include "emit/scope.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// One declaration with what is around it. nullopt when a template is at fault.
std::optional<std::string> foreign_text(const FunctionScope& scope, const Templates& templates);

/// False, and reported: a name that C++ does not leave to such a function.
bool check_foreign_names(const ir::Module& module, Diagnostics& diagnostics);

}  // namespace pyk::emitter
