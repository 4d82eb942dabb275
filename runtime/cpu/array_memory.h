// Memory of arrays on the CPU. What large ones leave behind is kept for the next: memory that is new comes in pages
// that the system clears when they are first touched, which takes longer than most loops that fill them.
#pragma once

#include <cstddef>

namespace pyk::cpu {

/// Aligned to 256 bytes, to be released by `release_memory`. Null: there is none. Thread-safe.
void* allocate_memory(std::size_t bytes, bool is_zeroed = false);
void release_memory(void* memory);

}  // namespace pyk::cpu
