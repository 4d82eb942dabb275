// Emitted CUDA C++ and the user's own code → what a GPU loads.
#pragma once

#include "compile/arch.h"
#include "compile/artifact.h"

namespace pyk {

/// Whether code of the user's own belongs to it.
bool is_linked(const Unit& unit);

/// PTX or a cubin, in this process. With linked code nvJitLink makes it, inlining where the unit says so; else NVRTC
/// alone.
Tooled<Artifact> compile_for_gpu(const Unit& unit, ArtifactKind kind, Arch arch);

/// A fatbin of several architectures: nvcc's, or with linked code that of `fatbinary`.
Tooled<Artifact> compile_for_gpus(const Unit& unit, const std::vector<Arch>& archs);

}  // namespace pyk
