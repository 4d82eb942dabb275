// Which kernels to compile for which types.
#pragma once

#include <string>
#include <vector>

#include "driver/pipeline.h"

namespace pyk {

/// What the command line says about it.
struct Selection {
    /// Of each `--sig`: its text as a file of its own, so that spans can point into it.
    std::vector<SourceFilePtr> signatures;
    std::vector<std::string> kernels;  ///< of each `--kernel`; empty: all
    bool for_host = false;             ///< C++ that calls functions is made: of those that it cannot call, a note
    bool for_device = false;           ///< code for GPUs is made, of functions that other such code calls, too
    bool is_check = false;             ///< nothing is made: what the host may call is looked at as such
};

/// The text of a `--sig` as a file.
SourceFilePtr signature_source(std::string text);

/// A kernel's `--sig`s, else what its decorator or annotations say. A kernel without types is skipped with a note,
/// unless `--kernel` names it.
std::vector<Request> choose_requests(const Program& program, const Selection& selection, Diagnostics& diagnostics);

const ArrayFunctionInfo* find_array_function(const Program& program, std::string_view name);
/// Of one that Numba compiles for the CPU: where it runs there. Its request is for the CPU alone then
/// (Request::cpu_only).
bool may_make_arrays(const ArrayFunctionInfo& function);
const KernelInfo* find_kernel(const Program& program, std::string_view name);
/// Among the functions that the host may call.
const KernelInfo* find_function(const Program& program, std::string_view name);
/// Of `@cuda.reduce`.
const OperatorInfo* find_reduction(const Program& program, std::string_view name);
/// Among the functions that other device code may call.
const OperatorInfo* find_device_function(const Program& program, std::string_view name);
/// Any of the five.
bool defines(const Program& program, std::string_view name);
/// What to say after "there is no kernel `x`": the nearest name, or all of them.
std::string kernel_hint(const Program& program, std::string_view wrong);

}  // namespace pyk
