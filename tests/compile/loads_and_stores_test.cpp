// A kernel from .pyk must touch memory no more often than the hand-written one of bench/ref.cu, with the same promises
// about aliasing: counted in PTX, and in SASS where cuobjdump is there.
#include <gtest/gtest.h>

#include "compile/nvcc.h"
#include "compile/process.h"
#include "compile/temp_folder.h"
#include "directive.h"
#include "golden.h"
#include "machine_code.h"
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

std::optional<Artifact> ours(const std::string& name, ArtifactKind kind) {
    const std::string file = PYK_SOURCE_DIR "/bench/kernels/" + name + ".pyk";
    const auto source = std::make_shared<const SourceFile>(name + ".pyk", golden::read(file));
    Diagnostics diagnostics;
    const auto unit = golden::compile(source, golden::parse_directive(source->text()), cuda_target(), diagnostics);
    EXPECT_TRUE(unit) << render(diagnostics);
    if (!unit) return std::nullopt;
    auto artifact = compile_with_nvcc(*unit, kind, {kArch});
    EXPECT_TRUE(artifact) << artifact.error().log;
    if (!artifact) return std::nullopt;
    return std::move(*artifact);
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

INSTANTIATE_TEST_SUITE_P(, LoadsAndStores, testing::Values("saxpy", "matmul", "transpose"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace pyk::machine_code
