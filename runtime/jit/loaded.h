// Code in memory on a backend, ready to launch. Apart from engine.h, because the runtime's headers and the compiler's
// name some things alike.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compile/artifact.h"
#include "pyk/pyk.hpp"

namespace pyk::jit {

struct LaunchShape {
    Grid grid;
    Block block;
    std::size_t shared_bytes = 0;
};

class Loaded {
  public:
    virtual ~Loaded() = default;
    /// Copies what has to be copied, launches, waits. Gives milliseconds of the kernel alone.
    virtual Result<double> launch(const EntryPoint& entry, const LaunchShape& shape,
                                  const std::vector<Argument>& arguments) = 0;
    virtual std::string device_name() const = 0;
};

/// Compile a unit for the backend and load it. `checks`: its text was emitted with checks. Emitted text that a tool
/// refuses is an InternalError.
Result<std::unique_ptr<Loaded>> load_on_cuda(const Unit& unit, bool checks);
Result<std::unique_ptr<Loaded>> load_on_cpu(const Unit& unit);

/// Why there is no GPU to run on, or no NVRTC to compile for it; empty: there are both.
std::string why_no_cuda();

/// Unwraps what a tool made.
Result<Artifact> artifact_of(Tooled<Artifact> made);

}  // namespace pyk::jit
