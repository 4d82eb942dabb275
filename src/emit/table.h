// The module's arrays that are known when the kernel is compiled, as C++ arrays.
#pragma once

#include <string>
#include <vector>

#include "emit/scope.h"

namespace pyk::emitter {

/// One definition for each; an array without elements needs none.
std::vector<std::string> table_texts(const ModuleScope& scope);

}  // namespace pyk::emitter
