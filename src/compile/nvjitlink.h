// nvJitLink, opened at run time: links device code in this process, without a driver or a GPU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/artifact.h"
#include "ir/ir.h"

namespace pyk {

struct NvJitLinkInfo {
    unsigned major = 0, minor = 0;
    std::string path;  ///< of the library
};

/// Opens the library at the first call: $PYK_NVJITLINK, else as NVRTC is. Thread-safe, as is everything here.
Tooled<NvJitLinkInfo> nvjitlink_info();

struct LinkInput {
    ir::LinkedCode::Kind kind;
    std::string_view bytes;
    std::string name;  ///< for messages
};

/// Links to a cubin, or to PTX where every input is LTO-IR; the artifact has no entries. The error of a link that
/// failed is a `linking` one.
Tooled<Artifact> link_with_nvjitlink(const std::vector<LinkInput>& inputs, const std::vector<std::string>& options,
                                     ArtifactKind kind);

}  // namespace pyk
