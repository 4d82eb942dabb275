#include "compile/nvcc.h"

#include <gtest/gtest.h>

#include "environment.h"

namespace pyk {
namespace {

Unit unit(std::string text) {
    Unit result;
    result.text = std::move(text);
    return result;
}

const char* const kKernel = "extern \"C\" __global__ void pyk_k_(float* x) { x[threadIdx.x] = 1.0f; }\n";

TEST(Nvcc, MissingOneIsSaid) {
    const ScopedVariable named("PYK_NVCC", "/nowhere/nvcc");
    const auto artifact = compile_with_nvcc(unit(kKernel), ArtifactKind::ptx, {{90, 0, true}});
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::missing);
    EXPECT_NE(artifact.error().text.find("PYK_NVCC"), std::string::npos);
}

class NvccPresent : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!find_nvcc()) GTEST_SKIP() << "no nvcc on this machine";
    }
};

TEST_F(NvccPresent, MakesPtx) {
    const auto artifact = compile_with_nvcc(unit(kKernel), ArtifactKind::ptx, {{90, 0, false}});
    ASSERT_TRUE(artifact) << artifact.error().log;
    EXPECT_NE(artifact->bytes.find(".entry pyk_k_"), std::string::npos);
}

TEST_F(NvccPresent, MakesAFatbinOfSeveralArchitectures) {
    const auto artifact =
        compile_with_nvcc(unit(kKernel), ArtifactKind::fatbin, {{90, 0, false}, {100, 0, false}, {100, 0, true}});
    ASSERT_TRUE(artifact) << artifact.error().log;
    EXPECT_GT(artifact->bytes.size(), 1000u);
}

TEST_F(NvccPresent, TellsItsOwnTroubleFromTheTexts) {
    const auto refused = compile_with_nvcc(unit("nonsense"), ArtifactKind::ptx, {{90, 0, false}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ToolError::Kind::rejected);
    const auto unknown = compile_with_nvcc(unit(kKernel), ArtifactKind::cubin, {{20, 0, false}});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().kind, ToolError::Kind::unusable);
}

}  // namespace
}  // namespace pyk
