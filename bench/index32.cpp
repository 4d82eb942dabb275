// What indexing in 32 bits gains where arrays have several axes: each kernel as launches have it, beside the same one
// in 64 bits, interleaved, over arrays of 256 MiB. A kernel that has its arrays as values (`u = a`) is left in 64 bits.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <pyk/pyk.hpp>
#include <string>
#include <vector>

#include "quartiles.h"

namespace {

using bench::median;
using bench::spread;

constexpr int kRounds = 20;

constexpr const char* kText = R"py(from numba import cuda, float32


@cuda.jit
def transpose({}
    i, j = cuda.grid(2)
    if i < u.shape[1] and j < u.shape[0]:
        out[i, j] = u[j, i]


@cuda.jit
def stencil({}
    i, j = cuda.grid(2)
    if 0 < i < u.shape[1] - 1 and 0 < j < u.shape[0] - 1:
        out[j, i] = 0.25 * (u[j - 1, i] + u[j + 1, i] + u[j, i - 1] + u[j, i + 1])


@cuda.jit
def stencil3d({}
    x, y, z = cuda.grid(3)
    nz, ny, nx = u.shape
    if 0 < x < nx - 1 and 0 < y < ny - 1 and 0 < z < nz - 1:
        out[z, y, x] = u[z, y, x] + u[z - 1, y, x] + u[z + 1, y, x] + u[z, y - 1, x] + u[z, y + 1, x] + u[z, y, x - 1] + u[z, y, x + 1]


@cuda.jit
def convolve({}
    i, j = cuda.grid(2)
    s = float32(0)
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            y, x = j + dy, i + dx
            if 0 <= y < u.shape[0] and 0 <= x < u.shape[1]:
                s += u[y, x]
    if j < out.shape[0] and i < out.shape[1]:
        out[j, i] = s


@cuda.jit
def rows({}
    j = cuda.grid(1)
    if j < u.shape[1]:
        s = float32(0)
        for i in range(u.shape[0]):
            s += u[i, j]
        out[0, j] = s
)py";

pyk::jit::Module module_of(const std::string& head) {
    std::string text = kText;
    for (std::size_t at; (at = text.find("{}")) != std::string::npos;) text.replace(at, 2, head);
    pyk::jit::Options options;
    options.backend = pyk::jit::Backend::cuda;
    return pyk::load_text("places.pyk", text, options).value();
}

template <int N>
bool measure(const char* name, std::array<long long, N> shape, pyk::Dim3 grid, pyk::Dim3 block) {
    const pyk::Device device = pyk::Device::get().value();
    long long n = 1;
    for (const long long extent : shape) n *= extent;
    std::vector<float> numbers(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 1021);
    auto a = pyk::Array<float, N>::allocate(device, shape).value();
    a.copy_from(pyk::View<const float, N>(numbers.data(), shape)).or_throw();
    auto outputs = std::vector<pyk::Array<float, N>>();
    for (int arm = 0; arm < 2; ++arm) {
        std::array<long long, N> of_output = shape;
        if (std::strcmp(name, "transpose") == 0) std::swap(of_output[0], of_output[1]);
        outputs.push_back(pyk::Array<float, N>::allocate(device, of_output).value());
        outputs.back().fill(0).or_throw();
    }
    const pyk::jit::Kernel kernels[] = {module_of("a, out):\n    u = a").kernel(name).value(),
                                        module_of("u, out):").kernel(name).value()};
    const auto run = [&](int arm) {
        return kernels[arm](pyk::grid(grid.x, grid.y, grid.z), pyk::block(block.x, block.y, block.z))
            .timed(a, outputs[arm])
            .value()
            .milliseconds;
    };
    for (int arm = 0; arm < 2; ++arm) run(arm);
    if (kernels[0].specializations()[0].emitted().find("array32<const float") != std::string::npos ||
        kernels[1].specializations()[0].emitted().find("array32<const float") == std::string::npos) {
        std::fprintf(stderr, "%s: the arms are not what they are to be\n", name);
        return false;
    }
    if (outputs[0].to_host().value() != outputs[1].to_host().value()) {
        std::fprintf(stderr, "%s: the results differ\n", name);
        return false;
    }
    std::vector<double> times[2];
    for (int round = 0; round < kRounds; ++round)
        for (int arm = 0; arm < 2; ++arm) times[arm].push_back(run(arm));
    std::printf("%-10s %9.4f %9.4f %8.2f   %.1f %% %.1f %%\n", name, median(times[0]), median(times[1]),
                median(times[1]) / median(times[0]), 100 * spread(times[0]), 100 * spread(times[1]));
    return true;
}

}  // namespace

int main() {
    if (const auto why = pyk::jit::why_unavailable(pyk::jit::Backend::cuda)) {
        std::fprintf(stderr, "SKIPPED: %s\n", why->c_str());
        return 0;
    }
    std::printf("ms           64 bits   32 bits     /64   spread of both\n");
    const bool right = measure<2>("transpose", {8192, 8192}, {256, 1024}, {32, 8}) &&
                       measure<2>("stencil", {8192, 8192}, {256, 1024}, {32, 8}) &&
                       measure<3>("stencil3d", {400, 400, 400}, {13, 50, 400}, {32, 8, 1}) &&
                       measure<2>("convolve", {8192, 8192}, {256, 1024}, {32, 8}) &&
                       measure<2>("rows", {512, 131072}, {512}, {256});
    return right ? 0 : 1;
}
