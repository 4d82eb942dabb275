from numba import cuda

from .consts import WIDTH


def make_map(fn):
    def kernel(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = fn(a[i]) + WIDTH

    return cuda.jit()(kernel)


def on_gpu(device=True):
    def wrap(method):
        return cuda.jit(func_or_sig=method, device=device)

    return wrap
