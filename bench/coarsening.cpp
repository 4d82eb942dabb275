// What a launch of a pure map gains by several elements a thread: the same kernel with `Options::coarsen` and without,
// interleaved, over arrays of 256 MiB, beside a copy in the device's memory.
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
constexpr unsigned kBlock = 256;

constexpr const char* kText = R"py(from numba import cuda


@cuda.jit
def saxpy(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a * x[i] + y[i]


@cuda.jit
def square(a, x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] * x[i]


@cuda.jit
def update(a, x, y, out):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i < out.size:
        out[i] += a * x[i]
)py";

pyk::jit::Module module_of(bool coarsen) {
    pyk::jit::Options options;
    options.backend = pyk::jit::Backend::cuda;
    options.coarsen = coarsen;
    return pyk::load_text("maps.pyk", kText, options).value();
}

template <class T>
bool measure(const char* name, const char* type, int moved) {
    const long long n = (256LL << 20) / static_cast<long long>(sizeof(T));
    const pyk::Device device = pyk::Device::get().value();
    const auto filled = [&](T value) {
        auto array = pyk::Array<T>::allocate(device, {n}).value();
        array.fill(value).or_throw();
        return array;
    };
    const auto x = filled(T(2)), y = filled(T(3));
    auto out = filled(T(1)), same = filled(T(1));
    const pyk::jit::Kernel kernels[] = {module_of(false).kernel(name).value(), module_of(true).kernel(name).value()};
    const std::string array = std::string(type) + "[::1]";
    for (const auto& kernel : kernels)
        kernel.preload(std::string(type) + ", " + array + ", " + array + ", " + array).wait().or_throw();
    const auto blocks = static_cast<unsigned>((n + kBlock - 1) / kBlock);
    const auto run = [&](int arm, pyk::Array<T>& to) {
        return kernels[arm](pyk::grid(blocks), pyk::block(kBlock)).timed(T(2.5), x, y, to).value().milliseconds;
    };
    for (int arm = 0; arm < 2; ++arm) run(arm, arm ? same : out);
    const std::vector<T> a = out.to_host().value(), b = same.to_host().value();
    if (std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) != 0) {
        std::fprintf(stderr, "%s: the results differ\n", name);
        return false;
    }
    std::vector<double> gigabytes[3];
    const double bytes = static_cast<double>(n) * sizeof(T);
    pyk::Event start = pyk::Event::create(device).value(), stop = pyk::Event::create(device).value();
    for (int round = 0; round < kRounds; ++round) {
        for (int arm = 0; arm < 2; ++arm) gigabytes[arm].push_back(moved * bytes / run(arm, out) / 1e6);
        start.record().or_throw();
        same.copy_from(x).or_throw();
        stop.record().or_throw();
        stop.wait().or_throw();
        gigabytes[2].push_back(2 * bytes / pyk::Event::elapsed_ms(start, stop).value() / 1e6);
    }
    std::printf("%-8s %-8s %8.0f %8.0f %8.0f %8.2f %8.2f   %.1f %% %.1f %%\n", name, type, median(gigabytes[2]),
                median(gigabytes[0]), median(gigabytes[1]), median(gigabytes[1]) / median(gigabytes[0]),
                median(gigabytes[1]) / median(gigabytes[2]), 100 * spread(gigabytes[0]), 100 * spread(gigabytes[1]));
    return true;
}

}  // namespace

int main() {
    if (const auto why = pyk::jit::why_unavailable(pyk::jit::Backend::cuda)) {
        std::fprintf(stderr, "SKIPPED: %s\n", why->c_str());
        return 0;
    }
    std::printf("GB/s     type         copy    plain     wide  /plain    /copy   spread of both\n");
    const bool right = measure<float>("square", "float32", 2) && measure<float>("saxpy", "float32", 3) &&
                       measure<float>("update", "float32", 3) && measure<double>("square", "float64", 2) &&
                       measure<double>("saxpy", "float64", 3) && measure<double>("update", "float64", 3);
    return right ? 0 : 1;
}
