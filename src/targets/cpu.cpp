#include "targets/target.h"

namespace pyk {

const Target& cpu_target() {
    static constexpr Target target{
        .id = TargetId::cpu,
        .name = "cpu",
        .description = "C++ for the CPU",
        .templates = "cpu",
        .is_cudacc = false,
        .vector_space = "pyk::",
        .loop_suffix = "_on_cpu",
        .entry_per_access = false,
        .has_wide_forms = false,
        .always_used = "pyk::cpu_block ",
        .thread_param = "pyk::thread& pyk_t",
        .thread_arg = kThreadOnCpu,
        .alignment = "alignas({bytes}) ",
        .shared_array = "auto& {name} = pyk_t.shared<{type}{extents}>({offset});",
        .own_memory = "pyk::own_memory();",
        .dynamic_shared = "const auto {name} = pyk::dynamic_shared<{type}>(pyk_t);",
        .constant_table = "static const ",
        .global_table = "static const ",
        .constant_memory = 0,
        .shared_memory = 256 * 1024,  // runtime/cpu/block_runner.cpp has so many
        .places_shared = true,
        .limits_locals = false,
        .checks_shared_parts = true,
        .checked_index = "pyk::checked(pyk_t, {index}, {extent}, {{\"{array}\", {axis}, {line}}})",
        .watched_read = "pyk::watched_read(pyk_t, {place}, {first}, {{\"{array}\", 0, {line}}})",
        .watched_store = "pyk::watched_store(pyk_t, {place}, {value}, {first}, {{\"{array}\", 0, {line}}});",
        .watched_place =
            "pyk::watched_place(pyk_t, pyk::access_kind::{kind}, {place}, {first}, {{\"{array}\", 0, {line}}})",
        .watched_atomic =
            "pyk::watched_atomic(pyk_t, {place}, [&](auto& pyk_at) {{ return {call}; }}, {first}, "
            "{{\"{array}\", 0, {line}}})",
        .fail = "pyk::fail(pyk_t, {line}, {error});",
        .has_ptx = false,
        .spelled_types = false,
        .divides_by_call = true,
        .restrict_pointers = false,
    };
    return target;
}

}  // namespace pyk
