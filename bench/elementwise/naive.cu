// What one writes by hand: a thread per element, its places by strides in elements where there are any.
#define LAUNCH(name, ...) extern "C" void name(__VA_ARGS__)

template <class T>
__global__ void square_k(long long n, const T* __restrict__ x, T* __restrict__ out) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * x[i];
}
template <class T>
__global__ void plus_k(long long n, const T* __restrict__ x, const T* __restrict__ y, T* __restrict__ out) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] + y[i];
}
template <class T>
__global__ void multiply_add_k(long long n, const T* __restrict__ x, const T* __restrict__ y, const T* __restrict__ z, T* __restrict__ out) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * y[i] + z[i];
}
template <class T>
__global__ void plus_2d_k(int rows, int columns, const T* __restrict__ x, long long x0, long long x1, const T* __restrict__ y, long long y0,
                          long long y1, T* __restrict__ out) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns) out[(long long)i * columns + j] = x[i * x0 + j * x1] + y[i * y0 + j * y1];
}

#define OF_TYPE(T, suffix)                                                                                                     \
    LAUNCH(naive_square_##suffix, long long n, const T* x, T* out) { square_k<<<(n + 255) / 256, 256>>>(n, x, out); }          \
    LAUNCH(naive_plus_##suffix, long long n, const T* x, const T* y, T* out) { plus_k<<<(n + 255) / 256, 256>>>(n, x, y, out); } \
    LAUNCH(naive_multiply_add_##suffix, long long n, const T* x, const T* y, const T* z, T* out) {                             \
        multiply_add_k<<<(n + 255) / 256, 256>>>(n, x, y, z, out);                                                             \
    }                                                                                                                          \
    LAUNCH(naive_plus_2d_##suffix, int rows, int columns, const T* x, long long x0, long long x1, const T* y, long long y0,    \
           long long y1, T* out) {                                                                                             \
        const dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);                                                    \
        plus_2d_k<<<grid, block>>>(rows, columns, x, x0, x1, y, y0, y1, out);                                                  \
    }
OF_TYPE(float, f4)
OF_TYPE(double, f8)

__device__ float cnd(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float series = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float r = 0.39894228040143267794f * expf(-0.5f * d * d) * series;
    return d > 0 ? 1.0f - r : r;
}
__global__ void black_scholes_k(long long n, const float* __restrict__ s, const float* __restrict__ x, const float* __restrict__ t, float* __restrict__ out) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float root = sqrtf(t[i]);
    const float d1 = (logf(s[i] / x[i]) + (0.02f + 0.5f * 0.3f * 0.3f) * t[i]) / (0.3f * root), d2 = d1 - 0.3f * root;
    out[i] = s[i] * cnd(d1) - x[i] * expf(-0.02f * t[i]) * cnd(d2);
}
__global__ void mandelbrot_k(long long n, const float* __restrict__ x, const float* __restrict__ y, int* __restrict__ out) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float cr = x[i], ci = y[i];
    float zr = 0, zi = 0;
    int k = 0;
    for (; k < 256; ++k) {
        const float r2 = zr * zr, i2 = zi * zi;
        if (r2 + i2 > 4) break;
        zi = 2 * zr * zi + ci;
        zr = r2 - i2 + cr;
    }
    out[i] = k;
}
LAUNCH(naive_black_scholes_f4, long long n, const float* s, const float* x, const float* t, float* out) {
    black_scholes_k<<<(n + 255) / 256, 256>>>(n, s, x, t, out);
}
LAUNCH(naive_mandelbrot_f4, long long n, const float* x, const float* y, int* out) { mandelbrot_k<<<(n + 255) / 256, 256>>>(n, x, y, out); }
/// `calls` launches, one after the other.
LAUNCH(naive_plus_calls, int calls, long long n, const float* x, const float* y, float* out) {
    for (int i = 0; i < calls; ++i) plus_k<<<(n + 255) / 256, 256>>>(n, x, y, out);
}
