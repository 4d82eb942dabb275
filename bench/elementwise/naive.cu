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
