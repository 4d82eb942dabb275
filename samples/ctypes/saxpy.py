#!/usr/bin/env python3
"""A kernel launched from Python through libpyk's C API, with nothing but the standard library.

usage: saxpy.py LIBPYK.SO SAXPY.PYK
"""
import array
import ctypes
import sys

FLOAT32 = 11  # PYK_FLOAT32 of pyk/pyk.h


class Value(ctypes.Union):
    _fields_ = [("boolean", ctypes.c_int32), ("integer", ctypes.c_int64), ("natural", ctypes.c_uint64),
                ("real", ctypes.c_double), ("complex_parts", ctypes.c_double * 2), ("data", ctypes.c_void_p)]


class Argument(ctypes.Structure):
    """pyk_argument."""
    _fields_ = [("element", ctypes.c_int32), ("ndim", ctypes.c_int32), ("order", ctypes.c_int32), ("flags", ctypes.c_uint32),
                ("value", Value), ("type", ctypes.c_void_p), ("device", ctypes.c_void_p), ("shape", ctypes.c_int64 * 32),
                ("strides", ctypes.c_int64 * 32), ("reserved", ctypes.c_uint64 * 2)]


def argument(value):
    """A float, or an array.array("f"), whose memory the launch reads and writes."""
    if isinstance(value, float):
        return Argument(element=FLOAT32, value=Value(real=value))
    address, size = value.buffer_info()
    return Argument(element=FLOAT32, ndim=1, value=Value(data=address), shape=(size,))


class Pyk:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.pyk_error_message.restype = ctypes.c_char_p
        self.lib.pyk_error_message.argtypes = self.lib.pyk_error_free.argtypes = [ctypes.c_void_p]
        for name in ("pyk_load_file", "pyk_module_kernel", "pyk_forall"):
            getattr(self.lib, name).restype = ctypes.c_void_p

    def call(self, name, *arguments):
        error = getattr(self.lib, name)(*arguments)
        if error:
            message = self.lib.pyk_error_message(error).decode()
            self.lib.pyk_error_free(error)
            raise RuntimeError(message)

    def make(self, name, *arguments):
        out = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(out))
        return out

    def forall(self, kernel, elements, *values):
        arguments = (Argument * len(values))(*map(argument, values))
        self.call("pyk_forall", kernel, ctypes.c_int64(elements), None, ctypes.c_uint64(0), arguments,
                  ctypes.c_size_t(len(values)))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pyk = Pyk(sys.argv[1])
    module = pyk.make("pyk_load_file", sys.argv[2].encode(), None)
    saxpy = pyk.make("pyk_module_kernel", module, b"saxpy")

    n = 100_000
    x, y, out = array.array("f", range(n)), array.array("f", [1.0] * n), array.array("f", [0.0] * n)
    pyk.forall(saxpy, n, 2.0, x, y, out)
    assert all(out[i] == 2 * i + 1 for i in range(n))
    print(f"{n} elements are right")

    pyk.lib.pyk_kernel_free(saxpy)
    pyk.lib.pyk_module_free(module)


main()
