// A target is data: what differs between CUDA and the CPU, read by the one emitter.
#pragma once

#include <string_view>

#include "builtins/builtins.h"

namespace pyk {

struct Target {
    TargetId id;
    std::string_view name;            ///< `cuda`, `cpu`: as on the command line
    std::string_view description;     ///< in the head comment: `CUDA C++`, `C++ for the CPU`
    std::string_view file_extension;  ///< `.cu`, `.cpp`
    std::string_view templates;       ///< folder under templates/
    std::string_view function_prefix; ///< before a device function: `__device__ `, `static inline `
    std::string_view thread_param;    ///< first parameter of every function that needs the thread's context, or empty
    std::string_view thread_arg;      ///< the same, passed on
    std::string_view shared_array;    ///< format of a shared array's declaration
    // … the emitter's owner adds what it needs; never a question `is this CUDA?` in emit/.
};

const Target& cuda_target();
const Target& cpu_target();

}  // namespace pyk
