"""Numba where there is one, and what stands for it where there is none."""
try:
    from numba import cuda
    from numba.cuda import jit as gpu_jit

    try:
        AVAILABLE = cuda.is_available()
    except AttributeError:
        AVAILABLE = True
except ImportError:
    AVAILABLE = False

if not AVAILABLE:
    cuda = None

    def gpu_jit(*args, **kwargs):
        return lambda function: function
