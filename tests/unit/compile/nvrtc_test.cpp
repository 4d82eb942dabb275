#include "compile/nvrtc.h"

#include <gtest/gtest.h>

#include "compile/trace.h"

namespace pyk {
namespace {

Unit unit(std::string text) {
    Unit result;
    result.text = std::move(text);
    result.entries.push_back({"k", "pyk_k_", {}, 1, false, false, 0});
    return result;
}

const std::string kKernel = "extern \"C\" __global__ void pyk_k_(float* x) { x[threadIdx.x] = 1.0f; }\n";

class Nvrtc : public ::testing::Test {
  protected:
    void SetUp() override {
        if (const auto info = nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    }
};

TEST_F(Nvrtc, DescribesItself) {
    const auto info = nvrtc_info();
    EXPECT_GE(info->major, 12);
    EXPECT_FALSE(info->archs.empty());
    EXPECT_NE(info->path.find("libnvrtc"), std::string::npos);
}

TEST_F(Nvrtc, MakesPtx) {
    const auto artifact = compile_with_nvrtc(unit(kKernel), ArtifactKind::ptx, {90, 0, true});
    ASSERT_TRUE(artifact) << artifact.error().log;
    EXPECT_NE(artifact->bytes.find(".visible .entry pyk_k_"), std::string::npos);
    EXPECT_NE(artifact->bytes.find(".target sm_90"), std::string::npos);
    ASSERT_EQ(artifact->entries.size(), 1u);
    EXPECT_EQ(artifact->entries[0].symbol, "pyk_k_");
}

TEST_F(Nvrtc, MakesACubin) {
    const auto artifact = compile_with_nvrtc(unit(kKernel), ArtifactKind::cubin, {90, 0, false});
    ASSERT_TRUE(artifact) << artifact.error().log;
    EXPECT_EQ(artifact->bytes.substr(0, 4),
              "\x7f"
              "ELF");
}

TEST_F(Nvrtc, TakesWhatTemplatesMayWrite) {
    const char* const texture =
        "extern \"C\" __global__ void pyk_k_(cudaTextureObject_t t, float* x) { x[0] = tex2D<float>(t, 0, 0); }\n";
    const auto artifact = compile_with_nvrtc(unit(texture), ArtifactKind::ptx, {90, 0, true});
    EXPECT_TRUE(artifact) << artifact.error().log;
}

// Which take a seventh of a small kernel's time.
TEST_F(Nvrtc, TexturesAndTheRuntimeAreThereWhereTheTextNamesThem) {
    std::string shown;
    const auto is_minimal = [&](const std::string& line) {
        shown.clear();
        EXPECT_TRUE(compile_with_nvrtc(unit(kKernel + line + "\n"), ArtifactKind::ptx, {90, 0, true})) << line;
        return shown.find("--minimal") != std::string::npos;
    };
    set_tool_trace({[&](const std::string& line) { shown += line; }});
    EXPECT_TRUE(is_minimal("__device__ int add_cuda, cuda_add, cuda;  // of numba.cuda: cuda/kernels.pyk"));
    EXPECT_FALSE(is_minimal("__device__ cudaTextureObject_t t;"));
    EXPECT_FALSE(is_minimal("namespace cuda { typedef int number; }\n__device__ cuda::number n;"));
    set_tool_trace({});
}

TEST_F(Nvrtc, ReturnsTheLogOfTextThatDoesNotCompile) {
    const auto artifact = compile_with_nvrtc(unit("nonsense"), ArtifactKind::ptx, {90, 0, true});
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::rejected);
    EXPECT_NE(artifact.error().log.find("error"), std::string::npos);
}

TEST_F(Nvrtc, NamesTheArchitecturesThatItKnows) {
    const auto artifact = compile_with_nvrtc(unit(kKernel), ArtifactKind::cubin, {20, 0, false});
    ASSERT_FALSE(artifact);
    EXPECT_EQ(artifact.error().kind, ToolError::Kind::unusable);
    EXPECT_NE(artifact.error().text.find("sm_90"), std::string::npos);
}

}  // namespace
}  // namespace pyk
