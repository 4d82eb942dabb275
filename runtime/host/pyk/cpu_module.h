// Compiled kernels on the CPU: shared objects, and running their entries over a grid.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "pyk/args.h"
#include "pyk/check_result.h"
#include "pyk/dim3.h"
#include "pyk/ownership.h"
#include "pyk/status.h"

namespace pyk {

struct cpu_block;

namespace cpu {

/// `extern "C" void <symbol>(const pyk::cpu_block* block, const void* args)`: runs one block
/// (runtime/device/pyk/cpu.h).
using Entry = void (*)(const cpu_block* block, const void* args);

struct LaunchConfig {
    Dim3 grid;
    Dim3 block;                            ///< at most 1024 threads in all
    std::size_t shared_bytes = 0;          ///< dynamic shared memory per block; zeros when a block starts
    std::size_t stack_bytes = 256 * 1024;  ///< per thread of a kernel with barriers
    unsigned max_workers = 0;              ///< cores to use at most; 0: all
    bool cooperative = false;              ///< all blocks live together: for kernels that wait for their grid
};

/// Runs the entry for all blocks, spread over the cores, and returns when all are done. `args` is packed as ArgBuffer
/// packs. Blocks start in order of their index (x fastest). Calls from several threads run one after the other. Fails
/// where memory for stacks is missing or the kernel let an exception escape; an index out of range (in code compiled
/// with checks) is a result.
Result<std::optional<CheckReport>> launch(Entry entry, const LaunchConfig& config, const void* args);

/// The number of cores that launches use: those that the process had when it was first asked.
unsigned worker_count();

}  // namespace cpu

/// A shared object with CPU entries. Copies share it, the last one and its kernels unload it. Safe to use from several
/// threads.
class CpuModule {
  public:
    /// Opens a shared object by its path. Fails where there is none, or none that can be loaded.
    static Result<CpuModule> load(const std::string& path);
    /// The entry of that `extern "C"` symbol; valid while a copy of the module lives. Fails where it has none.
    Result<cpu::Entry> entry(const std::string& symbol) const;

  private:
    Shared<void> library_;
};

}  // namespace pyk
