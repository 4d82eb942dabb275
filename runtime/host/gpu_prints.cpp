#include "gpu_prints.h"

#include <algorithm>
#include <cstring>

#include "pyk/print_ring.h"

namespace pyk::driver {
namespace {

constexpr std::size_t kHead = 2;  // words before the ring's own: what was freed, what was lost
constexpr std::size_t kLeastBytes = 4096, kMostBytes = std::size_t{1} << 30;

unsigned long long words_for(std::size_t bytes) {
    unsigned long long words = kLeastBytes / 8;
    while (words * 8 < std::min(bytes, kMostBytes)) words *= 2;
    return words;
}

}  // namespace

Status write_now(Context& device, void* to, const void* from, std::size_t bytes) {
    const Result<void*> stream = device.create_stream(0);
    if (!stream) return stream.status();
    Status s = device.copy(to, from, bytes, *stream);
    // Locks are held: the program's sinks, which may launch, get nothing now.
    if (s) s = device.wait_quietly(*stream);
    device.destroy_stream(*stream);
    return s;
}

Result<std::shared_ptr<GpuPrints>> GpuPrints::make(Context& device, const PrintSink& sink) {
    const unsigned long long capacity = words_for(sink.state().buffer_bytes);
    const std::size_t bytes = (kHead + capacity) * 8;
    const Result<void*> shared = device.allocate(MemoryKind::pinned, bytes, nullptr);
    if (!shared) return shared.status();
    std::memset(*shared, 0, bytes);
    const Result<void*> ring = device.allocate(MemoryKind::device, sizeof(print_ring), nullptr);
    if (!ring) {
        device.release(MemoryKind::pinned, *shared, nullptr);
        return ring.status();
    }
    // Owns both from here on.
    std::shared_ptr<GpuPrints> prints(
        new GpuPrints(device, sink, *ring, static_cast<unsigned long long*>(*shared), capacity));
    auto* const words = static_cast<unsigned long long*>(*shared);
    const print_ring begin{words + kHead, capacity, words, words + 1, 0, 0};
    if (Status s = write_now(device, *ring, &begin, sizeof begin); !s) return s;
    return prints;
}

GpuPrints::GpuPrints(Context& device, const PrintSink& sink, void* ring, unsigned long long* shared,
                     unsigned long long capacity)
    : device_(device),
      sink_(sink),
      ring_(ring),
      shared_(shared),
      lines_(shared + kHead, capacity, shared, shared + 1) {}

GpuPrints::~GpuPrints() {
    device_.release(MemoryKind::device, ring_, nullptr);
    try {
        deliver();
    } catch (...) {  // the sink's own; nobody is there to be told
    }
    device_.release(MemoryKind::pinned, shared_, nullptr);
}

void GpuPrints::deliver() {
    sink_.state().deliver([this](std::string& line) { return lines_.take(line); });
}

Result<std::shared_ptr<GpuPrints>> GpuSinks::ring_of(Context& device, const PrintSink& sink) {
    if (std::shared_ptr<GpuPrints> known = find_or_add(sink, nullptr)) return known;
    // Outside of the lock: making one waits for the device, which delivers.
    Result<std::shared_ptr<GpuPrints>> ring = GpuPrints::make(device, sink);
    if (!ring) return ring;
    return find_or_add(sink, *ring);
}

std::shared_ptr<GpuPrints> GpuSinks::find_or_add(const PrintSink& sink, const std::shared_ptr<GpuPrints>& ring) {
    std::vector<std::shared_ptr<GpuPrints>> others;  // the last owner of one must not be within the lock
    const std::lock_guard lock(mutex_);
    rings_.erase(std::remove_if(rings_.begin(), rings_.end(), [](const auto& r) { return r.expired(); }), rings_.end());
    for (const std::weak_ptr<GpuPrints>& known : rings_) {
        others.push_back(known.lock());
        if (others.back() && others.back()->sink() == sink) return others.back();
    }
    if (ring) rings_.push_back(ring);
    has_rings_ = !rings_.empty();
    return ring;
}

void GpuSinks::deliver() {
    if (!has_rings_.load(std::memory_order_relaxed)) return;
    std::vector<std::shared_ptr<GpuPrints>> rings;
    {
        const std::lock_guard lock(mutex_);
        for (const std::weak_ptr<GpuPrints>& known : rings_)
            if (std::shared_ptr<GpuPrints> ring = known.lock()) rings.push_back(std::move(ring));
    }
    for (const std::shared_ptr<GpuPrints>& ring : rings) ring->deliver();
}

}  // namespace pyk::driver
