"""A library that is closed while it compiles stays until it has: unload_test.py LIBPYK."""
import _ctypes
import ctypes as c
import os
import sys

os.environ["PYK_CACHE"] = "0"
KERNEL = b"from numba import cuda\n\n\n@cuda.jit\ndef fill(x):\n    x[0] = 1\n"

lib = c.CDLL(sys.argv[1])
module, kernel, preload = c.c_void_p(), c.c_void_p(), c.c_void_p()
lib.pyk_load_text.restype = lib.pyk_module_kernel.restype = lib.pyk_kernel_preload.restype = c.c_void_p
assert lib.pyk_load_text(b"fill.pyk", KERNEL, None, c.byref(module)) is None
assert lib.pyk_module_kernel(module, b"fill", c.byref(kernel)) is None
assert lib.pyk_kernel_preload(kernel, b"float32[::1]", None, c.byref(preload)) is None
_ctypes.dlclose(lib._handle)
