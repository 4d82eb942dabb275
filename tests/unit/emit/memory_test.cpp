// Constant tables, inline PTX.
#include "emitted.h"

namespace pyk::test {
namespace {

constexpr const char* kTables = R"(module "tables.pyk"

constant A: readonly float32[::1] = shape(3) "0000803f0000807f00000080"
constant M: readonly int16[::1, :] constant_memory = shape(2, 3) "010002000300fcff05000600"
constant Z: readonly int64[::1] = shape(9000) "ZEROS"

kernel k = pyk_k_a1f4c(x: float32[::1]) effects(reads, writes) {
  store x[0] = (($A[1] + convert<float32>($M[1, 2])) + convert<float32>($Z[3]))
}
)";

std::string tables() {
    std::string text = kTables;
    text.replace(text.find("ZEROS"), 5, std::string(9000 * 16, '0'));
    return text;
}

TEST(EmitTables, InConstantMemoryWhileTheyFit) {
    const std::string text = emit_text(tables());
    EXPECT_NE(text.find("__constant__ const float A[3] = {1.0f, __builtin_bit_cast(float, 0x7f800000), -0.0f};"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("__constant__ const short M[3][2] = {\n    {1, -4},\n    {2, 5},\n    {3, 6}};"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("__device__ const long long Z[9000] = {};"), std::string::npos) << text;
    EXPECT_NE(text.find("M[2][1]"), std::string::npos) << text;
    EXPECT_NE(emit_text(tables(), cpu_target()).find("static const long long Z[9000] = {};"), std::string::npos);
}

constexpr const char* kPtx = R"(module "ptx.pyk"

device ptx_add = ptx_add_u4_u4(a: uint32, b: uint32) -> (uint32, uint32) ptx memory "add.cc.u32 %0, %2, %3;\naddc.u32 %1, 0, 0;" effects(ordered) {
}

kernel k = pyk_k_a1u4c(x: uint32[::1]) effects(reads, writes) {
  store x[0] = item(call ptx_add_u4_u4(x[0], x[1]), 1)
}
)";

TEST(EmitPtx, IsAFunctionOfItsOwn) {
    EXPECT_NE(emit_text(kPtx).find(R"(
    unsigned int pyk_result0;
    unsigned int pyk_result1;
    asm("add.cc.u32 %0, %2, %3;\naddc.u32 %1, 0, 0;" : "=r"(pyk_result0), "=r"(pyk_result1) : "r"(a), "r"(b) : "memory");
    return pyk::make_tuple(pyk_result0, pyk_result1);
)"),
              std::string::npos)
        << emit_text(kPtx);
}

TEST(EmitPtx, NeedsAnotherFunctionOnTheCpu) {
    Diagnostics diagnostics;
    EXPECT_FALSE(emit(read_ir(kPtx), cpu_target(), {}, diagnostics));
    ASSERT_EQ(diagnostics.error_count(), 1u);
    EXPECT_NE(diagnostics.all()[0].text.find("not available on target `cpu`"), std::string::npos);
}

}  // namespace
}  // namespace pyk::test
