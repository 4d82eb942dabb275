// The module's arrays that are known when the kernel is compiled, as C++ arrays.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "targets/target.h"

namespace pyk::emitter {

/// One definition for each; an array without elements needs none. `names`: of the module's constants.
std::vector<std::string> table_texts(const ir::Module& module, const std::vector<std::string>& names,
                                     const Target& target);

}  // namespace pyk::emitter
