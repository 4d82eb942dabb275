// Which small extents an array function for parts of arrays is compiled for: few, as each is a compile.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "pyk/argument.hpp"

namespace pyk::jit {

/// Per tuple of element types the small extents of the first call, and those that were asked for; all others are the
/// launch's. Every call may come from any thread.
class CompiledExtents {
  public:
    /// What the code for a call knows of its extents, 0: nothing. `fixed`: what the layout says, 0 where it says
    /// nothing. `is_asked`: these are to be compiled, whatever there is.
    std::vector<long long> known_of(const std::vector<ElementType>& types, const std::vector<long long>& extents,
                                    const std::vector<long long>& fixed, bool is_asked);

  private:
    std::mutex mutex_;
    std::vector<std::pair<std::vector<ElementType>, std::vector<std::vector<long long>>>> compiled_;
};

}  // namespace pyk::jit
