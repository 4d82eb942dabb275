#include "stream_memory.h"

namespace pyk::driver {
namespace {

constexpr std::size_t kSmallest = 512, kLargest = 1 << 20;
// Of a device, all streams together: what a stream that is gone left here stays.
constexpr std::size_t kMostKept = 64, kMostBytes = 16 << 20;

}  // namespace

std::size_t StreamMemory::size_of(std::size_t bytes) {
    if (bytes > kLargest) return 0;
    std::size_t size = kSmallest;
    while (size < bytes) size *= 2;
    return size;
}

void* StreamMemory::take(StreamId stream, std::size_t size) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = kept_.size(); i-- > 0;) {
        if (kept_[i].stream != stream || kept_[i].size != size) continue;
        void* const address = kept_[i].address;
        kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
        kept_bytes_ -= size;
        sizes_[address] = size;
        return address;
    }
    return nullptr;
}

void StreamMemory::add(void* address, std::size_t size) {
    const std::lock_guard lock(mutex_);
    sizes_[address] = size;
}

bool StreamMemory::keep(std::optional<StreamId> stream, void* address) {
    const std::lock_guard lock(mutex_);
    const auto known = sizes_.find(address);
    if (known == sizes_.end()) return false;
    const std::size_t size = known->second;
    sizes_.erase(known);
    if (!stream || kept_.size() == kMostKept || kept_bytes_ + size > kMostBytes) return false;
    kept_.push_back({*stream, address, size});
    kept_bytes_ += size;
    return true;
}

std::vector<void*> StreamMemory::leave(StreamId stream) {
    const std::lock_guard lock(mutex_);
    std::vector<void*> left;
    std::erase_if(kept_, [&](const Kept& kept) {
        if (kept.stream != stream) return false;
        kept_bytes_ -= kept.size;
        left.push_back(kept.address);
        return true;
    });
    return left;
}

}  // namespace pyk::driver
