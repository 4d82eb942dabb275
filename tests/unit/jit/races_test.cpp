// What `Options::check_races` finds. Each kernel has the race that its line says, or none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "on_backend.h"
#include "pyk/pyk.hpp"

namespace {

using testing::HasSubstr;

class Races : public testing::Test {
  protected:
    void SetUp() override { need_cpu(); }

    /// The message of a launch of `k` on 128 elements, empty where there is none. The body is that of `k(x, n)`, from
    /// line 7 on.
    static std::string of(const std::string& body, unsigned blocks, unsigned threads) {
        std::string text = "from numba import cuda, float32, int32\nimport numpy as np\n\n\n@cuda.jit\ndef k(x, n):\n";
        std::string line;
        for (const char c : body + "\n") {
            line += c;
            if (c != '\n') continue;
            text += "    " + line;
            line.clear();
        }
        pyk::jit::Options options;
        options.check_races = true;
        const auto kernel = pyk::load_text("k.pyk", text, options).value().kernel("k").value();
        std::vector<float> x(128, 1.0f);
        std::vector<int> n(128, 0);
        const auto done = kernel(pyk::grid(blocks), pyk::block(threads)).launch(x, n);
        return done ? "" : done.error().message;
    }
};

TEST_F(Races, AreFoundBetweenBarriers) {
    EXPECT_THAT(
        of("t = cuda.threadIdx.x\ns = cuda.shared.array(64, float32)\ns[t] = x[t]\nx[t] = s[63 - t]", 1, 64),
        HasSubstr("k.pyk: line 9: race: element 32 of 's' is stored to here, and thread (31, 0, 0) reads it in line "
                  "10, with no barrier between the two (block (0, 0, 0), thread (32, 0, 0)), and 31 other threads"));
    EXPECT_THAT(
        of("t = cuda.threadIdx.x\ns = cuda.shared.array(64, float32)\ns[t] = x[t]\ncuda.syncthreads()\n"
           "s[t] += s[63 - t]",
           1, 64),
        HasSubstr("line 11: race: element 31 of 's' is read here, and thread (31, 0, 0) stores to it in line 11"));
    EXPECT_THAT(of("t = cuda.threadIdx.x\ns = cuda.shared.array((8, 8), float32)\ni, j = t // 8, t % 8\n"
                   "s[i, j] = x[t]\nx[t] = s[j, i]",
                   1, 64),
                HasSubstr("of 's' is stored to here, and thread (1, 0, 0) reads it in line 11"));
}

TEST_F(Races, AreFoundInGlobalMemory) {
    EXPECT_THAT(of("n[0] += 1", 1, 2),
                HasSubstr("line 7: race: element 0 of 'n' is read here, and thread (0, 0, 0) stores"));
    EXPECT_THAT(of("n[cuda.threadIdx.x] = cuda.blockIdx.x + 1", 2, 1),
                HasSubstr("element 0 of 'n' is stored to here, and block (0, 0, 0), thread (0, 0, 0), stores to it in "
                          "line 7; blocks run in no order (block (1, 0, 0), thread (0, 0, 0))"));
    EXPECT_THAT(of("i = cuda.grid(1)\nif i + 1 < x.size:\n    x[i] = x[i + 1] + 1", 2, 64), HasSubstr("of 'x'"));
    EXPECT_THAT(of("cuda.atomic.add(n, 0, 1)\nx[cuda.threadIdx.x] = n[0]", 1, 2),
                HasSubstr("updated by an atomic here, and thread (0, 0, 0) reads it in line 8"));
}

TEST_F(Races, AreFoundInFunctionsOfTheKernel) {
    const std::string body = "def put(a, v):\n    a[0] = v\nr = x[2:4]\nput(r, float32(cuda.threadIdx.x + 2))";
    EXPECT_THAT(of(body, 1, 3), HasSubstr("is stored to here"));
}

// By a barrier of the block, by that of a warp, by the grid's. Shuffles and votes are none.
TEST_F(Races, AreNoneWhereThreadsMeet) {
    const std::string reversed =
        "t = cuda.threadIdx.x\ns = cuda.shared.array(64, float32)\ni = cuda.grid(1)\ns[t] = x[i]\n";
    EXPECT_EQ(of(reversed + "cuda.syncthreads()\nx[i] = s[63 - t]", 2, 64), "");
    EXPECT_EQ(of(reversed + "cuda.syncwarp()\nx[i] = s[t ^ 1]", 2, 64), "");
    for (const char* met : {"cuda.shfl_sync(0xffffffff, t, 0)", "cuda.ballot_sync(0xffffffff, t > 3)",
                            "cuda.match_any_sync(0xffffffff, t)"})
        EXPECT_THAT(of(reversed + met + "\nx[i] = s[t ^ 1]", 2, 64), HasSubstr("race")) << met;
    EXPECT_THAT(of(reversed + "cuda.syncwarp()\nx[i] = s[t ^ 32]", 2, 64), HasSubstr("race")) << "of another warp";
    const std::string neighbour = "i = cuda.grid(1)\nx[i] = i\n";
    EXPECT_EQ(of(neighbour + "cuda.cg.this_grid().sync()\nn[i] = int32(x[127 - i])", 2, 64), "");
    EXPECT_THAT(of(neighbour + "cuda.syncthreads()\nn[i] = int32(x[127 - i])", 2, 64),
                HasSubstr("blocks run in no order"));
}

// A lock; a ticket, by which the last block takes what the others stored.
TEST_F(Races, AreNoneWhereAtomicsOrder) {
    EXPECT_EQ(of("if cuda.threadIdx.x == 0:\n    while cuda.atomic.cas(n, 0, 0, 1) != 0:\n        pass\n"
                 "    cuda.threadfence()\n    x[0] += 1\n    cuda.threadfence()\n    cuda.atomic.exch(n, 0, 0)",
                 8, 4),
              "");
    const std::string ticket =
        "t = cuda.threadIdx.x\nlast = cuda.shared.array(1, int32)\nx[cuda.grid(1)] = t\ncuda.threadfence()\n"
        "cuda.syncthreads()\nif t == 0:\n    last[0] = cuda.atomic.add(n, 0, 1) == cuda.gridDim.x - "
        "1\n"
        "cuda.syncthreads()\n";
    EXPECT_EQ(of(ticket + "if last[0]:\n    n[1 + t] = int32(x[t] + x[32 + t])", 4, 32), "");
    EXPECT_THAT(of(ticket + "n[1 + cuda.grid(1) % 100] = int32(x[t] + x[32 + t])", 4, 32), HasSubstr("race"))
        << "all blocks read";
}

// What is read first is a guess where an atomic decides.
TEST_F(Races, AreNoneWhereAnAtomicDecides) {
    const std::string guess = "i = cuda.grid(1) % 4\nseen = n[i]\n";
    EXPECT_EQ(of(guess + "while True:\n    before = cuda.atomic.cas(n, i, seen, seen * 3 + 1)\n    if before == seen:\n"
                         "        break\n    seen = before",
                 2, 64),
              "");
    EXPECT_THAT(of(guess + "cuda.atomic.add(n, (i + 1) % 4, seen + 1)", 1, 64), HasSubstr("race"))
        << "of another element";
}

// Stores that change nothing, fields beside each other, arrays of the thread's own.
TEST_F(Races, AreNoneWhereNothingIsShared) {
    EXPECT_EQ(of("if x[cuda.grid(1)] > 0:\n    n[0] = 7", 2, 64), "");
    EXPECT_EQ(of("own = cuda.local.array(4, float32)\ni = cuda.grid(1)\nfor j in range(4):\n    own[j] = i\n"
                 "cuda.syncthreads()\nx[i] = own[i % 4]",
                 2, 64),
              "");
}

TEST_F(Races, OfFieldsAreThoseOfTheField) {
    const std::string text =
        "from numba import cuda\nimport numpy as np\nP = np.dtype([('a', 'i4'), ('b', 'i4')])\n\n\n"
        "@cuda.jit('void(int32[::1])')\ndef k(out):\n    p = cuda.shared.array(1, P)\n    t = cuda.threadIdx.x\n"
        "    if t == 0:\n        p[0].a = 1\n    else:\n        p[0].{} = 2\n    cuda.syncthreads()\n    out[t] = "
        "p[0].a\n";
    pyk::jit::Options options;
    options.check_races = true;
    const auto launched = [&](const std::string& field) {
        std::string of_field = text;
        of_field.replace(of_field.find("{}"), 2, field);
        std::vector<int> out(2);
        const auto done = pyk::load_text("k.pyk", of_field, options)
                              .value()
                              .kernel("k")
                              .value()(pyk::grid(1), pyk::block(2))
                              .launch(out);
        return done ? std::to_string(out[1]) : done.error().message;
    };
    EXPECT_EQ(launched("b"), "1");
    EXPECT_THAT(launched("a"), HasSubstr("'p' is stored to here, and thread (0, 0, 0) stores to it"));
}

}  // namespace
