// Numba's convention: the result through a pointer, and 0 for "no error".
extern "C" __device__ int scaled(float* result, float x, int factor)
{
    *result = x * factor;
    return 0;
}

extern "C" __device__ int is_odd(bool* result, long long n)
{
    *result = n % 2 != 0;
    return 0;
}

extern "C" __device__ int narrow_sum(signed char* result, signed char a, unsigned short b)
{
    *result = a + b;
    return 0;
}
