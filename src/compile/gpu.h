// Emitted CUDA C++ and the user's own code → what a GPU loads.
#pragma once

#include "compile/arch.h"
#include "compile/artifact.h"

namespace pyk {

/// Whether code of the user's own belongs to it.
bool is_linked(const Unit& unit);

/// PTX, a cubin or LTO-IR, in this process. With linked code nvJitLink makes it, inlining where the unit says so; else
/// NVRTC alone. LTO-IR and what a relocatable unit becomes are without linked code: they are linked with it later.
Tooled<Artifact> compile_for_gpu(const Unit& unit, ArtifactKind kind, Arch arch);

/// A fatbin of several architectures: nvcc's, or with linked code that of `fatbinary`. Of a relocatable unit without
/// it.
Tooled<Artifact> compile_for_gpus(const Unit& unit, const std::vector<Arch>& archs);

}  // namespace pyk
