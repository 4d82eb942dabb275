// NVRTC, opened at run time: CUDA C++ → PTX or cubin in this process, without a driver or a GPU.
#pragma once

#include "compile/arch.h"
#include "compile/artifact.h"

namespace pyk {

struct NvrtcInfo {
    int major = 0, minor = 0;
    std::string path;        ///< of the library
    std::vector<int> archs;  ///< compute capabilities × 10 that it compiles for, ascending
};

/// Opens the library at the first call: $PYK_NVRTC, else the loader's path, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda.
/// Thread-safe, as is everything here.
Tooled<NvrtcInfo> nvrtc_info();

/// Compiles any CUDA C++ to `ptx`, `cubin` or `ltoir`. `name`: of the text, for messages.
Tooled<Artifact> compile_text_with_nvrtc(const std::string& text, const std::string& name, ArtifactKind kind, Arch arch,
                                         const std::vector<std::string>& options);

/// The folders of the toolkit's headers, as far as they are there.
std::vector<std::string> toolkit_includes();

/// Compiles emitted text that pastes its prelude. `more`: options beside the unit's own.
Tooled<Artifact> compile_with_nvrtc(const Unit& unit, ArtifactKind kind, Arch arch,
                                    const std::vector<std::string>& more = {});

/// The same as a cubin, with what ptxas says of its kernels in the log (resources_in).
Tooled<Artifact> measure_with_nvrtc(const Unit& unit, Arch arch);

}  // namespace pyk
