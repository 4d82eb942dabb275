// Where `__restrict__` stands: nothing but the pointer changes what it leads to, says it to compilers; no barrier,
// fence or atomic operation either.
#include <gmock/gmock.h>

#include "emitted.h"

namespace pyk::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A kernel that reads x and writes y.
std::string kernel(std::string_view parameter, std::string_view effects, std::string_view statement) {
    return "module \"t.pyk\"\n\nkernel k = pyk_k(x: float32[::1], y: float32[::1], l: int32[::1]" +
           std::string(parameter) + ") noalias effects(reads, writes" + std::string(effects) + ") {\n" +
           std::string(statement) + "  store y[0] = x[0]\n}\n";
}

std::string kernel_text(std::string_view parameter, std::string_view effects, std::string_view statement) {
    return emit_text(kernel(parameter, effects, statement));
}

const auto kOfBoth = AllOf(HasSubstr("const float* __restrict__ x_data"), HasSubstr("float* __restrict__ y_data"));
const auto kOfWhatIsRead =
    AllOf(HasSubstr("const float* __restrict__ x_data"), Not(HasSubstr("float* __restrict__ y_data")));

TEST(EmitDisjoint, ThreadsForThemselves) {
    EXPECT_THAT(kernel_text("", "", ""), kOfBoth);
    EXPECT_THAT(kernel_text(", n: int64", "", ""), kOfBoth);
}

// `a[i] = 3; syncthreads(); …; syncthreads(); out[i] = a[i]`: the last load is of what others stored.
TEST(EmitDisjoint, WhatOthersStoreIsSeenBehindBarriersAndAtomics) {
    EXPECT_THAT(kernel_text("", ", barrier", "  eval @cuda.syncthreads:none\n"), kOfWhatIsRead);
    EXPECT_THAT(kernel_text("", ", atomic", "  eval @cuda.atomic.add(ref(l, 0), 1:int32):int32\n"), kOfWhatIsRead);
    EXPECT_THAT(kernel_text("", ", ordered", "  eval @cuda.threadfence:none\n"), Not(HasSubstr("__restrict__")));
}

// The launch does not see where these lead.
TEST(EmitDisjoint, OtherWaysToMemory) {
    for (const char* parameter : {", p: pointer(float32)", ", t: (float32[::1], int64)", ", c: float32[]"})
        EXPECT_THAT(kernel_text(parameter, "", ""), Not(HasSubstr("__restrict__"))) << parameter;
}

// Launches look whether complex numbers lie at multiples of their size, of arrays with strides they do not.
TEST(EmitDisjoint, ComplexNumbersAreAligned) {
    const auto text = [](std::string_view type, std::string_view index) {
        const std::string place = "z[" + std::string(index) + "]";
        return kernel_text(", z: " + std::string(type), "", "  store " + place + " = " + place + "\n");
    };
    EXPECT_THAT(text("complex64[::1]", "0"), HasSubstr("z{pyk::aligned(z_data), "));
    EXPECT_THAT(text("complex128[::1, :]", "0, 0"), HasSubstr("z{pyk::aligned(z_data), "));
    EXPECT_THAT(text("complex64[:]", "0"), HasSubstr("z{z_data, "));
    EXPECT_THAT(text("float64[::1]", "0"), HasSubstr("z{z_data, "));
}

TEST(EmitDisjoint, NoVariantThatWouldBeTheSame) {
    const auto symbol_of = [](std::string_view effects, std::string_view statement) {
        std::string text = kernel("", effects, statement);
        text.replace(text.find(" noalias"), 8, "");
        EmitOptions options;
        options.has_header = true;
        return emit_unit(text, cuda_target(), options).entries.at(0).disjoint_symbol;
    };
    EXPECT_EQ(symbol_of("", ""), "pyk_k_noalias");
    EXPECT_EQ(symbol_of(", barrier", "  eval @cuda.syncthreads:none\n"), "pyk_k_noalias");
    EXPECT_EQ(symbol_of(", ordered", "  eval @cuda.threadfence:none\n"), "");
}

}  // namespace
}  // namespace pyk::test
