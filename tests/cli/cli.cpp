#include "cli.h"

#include <algorithm>
#include <filesystem>

#include "support/files.h"

namespace pyk {

const char* const kSaxpy = R"py(from numba import cuda


@cuda.jit("void(float32, float32[::1], float32[::1])")
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]
)py";

const char* const kScale = R"py(from numba import cuda

FACTOR = 3


@cuda.jit(device=True)
def scaled(v):
    return v * FACTOR


@cuda.jit
def scale(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = scaled(x[i])
)py";

void Cli::SetUp() { ASSERT_TRUE(folder_.ok()); }

ProcessResult Cli::pykc(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), PYKC);
    auto result = run_process(arguments, folder_.path());
    EXPECT_TRUE(result) << "pykc could not be started";
    return result.value_or(ProcessResult{-1, "", ""});
}

ProcessResult Cli::shell(const std::string& line) const {
    auto result = run_process({"sh", "-c", "PYKC='" PYKC "'; " + line}, folder_.path());
    EXPECT_TRUE(result);
    return result.value_or(ProcessResult{-1, "", ""});
}

void Cli::write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(folder_.file(name), text));
}

std::string Cli::read(const std::string& name) const {
    std::string bytes;
    EXPECT_TRUE(read_file(folder_.file(name), bytes)) << name;
    return bytes;
}

bool Cli::exists(const std::string& name) const { return std::filesystem::exists(folder_.file(name)); }

std::vector<std::string> Cli::files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace pyk
