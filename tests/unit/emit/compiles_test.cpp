// Emitted text is accepted as it is: by g++ with every warning an error, and by nvcc.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "emitted.h"

namespace pyk::test {
namespace {

namespace fs = std::filesystem;

/// Kernels that use every form of expression and statement.
const std::vector<std::string> kModules = {
    kernel_ir(R"(  shared t: float32[:, ::1] shape(16, 17)
  shared dynamic: uint8[::1] shape(0)
  local l: float32[::1] shape(8) align(16)
  var i: int64
  var v: float64[:]
  var p: (int64, float64)
  var u: (int64, int64)
  var k: int64 unassigned
)",
              R"(  for i in range(0, 8, 1) {
    store l[i] = @math.sqrt(x):float32
  }
  for i in range(@cuda.grid.x:int64, n, @cuda.gridsize.x:int64) {
    store t[wrap i, 0] = (x if (flag and (d < float64(n))) else float32((d * float64(ii))))
    eval @cuda.syncthreads:none
  }
  v = view<float64[:]>(m, slice(_, n, -1), wrap n)
  p = tuple((n % 3), (d ** 2))
  u = tuple(n, int64(ii))
  if boolean((n & 1)) {
    k = at(u, n)
  } else if (((n < 2) and flag) or (not flag)) {
    k = (((n & 3) | (n + 1)) CShl 2:uint64)
  }
  store v[0] = (item(p, 1) + float64((k // item(p, 0))))
  store m[0, 0] = transpose<float64[::1, :]>(m)[0, 1]
  eval @cuda.atomic.add(ref(a, wrap k), l[0]):float32
  store dynamic[0] = uint8((~ uu))
  store s[0] = int32((- bb))
  store s[0] = @cuda.libdevice.umulhi(-1:int32, ii):int32
)"),
};

class EmittedText : public ::testing::Test {
  protected:
    EmittedText() : folder_(fs::temp_directory_path() / ("pyk_emitted_" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~EmittedText() override { fs::remove_all(folder_); }

    void compile(const std::string& command, const Target& target, const EmitOptions& options) {
        const fs::path source = folder_ / (target.is_cudacc ? "unit.cu" : "unit.cpp");
        for (const std::string& module : kModules) {
            const std::string text = emit_unit(module, target, options).text;
            std::ofstream(source) << text;
            const std::string log = (folder_ / "log").string();
            const int status = std::system(
                (command + " " + source.string() + " -o " + (folder_ / "out").string() + " >" + log + " 2>&1").c_str());
            std::ifstream messages(log);
            EXPECT_EQ(status, 0) << std::string(std::istreambuf_iterator<char>(messages), {}) << text;
        }
    }

    fs::path folder_;
};

constexpr const char* kCxx = PYK_CXX " -std=c++17 -Wall -Wextra -Werror -fwrapv -O1 -c";
constexpr const char* kNvcc =
    PYK_NVCC " -std=c++17 -diag-error 68 -cubin -arch=sm_90";  // 68: a negative literal that is unsigned

TEST_F(EmittedText, Cpu) { compile(kCxx, cpu_target(), {}); }
TEST_F(EmittedText, CpuWithChecks) {
    EmitOptions options;
    options.check_bounds = true;
    compile(kCxx, cpu_target(), options);
}
TEST_F(EmittedText, Cuda) {
    if (!fs::exists(PYK_NVCC)) GTEST_SKIP() << "nvcc was not found when configuring";
    compile(kNvcc, cuda_target(), {});
}
TEST_F(EmittedText, CudaWithChecks) {
    if (!fs::exists(PYK_NVCC)) GTEST_SKIP() << "nvcc was not found when configuring";
    EmitOptions options;
    options.check_bounds = true;
    options.line_directives = LineDirectives::all;
    compile(kNvcc, cuda_target(), options);
}

}  // namespace
}  // namespace pyk::test
