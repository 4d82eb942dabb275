// Launches the kernels like any others, and through the functions of their headers, where there is a GPU.
#include <kernels/other/scale.h>
#include <kernels/particles.h>
#include <kernels/saxpy.h>
#include <kernels/scale.h>

#include <cstdio>

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("no GPU");
        return 0;
    }
    int* counts = nullptr;
    cudaMallocManaged(&counts, 1000 * sizeof(int));
    for (int i = 0; i < 1000; ++i) counts[i] = 7;
    kernels::scale::pyk_scale_a1i4c<<<4, 256>>>({counts, {1000}});
    const pyk::Device device;
    const pyk::View<int> view(counts, {1000}, &device.context());
    if (const pyk::Status s = kernels::scale::scale({{4}, {256}}, view); !s) return std::puts(s.message().c_str()), 1;
    cudaDeviceSynchronize();
    std::printf("%d\n", counts[999]);
}
