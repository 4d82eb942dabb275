// Code compiled ahead of time and carried inside a program, and the choice of what fits a device.
#pragma once

#include <cstddef>

namespace pyk {

/// Code of a file's kernels for one architecture. The bytes live as long as the program.
struct Image {
    int sm;       ///< compute capability × 10: 90
    char suffix;  ///< `a` or `f` of `sm_90a` and `sm_100f`; 0: none
    bool is_ptx;  ///< text that the driver compiles when it loads it; else machine code
    const char* data;
    std::size_t size;
};

/// The same code for several architectures.
struct Images {
    const Image* first;
    std::size_t count;
};

/// What to load on a device of this compute capability: machine code for exactly that, else the nearest of its family
/// that runs there, else the nearest PTX. Null: nothing of it runs there. Thread-safe.
const Image* choose(const Images& images, int major, int minor) noexcept;

}  // namespace pyk
