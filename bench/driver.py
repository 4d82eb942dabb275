"""The few calls of the CUDA driver that the benchmarks need, by ctypes: no package, one stream, the primary context."""
import ctypes

import numpy as np

_PARAM_BUFFER_POINTER, _PARAM_BUFFER_SIZE = ctypes.c_void_p(1), ctypes.c_void_p(2)


class CudaError(RuntimeError):
    pass


class Buffer:
    """Device memory with a NumPy shape; Numba and CuPy can look at it as it is."""

    def __init__(self, driver, host):
        self.driver, self.shape, self.dtype, self.nbytes = driver, host.shape, host.dtype, host.nbytes
        self.pointer = ctypes.c_uint64()
        driver.call("cuMemAlloc_v2", ctypes.byref(self.pointer), ctypes.c_size_t(host.nbytes))
        self.write(host)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.pointer.value, False), "version": 3}

    def write(self, host):
        host = np.ascontiguousarray(host)
        self.driver.call("cuMemcpyHtoD_v2", self.pointer, host.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(self.nbytes))

    def fill_bytes(self, byte):
        self.driver.call("cuMemsetD8_v2", self.pointer, ctypes.c_ubyte(byte), ctypes.c_size_t(self.nbytes))

    def read(self):
        host = np.empty(self.shape, self.dtype)
        self.driver.call("cuMemcpyDtoH_v2", host.ctypes.data_as(ctypes.c_void_p), self.pointer, ctypes.c_size_t(self.nbytes))
        return host

    def free(self):
        self.driver.call("cuMemFree_v2", self.pointer)


def pack(args):
    """pykc's argument buffer: each at its natural alignment; an array is its pointer and its shape (layout C)."""
    packed = bytearray()

    def put(value):
        value = np.asarray(value)
        packed.extend(bytes(-len(packed) % value.itemsize))
        packed.extend(value.tobytes())

    for arg in args:
        if isinstance(arg, Buffer):
            put(np.uint64(arg.pointer.value))
            for extent in arg.shape:
                put(np.int64(extent))
        else:
            put(arg)
    return bytes(packed)


class Driver:
    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", ctypes.c_uint(0))
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *args):
        status = getattr(self.library, name)(*args)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(status, ctypes.byref(text))
            raise CudaError(f"{name}: {(text.value or b'error').decode()} ({status})")

    def name(self):
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, 256, self.device)
        return text.value.decode()

    def arch(self):
        """Such as 90."""
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), 75, self.device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, self.device)
        return major.value * 10 + minor.value

    def synchronize(self):
        self.call("cuCtxSynchronize")

    def load_kernel(self, cubin):
        """The only kernel of a cubin."""
        module, count = ctypes.c_void_p(), ctypes.c_uint()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        self.call("cuModuleGetFunctionCount", ctypes.byref(count), module)
        if count.value != 1:
            raise CudaError(f"expected one kernel in the module, found {count.value}")
        functions = (ctypes.c_void_p * 1)()
        self.call("cuModuleEnumerateFunctions", functions, 1, module)
        return ctypes.c_void_p(functions[0])

    def launcher(self, kernel, grid, block, args):
        """A function that launches the kernel with these arguments, doing as little as possible itself."""
        data = pack(args)
        buffer, size = ctypes.create_string_buffer(data, len(data)), ctypes.c_size_t(len(data))
        extra = (ctypes.c_void_p * 5)(
            _PARAM_BUFFER_POINTER, ctypes.addressof(buffer), _PARAM_BUFFER_SIZE, ctypes.addressof(size), None
        )
        dims = [ctypes.c_uint(n) for n in (*grid, *(1,) * (3 - len(grid)), *block, *(1,) * (3 - len(block)))]
        launch = self.library.cuLaunchKernel

        def run(_alive=(buffer, size)):
            status = launch(kernel, *dims, ctypes.c_uint(0), None, None, extra)
            if status:
                self.call("cuLaunchKernel", kernel, *dims, ctypes.c_uint(0), None, None, extra)

        return run

    def event(self):
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), ctypes.c_uint(0))
        return event

    def time_us(self, run, count, events):
        """Microseconds per call, of `count` calls queued behind one more."""
        run()
        self.call("cuEventRecord", events[0], None)
        for _ in range(count):
            run()
        self.call("cuEventRecord", events[1], None)
        self.call("cuEventSynchronize", events[1])
        elapsed = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(elapsed), *events)
        return elapsed.value * 1e3 / count
