// Counting memory instructions in PTX and SASS.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace pyk::machine_code {

/// Instructions by what they do: `global load`, `global store`, `shared load`, `shared store`.
using Counts = std::map<std::string, int>;

/// Of the kernel whose symbol contains `name`.
Counts count_ptx(const std::string& ptx, const std::string& name);
Counts count_sass(const std::string& sass, const std::string& name);

/// cuobjdump's disassembly of a cubin. nullopt: there is no cuobjdump beside this nvcc.
std::optional<std::string> disassemble(const std::string& cubin, const std::string& nvcc);

}  // namespace pyk::machine_code
