// What a cubin and ptxas's words about it say of its kernels.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "emit/emit.h"

namespace pyk {

/// A line of the main file, or of one that it imports.
struct SourceLine {
    std::string file = {};  ///< empty: the main one
    uint32_t line = 0;

    auto operator<=>(const SourceLine&) const = default;
};

/// Machine instructions by the line of the source that they stem from; of those before the first known line, 0.
using InstructionCounts = std::map<SourceLine, size_t>;

/// Of each kernel, by its symbol, from the line table (`--generate-line-info`) of what the unit became. What stems from
/// no line of the source (the prelude, inlined) belongs to the line before it in the code. Padding is not counted.
/// nullopt: the bytes are no cubin with such a table.
std::optional<std::map<std::string, InstructionCounts>> instructions_by_line(std::string_view cubin, const Unit& unit);

/// What ptxas gave a kernel, in bytes and registers of a thread; shared memory of a block.
struct PtxasResources {
    size_t registers = 0, stack = 0, spill_stores = 0, spill_loads = 0, shared = 0, barriers = 0;
};

/// By symbol, from the log that `--ptxas-options=-v` makes.
std::map<std::string, PtxasResources> resources_in(const std::string& log);

/// The same from a cubin, which does not say what was spilled.
std::map<std::string, PtxasResources> resources_of(std::string_view cubin);

}  // namespace pyk
