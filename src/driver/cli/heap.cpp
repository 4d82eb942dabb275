// `new` and `delete` of pykc. A compile makes hundreds of thousands of small objects, and a fifth of its time went to
// malloc and free. Here blocks come from lists by size, which a thread has to itself: a few instructions each. Large
// ones that were freed are parted before new pages are taken: the system clears those, which costs as much as a tenth
// of a compile. Nothing goes back to it: the program ends soon. Sanitizers bring a heap of their own.
#ifndef PYK_SANITIZED

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace pyk {
namespace {

// Sizes of blocks: multiples of a step, then powers of two. They are counted from 1 on.
constexpr size_t kStep = 16, kLargestStep = 512, kSteps = kLargestStep / kStep;
constexpr size_t kLargest = size_t{4} << 20;  ///< of blocks; malloc serves what is larger
constexpr size_t kSizes = kSteps + std::bit_width(kLargest) - std::bit_width(kLargestStep);
constexpr size_t kPage = size_t{16} << 10;   ///< has blocks of one size, or is part of one
constexpr size_t kRegion = size_t{4} << 30;  ///< of addresses, for all pages; malloc serves what is beyond

size_t number_of(size_t size) {
    if (size <= kLargestStep) return size ? (size + kStep - 1) / kStep : 1;
    return kSteps + std::bit_width(size - 1) - (std::bit_width(kLargestStep) - 1);
}
size_t size_of(size_t number) { return number <= kSteps ? number * kStep : kLargestStep << (number - kSteps); }
static_assert(std::has_single_bit(kLargestStep));

struct Block {
    Block* next;
};
/// The free blocks of each size.
struct Lists {
    std::array<Block*, kSizes + 1> free{};
    Lists* next = nullptr;
};

// Constant-initialized and never destroyed: other files' objects are made before main and destroyed behind it.
constinit std::mutex mutex;       // of what threads share
constinit Lists* idle = nullptr;  ///< of threads that ended
constinit size_t used = 0;
constinit std::atomic<char*> region{nullptr};
constinit std::array<uint8_t, kRegion / kPage> number_of_page{};  ///< of its blocks' size
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

bool is_own(const void* block) {
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

/// New pages of so many bytes, for blocks of one size; null: the region is full, or there is none.
char* new_pages(size_t bytes, size_t number) {
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
    if (kRegion - used < bytes) return nullptr;
    number_of_page[used / kPage] = static_cast<uint8_t>(number);  // blocks of several pages begin in the first
    return begin + std::exchange(used, used + bytes);
}

size_t page_of(const void* block) {
    return static_cast<size_t>(static_cast<const char*>(block) - region.load(std::memory_order_relaxed)) / kPage;
}

/// The first bytes, a page's or a power of two of them, of the smallest larger block that is free; its halves that are
/// left are free blocks again. Null: there is none.
char* part_of_free(Lists& lists, size_t bytes) {
    for (size_t larger = number_of(bytes); larger <= kSizes; ++larger) {
        Block*& list = lists.free[larger];
        if (!list) continue;
        char* const begin = reinterpret_cast<char*>(std::exchange(list, list->next));
        while (size_of(larger) > bytes) {
            char* const half = begin + size_of(--larger);
            number_of_page[page_of(half)] = static_cast<uint8_t>(larger);
            lists.free[larger] = new (half) Block{lists.free[larger]};
        }
        return begin;
    }
    return nullptr;
}

/// When a list is empty: makes it one of the blocks of other free ones or of new pages.
void* refill(Lists& lists, size_t number) {
    Block*& list = lists.free[number];
    const size_t size = size_of(number), bytes = std::max(size, kPage);
    char* pages = part_of_free(lists, bytes);
    if (pages)
        number_of_page[page_of(pages)] = static_cast<uint8_t>(number);
    else
        pages = new_pages(bytes, number);
    if (!pages) return nullptr;
    for (size_t at = bytes / size * size; at > 0; at -= size) list = new (pages + at - size) Block{list};
    return std::exchange(list, list->next);
}

void* new_block(size_t number) {
    Lists* lists = own ? own : first_lists();
    if (!lists) return nullptr;
    Block*& list = lists->free[number];
    return list ? std::exchange(list, list->next) : refill(*lists, number);
}

void free_block(void* block) {
    Lists* lists = own ? own : first_lists();
    if (!lists) return;
    Block*& list = lists->free[number_of_page[page_of(block)]];
    list = new (block) Block{list};
}

}  // namespace
}  // namespace pyk

void* operator new(size_t size) {
    using namespace pyk;
    void* block = nullptr;
    if (size <= kLargest) block = new_block(number_of(size));
    if (!block) block = std::malloc(size ? size : 1);
    if (!block) throw std::bad_alloc();
    return block;
}

void operator delete(void* block) noexcept {
    if (pyk::is_own(block))
        pyk::free_block(block);
    else
        std::free(block);
}

void operator delete(void* block, size_t) noexcept { operator delete(block); }

// std::pmr's resources, so that trees too lie in large pages.
void* operator new(size_t size, std::align_val_t alignment) {
    const auto bytes = static_cast<size_t>(alignment);
    if (bytes <= pyk::kStep) return operator new(size);
    void* block = std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes);
    if (!block) throw std::bad_alloc();
    return block;
}

void operator delete(void* block, std::align_val_t) noexcept { operator delete(block); }

void operator delete(void* block, size_t, std::align_val_t) noexcept { operator delete(block); }

#endif
