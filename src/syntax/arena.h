// The memory of a file's tree: nodes, one behind the other, that go all at once. Chunks have one size: the memory of a
// long file is not half empty, and most of what a page's first use costs is what the system does to clear it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace pyk {

class Arena {
  public:
    /// Not initialised; `alignment` is a power of two, at most that of new.
    void* allocate(size_t size, size_t alignment) {
        size_t padding = -reinterpret_cast<std::uintptr_t>(next_) & (alignment - 1);
        if (left_ < padding + size) {
            left_ = std::max(size, kChunk);
            next_ = chunks_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(left_)).get();
            padding = 0;
        }
        left_ -= padding + size;
        return std::exchange(next_, next_ + padding + size) + padding;
    }

  private:
    static constexpr size_t kChunk = size_t{64} << 10;

    std::vector<std::unique_ptr<std::byte[]>> chunks_;
    std::byte* next_ = nullptr;  ///< of the last chunk
    size_t left_ = 0;            ///< bytes from there on
};

}  // namespace pyk
