extern "C" __global__ void saxpy(float a, const float* x, long long size, float* y, long long)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) y[i] = a * x[i] + y[i];
}
