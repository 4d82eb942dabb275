// The launch of a stencil's kernel: a thread for each element.
#pragma once

#include <string>

#include "array/iteration.h"
#include "pyk/module.h"

namespace pyk::arrays {

/// Fails where a grid has not so many threads. Precondition: 1 to 3 axes, none without elements.
Result<LaunchConfig> stencil_config(const Shape& shape, const std::string& name);

}  // namespace pyk::arrays
