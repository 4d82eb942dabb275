#include "array_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "sanitize.h"

namespace pyk::cpu {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kLeastKept = 64 << 10;     // malloc itself keeps what is smaller
constexpr std::size_t kMostKept = 256ull << 20;  // bytes, and no more than a sixteenth of the machine's memory
constexpr std::size_t kLeastInLargePages = 4 << 20;

#ifdef PYK_ASAN
constexpr std::size_t kMostBlocks = 0;  // what is used after its end is to be seen
#else
constexpr std::size_t kMostBlocks = 64;
#endif

/// In front of the memory that is handed out.
struct Block {
    void* allocated;
    std::size_t bytes;  ///< behind this
};
static_assert(sizeof(Block) <= kAlignment);

Block* block_of(void* memory) { return static_cast<Block*>(memory) - 1; }

void free_block(void* memory) { std::free(block_of(memory)->allocated); }

std::size_t most_kept() {
    static const std::size_t most = std::min(kMostKept, static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 16 *
                                                            static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
    return most;
}

/// Blocks that nobody uses, the one that came last at the end.
class Kept {
  public:
    /// One that is large enough and hardly larger. Null: there is none.
    void* take(std::size_t bytes) {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return nullptr;
        for (std::size_t i = count_; i-- > 0;) {
            void* const memory = blocks_[i];
            const std::size_t has = block_of(memory)->bytes;
            if (has < bytes || has - bytes > bytes / 4) continue;
            remove(i);
            return memory;
        }
        return nullptr;
    }

    /// In the place of what has been here longest. False: it is not kept.
    bool put(void* memory) {
        const std::size_t bytes = block_of(memory)->bytes;
        if (kMostBlocks == 0 || bytes < kLeastKept || bytes > most_kept()) return false;
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return false;
        while (count_ == kMostBlocks || bytes_ + bytes > most_kept()) free_block(remove(0));
        blocks_[count_++] = memory;
        bytes_ += bytes;
        return true;
    }

    void clear() {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        while (lock && count_ > 0) free_block(remove(0));
    }

  private:
    void* remove(std::size_t at) {
        void* const memory = blocks_[at];
        std::copy(blocks_ + at + 1, blocks_ + count_, blocks_ + at);
        --count_;
        bytes_ -= block_of(memory)->bytes;
        return memory;
    }

    // Never waited for: in a process that was forked off, who has it may not be there.
    std::mutex mutex_;
    void* blocks_[kMostBlocks + 1];
    std::size_t count_ = 0, bytes_ = 0;
};

/// Not destroyed: arrays may outlive what is.
Kept& kept() {
    static Kept& instance = *new Kept;
    return instance;
}

/// Pages of 4 KiB one by one cost as much as the loop that fills them.
void ask_for_large_pages(void* memory, std::size_t bytes) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page,
                         end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

void* new_memory(std::size_t bytes, bool is_zeroed) {
    constexpr std::size_t more = 2 * kAlignment;
    if (bytes > SIZE_MAX - more) return nullptr;
    void* const allocated = is_zeroed ? std::calloc(1, bytes + more) : std::malloc(bytes + more);
    if (!allocated) return nullptr;
    if (bytes >= kLeastInLargePages) ask_for_large_pages(allocated, bytes + more);
    const auto from = reinterpret_cast<std::uintptr_t>(allocated) + sizeof(Block);
    void* const memory = reinterpret_cast<void*>((from + kAlignment - 1) / kAlignment * kAlignment);
    *block_of(memory) = {allocated, bytes};
    return memory;
}

}  // namespace

void* allocate_memory(std::size_t bytes, bool is_zeroed) {
    if (bytes >= kLeastKept)
        if (void* const memory = kept().take(bytes)) return is_zeroed ? std::memset(memory, 0, bytes) : memory;
    if (void* const memory = new_memory(bytes, is_zeroed)) return memory;
    kept().clear();
    return new_memory(bytes, is_zeroed);
}

void release_memory(void* memory) {
    if (memory && !kept().put(memory)) free_block(memory);
}

}  // namespace pyk::cpu
