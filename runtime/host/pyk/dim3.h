// Extents of grids and blocks.
#pragma once

namespace pyk {

/// Each at least 1.
struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
    unsigned long long count() const { return 1ull * x * y * z; }
};

}  // namespace pyk
