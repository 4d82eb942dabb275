// What the headers of `@stencil` functions compiled ahead of time stand on.
#pragma once

#include "pyk/aot.h"

namespace pyk::aot {

/// The arguments, then the output, which has the first one's shape. `indexing`, of each: `r` for an array that is
/// indexed around the element, `s` for one that is indexed as always, `.` for a number. Inputs that the output overlaps
/// are read as they were before. On the stream's device, else that of the arrays; of host memory, on the CPU. Queued on
/// the stream; on the CPU it has run when this returns. Fails by value, where shapes or layouts do not fit, memory is
/// not where the device reaches it, or code is missing for the device. Thread-safe.
Status call_stencil_passed(File& file, const Kernel& kernel, const char* indexing, StreamRef stream,
                           const Passed* arguments, std::size_t count);

template <class... T>
Status call_stencil(File& file, const Kernel& kernel, const char* indexing, StreamRef stream, const T&... arguments) {
    const std::array<Passed, sizeof...(T)> passed{pass(arguments)...};
    return call_stencil_passed(file, kernel, indexing, stream, passed.data(), passed.size());
}

}  // namespace pyk::aot
