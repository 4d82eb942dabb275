// A kernel compiled ahead of time: pykc wrote saxpy.cu and saxpy.h when this program was built; nothing of pyk is linked.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "saxpy.h"

namespace {

/// An array in device memory with the contents of a vector. (A sample: it is freed with the program.)
pyk::array<float, 1> to_device(const std::vector<float>& host) {
    pyk::array<float, 1> array{nullptr, {static_cast<long long>(host.size())}};
    cudaMalloc(&array.data, host.size() * sizeof(float));
    cudaMemcpy(array.data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    return array;
}

}  // namespace

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("SKIPPED: there is no GPU");
        return 0;
    }
    std::vector<float> x(1'000'000, 1.5f), y(x.size(), 0.25f), out(x.size());
    const pyk::array<float, 1> device_x = to_device(x), device_y = to_device(y), device_out = to_device(out);

    const unsigned blocks = (static_cast<unsigned>(out.size()) + 255) / 256;
    pyk_saxpy_f4_a1f4c_a1f4c_a1f4c<<<blocks, 256>>>(2.0f, device_x, device_y, device_out);

    cudaMemcpy(out.data(), device_out.data, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
        return std::printf("%s\n", cudaGetErrorString(error)), 1;
    for (const float value : out)
        if (value != 3.25f) return std::printf("wrong: %f\n", static_cast<double>(value)), 1;
    std::puts("ok");
    return 0;
}
