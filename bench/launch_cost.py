#!/usr/bin/env python3
"""What a launch costs the host in Numba, CuPy's RawKernel and cupyx.jit, beside bench_launch_cost: the same kernels, batches and arrays.
Nanoseconds per launch, median and quartiles; what is not installed is left out."""
import statistics
import time

WARM_UP, BATCHES, LAUNCHES = 10, 100, 200


def measure(what, arm, launch, wait):
    times = []
    for batch in range(WARM_UP + BATCHES):
        start = time.perf_counter_ns()
        for _ in range(LAUNCHES):
            launch()
        if batch >= WARM_UP:
            times.append((time.perf_counter_ns() - start) / LAUNCHES)
        wait()
    low, middle, high = statistics.quantiles(times, n=4)
    print(f"{what:22} {arm:18} {middle:8.0f} ns  ({low:.0f} … {high:.0f})")


def numba_arms(counts):
    from numba import cuda

    for count in counts:
        params = ", ".join(f"a{i}" for i in range(count))
        body = "    if i < 1:\n        a0[i] = 1\n" if count else "    if i < 0:\n        pass\n"
        names = {"cuda": cuda}
        exec(f"def k({params}):\n    i = cuda.grid(1)\n{body}", names)
        kernel = cuda.jit(names["k"])[1, 32]
        arrays = [cuda.device_array(16, "float32") for _ in range(count)]
        kernel(*arrays)
        measure(f"{count} arrays", "Numba", lambda: kernel(*arrays), cuda.synchronize)


def cupy_arms(counts):
    import cupy

    for count in counts:
        arrays = tuple(cupy.zeros(16, cupy.float32) for _ in range(count))
        params = ", ".join(f"float* a{i}" for i in range(count))
        body = "if (i < 1) a0[i] = 1;" if count else ""
        raw = cupy.RawKernel(f'extern "C" __global__ void k({params}) {{ int i = threadIdx.x; (void)i; {body} }}', "k")
        raw((1,), (32,), arrays)
        measure(f"{count} arrays", "CuPy RawKernel", lambda: raw((1,), (32,), arrays), cupy.cuda.runtime.deviceSynchronize)


def cupyx_arms(counts):
    import cupy
    from cupyx import jit

    @jit.rawkernel()
    def one(a0):
        i = jit.threadIdx.x
        if i < 1:
            a0[i] = 1.0

    @jit.rawkernel()
    def four(a0, a1, a2, a3):
        i = jit.threadIdx.x
        if i < 1:
            a0[i] = 1.0

    for kernel, count in ((one, 1), (four, 4)):
        if count not in counts:
            continue
        arrays = tuple(cupy.zeros(16, cupy.float32) for _ in range(count))
        kernel((1,), (32,), arrays)
        measure(f"{count} arrays", "cupyx.jit", lambda: kernel((1,), (32,), arrays), cupy.cuda.runtime.deviceSynchronize)


def main():
    for arms in (numba_arms, cupy_arms, cupyx_arms):
        try:
            arms((0, 1, 4, 16))
        except ImportError as missing:
            print(f"left out: {missing}")


if __name__ == "__main__":
    main()
