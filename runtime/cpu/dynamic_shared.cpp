#include "dynamic_shared.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "aligned.h"

namespace pyk::cpu {
namespace {

constexpr std::size_t kZone = 8 * 1024;        // a row of 1024 doubles
constexpr std::size_t kCapacity = 256 * 1024;  // the most that a launch may ask for, whatever it asks for
constexpr unsigned char kMark = 0xA5;

bool is_marked(const unsigned char* zone) { return zone[0] == kMark && std::memcmp(zone, zone + 1, kZone - 1) == 0; }

}  // namespace

DynamicShared::DynamicShared() : memory_(nullptr, std::free) {}

unsigned char* DynamicShared::data() const { return memory_.get() + kZone; }

void DynamicShared::mark() {
    std::memset(memory_.get(), kMark, kZone);
    std::memset(data() + bytes_, kMark, kZone);
}

void DynamicShared::prepare(std::size_t bytes) {
    if (memory_ && bytes == bytes_) return;
    if (!memory_ || bytes > capacity_) {
        const std::size_t capacity = std::max(bytes, kCapacity);
        memory_.reset(allocate_aligned(kZone + capacity + kZone));
        capacity_ = capacity;
    }
    bytes_ = bytes;
    mark();
}

bool DynamicShared::is_overrun() {
    if (is_marked(memory_.get()) && is_marked(data() + bytes_)) return false;
    mark();
    return true;
}

}  // namespace pyk::cpu
