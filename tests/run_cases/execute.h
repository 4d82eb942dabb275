// Running compiled code. Apart from launch.cpp, so that the runtime's headers and the compiler's need not meet.
#pragma once

#include <string>
#include <vector>

#include "value.h"

namespace pyk::run_cases {

/// One launch; the results are left in the arguments' memory.
struct Launch {
    std::string symbol;
    std::vector<int64_t> grid, block;
    int64_t shared = 0;
    std::vector<Argument>* args = nullptr;
    bool cooperative = false;
};

/// Text of what went wrong, or empty.
std::string execute_on_cpu(const Launch& launch, const std::string& library_file);
std::string execute_on_gpu(const Launch& launch, const std::string& cubin);

/// Why there is no GPU to run on; empty: there is one.
std::string why_no_gpu();
/// Its compute capability × 10.
int gpu_arch();

}  // namespace pyk::run_cases
