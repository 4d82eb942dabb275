// CUDA's vector types and 8-bit floats as arguments, and C arrays.
#include <gmock/gmock.h>
#include <pyk/fp8_types.h>
#include <pyk/vector.h>

#include <array>

#include "on_backend.h"

struct __nv_fp8_e4m3 {  // as cuda_fp8.h has it
    unsigned char __x;
};

namespace {

struct Spring {
    float length;
    pyk::float4 force;
};

}  // namespace

PYK_RECORD(Spring, length, force);

namespace {

using pyk::jit::Backend;

/// As vector_types.h of CUDA's toolkit has it.
struct alignas(16) float4 {
    float x, y, z, w;
};
struct uchar3 {
    unsigned char x, y, z;
};

constexpr const char* kText = R"py(from numba import cuda, float32


@cuda.jit
def scaled(v, by, out):
    i = cuda.grid(1)
    if i < v.size:
        out[i] = cuda.float4(v[i].x * by.x, v[i].y * by.y, v[i].z * by.z, v[i].w * by.w)


@cuda.jit("void(uint8x3[::1], int64[::1])")
def sums(colours, out):
    i = cuda.grid(1)
    if i < colours.size:
        out[i] = colours[i].x + colours[i].y * 10 + colours[i].z * 100


@cuda.jit
def widen(a, scale, out):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = float32(a[i]) * float32(scale)


@cuda.jit
def stretch(springs):
    springs[cuda.grid(1)].length *= 2


@cuda.jit
def transpose(a, b):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        b[j, i] = a[i, j]
)py";

class Vectors : public OnBackend {
  protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        pyk::jit::Options options;
        options.backend = GetParam();
        options.disk_cache = false;
        module.emplace(pyk::load_text("vectors.pyk", kText, options).value());
    }
    std::optional<pyk::jit::Module> module;
};

TEST_P(Vectors, CudasAndOursAreTheSame) {
    const auto scaled = module->kernel("scaled").value();
    std::array<float4, 2> cuda = {{{1, 2, 3, 4}, {5, 6, 7, 8}}};
    std::vector<pyk::float4> ours(2);
    scaled(pyk::grid(1), pyk::block(2))(cuda, float4{1, 10, 100, 1000}, ours);
    EXPECT_EQ(ours[1].x + ours[1].y + ours[1].z + ours[1].w, 5 + 60 + 700 + 8000);
    const pyk::float4 twice{2, 2, 2, 2};
    scaled(pyk::grid(1), pyk::block(2))(ours, twice, cuda);
    EXPECT_EQ(cuda[0].y + cuda[1].w, 40 + 16000);
    EXPECT_EQ(scaled.specializations().size(), 1u);
    // On a GPU the launches took the variant for arrays that do not overlap, and this makes the general one.
    scaled.preload("float32x4[::1], float4, float32x4[::1]").wait().or_throw();
    EXPECT_EQ(scaled.specializations().size(), GetParam() == Backend::cpu ? 1u : 2u);
}

TEST_P(Vectors, OfThreeComponents) {
    const std::vector<uchar3> colours = {{1, 2, 3}, {4, 5, 6}};
    std::vector<long long> out(2);
    module->kernel("sums").value().forall(2)(colours, out);
    EXPECT_EQ(out, (std::vector<long long>{321, 654}));
    const auto refused = module->kernel("sums").value().forall(2).launch(std::vector<float4>(2), out);
    EXPECT_THAT(refused.message(), testing::HasSubstr("is launched with (float32x4[::1], int64[::1])"));
}

TEST_P(Vectors, EightBitFloats) {
    const auto widen = module->kernel("widen").value();
    float out[2] = {};
    const std::array<pyk::fp8_e4m3, 2> ours = {pyk::fp8_e4m3(1.5f), pyk::fp8_e4m3(-448)};
    widen(pyk::grid(1), pyk::block(2))(ours, pyk::fp8_e5m2(0.5), out);
    EXPECT_EQ(out[0], 0.75f);
    EXPECT_EQ(out[1], -224);
    const std::vector<__nv_fp8_e4m3> cuda = {{0x38}, {0x40}};
    widen(pyk::grid(1), pyk::block(2))(cuda, pyk::fp8_e5m2(4), out);
    EXPECT_EQ(out[0], 4);
    EXPECT_EQ(out[1], 8);
    EXPECT_EQ(widen.specializations().size(), 1u);
}

TEST_P(Vectors, FieldsThatTheKernelLeavesAlone) {
    std::vector<Spring> springs = {{1.5f, {1, 2, 3, 4}}, {2, {5, 6, 7, 8}}};
    module->kernel("stretch").value()(pyk::grid(1), pyk::block(2))(springs);
    EXPECT_EQ(springs[1].length, 4);
    EXPECT_EQ(springs[1].force.w, 8);
}

TEST_P(Vectors, CArrays) {
    const int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int b[3][2] = {};
    module->kernel("transpose").value()(pyk::grid(1), pyk::block(4, 4))(a, b);
    EXPECT_EQ(b[2][0] * 100 + b[2][1] * 10 + b[0][1], 364);
    EXPECT_THAT(module->kernel("transpose").value()(pyk::grid(1), pyk::block(4, 4)).launch(b, a).message(),
                testing::HasSubstr("the kernel writes argument 2 (`b`) of kernel `transpose`, which is const"));
}

INSTANTIATE_TEST_SUITE_P(Devices, Vectors, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& info) { return info.param == Backend::cpu ? "cpu" : "gpu"; });

}  // namespace
