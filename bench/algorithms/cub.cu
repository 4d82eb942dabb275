// What algorithms.cpp is compared with: plain CUB, compiled by nvcc. Each function is called twice: without `temporary`
// it says how many bytes of that it needs.
#include <cub/cub.cuh>

namespace {

struct Farther {
    __device__ float operator()(float a, float b) const { return fabsf(a) >= fabsf(b) ? a : b; }
};

}  // namespace

#define PYK_CUB(name)                                                                                              \
    extern "C" int cub_##name(void* temporary, size_t* bytes, const void* in, const void* beside, long long count, \
                              void* out)

PYK_CUB(sum) {
    return cub::DeviceReduce::Sum(temporary, *bytes, static_cast<const float*>(in), static_cast<float*>(out), count);
}
PYK_CUB(minimum) {
    return cub::DeviceReduce::Min(temporary, *bytes, static_cast<const float*>(in), static_cast<float*>(out), count);
}
PYK_CUB(maximum) {
    return cub::DeviceReduce::Max(temporary, *bytes, static_cast<const float*>(in), static_cast<float*>(out), count);
}
PYK_CUB(farther) {
    return cub::DeviceReduce::Reduce(temporary, *bytes, static_cast<const float*>(in), static_cast<float*>(out), count,
                                     Farther{}, 0.0f);
}
PYK_CUB(scan) {
    return cub::DeviceScan::InclusiveSum(temporary, *bytes, static_cast<const float*>(in), static_cast<float*>(out),
                                         count);
}
PYK_CUB(histogram) {
    return cub::DeviceHistogram::HistogramEven(temporary, *bytes, static_cast<const float*>(in),
                                               static_cast<unsigned long long*>(out), 257, 0.0f, 256.0f, count);
}
/// `beside`: of 1024 elements each.
PYK_CUB(segments) {
    const auto* const offsets = static_cast<const long long*>(beside);
    return cub::DeviceSegmentedReduce::Sum(temporary, *bytes, static_cast<const float*>(in), static_cast<float*>(out),
                                           count / 1024, offsets, offsets + 1);
}
