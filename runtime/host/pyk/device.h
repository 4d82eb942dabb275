// The GPUs of this machine. The CUDA driver is opened at the first call that needs it (libcuda.so.1, by dlopen); where
// it is missing every call fails with a message that says so.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "pyk/status.h"

namespace pyk {

namespace driver {
struct Context;
}

struct DeviceInfo {
    int index = 0;
    std::string name;          ///< "NVIDIA H200"
    int major = 0, minor = 0;  ///< compute capability
    std::size_t memory = 0;    ///< bytes in all
    int multiprocessors = 0;
    int max_threads_per_block = 0;
    std::size_t max_shared_per_block = 0;  ///< bytes, with what a kernel may ask for beyond 48 KiB
};

/// A GPU with its primary context, which CUDA's runtime API shares. Copies refer to the same; the context is kept for
/// the life of the process. Safe to use from several threads. Calls leave the calling thread's current context as it
/// was.
class Device {
  public:
    /// How many there are; fails where there is no driver.
    static Result<int> count();
    /// The `index`-th as CUDA counts (CUDA_VISIBLE_DEVICES applies).
    static Result<Device> get(int index = 0);

    const DeviceInfo& info() const;
    /// Bytes that can still be allocated.
    Result<std::size_t> free_memory() const;
    /// Waits for all work on the device and gives its first error.
    Status synchronize() const;

    driver::Context& context() const { return *context_; }

  private:
    explicit Device(driver::Context* context) : context_(context) {}
    driver::Context* context_;  // lives for ever
};

}  // namespace pyk
