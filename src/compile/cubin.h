// What a cubin and ptxas's words about it say of its kernels.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyk {

/// Machine instructions by the line of the source that they stem from; of those before the first known line, 0.
using InstructionCounts = std::map<uint32_t, size_t>;

/// Of each kernel, by its symbol, from the line table (`--generate-line-info`). `source_lines`: of each line of the
/// CUDA C++, from 0; what stems from none (the prelude, inlined) belongs to the line before it in the code. Padding is
/// not counted. nullopt: the bytes are no cubin with such a table.
std::optional<std::map<std::string, InstructionCounts>> instructions_by_line(std::string_view cubin,
                                                                             const std::vector<uint32_t>& source_lines);

/// What ptxas gave a kernel, in bytes and registers of a thread; shared memory of a block.
struct PtxasResources {
    size_t registers = 0, stack = 0, spill_stores = 0, spill_loads = 0, shared = 0, barriers = 0;
};

/// By symbol, from the log that `--ptxas-options=-v` makes.
std::map<std::string, PtxasResources> resources_in(const std::string& log);

/// The same from a cubin, which does not say what was spilled.
std::map<std::string, PtxasResources> resources_of(std::string_view cubin);

}  // namespace pyk
