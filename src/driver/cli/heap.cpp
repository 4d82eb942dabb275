// `new` and `delete` of pykc. A compile makes hundreds of thousands of small objects, and a fifth of its time went to
// malloc and free. Here small blocks come from lists by size, which a thread has to itself: a few instructions each.
// Large ones are runs of pages, which are used again before new ones are taken: the system clears those, which costs as
// much as a sixth of a compile. Nothing goes back to it: the program ends soon. Sanitizers bring a heap of their own.
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

// Sizes of blocks that share a page: multiples of a step, then four between one power of two and the next. They are
// counted from 1 on.
constexpr size_t kStep = 16, kLargestStep = 512, kSteps = kLargestStep / kStep;
constexpr size_t kPage = size_t{16} << 10;
constexpr size_t kLargestInPage = kPage / 2;                 ///< what is larger has a run of pages to itself
constexpr size_t kShift = std::bit_width(kLargestStep / 8);  ///< of a fourth of the largest step's power
constexpr size_t kSizes = kSteps + 4 * (std::bit_width(kLargestInPage) - std::bit_width(kLargestStep));
constexpr size_t kLargest = size_t{64} << 20;  ///< of blocks; malloc serves what is larger
constexpr size_t kRegion = size_t{4} << 30;    ///< of addresses, for all pages; malloc serves what is beyond

size_t number_of(size_t size) {
    if (size <= kLargestStep) return size ? (size + kStep - 1) / kStep : 1;
    const auto shift = static_cast<size_t>(std::bit_width(size - 1)) - 3;
    return kSteps + 4 * (shift - kShift) + ((size - 1) >> shift) - 3;
}
size_t size_of(size_t number) {
    if (number <= kSteps) return number * kStep;
    const size_t beyond = number - kSteps - 1;
    return (5 + beyond % 4) << (kShift + beyond / 4);
}
static_assert(std::has_single_bit(kLargestStep));

struct Block {
    Block* next;
};
/// The free blocks of each size.
struct Lists {
    std::array<Block*, kSizes + 1> free{};
    Lists* next = nullptr;
};
/// Pages that are free, at the first of them.
struct Run {
    size_t bytes;
    Run* next;  ///< further up, and not right behind this one

    char* begin() { return reinterpret_cast<char*>(this); }
    char* end() { return begin() + bytes; }
};

// Constant-initialized and never destroyed: other files' objects are made before main and destroyed behind it.
constinit std::mutex mutex;       // of what threads share
constinit Lists* idle = nullptr;  ///< of threads that ended
constinit Run* free_runs = nullptr;
constinit size_t used = 0;
constinit std::atomic<char*> region{nullptr};
constinit std::array<uint8_t, kRegion / kPage> number_of_page{};  ///< of its blocks' size; 0: a run begins here
constinit std::array<uint32_t, kRegion / kPage> pages_of_run{};   ///< of a run's first page
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

size_t page_of(const void* block) {
    return static_cast<size_t>(static_cast<const char*>(block) - region.load(std::memory_order_relaxed)) / kPage;
}

/// Pages that nobody had before; null: the region is full, or there is none.
char* new_pages(size_t bytes) {
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
    return begin + std::exchange(used, used + bytes);
}

/// The first free pages that are enough, else new ones; those that end where new ones begin grow by what they lack.
char* take_pages(size_t bytes) {
    Run** link = &free_runs;
    for (; *link; link = &(*link)->next) {
        Run* const run = *link;
        const bool is_last = page_of(run->end()) == used / kPage;
        if (run->bytes < bytes && !(is_last && new_pages(bytes - run->bytes))) continue;
        *link = run->bytes > bytes ? new (run->begin() + bytes) Run{run->bytes - bytes, run->next} : run->next;
        return run->begin();
    }
    return new_pages(bytes);
}

/// A run of pages for one block (`number` 0), or for blocks of one size. Null: there is none.
char* new_run(size_t bytes, size_t number) {
    const std::lock_guard lock(mutex);
    bytes = (bytes + kPage - 1) / kPage * kPage;
    char* const begin = take_pages(bytes);
    if (!begin) return nullptr;
    number_of_page[page_of(begin)] = static_cast<uint8_t>(number);
    pages_of_run[page_of(begin)] = static_cast<uint32_t>(bytes / kPage);
    return begin;
}

void free_run(char* begin) {
    const std::lock_guard lock(mutex);
    Run* before = nullptr;
    Run* behind = free_runs;
    while (behind && behind->begin() < begin) before = std::exchange(behind, behind->next);
    Run* run = new (begin) Run{pages_of_run[page_of(begin)] * kPage, behind};
    if (behind && run->end() == behind->begin()) *run = {run->bytes + behind->bytes, behind->next};
    if (before && before->end() == begin)
        *before = {before->bytes + run->bytes, run->next};
    else
        (before ? before->next : free_runs) = run;
}

/// When a list is empty: makes it one of the blocks of a page.
void* refill(Lists& lists, size_t number) {
    char* const page = new_run(kPage, number);
    if (!page) return nullptr;
    Block*& list = lists.free[number];
    const size_t size = size_of(number);
    for (size_t at = kPage / size * size; at > 0; at -= size) list = new (page + at - size) Block{list};
    return std::exchange(list, list->next);
}

void* new_block(size_t number) {
    Lists* lists = own ? own : first_lists();
    if (!lists) return nullptr;
    Block*& list = lists->free[number];
    return list ? std::exchange(list, list->next) : refill(*lists, number);
}

/// `number` 0: a run.
[[gnu::always_inline]] inline void free_block(void* block, size_t number) {
    if (number == 0) return free_run(static_cast<char*>(block));
    Lists* lists = own ? own : first_lists();
    if (!lists) return;
    Block*& list = lists->free[number];
    list = new (block) Block{list};
}

}  // namespace
}  // namespace pyk

void* operator new(size_t size) {
    using namespace pyk;
    void* block = nullptr;
    if (size <= kLargestInPage)
        block = new_block(number_of(size));
    else if (size <= kLargest)
        block = new_run(size, 0);
    if (!block) block = std::malloc(size ? size : 1);
    if (!block) throw std::bad_alloc();
    return block;
}

void operator delete(void* block) noexcept {
    using namespace pyk;
    if (is_own(block))
        free_block(block, number_of_page[page_of(block)]);
    else
        std::free(block);
}

void operator delete(void* block, size_t size) noexcept {
    using namespace pyk;
    if (is_own(block))
        free_block(block, size <= kLargestInPage ? number_of(size) : 0);
    else
        std::free(block);
}

#endif
