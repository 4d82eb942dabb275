// `new` and `delete` of pykc. A compile makes hundreds of thousands of small objects, and a fifth of its time went to
// malloc and free. Here small blocks come from lists by size, which a thread has to itself: a few instructions each.
// Nothing goes back to the system: the program ends soon. Sanitizers bring a heap of their own.
#ifndef PYK_SANITIZED

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace pyk {
namespace {

constexpr size_t kStep = 16, kLargest = 512;  ///< of small blocks, in bytes
constexpr size_t kPage = size_t{16} << 10;    ///< has blocks of one size
constexpr size_t kRegion = size_t{4} << 30;   ///< of addresses, for all pages; malloc serves what is beyond

struct Block {
    Block* next;
};
/// The free blocks of each size, counted in steps.
struct Lists {
    std::array<Block*, kLargest / kStep + 1> free{};
    Lists* next = nullptr;
};

// Constant-initialized and never destroyed: other files' objects are made before main and destroyed behind it.
constinit std::mutex mutex;       // of what threads share
constinit Lists* idle = nullptr;  ///< of threads that ended
constinit size_t used = 0;
constinit std::atomic<char*> region{nullptr};
constinit std::array<uint8_t, kRegion / kPage> steps_of_page{};
constinit thread_local Lists* own = nullptr;

struct AtThreadEnd {
    ~AtThreadEnd() {
        const std::lock_guard lock(mutex);
        own->next = idle;
        idle = std::exchange(own, nullptr);
    }
    Lists* lists = nullptr;
};
thread_local AtThreadEnd at_thread_end;

bool is_small(const void* block) {
    const char* begin = region.load(std::memory_order_relaxed);
    return begin && static_cast<size_t>(static_cast<const char*>(block) - begin) < kRegion;
}

/// Of a thread that has none yet; null: there is no memory.
Lists* first_lists() {
    {
        const std::lock_guard lock(mutex);
        if (idle) own = std::exchange(idle, idle->next);
    }
    if (!own) own = static_cast<Lists*>(std::calloc(1, sizeof(Lists)));
    if (own) at_thread_end.lists = own;  // which has the destructor run
    return own;
}

/// A new page for blocks of so many steps; null: the region is full, or there is none.
char* new_page(size_t steps) {
    const std::lock_guard lock(mutex);
    char* begin = region.load(std::memory_order_relaxed);
    if (!begin && used == 0) {
        void* made = mmap(nullptr, kRegion, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (made == MAP_FAILED) {
            used = kRegion;
        } else {
            madvise(made, kRegion, MADV_HUGEPAGE);  // a tenth of the time goes to page faults otherwise
            region = begin = static_cast<char*>(made);
        }
    }
    if (used == kRegion) return nullptr;
    steps_of_page[used / kPage] = static_cast<uint8_t>(steps);
    return begin + std::exchange(used, used + kPage);
}

/// When a list is empty: makes it one of a page's blocks.
void* refill(Block*& list, size_t steps) {
    char* page = new_page(steps);
    if (!page) return nullptr;
    const size_t size = steps * kStep;
    for (size_t at = kPage / size * size; at > 0; at -= size) list = new (page + at - size) Block{list};
    return std::exchange(list, list->next);
}

void* small_block(size_t steps) {
    Lists* lists = own ? own : first_lists();
    if (!lists) return nullptr;
    Block*& list = lists->free[steps];
    return list ? std::exchange(list, list->next) : refill(list, steps);
}

void free_small(void* block) {
    Lists* lists = own ? own : first_lists();
    if (!lists) return;
    const size_t page = static_cast<size_t>(static_cast<char*>(block) - region.load(std::memory_order_relaxed)) / kPage;
    Block*& list = lists->free[steps_of_page[page]];
    list = new (block) Block{list};
}

}  // namespace
}  // namespace pyk

void* operator new(size_t size) {
    using namespace pyk;
    void* block = nullptr;
    if (size <= kLargest) block = small_block(size ? (size + kStep - 1) / kStep : 1);
    if (!block) block = std::malloc(size ? size : 1);
    if (!block) throw std::bad_alloc();
    return block;
}

void operator delete(void* block) noexcept {
    if (pyk::is_small(block))
        pyk::free_small(block);
    else
        std::free(block);
}

void operator delete(void* block, size_t) noexcept { operator delete(block); }

#endif
