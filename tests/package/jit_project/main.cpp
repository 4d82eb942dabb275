// Compiles a kernel while it runs, and launches it on the device that is named.
#include <pyk/pyk.hpp>

#include <cstdio>
#include <string>
#include <vector>

constexpr const char* kText = R"(
from numba import cuda

@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]
)";

int main(int argc, char** argv) {
    pyk::jit::Options options;
    if (argc < 2 || std::string(argv[1]) != "--cuda") options.backend = pyk::jit::Backend::cpu;
    const pyk::jit::Module module = pyk::load_text("saxpy.pyk", kText, options).value();
    const pyk::jit::Kernel saxpy = module.kernel("saxpy").value();
    std::vector<float> x(1000, 1.5f), y(1000, 0.25f);
    saxpy(pyk::grid(4), pyk::block(256))(2.0f, x, y);
    std::printf("%g\n", static_cast<double>(y[999]));
}
