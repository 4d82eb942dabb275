// nvcc: CUDA C++ → PTX, LTO-IR, cubin, fatbin or a host object.
#pragma once

#include <optional>

#include "compile/arch.h"
#include "compile/artifact.h"

namespace pyk {

/// $PYK_NVCC, $CUDA_HOME/bin, $CUDA_PATH/bin, PATH, /usr/local/cuda/bin, in this order.
std::optional<std::string> find_nvcc();

/// Compiles emitted text that pastes its prelude. One arch for `ptx`, `ltoir` and `cubin`; several for `fatbin` and
/// `object`, where a virtual one adds PTX.
Tooled<Artifact> compile_with_nvcc(const Unit& unit, ArtifactKind kind, const std::vector<Arch>& archs);

}  // namespace pyk
