// Launches the kernels like any others, where there is a GPU.
#include <kernels/other/scale.h>
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
    pyk_scale_a1i4c<<<4, 256>>>({counts, {1000}});
    cudaDeviceSynchronize();
    std::printf("%d\n", counts[999]);
}
