// What kernels run on: the GPUs of this machine, and its CPU. The CUDA driver is opened at the first call that needs it
// (libcuda.so.1, by dlopen); where it is missing every call about GPUs fails with a message that says so.
#pragma once

#include <cstddef>
#include <string>

#include "pyk/status.h"

namespace pyk {

namespace driver {
class Context;
}

/// What a device is and can do.
struct DeviceInfo {
    int index = 0;  ///< among the GPUs; of the CPU 0
    bool is_cpu = false;
    std::string name;          ///< "NVIDIA H200", "the CPU (16 threads)"
    int major = 0, minor = 0;  ///< compute capability; 0 of the CPU
    std::size_t memory = 0;    ///< bytes in all
    int multiprocessors = 0;   ///< of the CPU: threads
    int warp_size = 32;
    int max_threads_per_block = 0;
    int max_threads_per_multiprocessor = 0;
    std::size_t max_shared_per_block = 0;  ///< bytes, with what a kernel may ask for beyond 48 KiB
    std::size_t l2_bytes = 0;
    int driver_version = 0;  ///< 13000 is CUDA 13.0; 0 of the CPU
};

/// A GPU with its primary context, which CUDA's runtime API, CuPy and PyTorch share, or the CPU. Copies refer to the
/// same; a context is kept for the life of the process. Safe to use from several threads. Calls leave the calling
/// thread's current CUDA context as it was; a thread that has none gets the device's, as from CUDA's runtime API.
class Device {
  public:
    /// The GPU that `make_current` chose in this thread; else the first, else the CPU.
    Device() : context_(current().context_) {}

    /// How many GPUs there are; fails where there is no driver.
    static Result<int> count();
    /// The `index`-th GPU as CUDA counts (CUDA_VISIBLE_DEVICES applies).
    static Result<Device> get(int index = 0);
    /// This machine's CPU; never fails.
    static Device cpu();

    /// What `Device()` is in this thread from now on.
    void make_current() const;
    /// What `Device()` is in this thread.
    static Device current();

    /// Found out once; lives for ever.
    const DeviceInfo& info() const;
    bool is_cpu() const { return info().is_cpu; }
    /// Bytes that can still be allocated.
    Result<std::size_t> free_memory() const;
    /// Waits for all work on the device and gives its first error.
    Status synchronize() const;
    /// Lets kernels and copies of this device read and write another GPU's memory. Success if that is so already.
    Status enable_access_to(const Device& other) const;

    driver::Context& context() const { return *context_; }
    explicit Device(driver::Context& context) : context_(&context) {}

    friend bool operator==(const Device& a, const Device& b) { return a.context_ == b.context_; }
    friend bool operator!=(const Device& a, const Device& b) { return !(a == b); }

  private:
    driver::Context* context_;  // lives for ever
};

}  // namespace pyk
