"""The C API through ctypes, with nothing but Python's standard library: capi_test.py LIBPYK [gpu]."""
import ctypes as c
import sys

lib = c.CDLL(sys.argv[1])
BACKEND = 1 if sys.argv[2:] == ["gpu"] else 2
FLOAT32, INT64, FLOAT64, NAMED, NONE = 11, 4, 12, 16, 17


class Value(c.Union):
    _fields_ = [("boolean", c.c_int32), ("integer", c.c_int64), ("natural", c.c_uint64), ("real", c.c_double),
                ("complex_parts", c.c_double * 2), ("data", c.c_void_p)]


class Argument(c.Structure):
    _fields_ = [("element", c.c_int32), ("ndim", c.c_int32), ("order", c.c_int32), ("flags", c.c_uint32), ("value", Value),
                ("type", c.c_void_p), ("device", c.c_void_p), ("shape", c.c_int64 * 32), ("strides", c.c_int64 * 32),
                ("reserved", c.c_uint64 * 2)]


class Config(c.Structure):
    _fields_ = [("grid", c.c_uint32 * 3), ("block", c.c_uint32 * 3), ("cluster", c.c_uint32 * 3), ("reserved0", c.c_uint32),
                ("shared_bytes", c.c_uint64), ("stream", c.c_void_p), ("reserved", c.c_uint64 * 4)]


class Finding(c.Structure):
    _fields_ = [("severity", c.c_char_p), ("id", c.c_char_p), ("text", c.c_char_p), ("file", c.c_char_p), ("line", c.c_int32),
                ("column", c.c_int32), ("reserved", c.c_uint64 * 2)]


lib.pyk_version.restype = lib.pyk_error_message.restype = lib.pyk_kernel_param_name.restype = c.c_char_p
lib.pyk_error_message.argtypes = lib.pyk_error_free.argtypes = [c.c_void_p]
lib.pyk_error_get_kind.argtypes = lib.pyk_error_finding_count.argtypes = [c.c_void_p]
lib.pyk_error_finding.argtypes = [c.c_void_p, c.c_size_t, c.c_void_p]
lib.pyk_error_finding_count.restype = c.c_size_t
for name in ("backend_check", "options_create", "options_set", "options_on_warning", "options_on_print", "type_named", "kernel_specializations", "specializations_text",
             "device_synchronize", "load_text", "module_kernel", "launch",
             "device_cpu", "device_get", "buffer_allocate", "buffer_upload", "buffer_download", "stream_synchronize"):
    getattr(lib, "pyk_" + name).restype = c.c_void_p
lib.pyk_buffer_address.restype = lib.pyk_buffer_device.restype = c.c_void_p
lib.pyk_type_named.argtypes = [c.c_char_p, c.c_uint64, c.c_uint64, c.c_void_p]
PRINT = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p, c.c_size_t)
WARNING = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_char_p)


class Error(Exception):
    def __init__(self, error):
        self.kind = lib.pyk_error_get_kind(error)
        self.findings = []
        for i in range(lib.pyk_error_finding_count(error)):
            finding = Finding()
            assert lib.pyk_error_finding(error, i, c.byref(finding)) == 1
            self.findings.append((finding.file, finding.line, finding.column, finding.id))
        super().__init__(lib.pyk_error_message(error).decode())
        lib.pyk_error_free(error)


def ok(error):
    if error:
        raise Error(error)


def made(function, *arguments):
    out = c.c_void_p()
    ok(function(*arguments, c.byref(out)))
    return out


def real(element, value):
    argument = Argument(element=element)
    argument.value.real = value
    return argument


def array(element, data, size, device=None):
    argument = Argument(element=element, ndim=1, device=device)
    argument.value.data = data
    argument.shape[0] = size
    return argument


def launch(kernel, blocks, threads, *arguments):
    config = Config()
    config.grid[0], config.block[0] = blocks, threads
    ok(lib.pyk_launch(kernel, c.byref(config), (Argument * len(arguments))(*arguments), c.c_size_t(len(arguments))))


TEXT = b"""from numba import cuda

@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]

@cuda.jit
def race(x):
    x[0] += cuda.grid(1)

@cuda.jit
def later(t, d, n):
    print("None", n is None)
    t[0] = t[1] + d

@cuda.jit
def bad(x):
    x[0] = nothing
"""


def main():
    try:
        ok(lib.pyk_backend_check(BACKEND))
    except Error as missing:
        print(f"SKIPPED: {missing}")
        return
    assert lib.pyk_version().count(b".") == 2
    told = []
    on_warning = WARNING(lambda context, category, text: told.append((category, text)))
    options = made(lib.pyk_options_create)
    for option, value in ((0, BACKEND), (10, 0)):
        ok(lib.pyk_options_set(options, option, c.c_int64(value)))
    ok(lib.pyk_options_on_warning(options, on_warning, None, None))
    printed = []
    on_print = PRINT(lambda context, text, size: printed.append(c.string_at(text, size)))
    ok(lib.pyk_options_on_print(options, on_print, None, None))
    module = made(lib.pyk_load_text, b"kernels.pyk", TEXT, options)
    lib.pyk_options_free(options)

    saxpy = made(lib.pyk_module_kernel, module, b"saxpy")
    assert [lib.pyk_kernel_param_name(saxpy, c.c_size_t(i)) for i in range(4)] == [b"a", b"x", b"y", None]
    n = 1000
    x, y = (c.c_float * n)(*range(n)), (c.c_float * n)(*[1] * n)
    launch(saxpy, 4, 256, real(FLOAT32, 2), array(FLOAT32, c.addressof(x), n), array(FLOAT32, c.addressof(y), n))
    assert list(y) == [2 * i + 1 for i in range(n)]

    device = made(lib.pyk_device_cpu) if BACKEND == 2 else made(lib.pyk_device_get, 0)
    size = c.sizeof(c.c_float) * n
    buffer = made(lib.pyk_buffer_allocate, device, c.c_uint64(size), 0, None)
    ok(lib.pyk_buffer_upload(buffer, c.c_uint64(0), x, c.c_uint64(size), None))
    there = array(FLOAT32, lib.pyk_buffer_address(buffer), n, lib.pyk_buffer_device(buffer))
    launch(saxpy, 4, 256, real(FLOAT32, 3), there, there)
    ok(lib.pyk_buffer_download(buffer, c.c_uint64(0), y, c.c_uint64(size), None))
    ok(lib.pyk_stream_synchronize(None))
    assert list(y) == [4 * i for i in range(n)]
    lib.pyk_buffer_free(buffer)

    later = made(lib.pyk_module_kernel, module, b"later")
    times = (c.c_int64 * 2)(0, 100)
    step = c.c_int64(30)
    t = array(NAMED, c.addressof(times), 2)
    t.type = made(lib.pyk_type_named, b"datetime64[s]", 8, 8)
    d = Argument(element=NAMED, type=made(lib.pyk_type_named, b"timedelta64[s]", 8, 8))
    d.value.data = c.addressof(step)
    launch(later, 1, 1, t, d, Argument(element=NONE))
    ok(lib.pyk_device_synchronize(device))
    assert times[0] == 130 and printed == [b"None True\n"], (times[0], printed)
    made_so_far = made(lib.pyk_kernel_specializations, later)
    text = c.c_char_p()
    ok(lib.pyk_specializations_text(made_so_far, c.c_size_t(0), 0, c.byref(text)))
    assert b"datetime64[s]" in text.value, text.value
    lib.pyk_specializations_free(made_so_far)

    bad = made(lib.pyk_module_kernel, module, b"bad")
    try:
        launch(bad, 1, 1, array(FLOAT32, c.addressof(x), n))
        raise AssertionError("it has to fail")
    except Error as error:
        assert error.kind == 1 and error.findings == [(b"kernels.pyk", 20, 12, b"unknown-name")], error.findings

    assert told == [] or BACKEND == 1
    race = made(lib.pyk_module_kernel, module, b"race")
    launch(race, 1, 1, array(FLOAT32, c.addressof(x), n))
    assert [b"[race]" in text for category, text in told if category == b"compile"] == [True], told
    for kernel in (saxpy, later, bad, race):
        lib.pyk_kernel_free(kernel)
    lib.pyk_module_free(module)


main()
