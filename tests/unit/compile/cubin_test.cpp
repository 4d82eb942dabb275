// What is read of cubins, of data/lines_sm90.cubin: `nvcc -cubin -lineinfo -arch=sm_90 lines.cu` of CUDA 13.0.
#include "compile/cubin.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

namespace pyk {
namespace {

std::string cubin() {
    std::ifstream file(PYK_SOURCE_DIR "/tests/unit/compile/data/lines_sm90.cubin", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Its lines are those of the source.
Unit unit_of_lines() {
    Unit unit;
    unit.source_lines = {1, 2, 3, 4, 5, 6, 7, 8};
    unit.source_files.resize(unit.source_lines.size());
    return unit;
}

// As ptxas says: 8 registers, 0 bytes stack frame, 128 bytes smem.
TEST(Cubin, Resources) {
    const auto found = resources_of(cubin());
    ASSERT_EQ(found.size(), 1u);
    const PtxasResources& kernel = found.at("pyk_k");
    EXPECT_EQ(kernel.registers, 8u);
    EXPECT_EQ(kernel.stack, 0u);
    EXPECT_EQ(kernel.shared, 128u);
}

TEST(Cubin, InstructionsByLine) {
    const auto found = instructions_by_line(cubin(), unit_of_lines());
    ASSERT_TRUE(found);
    std::set<uint32_t> lines;
    for (const auto& [line, count] : found->at("pyk_k")) {
        EXPECT_GT(count, 0u) << line.line;
        lines.insert(line.line);
    }
    for (const uint32_t line : {4, 5, 6, 7}) EXPECT_TRUE(lines.contains(line)) << line;
}

// Files that end early, and tables that lie anywhere, are no cubins of ours: nothing is read beyond the end.
TEST(Cubin, WhatIsBroken) {
    const std::string whole = cubin();
    ASSERT_GT(whole.size(), sizeof(Elf64_Ehdr));
    for (size_t size = 0; size < whole.size(); ++size) {
        const std::string part = whole.substr(0, size);
        EXPECT_LE(resources_of(part).size(), 1u);
        instructions_by_line(part, unit_of_lines());
    }
    for (const uint64_t at : {UINT64_MAX, UINT64_MAX - sizeof(Elf64_Shdr), uint64_t{1} << 63, uint64_t{whole.size()}}) {
        std::string moved = whole;
        std::memcpy(moved.data() + offsetof(Elf64_Ehdr, e_shoff), &at, sizeof at);
        EXPECT_TRUE(resources_of(moved).empty()) << at;
        EXPECT_FALSE(instructions_by_line(moved, unit_of_lines())) << at;
    }
    EXPECT_TRUE(resources_of("no cubin").empty());
}

}  // namespace
}  // namespace pyk
