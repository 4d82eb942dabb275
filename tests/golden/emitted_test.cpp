// The CUDA C++ of the samples, beside them as .cu; and that every tool takes the text: NVRTC for three architectures,
// nvcc, and the host's compiler for the CPU's text.
#include <gtest/gtest.h>

#include "compile/host_compiler.h"
#include "compile/nvcc.h"
#include "compile/nvrtc.h"
#include "directive.h"
#include "golden.h"
#include "targets/target.h"

namespace pyk::golden {
namespace {

class Emitted : public testing::TestWithParam<std::filesystem::path> {
  protected:
    std::optional<Unit> text_for(const Target& target) {
        Diagnostics diagnostics;
        auto unit = compile(source_, parse_directive(source_->text()), target, diagnostics);
        EXPECT_TRUE(unit) << render(diagnostics);
        return unit;
    }

    SourceFilePtr source_ = std::make_shared<const SourceFile>(GetParam().filename().string(), read(GetParam()));
};

int lowest_sm(const Unit& unit) {
    int lowest = 0;
    for (const EntryPoint& entry : unit.entries) lowest = std::max(lowest, entry.min_sm);
    return lowest;
}

TEST_P(Emitted, IsTheGolden) {
    const auto unit = text_for(cuda_target());
    ASSERT_TRUE(unit);
    EXPECT_TRUE(matches(std::filesystem::path(GetParam()).replace_extension(".cu"), unit->text));
}

TEST_P(Emitted, IsTheSameTwice) {
    const auto first = text_for(cuda_target()), second = text_for(cuda_target());
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->text, second->text);
}

TEST_P(Emitted, CompilesWithNvrtc) {
    const auto nvrtc = nvrtc_info();
    if (!nvrtc) GTEST_SKIP() << nvrtc.error().text;
    const auto unit = text_for(cuda_target());
    ASSERT_TRUE(unit);
    for (const int sm : {75, 90, 100}) {
        if (sm < lowest_sm(*unit)) continue;
        const auto cubin = compile_with_nvrtc(*unit, ArtifactKind::cubin, Arch{.number = sm});
        ASSERT_TRUE(cubin) << "sm_" << sm << ": " << cubin.error().text << "\n" << cubin.error().log;
        EXPECT_EQ(cubin->log, "");
    }
}

TEST_P(Emitted, CompilesForTheCpu) {
    if (!find_host_compiler()) GTEST_SKIP() << "there is no host compiler";
    const auto unit = text_for(cpu_target());
    ASSERT_TRUE(unit);
    const auto library = compile_with_host_compiler(*unit);
    ASSERT_TRUE(library) << library.error().text << "\n" << library.error().log;
    EXPECT_EQ(library->log, "");
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) { return test_name(info.param); }

INSTANTIATE_TEST_SUITE_P(Sample, Emitted, testing::ValuesIn(find_sources("samples", ".pyk")), name_of);
INSTANTIATE_TEST_SUITE_P(Bench, Emitted, testing::ValuesIn(find_sources("bench/kernels", ".pyk")), name_of);

// nvcc takes seconds, so it gets one file that uses most of the prelude.
class EmittedForNvcc : public Emitted {};

TEST_P(EmittedForNvcc, Compiles) {
    if (!find_nvcc()) GTEST_SKIP() << "there is no nvcc";
    const auto unit = text_for(cuda_target());
    ASSERT_TRUE(unit);
    const auto fatbin = compile_with_nvcc(*unit, ArtifactKind::fatbin, {Arch{.number = 75}, Arch{.number = 90}});
    ASSERT_TRUE(fatbin) << fatbin.error().text << "\n" << fatbin.error().log;
    EXPECT_EQ(fatbin->log, "");
}

INSTANTIATE_TEST_SUITE_P(Sample, EmittedForNvcc,
                         testing::Values(std::filesystem::path(PYK_SOURCE_DIR) / "samples/life/life.pyk"), name_of);

}  // namespace
}  // namespace pyk::golden
