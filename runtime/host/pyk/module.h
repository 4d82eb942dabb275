// Compiled kernels on a device: no compiler needed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pyk/args.h"
#include "pyk/check_result.h"
#include "pyk/dim3.h"
#include "pyk/ownership.h"
#include "pyk/print_sink.h"
#include "pyk/stream.h"

namespace pyk {

namespace driver {
class LoadedModule;
}

/// How a kernel is launched. The grid has at most 2^31 - 1, 65535 and 65535 blocks, the block what the kernel's info
/// says.
struct LaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::size_t shared_bytes = 0;  ///< dynamic shared memory per block; more than 48 KiB is asked for when it is needed
    StreamRef stream = {};
    bool cooperative = false;  ///< all blocks are resident together: for kernels that wait for their grid
    Dim3 cluster = {0, 0, 0};  ///< blocks of a thread block cluster (sm_90 and later); 0: none
};

/// What the compiler made of a kernel.
struct KernelResources {
    int registers = 0;             ///< per thread
    std::size_t shared_bytes = 0;  ///< static, per block
    std::size_t local_bytes = 0;   ///< per thread: arrays of the kernel's own, and registers that were spilled
    std::size_t const_bytes = 0;
    int max_threads_per_block = 0;
};

/// A kernel of a loaded module, which it keeps alive. Copies are cheap. Safe to use from several threads.
class Kernel {
  public:
    Kernel() = default;
    /// That it was found by.
    const std::string& symbol() const { return symbol_; }
    /// Of the CPU all 0 but the threads of a block.
    const KernelResources& resources() const { return resources_; }
    /// Queues the kernel and returns; errors of its execution come from a later call that waits. The arguments are
    /// copied. On the CPU it has run when this returns.
    Status launch(const LaunchConfig& config, const ArgBuffer& args) const {
        return launch(config, args.data(), args.size());
    }
    /// The same with the bytes of a packed buffer (ArgBuffer).
    Status launch(const LaunchConfig& config, const void* args, std::size_t size) const;

    /// The number of threads of a block with which most of them are resident at once.
    Result<int> best_block(std::size_t shared_bytes = 0) const;
    /// How many blocks of that many threads a multiprocessor holds at once.
    Result<int> blocks_per_multiprocessor(int threads, std::size_t shared_bytes = 0) const;

  private:
    friend class Module;
    Shared<driver::LoadedModule> module_;
    void* function_ = nullptr;
    std::string symbol_;
    KernelResources resources_;
};

/// Code on one device. Copies share it; the last kernel or module unloads it. Safe to use from several threads.
class Module {
  public:
    Module() = default;
    /// Loads a cubin, a fatbin or PTX text (which the driver compiles); for the CPU a shared object. The bytes are not
    /// needed afterwards. `sink`: of what its kernels print, where they were compiled for one.
    static Result<Module> load(const Device& device, const void* image, std::size_t size, const PrintSink& sink = {});
    static Result<Module> load(const Device& device, const std::string& image, const PrintSink& sink = {}) {
        return load(device, image.data(), image.size(), sink);
    }

    /// By its `extern "C"` symbol; fails where the code has none of that name.
    Result<Kernel> kernel(const std::string& symbol) const;
    /// What the launches since the last call found, if the code was compiled with checks: on the CPU those that the
    /// calling thread made, on a GPU all threads' (the first error of any). Waits for the device.
    Result<std::optional<CheckReport>> take_check_report() const;

  private:
    Shared<driver::LoadedModule> state_;
};

}  // namespace pyk
