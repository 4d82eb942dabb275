// Running a case: on the CPU target, and on a GPU.
#pragma once

#include <string>

#include "case.h"

namespace pyk::run_cases {

/// Compiles, runs, leaves the results in the case's own arguments. Text of what went wrong, or empty.
std::string run_on_cpu(Case& c);
/// The same, and watched for races: one is a fault.
std::string run_on_cpu_watched(Case& c);
std::string run_on_gpu(Case& c);
/// The kernel for arrays that do not overlap, where the case's do not.
std::string run_on_gpu_apart(Case& c);

/// Compiles the CUDA text with NVRTC for what the case needs and what is sampled. Text of what went wrong, or empty.
std::string compile_for_gpus(const Case& c);
/// The same for the CPU target.
std::string compile_for_cpu(const Case& c);

}  // namespace pyk::run_cases
