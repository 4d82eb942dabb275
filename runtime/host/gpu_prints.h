// What a GPU's kernels printed: rings in memory of the host that the GPU writes, so that nothing has to be asked of the
// driver to read them, not even after an error that ended the context.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "driver.h"
#include "prints.h"

namespace pyk::driver {

/// The ring of one sink on one GPU.
class GpuPrints {
  public:
    static Result<std::shared_ptr<GpuPrints>> make(Context& device, const PrintSink& sink);
    /// After the kernels that print into it were unloaded; delivers what is left.
    ~GpuPrints();
    GpuPrints(const GpuPrints&) = delete;
    GpuPrints& operator=(const GpuPrints&) = delete;

    const PrintSink& sink() const { return sink_; }
    /// A print_ring, in the device's memory.
    void* address() const { return ring_; }
    void deliver();

  private:
    GpuPrints(Context& device, const PrintSink& sink, void* ring, unsigned long long* shared,
              unsigned long long capacity);

    Context& device_;
    PrintSink sink_;
    void* ring_;                  ///< in the device's memory
    unsigned long long* shared_;  ///< what was freed, what was lost, then the words
    LineRing lines_;
};

/// Those of one GPU.
class GpuSinks {
  public:
    /// The sink's ring, which lives as long as somebody has it.
    Result<std::shared_ptr<GpuPrints>> ring_of(Context& device, const PrintSink& sink);
    /// Hands out what is there.
    void deliver();

  private:
    /// The sink's ring; where there is none, `ring`, which it becomes unless it is null.
    std::shared_ptr<GpuPrints> find_or_add(const PrintSink& sink, const std::shared_ptr<GpuPrints>& ring);

    std::mutex mutex_;
    std::vector<std::weak_ptr<GpuPrints>> rings_;
    std::atomic<bool> has_rings_{false};
};

/// Copies a few bytes to the device, now, whatever its streams are doing.
Status write_now(Context& device, void* to, const void* from, std::size_t bytes);

}  // namespace pyk::driver
