#include "stack_slab.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "sanitize.h"

namespace pyk::cpu {
namespace {

constexpr std::size_t kMostPerMapping = 64;
constexpr std::size_t kUsualMapping = std::size_t{16} << 20;
constexpr int kMostGuards = 16384;  // of Linux' default of 65530 mappings, of which a guard makes two

std::size_t page_size() {
    static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

std::size_t stride(std::size_t stack_bytes) { return stack_bytes + page_size(); }

std::atomic<int> guards{0};  // of the process

// False where there are too many already.
bool guard(unsigned char* page) {
    if (guards.fetch_add(1) < kMostGuards && mprotect(page, page_size(), PROT_NONE) == 0) return true;
    guards.fetch_sub(1);
    return false;
}

}  // namespace

StackSlab::StackSlab(std::size_t stack_bytes)
    : stack_bytes_((stack_bytes + page_size() - 1) / page_size() * page_size()),
      per_mapping_(std::clamp<std::size_t>(kUsualMapping / stack_bytes_, 1, kMostPerMapping)) {}

StackSlab::~StackSlab() {
    const std::size_t bytes = per_mapping_ * stride(stack_bytes_);
    for (void* mapping : mappings_) {
        forget_stacks(mapping, bytes);
        munmap(mapping, bytes);
    }
    guards.fetch_sub(guards_);
}

void StackSlab::map_more() {
    mappings_.reserve(mappings_.size() + 1);
    void* mapping = mmap(nullptr, per_mapping_ * stride(stack_bytes_), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    mappings_.push_back(mapping);
    left_ = per_mapping_;
}

Stack StackSlab::take() {
    if (left_ == 0) map_more();
    --left_;
    unsigned char* bottom = static_cast<unsigned char*>(mappings_.back()) + left_ * stride(stack_bytes_);
    guards_ += guard(bottom);
    // Tops at different offsets within a page: threads of a block use the same frames, which would share cache sets
    // otherwise.
    const std::size_t colour = left_ % 16 * 192;
    return {bottom + page_size() + stack_bytes_ - colour, stack_bytes_ - colour};
}

}  // namespace pyk::cpu
