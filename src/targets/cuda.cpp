#include "targets/target.h"

namespace pyk {

const Target& cuda_target() {
    static constexpr Target target{
        .id = TargetId::cuda,
        .name = "cuda",
        .description = "CUDA C++",
        .templates = "cuda",
        .is_cudacc = true,
        .vector_space = "",
        .loop_suffix = "",
        .entry_per_access = true,
        .has_wide_forms = true,
        .always_used = "",
        .thread_param = "",
        .thread_arg = "",
        .alignment = "__align__({bytes}) ",
        .shared_array = "__shared__ {align}{type} {name}{extents};",
        .own_memory = "",
        .dynamic_shared = "const auto {name} = pyk::dynamic_shared<{type}>();",
        .constant_table = "__constant__ const ",
        .global_table = "__device__ const ",
        .constant_memory = 64 * 1024,
        .shared_memory = 48 * 1024,  // of every architecture; ptxas counts those of called functions, too
        .places_shared = false,
        .limits_locals = true,
        .checks_shared_parts = false,
        .checked_index = "pyk::checked({index}, {extent}, {{\"{array}\", {axis}, {line}}})",
        .watched_read = "",
        .watched_store = "",
        .watched_place = "",
        .watched_atomic = "",
        .fail = "pyk::fail({line}, {error});",
        .has_ptx = true,
        .spelled_types = true,
        .divides_by_call = false,
        .restrict_pointers = true,
    };
    return target;
}

}  // namespace pyk
