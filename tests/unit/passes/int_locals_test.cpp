// Variables of kernels that are ints.
#include "passes/int_locals.h"

#include "pass_test.h"
#include "passes/narrow.h"

namespace pyk::test {
namespace {

void both(ir::Function& function, Ranges& ranges) {
    make_int_locals(function, ranges);
    narrow(function, ranges);
}

/// A kernel with an int64 `x`, or whatever it is afterwards, and a counter `j`.
std::string kernel(const std::string& types, const std::string& body) {
    return "kernel k = k_(a: int64[::1], f: float32[::1], n: int32, w: int64) {\n" + types + body + "\n}";
}
const std::string kWide = "  var x: int64\n  var j: int64\n";

void expect_ints(const std::string& before, const std::string& types, const std::string& after) {
    expect_pass(both, kernel(kWide, before), kernel(types, after));
}
void expect_wide(const std::string& body) { expect_ints(body, kWide, body); }

TEST(IntLocals, PlacesInBlocks) {
    expect_ints("x = int64((@cuda.threadIdx.x:int32 TruncMod 32:int32))\nj = 0\nstore a[x] = x",
                "  var x: int32\n  var j: int32\n",
                "x = (@cuda.threadIdx.x:int32 TruncMod 32:int32)\nj = 0:int32\nstore a[x] = int64(x)");
    // nvcc knows that it is not negative, which it does not of the same number in 32 bits.
    expect_wide("x = @cuda.grid.y:int64\nif (x < w) {\nstore f[x] = float32(x)\n}\nj = w");
}

TEST(IntLocals, StridesThatAreHalved) {
    expect_ints("x = int64(@cuda.blockDim.x:int32)\nwhile (x > 0) {\nx = (x TruncDiv 2)\n}\nj = w",
                "  var x: int32\n  var j: int64\n",
                "x = @cuda.blockDim.x:int32\nwhile (x > 0:int32) {\nx = (x TruncDiv 2:int32)\n}\nj = w");
}

TEST(IntLocals, Shifts) {
    expect_ints("x = 1\nwhile (x < 32) {\nx = (x CShl 1)\n}\nj = w", "  var x: int32\n  var j: int64\n",
                "x = 1:int32\nwhile (x < 32:int32) {\nx = (x CShl 1:int32)\n}\nj = w");
    expect_ints("x = int64(@cuda.blockDim.x:int32)\nwhile (x > 0) {\nx = (x CShr 1)\n}\nj = w",
                "  var x: int32\n  var j: int64\n",
                "x = @cuda.blockDim.x:int32\nwhile (x > 0:int32) {\nx = (x CShr 1:int32)\n}\nj = w");
}

TEST(IntLocals, Counters) {
    expect_ints("for j in range(0, 16, 1) {\nstore a[j] = 1\n}\nx = w", "  var x: int64\n  var j: int32\n",
                "for j in range(0:int32, 16:int32, 1:int32) {\nstore a[j] = 1\n}\nx = w");
    expect_wide("for j in range(0, w, 1) {\nstore a[j] = 1\n}\nx = w");
    // The step behind the last one is no int.
    expect_wide("for j in range(0, 2147483600, 64) {\nstore a[j] = 1\n}\nx = w");
}

TEST(IntLocals, NotThoseThatGrow) {
    expect_wide("x = 0\nwhile (x < w) {\nx = (x + 1)\n}\nj = w");
    expect_wide("x = @cuda.grid.x:int64\nstore a[x] = x\nj = w");
    expect_wide("x = 4294967296\nstore a[0] = x\nj = w");
}

// `(long long)x * n`, where it is `x * n` now.
TEST(IntLocals, NotThoseThatWouldBeWidenedAgain) {
    for (const char* use : {"store a[0] = (x * int64(n))", "store a[0] = (x * 100000000)", "store a[0] = (- x)",
                            "store a[0] = (x CShl 40)", "store a[0] = (x if (w > 0) else 3000000000)",
                            "store a[0] = @pyk.square(x):int64", "store f[0] = float32(uint64(x))"})
        expect_wide("x = int64((@cuda.threadIdx.x:int32 TruncMod 32:int32))\nj = w\n" + std::string(use));
    // A loop that divides in 32 bits pays for it.
    expect_ints("x = 1\nfor j in range(0, w, 1) {\nx = ((x + 7) TruncMod 65521)\n}\nstore a[0] = (x CShl 16)",
                "  var x: int32\n  var j: int64\n",
                "x = 1:int32\nfor j in range(0, w, 1) {\nx = ((x + 7:int32) TruncMod 65521:int32)\n}\n"
                "store a[0] = (int64(x) CShl 16)");
    expect_wide("x = 1\nfor j in range(0, w, 1) {\nx = ((x + 7) TruncMod 65521)\nstore a[j] = (x CShl 16)\n}");
    // `x * w` is of 64 bits because of w.
    expect_ints("x = int64(@cuda.threadIdx.x:int32)\nj = w\nstore a[(x * w)] = @max(x, 3):int64",
                "  var x: int32\n  var j: int64\n",
                "x = @cuda.threadIdx.x:int32\nj = w\nstore a[(int64(x) * w)] = int64(@max(x, 3:int32):int32)");
}

}  // namespace
}  // namespace pyk::test
