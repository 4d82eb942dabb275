// Extents of grids and blocks.
#pragma once

namespace pyk {

/// Each at least 1, but for a cluster of a launch, of which zeros mean none.
struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
    unsigned long long count() const { return 1ull * x * y * z; }
};

}  // namespace pyk
