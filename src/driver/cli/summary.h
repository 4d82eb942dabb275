// An array in one line.
#pragma once

#include <string>

#include "driver/cli/npy.h"

namespace pyk {

/// Type, shape and the first elements in memory order: `float32 (1024,) [0, 0.5, 1, …]`.
std::string summary(const NpyArray& array);
/// One of them: `0.5`, `1+2j`; of dates and durations the count.
std::string element_text(Type type, const char* bytes);

}  // namespace pyk
