// Copies of what would change under a call.
#pragma once

#include <vector>

#include "array/iteration.h"
#include "pyk/buffer.h"

namespace pyk::arrays {

/// The same elements in a copy of their memory, which joins `copies`: what an output overlaps is read as it was.
/// Queued on the stream, whose order the memory is freed in. Precondition: there is an element.
Result<Layout> set_apart(Layout input, driver::Context& device, StreamRef stream, std::vector<Buffer>& copies);

}  // namespace pyk::arrays
