// Compiled kernels on a GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "pyk/args.h"
#include "pyk/check_result.h"
#include "pyk/dim3.h"
#include "pyk/stream.h"

namespace pyk {

namespace driver {
struct ModuleState;
}

/// How a kernel is launched. The grid has at most 2^31 - 1, 65535 and 65535 blocks, the block what the kernel's info
/// says.
struct LaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::size_t shared_bytes = 0;  ///< dynamic shared memory per block; more than 48 KiB is asked for when it is needed
    Stream stream;
    bool cooperative = false;  ///< all blocks are resident together: for kernels that wait for their grid
};

/// What the compiler made of a kernel.
struct KernelResources {
    int registers = 0;             ///< per thread
    std::size_t shared_bytes = 0;  ///< static, per block
    std::size_t local_bytes = 0;   ///< per thread
    std::size_t const_bytes = 0;
    int max_threads_per_block = 0;
};

/// A kernel of a loaded module, which it keeps alive. Copies are cheap. Safe to use from several threads.
class Kernel {
  public:
    const std::string& symbol() const { return symbol_; }
    const KernelResources& resources() const { return resources_; }
    /// Queues the kernel and returns; errors of its execution come from a later call that waits. The arguments are
    /// copied.
    Status launch(const LaunchConfig& config, const ArgBuffer& args) const;

  private:
    friend class Module;
    std::shared_ptr<driver::ModuleState> module_;
    void* function_ = nullptr;
    std::string symbol_;
    KernelResources resources_;
};

/// Code on one device. Copies share it; the last kernel or module unloads it. Safe to use from several threads.
class Module {
  public:
    /// Loads a cubin, a fatbin or PTX text (which the driver compiles). The bytes are not needed afterwards.
    static Result<Module> load(const Device& device, const void* image, std::size_t size);
    static Result<Module> load(const Device& device, const std::string& image) {
        return load(device, image.data(), image.size());
    }

    /// By its `extern "C"` symbol.
    Result<Kernel> kernel(const std::string& symbol) const;
    /// What the launches since the last call found, if the code was compiled with checks. Waits for the device.
    Result<std::optional<CheckReport>> take_check_report() const;

  private:
    std::shared_ptr<driver::ModuleState> state_;
};

}  // namespace pyk
