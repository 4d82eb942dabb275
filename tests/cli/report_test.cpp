// `pykc report`
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli.h"
#include "compile/cubin.h"
#include "compile/nvrtc.h"
#include "compile/occupancy.h"

namespace pyk {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

// Checked against CUDA's occupancy calculator (cuda-occupancy.h's rules).
TEST(Occupancy, Limits) {
    const SmLimits hopper = sm_limits(90).value();
    EXPECT_EQ(occupancy(hopper, 256, 32, 0).warps, 64u);
    EXPECT_EQ(occupancy(hopper, 256, 64, 0).warps, 32u);
    EXPECT_EQ(occupancy(hopper, 256, 64, 0).limit, "registers");
    EXPECT_EQ(occupancy(hopper, 1024, 65, 0).warps, 0u);  // 72 registers: 28 warps, and a block has 32
    EXPECT_EQ(occupancy(hopper, 128, 255, 0).blocks, 2u);
    EXPECT_EQ(occupancy(hopper, 256, 16, 48 * 1024).blocks, 4u);  // 49 KiB each of 228
    EXPECT_EQ(occupancy(hopper, 256, 16, 48 * 1024).limit, "shared memory");
    EXPECT_EQ(occupancy(hopper, 32, 16, 0).limit, "blocks");
    EXPECT_EQ(occupancy(sm_limits(86).value(), 1024, 32, 0).warps, 32u);
    EXPECT_FALSE(sm_limits(20));
}

TEST(Ptxas, LogsAreRead) {
    const auto found = resources_in(
        "ptxas info    : Compiling entry function 'pyk_k_' for 'sm_90'\n"
        "ptxas info    : Function properties for pyk_k_\n"
        "ptxas         .     96 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads\n"
        "ptxas info    : Used 40 registers, used 1 barriers, 96 bytes cumulative stack size, 1024 bytes smem\n");
    const PtxasResources& kernel = found.at("pyk_k_");
    EXPECT_EQ(kernel.registers, 40u);
    EXPECT_EQ(kernel.stack, 96u);
    EXPECT_EQ(kernel.spill_stores, 8u);
    EXPECT_EQ(kernel.spill_loads, 16u);
    EXPECT_EQ(kernel.shared, 1024u);
    EXPECT_EQ(kernel.barriers, 1u);
}

TEST(Cubin, OthersBytesAreRefused) {
    EXPECT_FALSE(instructions_by_line("", {}));
    EXPECT_FALSE(
        instructions_by_line("\x7f"
                             "ELF",
                             {}));
    EXPECT_FALSE(instructions_by_line(std::string(4096, '\xff'), {}));
}

class CliReport : public Cli {};

TEST_F(CliReport, SaysWhatAKernelUses) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("tile.pyk", R"py(from numba import cuda, float32
import math


@cuda.jit("void(float32[::1], float32[::1])")
def tile(x, out):
    part = cuda.shared.array(1024, float32)
    i = cuda.threadIdx.x
    part[i] = x[i]
    cuda.syncthreads()
    out[i] = math.sin(part[1023 - i]) + math.tan(part[i])


@cuda.jit("void(float32[::1])")
def clear(x):
    x[cuda.threadIdx.x] = 0
)py");
    const Json report = Json::parse(pykc({"report", "tile.pyk", "-arch=sm_90", "--json", "--block", "1024"}).output);
    EXPECT_EQ(report["arch"], "sm_90");
    ASSERT_EQ(report["kernels"].size(), 2u);
    const Json& tile = report["kernels"][0];
    EXPECT_EQ(tile["symbol"], "pyk_tile_a1f4c_a1f4c");
    EXPECT_EQ(tile["shared_bytes"], 4096);
    EXPECT_EQ(tile["line"], 6);
    EXPECT_EQ(tile["hottest"][0]["line"], 11);  // two reductions of large arguments
    EXPECT_EQ(tile["occupancy"]["max_warps"], 64);
    EXPECT_GT(tile["registers"].get<int>(), report["kernels"][1]["registers"].get<int>());
    size_t sum = 0;
    for (const Json& line : tile["hottest"]) sum += line["instructions"].get<size_t>();
    EXPECT_LE(sum, tile["instructions"].get<size_t>());
    const auto text = pykc({"report", "tile.pyk", "-arch=sm_90"});
    EXPECT_THAT(text.output, HasSubstr("tile.pyk:6: pyk_tile_a1f4c_a1f4c for sm_90\n  registers "));
    EXPECT_THAT(text.output, HasSubstr(":11  out[i] = math.sin(part[1023 - i]) + math.tan(part[i])\n"));
    EXPECT_EQ(pykc({"report", "tile.pyk", "-arch=sm_80,sm_90"}).exit_code, 2);
}

// Linked code: the cubin says what ptxas would. A function that is not called changes nothing but that.
TEST_F(CliReport, CountersAreThoseOfTheirLoop) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("loops.pyk", R"py(from numba import cuda


@cuda.jit("void(float64[::1], float64[::1])")
def loops(x, out):
    i = cuda.grid(1)
    for k in range(4):
        out[i] += x[i * 4 + k]
    for k in range(i, x.size, cuda.gridsize(1)):
        out[k] = x[k if k % 2 == 0 else 0]
        out[k] = x[k if k > 0 else 0]


@cuda.jit("void(float32[::1], float32[:, ::1])")
def few(x, y):
    i = cuda.grid(1)
    a, b = cuda.load_vector(x, 2 * i, 2)
    if cuda.threadIdx.x == 0:
        y[i, 0] = a + b
)py");
    const std::string report = pykc({"report", "loops.pyk", "-arch=sm_90"}).output;
    EXPECT_THAT(report, HasSubstr(":8    load   global x            strided by 4 (32 bytes)\n"));
    EXPECT_THAT(report, HasSubstr(":10   store  global out          coalesced\n"));
    EXPECT_THAT(report, HasSubstr(":10   load   global x            not known\n")) << "every second lane has another";
    EXPECT_THAT(report, HasSubstr(":11   load   global x            coalesced\n")) << "a border";
}

TEST_F(CliReport, OfLinkedCode) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("plain.pyk", R"py(from numba import cuda, float32


@cuda.jit("void(float32[::1])")
def k(x):
    part = cuda.shared.array(512, float32)
    part[cuda.threadIdx.x] = x[cuda.threadIdx.x]
    cuda.syncthreads()
    x[cuda.threadIdx.x] = part[511 - cuda.threadIdx.x]
)py");
    write("own.cu", "extern \"C\" __device__ int twice(float* result, float x) { *result = 2 * x; return 0; }\n");
    write("linked.pyk", R"py(from numba import cuda

twice = cuda.declare_device("twice", "float32(float32)")


@cuda.jit("void(float32[::1])")
def k(x):
    x[cuda.threadIdx.x] = twice(x[cuda.threadIdx.x])
)py");
    const auto report = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "report");
        arguments.insert(arguments.end(), {"-arch=sm_80", "--json"});
        const auto result = pykc(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.messages;
        return Json::parse(result.output)["kernels"][0];
    };
    const Json alone = report({"plain.pyk"}), beside = report({"plain.pyk", "--link", "own.cu"});
    for (const char* key : {"registers", "shared_bytes", "stack_bytes"}) EXPECT_EQ(alone[key], beside[key]) << key;
    EXPECT_TRUE(beside["spill_store_bytes"].is_null());
    const Json linked = report({"linked.pyk", "--link", "own.cu"});
    EXPECT_GT(linked["registers"].get<int>(), 0);
    EXPECT_EQ(linked["hottest"][0]["line"], 8);
    const auto broken = pykc({"report", "linked.pyk", "-arch=sm_80"});
    EXPECT_EQ(broken.exit_code, 1);
    EXPECT_THAT(broken.messages, HasSubstr("[link-failed]"));
}

TEST_F(CliReport, SaysHowWarpsReachMemory) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("transpose.pyk", R"py(from numba import cuda, float32


@cuda.jit("void(float32[:, ::1], float32[:, ::1], int32[::1])")
def transpose(x, out, order):
    tile = cuda.shared.array((32, 32), float32)
    padded = cuda.shared.array((32, 33), float32)
    column, row = cuda.grid(2)
    i = cuda.threadIdx.x
    j = cuda.threadIdx.y
    tile[j, i] = x[row, column]
    padded[j, i] = out[column, row]
    cuda.syncthreads()
    out[row, column] = tile[i, j] + padded[i, j]
    out[row, order[i]] = x[row, 3 * i] + x[j, 0]
)py");
    const Json report = Json::parse(pykc({"report", "transpose.pyk", "-arch=sm_90", "--json"}).output);
    std::map<std::string, std::string> found;
    for (const Json& row : report["kernels"][0]["accesses"])
        found[std::to_string(row["line"].get<int>()) + " " + row["kind"].get<std::string>() + " " +
              row["array"].get<std::string>()] += row["memory"] == "global"
                                                      ? row["pattern"].get<std::string>() + ";"
                                                      : std::to_string(row["bank_conflicts"].get<int>()) + ";";
    EXPECT_EQ(found["11 load x"], "coalesced;");
    EXPECT_EQ(found["11 store tile"], "1;");
    EXPECT_EQ(found["12 load out"], "strided by what is known when it runs;");
    EXPECT_EQ(found["14 load tile"], "32;");
    EXPECT_EQ(found["14 load padded"], "1;");
    EXPECT_EQ(found["14 store out"], "coalesced;");
    EXPECT_EQ(found["15 load order"], "coalesced;");
    EXPECT_EQ(found["15 store out"], "gathered;");
    EXPECT_EQ(found["15 load x"], "strided by 3 (12 bytes);one element for the warp;");
    EXPECT_THAT(pykc({"report", "transpose.pyk", "-arch=sm_90"}).output, HasSubstr("32-way bank conflict"));
}

TEST_F(CliReport, QuotientsAndRemaindersOfTheIndexAreKnown) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("parts.pyk", R"py(from numba import cuda, float32


@cuda.jit("void(float32[::1], float32[::1])")
def parts(x, out):
    s = cuda.shared.array(64, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    s[t % 8] = x[i // 2]
    out[i] = s[t // 4]
    out[i] += x[i % 4]
    out[i] += x[i >> 3]
    out[i] += x[i & 15]
    out[i] += x[i % 64]
    out[i] += x[i // 64]
    out[i] += x[2 * i // 2]
    out[i] += x[i % 3]
    out[i] += x[i // 2 * 4]
)py");
    const Json report = Json::parse(pykc({"report", "parts.pyk", "-arch=sm_90", "--json"}).output);
    std::map<int, std::string> found;
    for (const Json& row : report["kernels"][0]["accesses"])
        if (row["array"] == "x") found[row["line"].get<int>()] = row["pattern"].get<std::string>();
    EXPECT_EQ(found[9], "coalesced, one element for 2 lanes");
    EXPECT_EQ(found[11], "coalesced, the same 4 elements again and again");
    EXPECT_EQ(found[12], "coalesced, one element for 8 lanes");
    EXPECT_EQ(found[13], "coalesced, the same 16 elements again and again");
    EXPECT_EQ(found[14], "coalesced");
    EXPECT_EQ(found[15], "one element for the warp");
    EXPECT_EQ(found[16], "coalesced");
    EXPECT_EQ(found[17], "not known");
    EXPECT_EQ(found[18], "16 elements apart");
    for (const Json& row : report["kernels"][0]["accesses"])
        if (row["memory"] == "shared") {
            EXPECT_EQ(row["bank_conflicts"], 1) << row;
        }
}

TEST_F(CliReport, HottestLinesOfImportedFunctionsAreOfTheirFile) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("heavy.pyk", R"py(from numba import cuda


@cuda.jit(device=True)
def heavy(x):



    return x % 7 + x % 11 + x % 13 + x % 17 + x % 19 + x % 23 + x % 29
)py");
    write("light.pyk", R"py(from numba import cuda
from heavy import heavy


@cuda.jit("void(int32[::1])")
def light(x):
    i = cuda.grid(1)
    x[i] = heavy(x[i])
)py");
    const Json report = Json::parse(pykc({"report", "light.pyk", "-arch=sm_90", "--json"}).output);
    const Json& hottest = report["kernels"][0]["hottest"][0];
    EXPECT_EQ(hottest["file"], "heavy.pyk");
    EXPECT_EQ(hottest["line"], 9);
    EXPECT_THAT(pykc({"report", "light.pyk", "-arch=sm_90"}).output, HasSubstr(" heavy.pyk:9  return x % 7 + x % 11"));
}

TEST_F(CliReport, KnowsRecordsViewsAndDeviceFunctions) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("places.py", R"py(from numba import cuda


@cuda.jit(device=True)
def second(row):
    return row[1]
)py");
    write("places.pyk", R"py(import numpy as np
from numba import cuda, float32, from_dtype
from places import second

point = from_dtype(np.dtype([("x", np.float32), ("y", np.float32), ("z", np.float32)]))


@cuda.jit(device=True)
def at(array, k):
    return array[k]


@cuda.jit((point[::1], float32[::1], float32[::1]))
def places(p, x, out):
    i = cuda.grid(1)
    q = p[i]
    a = q.x + p[i]["z"]
    b = at(x, i) + at(x, 2 * i)
    c = second(x[4 * i:4 * i + 4])
    part = x[cuda.blockIdx.x * 64:]
    out[i] = a + b + c + part[cuda.threadIdx.x]
    p[i] = p[i + 1]
    q.y = x[(i + 1) % x.size] + x[min(i + 1, x.size - 1)]
)py");
    const Json report = Json::parse(pykc({"report", "places.pyk", "-arch=sm_90", "--json"}).output);
    std::map<std::string, std::string> found;
    for (const Json& row : report["kernels"][0]["accesses"])
        found[row.value("file", "") + ":" + std::to_string(row["line"].get<int>()) + " " +
              row["kind"].get<std::string>() + " " + row["array"].get<std::string>()] +=
            row["pattern"].get<std::string>() + ";";
    const std::map<std::string, std::string> expected = {
        {":10 load array", "coalesced;strided by 2 (8 bytes);"},
        {":17 load p", "strided by 3 (12 bytes);"},
        {":17 load q", "strided by 3 (12 bytes);"},
        {":21 load part", "coalesced;"},
        {":21 store out", "coalesced;"},
        {":22 load p", "coalesced;"},
        {":22 store p", "coalesced;"},
        {":23 load x", "coalesced;coalesced;"},
        {":23 store q", "strided by 3 (12 bytes);"},
        {"places.py:6 load row", "strided by 4 (16 bytes);"},
    };
    EXPECT_EQ(found, expected);
}

TEST_F(CliReport, IsOfBlocksOfAShape) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("tiles.pyk", R"py(from numba import cuda, float32


@cuda.jit("void(float32[:, ::1], float32[:, ::1])")
def tiles(a, c):
    tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tile[cuda.threadIdx.x, cuda.threadIdx.y] = a[x, y]
    cuda.syncthreads()
    c[y, x] = tile[cuda.threadIdx.y, cuda.threadIdx.x]
)py");
    const std::string report = pykc({"report", "tiles.pyk", "-arch=sm_90", "--block", "16,16"}).output;
    EXPECT_THAT(report, HasSubstr("with blocks of 256 threads"));
    EXPECT_THAT(report, HasSubstr("accesses of a warp (blocks of 16 x 16 threads)\n"
                                  "    :8    store  shared tile         8-way bank conflict\n"
                                  "    :8    load   global a            16 pieces of 2 neighbours\n"
                                  "    :10   store  global c            2 pieces of 16 neighbours\n"
                                  "    :10   load   shared tile         no bank conflict\n"));
    EXPECT_EQ(pykc({"report", "tiles.pyk", "--block", "64,32"}).exit_code, 2);
}

TEST_F(CliReport, HasTheFindingsAboutSpeed) {
    if (!nvrtc_info()) GTEST_SKIP() << "no NVRTC on this machine";
    write("slow.pyk",
          "from numba import cuda\n\n\n@cuda.jit('void(float32[::1])')\ndef k(x):\n    x[0] = x[0] * 2.6\n");
    EXPECT_THAT(pykc({"report", "slow.pyk", "-arch=sm_90"}).messages, HasSubstr("[float64-literal]"));
}

}  // namespace
}  // namespace pyk
