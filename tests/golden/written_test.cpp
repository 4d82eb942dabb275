// The text of kernels as a person would have written it: what inference took apart stands as the author wrote it, and
// what is proven is not tested again.
#include <gtest/gtest.h>

#include "directive.h"
#include "targets/target.h"

namespace pyk::golden {
namespace {

std::string emitted(const std::string& text) {
    Diagnostics diagnostics;
    const auto unit =
        compile(std::make_shared<const SourceFile>("t.pyk", text), parse_directive(text), cuda_target(), diagnostics);
    EXPECT_TRUE(unit) << render(diagnostics);
    return unit ? unit->text : "\n{\n";
}

constexpr std::string_view kHead =
    "import math, numpy as np\nfrom numba import cuda\n\n@cuda.jit(\"void(float32[::1], int32, float32[:, ::1])\")\n"
    "def k(a, n, out):\n";

/// The statements of `k(a, n, out)` of float32 arrays and an int32, as they are emitted; in front of it, `module`.
std::string statements(const std::string& body, const std::string& module = "") {
    const std::string text = emitted(module + std::string(kHead) + body);
    const size_t begin = text.rfind("\n{\n") + 3;
    return text.substr(begin, text.find("\n}", begin - 1) + 1 - begin);
}

/// The same without the trail of lines.
std::string written(const std::string& body, const std::string& module = "") {
    std::istringstream lines(statements(body, module));
    std::string result;
    for (std::string line; std::getline(lines, line);)
        result += line.substr(0, line.find_last_not_of(' ', line.find("//") - 1) + 1) + "\n";
    return result;
}

TEST(Written, ADefaultStandsInFrontOfTheBranchThatWidensIt) {
    EXPECT_EQ(written("    x = -1\n    if n > 1:\n        x = 2.5\n    out[0, 0] = x\n"),
              "    double x = -1.0;\n    if (n > 1)\n        x = 2.5;\n    out(0, 0) = x;\n");
    EXPECT_EQ(
        written("    x = n\n    if n > 1:\n        x = 2.5\n    elif n > 0:\n        x = 3.5\n    out[0, 0] = x\n"),
        "    double x = n;\n    if (n > 1)\n        x = 2.5;\n    else if (n > 0)\n        x = 3.5;\n"
        "    out(0, 0) = x;\n");
    EXPECT_EQ(written("    x = 0\n    if n > 1:\n        if n > 7:\n            x = 0.5\n    out[0, 0] = x\n"),
              "    double x = 0.0;\n    if (n > 1) {\n        if (n > 7)\n            x = 0.5;\n    }\n"
              "    out(0, 0) = x;\n");
    EXPECT_EQ(written("    x = 0\n    if n > 1:\n        pass\n    else:\n        x = 0.5\n    out[0, 0] = x\n"),
              "    double x = 0.0;\n    if (n <= 1)\n        x = 0.5;\n    out(0, 0) = x;\n");
}

// The integers that two ways give it are nothing by themselves.
TEST(Written, IntegersThatMeetAFloatAreAssignedAsOne) {
    EXPECT_EQ(
        written("    if n > 3:\n        p = 0\n    elif n > 2:\n        p = n\n    else:\n        p = a[0] * 2.0\n"
                "    out[0, 0] = p\n"),
        "    double p;\n    if (n > 3)\n        p = 0.0;\n    else if (n > 2)\n        p = n;\n    else\n"
        "        p = a(0) * 2.0;\n    out(0, 0) = p;\n");
}

// What both ways assign is the author's.
TEST(Written, BothWaysOfABranchStay) {
    EXPECT_EQ(written("    if n > 1:\n        x = 2.5\n    else:\n        x = 0.5\n    out[0, 0] = x\n"),
              "    double x;\n    if (n > 1)\n        x = 2.5;\n    else\n        x = 0.5;\n    out(0, 0) = x;\n");
}

// What was there before is read on a way, or behind it.
TEST(Written, ADefaultStaysWhereTheOldValueIsSeen) {
    const std::string text = written(
        "    x = 0.5\n    for i in range(n):\n        y = 1\n        if a[i] > 1:\n            y = x\n"
        "            if a[i] > 2:\n                break\n        x = y\n    out[0, 0] = x\n");
    EXPECT_NE(text.find("double y = 1.0;\n        if (a(i) > 1.0f) {\n            y = x;"), text.npos) << text;
}

TEST(Written, PlacesInABlockAreUnsignedAsInCuda) {
    EXPECT_EQ(
        written("    t = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x\n    lane = cuda.threadIdx.x % 32\n"
                "    if cuda.threadIdx.x // 32 < n:\n        out[t, lane] = cuda.threadIdx.x - 1\n"),
        "    const int t = threadIdx.x + threadIdx.y * blockDim.x;\n    const int lane = threadIdx.x % 32;\n"
        "    if (int(threadIdx.x / 32) < n)\n        out(t, lane) = int(threadIdx.x) - 1;\n");
}

TEST(Written, WhatFloat32HoldsIsChosenInIt) {
    EXPECT_EQ(written("    out[0, 0] = min(max(a[0], 0.0), 1.0)\n    out[0, 1] = min(a[0], 0.1)\n"),
              "    out(0, 0) = pyk::min(pyk::max(a(0), 0.0f), 1.0f);\n    out(0, 1) = pyk::min(double(a(0)), 0.1);\n");
    EXPECT_EQ(written("    best = 0.0\n    for i in range(n):\n        best = max(best, a[i])\n    out[0, 0] = best\n"),
              "    float best = 0.0f;\n    for (int i = 0; i < n; ++i)\n        best = pyk::max(best, a(i));\n"
              "    out(0, 0) = best;\n");
}

TEST(Written, WhatFloat32HoldsIsComparedInIt) {
    EXPECT_EQ(written("    if a[0] > 0.5 and 0 != a[1] and -a[2] < a[3] + 1.0:\n        out[0, 0] = 1\n"),
              "    if (a(0) > 0.5f && 0.0f != a(1) && -a(2) < a(3) + 1.0)\n        out(0, 0) = 1.0f;\n");
    EXPECT_EQ(written("    if a[0] > 0.1 and 0.7 >= a[1] and a[2] != 0.1:\n        out[0, 0] = 1\n"),
              "    if (a(0) >= 0.1f && 0.7f >= a(1) && a(2) != 0.1)\n        out(0, 0) = 1.0f;\n");
}

TEST(Written, OneOperationThatIsStoredNeedsNoFloat64) {
    EXPECT_EQ(written("    out[0, 0] = a[0] * 0.5\n    out[0, 1] = 1 - a[1]\n    out[0, 2] = (a[2] - a[3]) / 255.0\n"),
              "    out(0, 0) = a(0) * 0.5f;\n    out(0, 1) = 1.0f - a(1);\n    out(0, 2) = (a(2) - a(3)) / 255.0f;\n");
    EXPECT_EQ(written("    out[n, n] += 1\n"),
              "    out(pyk::wrap(n, out.shape[0]), pyk::wrap(n, out.shape[1])) += 1.0f;\n");
    EXPECT_EQ(written("    out[0, 0] = a[0] * 0.1\n    out[0, 1] = a[0] * 2 + 1\n"),
              "    out(0, 0) = a(0) * 0.1;\n    out(0, 1) = a(0) * 2.0 + 1.0;\n");
}

TEST(Written, IndicesThatAGuardKeepsFromWrappingAreThemselves) {
    EXPECT_EQ(written("    i = cuda.grid(1)\n    if i < a.size:\n        out[0, i] = a[a.size - 1 - i]\n"),
              "    const long long i = pyk::grid_x();\n    if (i < a.shape[0])\n"
              "        out(0, i) = a(a.shape[0] - 1 - i);\n");
    EXPECT_EQ(
        written("    t = cuda.threadIdx.x\n    step = 1\n    while step < cuda.blockDim.x:\n        if t >= step:\n"
                "            out[0, t] += a[t - step]\n        step *= 2\n"),
        "    const int t = threadIdx.x;\n    int step = 1;\n    while (step < int(blockDim.x)) {\n"
        "        if (t >= step)\n            out(0, t) += a(t - step);\n        step *= 2;\n    }\n");
    EXPECT_EQ(written("    i = cuda.grid(1)\n    h, w = out.shape\n    out[min(max(n, 0), h - 1), i] = a[n]\n"),
              "    const long long i = pyk::grid_x();\n    const long long h = out.shape[0];\n"
              "    out(pyk::min((long long)pyk::max(n, 0), h - 1), i) = a(pyk::wrap(n, a.shape[0]));\n");
}

TEST(Written, IndicesWhoseSumAGuardAsksAreThemselves) {
    EXPECT_EQ(written("    i = cuda.grid(1)\n    if n + i - 1 >= 0:\n        out[0, n + i - 1] = a[n + i - 2]\n"),
              "    const long long i = pyk::grid_x();\n    if (n + i - 1 >= 0)\n"
              "        out(0, n + i - 1) = a(pyk::wrap(n + i - 2, a.shape[0]));\n");
}

TEST(Written, LiteralIndicesFromTheEndAreDifferences) {
    EXPECT_EQ(written("    out[n, -1] = a[-2]\n    out[-1, 0] = out[-1][-3]\n"),
              "    out(pyk::wrap(n, out.shape[0]), out.shape[1] - 1) = a(a.shape[0] - 2);\n"
              "    out(out.shape[0] - 1, 0) = out(out.shape[0] - 1, out.shape[1] - 3);\n");
    EXPECT_EQ(written("    s = cuda.local.array((4, 16), 'float32')\n    s[-1, 0] = a[0]\n    out[0, 0] = s[0, -16]\n"),
              "    float s[4][16];\n    s[3][0] = a(0);\n    out(0, 0) = s[0][0];\n");
}

TEST(Written, ATupleOfIndicesIsTheIndices) {
    EXPECT_EQ(written("    at = cuda.grid(2)\n    step = cuda.gridsize(2)\n"
                      "    for y in range(at[0], out.shape[0], step[0]):\n        out[y, at[1]] = a[y]\n"),
              "    const long long at_0 = pyk::grid_x();\n    const long long at_1 = pyk::grid_y();\n"
              "    const long long step_0 = pyk::gridsize_x();\n"
              "    for (const long long y : pyk::range(at_0, out.shape[0], step_0))\n"
              "        out(y, at_1) = a(y);\n");
}

// Counting iterations costs a division in front of the loop: where nvcc cannot unroll it, it is what a person writes.
TEST(Written, LoopsAroundLoopsStepAsTheAuthorSays) {
    EXPECT_EQ(written("    for y in range(cuda.grid(1), n, cuda.gridsize(1)):\n        for k in range(4):\n"
                      "            out[0, y] += a[k]\n"),
              "    for (long long y = pyk::grid_x(); y < n; y += pyk::gridsize_x()) {\n"
              "        for (int k = 0; k < 4; ++k)\n            out(0, y) += a(k);\n    }\n");
    EXPECT_EQ(written("    s = cuda.shared.array(256, 'float32')\n"
                      "    for t in range(cuda.threadIdx.x, 256, cuda.blockDim.x):\n        s[t] = a[t]\n    out[0, 0] = s[n]\n"),
              "    __shared__ float s[256];\n    for (int t = threadIdx.x; t < 256; t += blockDim.x)\n"
              "        s[t] = a(t);\n    out(0, 0) = s[pyk::wrap(n, 256)];\n");
}

TEST(Written, ConditionsAskWhatTheAuthorAsks) {
    EXPECT_EQ(written("    i = cuda.grid(1)\n    if not i & 3 and not math.isnan(a[i]) and math.isfinite(a[0]):\n"
                      "        out[0, 0] = 1\n"),
              "    const long long i = pyk::grid_x();\n"
              "    if ((i & 3) == 0 && !isnan(a(i)) && isfinite(a(0)))\n        out(0, 0) = 1.0f;\n");
    // An int of any value is no boolean where it is a number.
    EXPECT_EQ(written("    out[0, 0] = math.isnan(a[0]) + math.isinf(a[0])\n"),
              "    out(0, 0) = (isnan(a(0)) != 0) + (isinf(a(0)) != 0);\n");
}

// uint64 in Numba, of which memory has the lower 8 bits.
TEST(Written, BytesAreComputedAsInts) {
    const std::string text = emitted(
        "from numba import cuda\n\n@cuda.jit('void(uint8[::1], uint8[::1])')\ndef k(a, o):\n"
        "    o[0] = a[0] ^ a[1]\n    o[1] = (a[0] >> 3) << 2 | a[1] & 3\n    if a[0] >> 5 == 6:\n        o[2] = a[0] + a[1]\n");
    for (const char* line : {"o(0) = a(0) ^ a(1);", "o(1) = ((a(0) >> 3) << 2) | (a(1) & 3);\n", "if (a(0) >> 5 == 6)",
                             "o(2) = a(0) + a(1);\n"})
        EXPECT_NE(text.find(line), text.npos) << line << text;
}

TEST(Written, PlacesOnARingNeedNoDivision) {
    EXPECT_EQ(
        written("    i, j = cuda.grid(2)\n    h, w = out.shape\n    if i < h and j < w:\n"
                "        out[i, j] = a[(i - 1) % h] + a[(j + 1) % w] + a[(j - 1 + w) % w]\n"),
        "    const long long i = pyk::grid_x();\n    const long long j = pyk::grid_y();\n"
        "    const long long h = out.shape[0];\n    const long long w = out.shape[1];\n"
        "    if (i < h && j < w)\n"
        "        out(i, j) = a(i == 0 ? h - 1 : i - 1) + a(j + 1 == w ? 0 : j + 1) + a(j == 0 ? w - 1 : j - 1);\n");
}

TEST(Written, NumbersOfAChainOfAssignments) {
    EXPECT_EQ(
        written(
            "    x = y = 0.0\n    for i in range(n):\n        x += a[i]\n        y -= a[i]\n    out[0, 0] = x * y\n"),
        "    double x = 0.0;\n    double y = 0.0;\n    for (int i = 0; i < n; ++i) {\n        x += a(i);\n"
        "        y -= a(i);\n    }\n    out(0, 0) = x * y;\n");
}

// Numba counts in 64 bits and so the author masks; C++ has a type for it.
TEST(Written, HashesAreOf32Bits) {
    EXPECT_EQ(written("    h = 2166136261\n    s = 0\n    for i in range(n):\n"
                      "        s = (s + 0x9E3779B9) & 0xFFFFFFFF\n        h = ((h ^ s) * 16777619) & 0xFFFFFFFF\n"
                      "        h ^= h >> 15\n    out[0, 0] = h % 1000\n"),
              "    unsigned int h = 2166136261u;\n    unsigned int s = 0;\n    for (int i = 0; i < n; ++i) {\n"
              "        s += 0x9E3779B9u;\n        h = (h ^ s) * 16777619;\n        h ^= h >> 15;\n    }\n"
              "    out(0, 0) = h % 1000;\n");
}

TEST(Written, NothingStandsThatDoesNothing) {
    EXPECT_EQ(written("    s = np.uint32(n)\n    s ^= s << np.uint32(13)\n    s &= np.uint32(0xffffffff)\n"
                      "    out[0, s] = 1\n    return\n"),
              "    const unsigned int s = n;\n    const unsigned int s_1 = s ^ (s << 13);\n    out(0, s_1) = 1.0f;\n");
    EXPECT_EQ(written("    out[0, 0 * n + cuda.grid(1)] = 1\n"), "    out(0, pyk::grid_x()) = 1.0f;\n");
}

TEST(Written, LoopsOverTuplesReadInts) {
    const std::string text = emitted(
        "from numba import cuda\n\n@cuda.jit('void(int64[::1], int64)')\ndef k(items, n):\n"
        "    for a in (-1, 0, 1):\n        n += items[a + 1]\n    items[0] = n\n");
    EXPECT_NE(text.find("const int items_1[3] = {-1, 0, 1};\n"), text.npos) << text;
    EXPECT_NE(text.find("pyk::array<long long, 1> items, "), text.npos) << text;
}

TEST(Written, ConstantsLookAsTheAuthorWroteThem) {
    const std::string text = emitted(
        "from numba import cuda\nimport numpy as np\n_ONE = np.float32(2**32)\n"
        "T = np.array([0x428a2f98, 0xb5c0fbcf], dtype=np.uint32)\nD = np.array([7, 3049323471], dtype=np.uint32)\n\n"
        "@cuda.jit('void(float32[::1], int32)')\ndef k(a, n):\n    a[0] = (T[n & 1] + D[n & 1]) * _ONE\n");
    EXPECT_NE(text.find("constexpr float ONE = 4294967296.0f;\n"), text.npos) << text;
    EXPECT_NE(text.find("const unsigned int T[2] = {0x428a2f98, 0xb5c0fbcf};\n"), text.npos) << text;
    EXPECT_NE(text.find("const unsigned int D[2] = {7, 3049323471};\n"), text.npos) << text;
}

TEST(Written, MembersOfEnumerationsHaveTheirNames) {
    const std::string text = emitted(
        "from enum import Enum, IntEnum\nfrom numba import cuda\nclass Op(IntEnum):\n    ADD = 0\n    MUL = 7\n"
        "class Hue(Enum):\n    RED = 1\n    BLUE = 2\n\n@cuda.jit('void(int32[::1], int32)')\ndef k(a, n):\n"
        "    hue = Hue.RED if n == Op.MUL else Hue.BLUE\n    unused = Op.ADD\n    if hue is Hue.BLUE:\n        a[0] = 1\n");
    EXPECT_NE(text.find("constexpr long long Op_MUL = 7;\nconstexpr long long Hue_RED = 1;\n"), text.npos) << text;
    EXPECT_NE(text.find("n == Op_MUL ? Hue_RED : Hue_BLUE;"), text.npos) << text;
    EXPECT_NE(text.find("if (hue == Hue_BLUE)"), text.npos) << text;
    EXPECT_EQ(text.find("Op_ADD"), text.npos) << text;
}

TEST(Written, RangesCountAsAPersonWould) {
    EXPECT_EQ(written("    for i in range(-R, R + 1):\n        out[0, i + R] = a[i + R]\n", "R = 3\n"),
              "    for (int i = -R; i < R + 1; ++i)\n        out(0, i + R) = a(i + R);\n");
    EXPECT_EQ(written("    for i in range(1, n):\n        out[0, i] = a[i - 1]\n"),
              "    for (int i = 1; i < n; ++i)\n        out(0, i) = a(i - 1);\n");
    EXPECT_EQ(written("    for i in reversed(range(8)):\n        out[0, i] = 1\n"),
              "    for (int i = 7; i >= 0; --i)\n        out(0, i) = 1.0f;\n");
    EXPECT_EQ(written("    for i in reversed(range(2, a.size)):\n        out[0, i] = 1\n"),
              "    for (long long i = a.shape[0] - 1; i > 1; --i)\n        out(0, i) = 1.0f;\n");
    EXPECT_EQ(written("    for i, j in zip(range(4), range(2, 9)):\n        out[i, j] = 1\n"),
              "    for (int i = 0; i < 4; ++i) {\n        const int j = 2 + i;\n        out(i, j) = 1.0f;\n    }\n");
    EXPECT_EQ(written("    for i, j in zip(range(n), range(2, 9)):\n        out[i, j] = 1\n"),
              "    const int i_stop = pyk::min(pyk::max(n, 0), 7);\n    for (int i = 0; i < i_stop; ++i) {\n"
              "        const int i_1 = i;\n"
              "        const int j = 2 + i;\n        out(i_1, j) = 1.0f;\n    }\n");
}

TEST(Written, ArraysThatAreChosenAreChosenOnce) {
    EXPECT_EQ(written("    out[0, 0] = (a if n > 3 else a[4:])[n]\n"),
              "    const auto array = n > 3 ? a : pyk::slice<pyk::C>(a, pyk::span{4});\n"
              "    out(0, 0) = array(pyk::wrap(n, array.shape[0]));\n");
}

TEST(Written, ATupleIsStoredToARowOfALocalArray) {
    EXPECT_EQ(written("    c = cuda.local.array((2, 2), 'int32')\n    c[0, :] = (0, n)\n    c[1] = (n, 1)\n"
                      "    out[0, 0] = c[n & 1, 0]\n"),
              "    int c[2][2];\n    c[0][0] = 0;\n    c[0][1] = n;\n    c[1][0] = n;\n    c[1][1] = 1;\n"
              "    out(0, 0) = c[n & 1][0];\n");
}

// --- comments -------------------------------------------------------------------------------------------------------
TEST(Written, CommentsStandWhereTheAuthorHasThem) {
    EXPECT_EQ(statements("    # one row per thread\n"
                         "    i = cuda.grid(1)\n"
                         "    total = 0.0  # of the row\n"
                         "\n"
                         "    # the sum,\n"
                         "    # in order\n"
                         "    for k in range(n):  # columns\n"
                         "        total += a[k] * \"# no comment\".count(\"#\") if False else a[k]\n"
                         "    if i >= a.size:  # nothing is there\n"
                         "        return\n"
                         "    else:  # it is\n"
                         "        out[i, 0] = total\n"),
              "    // one row per thread\n"
              "    const long long i = pyk::grid_x();  // t.pyk:7\n"
              "    double total = 0.0;                 // of the row\n"
              "\n"
              "    // the sum,\n"
              "    // in order\n"
              "    for (int k = 0; k < n; ++k)         // :12: columns\n"
              "        total += a(k);\n"
              "    if (i >= a.shape[0])                // :14: nothing is there\n"
              "        return;\n"
              "    else\n"
              "        // it is\n"
              "        out(i, 0) = total;\n");
}

TEST(Written, CommentsOfWhatIsNotEmitted) {
    EXPECT_EQ(statements("    tile = cuda.shared.array(32, 'float32')  # of the block\n"
                         "    width = 32  # a number\n"
                         "    # where it is\n"
                         "    i = cuda.grid(1)\n"
                         "    if width > 64:\n"
                         "        # never\n"
                         "        tile[0] = 2.0  # not at all\n"
                         "    if i >= n:\n"
                         "        # outside\n"
                         "        return  # with the others\n"
                         "    # noqa: E501\n"
                         "    tile[i] = a[i]  # type: ignore\n"
                         "    cuda.syncthreads()\n"
                         "    out[0, i] = tile[31 - i]\n"
                         "    # the end\n"),
              "    __shared__ float tile[32];          // t.pyk:6: of the block\n"
              "    // where it is\n"
              "    const long long i = pyk::grid_x();  // :9\n"
              "    // outside\n"
              "    if (i >= n) return;                 // :13: with the others\n"
              "    tile[i] = a(i);                     // :17\n"
              "    __syncthreads();\n"
              "    out(0, i) = tile[pyk::wrap(31 - i, 32)];\n");
}

TEST(Written, CommentsOfSeveralLines) {
    EXPECT_EQ(
        statements("    \"\"\"Text: # no comment\n\n    # nor this \\\n    \"\"\"\n"
                   "    i = cuda.grid(1)  # a path\\\n"
                   "    out[i, 0] = (a[i] +  # the first\n"
                   "                 a[i + 1])  # the second\n"
                   "    out[i, 1] = a[i] * 2 + math.sqrt(a[i + 100]) * math.sin(a[i + 200])  # what is much too wide "
                   "to stand behind the line that it is about\n"),
        "    const long long i = pyk::grid_x();                              // t.pyk:10: a path\n"
        "    // the first\n"
        "    // the second\n"
        "    out(i, 0) = a(i) + a(i + 1);\n"
        "    // what is much too wide to stand behind the line that it is about\n"
        "    out(i, 1) = a(i) * 2.0 + sqrtf(a(i + 100)) * sinf(a(i + 200));\n");
}

TEST(Written, DocstringsAndCommentsStandAboveTheirFunction) {
    const std::string text = emitted(
        "from numba import cuda\n\nTPB = 16  # threads\n\n\n# Not of the function.\n\n# "
        "Twice.\n@cuda.jit(device=True)\n"
        "def twice(x):  # a number\n    \"\"\"The double.\n\n    Of x \\\\\n    \"\"\"\n    return 2 * x  # fast\n\n\n"
        "@cuda.jit('void(int32[::1])')\ndef k(a):\n    # a nested one\n    def inner(x):\n        # inside\n"
        "        return x + TPB\n    # one each\n    a[cuda.grid(1)] = inner(twice(a[0]))\n");
    EXPECT_EQ(text.substr(text.find("constexpr long long TPB")),
              "constexpr long long TPB = 16;  // threads\n\n"
              "// Twice.\n// a number\n// The double.\n//\n// Of x\n"
              "__device__ long long twice(int x)\n{\n    return 2LL * x;  // t.pyk:15: fast\n}\n\n"
              "// a nested one\n"
              "__device__ long long inner(long long x)\n{\n    // inside\n    return x + TPB;  // t.pyk:23\n}\n\n"
              "extern \"C\" __global__ void pyk_k_a1i4c(pyk::array<int, 1> a)\n{\n"
              "    // one each\n    a(pyk::grid_x()) = inner(twice(a(0)));  // t.pyk:25\n}\n\n}  // namespace t\n");
}

TEST(Written, CommentsStandInOneColumnBehindCallsToo) {
    const std::string text = emitted(
        "from numba import cuda\n\n@cuda.jit(device=True)\ndef mix(a, b, t):\n    return a + b * t\n\n\n"
        "@cuda.jit('void(float64[::1], float64)')\ndef k(x, s):\n    y = mix(x[0], s, 1.0)  # mixed\n"
        "    x[1] = y  # stored\n");
    EXPECT_NE(text.find("    const double y = mix(x(0), s, 1.0);  // t.pyk:10: mixed\n"
                        "    x(1) = y;                            // stored\n"),
              text.npos)
        << text;
}

TEST(Written, DocstringsKeepTheirInnerIndentation) {
    const std::string text = emitted(
        "from numba import cuda\n\n@cuda.jit('void(int32[::1])')\ndef k(a):\n    \"\"\"All.\n\n    a : array\n"
        "        The values.\n    \"\"\"\n    a[0] = 1\n");
    EXPECT_NE(text.find("// All.\n//\n// a : array\n//     The values.\n"), text.npos) << text;
}

TEST(Written, CommentsOfParametersNameThem) {
    const std::string text = emitted(
        "from numba import cuda\n\n@cuda.jit('void(int32[::1], int32, int32)')\ndef k(a,  # (N,) int32\n"
        "      b, c,  # numbers\n      ):  # all\n    a[0] = b + c\n");
    EXPECT_NE(text.find("// a: (N,) int32\n// b, c: numbers\n// all\n"), text.npos) << text;
}

// The marks of lines within the compiler, and what would make a comment go on.
TEST(Written, CommentsAreOneLineEach) {
    EXPECT_EQ(statements("    # a\x01"
                         "7\x05,\x03 b ?\?/\n    # c \\ \\\n    out[0, 0] = 1.0  # d,\x03 e\\\n"),
              "    // a 7 ,  b ?? /\n    // c\n    out(0, 0) = 1.0f;  // t.pyk:8: d,  e\n");
}

TEST(Written, NoCommentsBesideLineDirectives) {
    const std::string text = std::string(kHead) + "    \"\"\"All.\"\"\"\n    # above\n    out[0, 0] = 1.0  # behind\n";
    Diagnostics diagnostics;
    const auto program = read_program(std::make_shared<const SourceFile>("t.pyk", text), {}, diagnostics);
    ASSERT_TRUE(program) << render(diagnostics);
    EmitOptions options;
    options.line_directives = LineDirectives::with_line_numbers;
    const auto unit =
        translate(*program, choose_requests(*program, {}, diagnostics), cuda_target(), options, diagnostics);
    ASSERT_TRUE(unit) << render(diagnostics);
    for (const char* said : {"All.", "above", "behind"}) EXPECT_EQ(unit->text.find(said), std::string::npos) << said;
}

}  // namespace
}  // namespace pyk::golden
