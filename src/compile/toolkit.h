// Where CUDA's toolkit is, and how its libraries are opened.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pyk {

/// Where toolkits may be: those that are named ($CUDA_HOME, $CUDA_PATH), the one that a library lies in (empty: none),
/// the usual one.
std::vector<std::filesystem::path> toolkit_roots(const std::string& library);

/// Where a library may be: what the variable names, and that alone, or else each of the names by the loader's path and
/// in the toolkits.
std::vector<std::string> library_candidates(const char* variable, const std::vector<std::string>& names);

/// A program of the toolkit: beside the nvcc that $PYK_NVCC names, in $CUDA_HOME/bin, $CUDA_PATH/bin, PATH,
/// /usr/local/cuda/bin, in this order.
std::optional<std::string> find_toolkit_program(const std::string& name);

/// The file of an opened library. `asked`: what it was opened by.
std::string path_of_library(void* library, const std::string& asked);

/// A function of an opened library. False: it has none of this name.
template <typename Function>
bool bind(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

}  // namespace pyk
