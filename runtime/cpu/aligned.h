// Memory of a block: aligned as kernels expect it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace pyk::cpu {

constexpr std::size_t kSharedAlignment = 128;

/// To be freed by std::free. Throws std::bad_alloc.
inline unsigned char* allocate_aligned(std::size_t bytes) {
    void* memory =
        std::aligned_alloc(kSharedAlignment, (bytes + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment);
    if (!memory) throw std::bad_alloc();
    return static_cast<unsigned char*>(memory);
}

}  // namespace pyk::cpu
