// A kernel from .pyk must touch memory no more often than the hand-written one of bench/ref.cu, with the same promises
// about aliasing: counted in PTX, and in SASS where cuobjdump is there.
#include <gtest/gtest.h>

#include "compile/nvcc.h"
#include "compile/process.h"
#include "compile/temp_folder.h"
#include "directive.h"
#include "golden.h"
#include "machine_code.h"
#include "support/files.h"
#include "targets/target.h"

namespace pyk::machine_code {
namespace {

constexpr Arch kArch{.number = 90};

// The hand-written kernels, compiled once.
const std::string& reference(const std::string& nvcc, const std::string& option) {
    static std::map<std::string, std::string> made;
    std::string& bytes = made[option];
    if (!bytes.empty()) return bytes;
    const TempFolder folder;
    const std::string out = folder.file("ref");
    const auto result = run_process({nvcc, "-O3", "-arch=sm_90", option, PYK_SOURCE_DIR "/bench/ref.cu", "-o", out});
    EXPECT_TRUE(result && result->exit_code == 0 && read_file(out, bytes)) << (result ? result->messages : "");
    return bytes;
}

std::optional<Artifact> ours(const std::string& name, std::string text, ArtifactKind kind) {
    const auto source = std::make_shared<const SourceFile>(name + ".pyk", std::move(text));
    Diagnostics diagnostics;
    const auto unit = golden::compile(source, golden::parse_directive(source->text()), cuda_target(), diagnostics);
    EXPECT_TRUE(unit) << render(diagnostics);
    if (!unit) return std::nullopt;
    auto artifact = compile_with_nvcc(*unit, kind, {kArch});
    EXPECT_TRUE(artifact) << artifact.error().log;
    if (!artifact) return std::nullopt;
    return std::move(*artifact);
}

std::optional<Artifact> ours(const std::string& name, ArtifactKind kind) {
    return ours(name, golden::read(PYK_SOURCE_DIR "/bench/kernels/" + name + ".pyk"), kind);
}

void expect_no_more(const Counts& got, const Counts& hand_written) {
    int total = 0;
    for (const auto& [what, count] : hand_written) {
        EXPECT_LE(got.at(what), count) << what << "s";
        total += count;
    }
    EXPECT_GT(total, 0) << "the hand-written kernel was not found";
    EXPECT_GT(got.at("global store"), 0) << "our kernel was not found";
}

class LoadsAndStores : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        nvcc_ = find_nvcc();
        if (!nvcc_) GTEST_SKIP() << "there is no nvcc";
    }
    std::string symbol() const { return std::string(GetParam()) + "_k"; }

    std::optional<std::string> nvcc_;
};

TEST_P(LoadsAndStores, InPtx) {
    const auto ptx = ours(GetParam(), ArtifactKind::ptx);
    ASSERT_TRUE(ptx);
    expect_no_more(count_ptx(ptx->bytes, GetParam()), count_ptx(reference(*nvcc_, "-ptx"), symbol()));
}

TEST_P(LoadsAndStores, InSass) {
    const auto cubin = ours(GetParam(), ArtifactKind::cubin);
    ASSERT_TRUE(cubin);
    const auto got = disassemble(cubin->bytes, *nvcc_), want = disassemble(reference(*nvcc_, "-cubin"), *nvcc_);
    if (!got || !want) GTEST_SKIP() << "there is no cuobjdump";
    expect_no_more(count_sass(*got, GetParam()), count_sass(*want, symbol()));
}

// A complex number is one access, as of float2 and double2 by hand.
class ComplexNumbers : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ComplexNumbers, AreMovedAtOnce) {
    const auto nvcc = find_nvcc();
    if (!nvcc) GTEST_SKIP() << "there is no nvcc";
    const auto& [type, vector] = GetParam();
    const std::string array = std::string(type) + "[::1]";
    const auto ptx = ours("butterfly", "# pykc: --sig 'butterfly(" + array + ", " + array + ", " + array + R"() noalias'
from numba import cuda


@cuda.jit
def butterfly(out, x, w):
    i = cuda.grid(1)
    half = x.size // 2
    if i < half:
        a, b = x[i], x[i + half] * w[i]
        out[i] = a + b
        out[i + half] = a - b
)",
                          ArtifactKind::ptx);
    ASSERT_TRUE(ptx);
    const TempFolder folder;
    const std::string in = folder.file("by_hand.cu"), out = folder.file("by_hand.ptx");
    const std::string v = vector;
    ASSERT_TRUE(write_file(in, "extern \"C\" __global__ void butterfly(" + v + "* __restrict__ out, const " + v +
                                   "* __restrict__ x, const " + v + R"(* __restrict__ w, int half)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half) return;
    const auto a = x[i], c = x[i + half], t = w[i];
    auto b = c;
    b.x = c.x * t.x - c.y * t.y;
    b.y = c.x * t.y + c.y * t.x;
    out[i] = {a.x + b.x, a.y + b.y};
    out[i + half] = {a.x - b.x, a.y - b.y};
}
)"));
    const auto result = run_process({*nvcc, "-O3", "-arch=sm_90", "-ptx", in, "-o", out});
    std::string by_hand;
    ASSERT_TRUE(result && result->exit_code == 0 && read_file(out, by_hand)) << (result ? result->messages : "");
    expect_no_more(count_ptx(ptx->bytes, "butterfly"), count_ptx(by_hand, "butterfly"));
}

INSTANTIATE_TEST_SUITE_P(, ComplexNumbers,
                         testing::Values(std::pair{"complex64", "float2"}, std::pair{"complex128", "double2"}),
                         [](const auto& info) { return std::string(info.param.first); });

INSTANTIATE_TEST_SUITE_P(, LoadsAndStores, testing::Values("saxpy", "matmul", "transpose"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pyk::machine_code
