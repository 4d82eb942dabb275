// Thread indices of which nobody reads more than 32 bits.
#include "passes/narrow_thread_index.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& body) { return "kernel k = k_(a: float32[::1], n: int64) {\n" + body + "\n}\n"; }
void expect_narrowed(const std::string& before, const std::string& after) {
    expect_pass(narrow_thread_index, text(before), text(after));
}
void expect_left(const std::string& body) { expect_unchanged(narrow_thread_index, text(body)); }

TEST(NarrowThreadIndex, WhatIsReadInOneTypeOf32Bits) {
    expect_narrowed(R"(var x: int64
var i: uint32
x = @cuda.grid.x:int64
i = uint32(x)
if (uint32(x) < uint32(n)) {
  store a[i] = a[uint32(x)]
})",
                    R"(var x: uint32
var i: uint32
x = @cuda.grid.x.uint32:uint32
i = x
if (x < uint32(n)) {
  store a[i] = a[x]
})");
    expect_narrowed("var x: int64\nvar i: int32\nx = @cuda.gridsize.y:int64\ni = int32(x)\nstore a[i] = a[0]",
                    "var x: int32\nvar i: int32\nx = @cuda.gridsize.y.int32:int32\ni = x\nstore a[i] = a[0]");
}

TEST(NarrowThreadIndex, NotWhatTheNarrowReadIsConvertedTo) {
    expect_narrowed(
        "var x: int64\nx = @cuda.grid.x:int64\nstore a[(uint64(uint32(x)) * uint64(uint32(n)))] = float32(uint32(x))",
        "var x: uint32\nx = @cuda.grid.x.uint32:uint32\nstore a[(uint64(x) * uint64(uint32(n)))] = float32(x)");
}

TEST(NarrowThreadIndex, WhatIsConvertedAtOnce) {
    expect_narrowed("var i: int32\ni = int32(@cuda.grid.z:int64)\nstore a[i] = a[0]",
                    "var i: int32\ni = @cuda.grid.z.int32:int32\nstore a[i] = a[0]");
}

TEST(NarrowThreadIndex, NotOfOthers) {
    for (const std::string body : {
             "var x: int64\nx = @cuda.grid.x:int64\nstore a[x] = a[uint32(x)]",
             "var x: int64\nx = @cuda.grid.x:int64\nstore a[int32(x)] = a[uint32(x)]",
             "var x: int64\nx = @cuda.grid.x:int64\nstore a[0] = float32(x)",
             "var x: int64\nx = @cuda.grid.x:int64\nx = n\nstore a[0] = a[uint32(x)]",
             "var x: int64\nx = n\nx = @cuda.grid.x:int64\nstore a[0] = a[uint32(x)]",
             "var x: int64\nx = n\nstore a[0] = a[uint32(x)]",
             "var i: int16\ni = int16(@cuda.grid.x:int64)\nstore a[i] = a[0]",
         })
        expect_left(body);
}

}  // namespace
}  // namespace pyk::test
