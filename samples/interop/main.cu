// pyk beside CUDA's runtime API, cuBLAS and Thrust: their memory and streams in our launches, ours in their calls.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

#include <cstdio>
#include <pyk/pyk.hpp>
#include <stdexcept>

namespace {

constexpr int kSize = 1000;

void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}
void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasGetStatusString(status));
}
void expect(const char* what, float got, float wanted) {
    std::printf("%-38s %g\n", what, static_cast<double>(got));
    if (got != wanted) throw std::runtime_error("wrong: " + std::to_string(wanted) + " was expected");
}

// Memory of cudaMalloc and a stream of cudaStreamCreate in a launch of ours.
void theirs_in_ours(const pyk::jit::Kernel& saxpy, const pyk::Device& device) {
    cudaStream_t stream = nullptr;
    float* x = nullptr;
    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&x, kSize * sizeof(float)));
    thrust::sequence(thrust::cuda::par.on(stream), thrust::device_pointer_cast(x),
                     thrust::device_pointer_cast(x + kSize));

    const pyk::Stream borrowed = pyk::Stream::borrow(device, stream);
    const pyk::View<float> view(x, {kSize}, &device.context());
    auto ones = pyk::Array<float>::allocate(device, {kSize}, pyk::MemoryKind::pooled, borrowed).value();
    auto out = pyk::Array<float>::allocate(device, {kSize}, pyk::MemoryKind::pooled, borrowed).value();
    ones.fill(1.0f, borrowed).or_throw();
    saxpy(pyk::grid((kSize + 255) / 256), pyk::block(256), borrowed)(2.0f, view, ones, out);  // out[i] = 2 i + 1

    // Ours in Thrust, on their stream: 1 + 3 + 5 + … = n²
    const auto begin = thrust::device_pointer_cast(out.data());
    expect("thrust::reduce of a pyk::Array:", thrust::reduce(thrust::cuda::par.on(stream), begin, begin + kSize, 0.0f),
           1.0f * kSize * kSize);
    check(cudaFree(x));
    check(cudaStreamSynchronize(stream));
    // `borrowed` does not own the stream; the pooled arrays are freed on it, so they go first.
    ones.buffer().release();
    out.buffer().release();
    check(cudaStreamDestroy(stream));
}

// A stream and arrays of ours in cuBLAS.
void ours_in_theirs(const pyk::jit::Kernel& saxpy, const pyk::Device& device) {
    const pyk::Stream stream = pyk::Stream::create(device).value();
    auto x = pyk::Array<float>::allocate(device, {kSize}).value();
    auto out = pyk::Array<float>::allocate(device, {kSize}).value();
    x.fill(1.0f, stream).or_throw();
    saxpy(pyk::grid((kSize + 255) / 256), pyk::block(256), stream)(2.0f, x, x, out);  // out[i] = 3

    cublasHandle_t blas = nullptr;
    check(cublasCreate(&blas));
    check(cublasSetStream(blas, static_cast<cudaStream_t>(stream.handle())));
    const float factor = 4;
    float sum = 0;
    check(cublasSscal(blas, kSize, &factor, out.data(), 1));  // out[i] = 12
    check(cublasSdot(blas, kSize, x.data(), 1, out.data(), 1, &sum));
    stream.synchronize().or_throw();
    expect("cublasSdot of two pyk::Arrays:", sum, 12.0f * kSize);
    saxpy(pyk::grid((kSize + 255) / 256), pyk::block(256), stream)(0.5f, out, x, out);  // out[i] = 7
    expect("a launch on what cuBLAS wrote:", out.to_host(stream).value()[kSize - 1], 7);
    check(cublasDestroy(blas));
}

}  // namespace

int main(int argc, char** argv) try {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("SKIPPED: there is no GPU");
        return 0;
    }
    const pyk::Device device = pyk::Device::get().value();
    pyk::jit::Options options;
    options.backend = pyk::jit::Backend::cuda;
    const pyk::jit::Kernel saxpy =
        pyk::load_or_throw(argc > 1 ? argv[1] : "saxpy.pyk", options).kernel("saxpy").value();
    theirs_in_ours(saxpy, device);
    ours_in_theirs(saxpy, device);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
