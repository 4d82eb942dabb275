// The memory of trees: nodes, one behind the other, without destructors. They go all at once, or the last ones first.
// Chunks have one size: the memory of a long file is not half empty, and most of what a page's first use costs is what
// the system does to clear it.
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
    /// What there is at some time.
    struct Mark {
        size_t chunks = 0;
        std::byte* next = nullptr;
    };

    /// Not initialised; `alignment` is a power of two, at most that of new.
    void* allocate(size_t size, size_t alignment) {
        size_t padding = -reinterpret_cast<std::uintptr_t>(next_) & (alignment - 1);
        if (static_cast<size_t>(end_ - next_) < padding + size) {
            open_chunk(size);
            padding = 0;
        }
        return std::exchange(next_, next_ + padding + size) + padding;
    }
    Mark mark() const { return {used_, next_}; }
    /// What came later is memory again.
    void free_behind(const Mark& mark) {
        used_ = mark.chunks;
        next_ = mark.next;
        end_ = used_ > 0 ? chunks_[used_ - 1].end() : nullptr;
    }

  private:
    static constexpr size_t kChunk = size_t{64} << 10;
    struct Chunk {
        std::unique_ptr<std::byte[]> begin;
        size_t size;

        std::byte* end() const { return begin.get() + size; }
    };

    std::vector<Chunk> chunks_;
    size_t used_ = 0;  ///< of the chunks, the last one up to `next_`
    std::byte *next_ = nullptr, *end_ = nullptr;

    void open_chunk(size_t least) {
        if (used_ == chunks_.size() || chunks_[used_].size < least) {
            const size_t size = std::max(least, kChunk);
            chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(used_),
                           {std::make_unique_for_overwrite<std::byte[]>(size), size});
        }
        next_ = chunks_[used_].begin.get();
        end_ = chunks_[used_++].end();
    }
};

}  // namespace pyk
