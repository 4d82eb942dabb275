#!/usr/bin/env python3
"""Times array functions (@vectorize) against what one would use instead, on a GPU: a naive hand-written kernel, Numba's
ufunc, CuPy's ElementwiseKernel; the roof is a copy within the device's memory.

Each arm's result is checked first, then all are timed by CUDA events, interleaved; a number is the median. Gigabytes are
10^9 bytes of the memory that inputs and output take, in whole sectors. Needs the library that `ninja bench_elementwise` builds. Exit code
1: a wrong result, or (with --strict) a missed goal.
"""
import argparse
import ctypes
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import numba_file  # noqa: E402
from bench import load_numba, nvcc, run  # noqa: E402
from driver import Buffer, CudaError, Driver  # noqa: E402

OF_COPY = {"flat": 0.97, "other": 0.90, "heavy": 0}
ELEMENTS = {"f4": 0, "f8": 1, "i4": 2}
OF_NAIVE = {("f4", "square"): 1.4, ("f4", "plus"): 1.2}


class BenchArray(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("number", ctypes.c_double), ("element", ctypes.c_int), ("is_host", ctypes.c_int),
                ("ndim", ctypes.c_int), ("shape", ctypes.c_longlong * 4), ("strides", ctypes.c_longlong * 4)]


@dataclass
class Operand:
    """Elements of a device buffer: a NumPy view of the same shape and strides on the host says which."""
    buffer: Buffer
    host: np.ndarray
    base: np.ndarray

    @property
    def pointer(self):
        return self.buffer.pointer.value + self.host.__array_interface__["data"][0] - self.base.__array_interface__["data"][0]

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.host.shape, "typestr": self.host.dtype.str, "data": (self.pointer, False), "version": 3,
                "strides": None if self.host.flags.c_contiguous else self.host.strides}

    def c_struct(self):
        array = BenchArray(self.pointer, 0, ELEMENTS[self.host.dtype.str[1:]], 0, self.host.ndim)
        for axis in range(self.host.ndim):
            array.shape[axis], array.strides[axis] = self.host.shape[axis], self.host.strides[axis]
        return array


def moved(host, base):
    """Bytes of the sectors, 32 of memory, in which the elements lie: of every second one all of them."""
    if host.size > base.size:
        return base.nbytes
    gap = min(abs(stride) for stride in host.strides)
    return host.size * min(gap, 32) if gap > host.itemsize else host.nbytes


@dataclass
class Case:
    name: str
    function: str
    dtype: str
    inputs: list          # Operands, and numbers
    out: Operand
    way: str = "flat"     # the goal's row
    is_fast: bool = False
    operations: float = 1  # of an element, each call of math as one

    @property
    def bytes(self):
        """Of what has to be moved: an operand that is broadcast is read once, of one with gaps whole sectors are."""
        return sum(moved(o.host, o.base) for o in [*self.inputs, self.out] if isinstance(o, Operand))

    def expected(self, picks):
        values = [o.host[picks].astype(float) if isinstance(o, Operand) else o for o in self.inputs]
        return {"square": lambda x: x * x, "plus": lambda x, y: x + y, "multiply_add": lambda x, y, z: x * y + z,
                "black_scholes": black_scholes, "mandelbrot": mandelbrot}[self.function](*values)

    def off(self, got, expected):
        """Of how many elements the result is none of the right ones."""
        if self.function == "mandelbrot":  # at the border it depends on the last bit of each step
            return 0 if (got != expected).mean() < 0.01 else int((got != expected).sum())
        tolerance = {"rtol": 1e-3, "atol": 1e-3} if self.way == "heavy" else {"rtol": 1e-6}
        return int((~np.isclose(got, expected, **tolerance)).sum())


def black_scholes(s, x, t):
    def cnd(d):
        k = 1 / (1 + 0.2316419 * abs(d))
        series = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        r = 0.39894228040143267794 * np.exp(-0.5 * d * d) * series
        return np.where(d > 0, 1 - r, r)
    d1 = (np.log(s / x) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * np.sqrt(t))
    return s * cnd(d1) - x * np.exp(-0.02 * t) * cnd(d1 - 0.3 * np.sqrt(t))


def mandelbrot(cr, ci):
    cr, ci = cr.astype(np.float32), ci.astype(np.float32)
    zr, zi, steps = np.zeros_like(cr), np.zeros_like(ci), np.full(cr.shape, 256)
    for k in range(256):
        r2, i2 = zr * zr, zi * zi
        gone = (r2 + i2 > 4) & (steps == 256)
        steps[gone] = k
        # What is gone stays where it is.
        zr, zi = np.where(steps < 256, 0, r2 - i2 + cr), np.where(steps < 256, 0, 2 * zr * zi + ci)
        cr, ci = np.where(steps < 256, 0, cr), np.where(steps < 256, 0, ci)
    return steps


class Cases:
    def __init__(self, driver, megabytes):
        self.driver, self.bytes, self.rng = driver, megabytes << 20, np.random.default_rng(1)

    def array(self, dtype, shape, view=lambda a: a, low=0, high=1):
        base = (low + (high - low) * self.rng.random(shape, dtype=np.float32)).astype(dtype)
        return Operand(Buffer(self.driver, base), view(base), base)

    def all(self):
        for dtype in ("f4", "f8"):
            n = self.bytes // int(dtype[1])
            for function, count in (("square", 1), ("plus", 2), ("multiply_add", 3)):
                yield Case(f"{function} {dtype}", function, dtype, [self.array(dtype, n) for _ in range(count)], self.array(dtype, n),
                           operations=2 if count == 3 else 1)
            side = int(n**0.5) // 64 * 64
            flat = lambda: self.array(dtype, (side, side))  # noqa: E731
            yield Case(f"plus {dtype}, a number", "plus", dtype, [flat(), 2.5], flat(), "other")
            yield Case(f"plus {dtype}, a row", "plus", dtype, [flat(), self.array(dtype, (1, side), lambda a: np.broadcast_to(a, (side, side)))],
                       flat(), "other")
            yield Case(f"plus {dtype}, a column", "plus", dtype,
                       [flat(), self.array(dtype, (side, 1), lambda a: np.broadcast_to(a, (side, side)))], flat(), "other")
            yield Case(f"plus {dtype}, part of rows", "plus", dtype, [flat(), self.array(dtype, (side, side + 64), lambda a: a[:, :side])],
                       flat(), "other")
            yield Case(f"plus {dtype}, every second", "plus", dtype, [flat(), self.array(dtype, (side, 2 * side), lambda a: a[:, ::2])],
                       flat(), "other")
            yield Case(f"plus {dtype}, unaligned", "plus", dtype,
                       [self.array(dtype, n + 1, lambda a: a[1:]), self.array(dtype, n)], self.array(dtype, n), "other")
            yield Case(f"plus {dtype}, transposed", "plus", dtype, [flat(), self.array(dtype, (side, side), lambda a: a.T)], flat(), "other")
        n = self.bytes // 4
        scaled = lambda low, high: self.array("f4", n, low=low, high=high)  # noqa: E731
        for is_fast in (False, True):
            fast = ", fast" if is_fast else ""
            yield Case(f"black_scholes{fast}", "black_scholes", "f4", [scaled(5, 30), scaled(1, 100), scaled(0.25, 10)], self.array("f4", n),
                       "heavy", is_fast, 51)
            yield Case(f"mandelbrot{fast}", "mandelbrot", "f4", [scaled(-2, 1), scaled(-1.5, 1.5)], self.array("i4", n), "heavy", is_fast,
                       8 * 64)

    def small(self):
        return Case("plus f4, 1,000 elements", "plus", "f4", [self.array("f4", 1000), self.array("f4", 1000)], self.array("f4", 1000))


def prepared(case, library):
    operands = [*case.inputs, case.out]
    arrays = (BenchArray * len(operands))(*[o.c_struct() if isinstance(o, Operand) else BenchArray(None, o, ELEMENTS[case.dtype]) for o in operands])
    file = "heavy.pyk" if case.way == "heavy" else "functions.pyk"
    call = library.bench_prepare(os.path.join(HERE, file).encode(), case.function.encode(), len(case.inputs), arrays, case.is_fast)
    if not call or not library.bench_run(ctypes.c_void_p(call)):
        raise SystemExit(f"{case.name}: {library.bench_error().decode()}")
    return ctypes.c_void_p(call)


def pyk_arm(case, library):
    call = prepared(case, library)
    return lambda: library.bench_run(call)


def naive_arm(case, library):
    arrays = [o for o in case.inputs if isinstance(o, Operand)]
    if len(arrays) < len(case.inputs):
        return None
    pointers = [ctypes.c_void_p(o.pointer) for o in [*arrays, case.out]]
    if all(o.host.flags.c_contiguous for o in arrays):
        function = getattr(library, f"naive_{case.function}_{case.dtype}")
        return lambda: function(ctypes.c_longlong(case.out.host.size), *pointers)
    function, size = getattr(library, f"naive_plus_2d_{case.dtype}"), case.out.host.itemsize
    rows, columns = case.out.host.shape
    words = [ctypes.c_int(rows), ctypes.c_int(columns)]
    for operand, pointer in zip(arrays, pointers):
        words += [pointer, *(ctypes.c_longlong(s // size) for s in operand.host.strides)]
    return lambda: function(*words, pointers[-1])


def numba_arm(case, numba, functions):
    if case.is_fast or any(not isinstance(o, Operand) or not o.host.flags.c_contiguous or o.host.ndim != 1 for o in case.inputs):
        return None  # it copies such arrays to the host, or refuses them
    arrays = [numba.as_cuda_array(o) for o in case.inputs]
    out = numba.as_cuda_array(case.out)
    return lambda: functions[case.function](*arrays, out=out)


def cupy_arm(case, cupy):
    body = {"square": "out = x * x", "plus": "out = x + y", "multiply_add": "out = x * y + z"}.get(case.function)
    if not body:
        return None
    kernel = cupy.ElementwiseKernel(", ".join(f"T {n}" for n in "xyz"[:len(case.inputs)]), "T out", body, f"bench_{case.function}")
    arrays = [cupy.asarray(o) if isinstance(o, Operand) else np.dtype(case.dtype).type(o) for o in case.inputs]
    out = cupy.asarray(case.out)
    return lambda: kernel(*arrays, out)


def numba_names(file):
    return numba_file.names_of(os.path.join(HERE, file))


def copy_arm(driver, megabytes):
    source, target = (Buffer(driver, np.zeros(megabytes << 20, np.uint8)) for _ in range(2))
    size = ctypes.c_size_t(megabytes << 20)
    return lambda: driver.call("cuMemcpyDtoDAsync_v2", target.pointer, source.pointer, size, None)


def wrong(case, arm, driver, rng):
    case.out.buffer.fill_bytes(0xFF)
    arm()
    driver.synchronize()
    got = case.out.buffer.read().reshape(case.out.base.shape)
    picks = tuple(rng.integers(0, n, 100000) for n in case.out.host.shape)
    off = case.off(got[picks], case.expected(picks))
    return f"{off} of {picks[0].size} elements off" if off or np.isnan(got).any() else ""


def time_all(arms, driver, rounds):
    events, times = (driver.event(), driver.event()), {name: [] for name in arms}
    names = list(arms)
    count = max(3, min(200, int(4000 / max(1.0, driver.time_us(arms["pyk"], 3, events)))))
    for r in range(rounds):
        for name in names[r % len(names):] + names[: r % len(names)]:
            times[name].append(driver.time_us(arms[name], count, events))
    return {name: statistics.median(t) for name, t in times.items()}


def missed(row, case):
    found = []
    if row["pyk"] < OF_COPY[case.way] * row["copy"]:
        found.append(f"below {OF_COPY[case.way]:.0%} of the copy")
    if case.way != "other" and row["pyk"] < OF_NAIVE.get((case.dtype, case.function), 1.0) * row["naive"]:
        found.append("naive")
    if row.get("numba") and row["pyk"] < row["numba"]:
        found.append("Numba")
    return found


ARMS = ("copy", "naive", "pyk", "numba", "cupy")


def time_small(case, naive, pyk, numba, functions, cupy, driver, rounds):
    """Microseconds of the host for a call, of many in a row."""
    calls, pointers = 1000, [ctypes.c_void_p(o.pointer) for o in [*case.inputs, case.out]]
    call = prepared(case, pyk)
    arms = {"naive": lambda: naive.naive_plus_calls(ctypes.c_int(calls), ctypes.c_longlong(case.out.host.size), *pointers),
            "pyk": lambda: pyk.bench_run_calls(call, ctypes.c_int(calls))}
    for name, arm in (("numba", numba and numba_arm(case, numba, functions)), ("cupy", cupy and cupy_arm(case, cupy))):
        if arm:
            arms[name] = lambda arm=arm: [arm() for _ in range(calls)]
    times = {name: [] for name in arms}
    for _ in range(rounds + 1):
        for name, arm in arms.items():
            driver.synchronize()
            start = time.perf_counter()
            arm()
            times[name].append((time.perf_counter() - start) / calls * 1e6)
            driver.synchronize()
    return {name: statistics.median(t[1:]) for name, t in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=os.path.join(HERE, "..", "..", "build", "release", "lib", "libbench_elementwise.so"))
    parser.add_argument("--megabytes", type=int, default=256, help="of an operand")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", metavar="TEXT", help="cases whose name has it")
    parser.add_argument("--strict", action="store_true", help="a missed goal is a failure")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    try:
        driver = Driver()
    except (OSError, CudaError) as error:
        raise SystemExit(f"elementwise: there is no GPU to time on ({error})") from None
    numba, why = load_numba()
    try:
        import cupy
    except ImportError as error:
        cupy, why = None, why or str(error)
    functions = numba_names("functions.pyk") | numba_names("heavy.pyk") if numba else {}
    pyk = ctypes.CDLL(options.library)
    pyk.bench_prepare.restype, pyk.bench_error.restype = ctypes.c_void_p, ctypes.c_char_p
    print(f"{driver.name()}, sm_{driver.arch()}, {options.megabytes} MiB an operand; GB/s{'; not here: ' + why if why else ''}")
    print(f"{'':26}" + "".join(f"{name:>9}" for name in ARMS) + "   of copy  of naive")
    rows, rng, failed = [], np.random.default_rng(2), False
    with tempfile.TemporaryDirectory() as folder:
        libraries = {}
        for is_fast in (False, True):
            shared = os.path.join(folder, f"libnaive{int(is_fast)}.so")
            run([nvcc(), "-O3", *["-use_fast_math"] * is_fast, f"-arch=sm_{driver.arch()}", "-shared", "-Xcompiler", "-fPIC",
                 os.path.join(HERE, "naive.cu"), "-o", shared])
            libraries[is_fast] = ctypes.CDLL(shared)
        copy = copy_arm(driver, options.megabytes)
        for case in Cases(driver, options.megabytes).all():
            if options.only and options.only not in case.name:
                continue
            arms = {"naive": naive_arm(case, libraries[case.is_fast]), "pyk": pyk_arm(case, pyk)}
            if numba:
                arms["numba"] = numba_arm(case, numba, functions)
            if cupy:
                arms["cupy"] = cupy_arm(case, cupy)
            arms = {name: arm for name, arm in arms.items() if arm}
            faults = {name: text for name, arm in arms.items() if (text := wrong(case, arm, driver, rng))}
            if faults:
                failed = True
                print(f"{case.name:26} WRONG {faults}", flush=True)
            else:
                times = time_all({**arms, "copy": copy}, driver, options.rounds)
                row = {name: (2 * options.megabytes << 20 if name == "copy" else case.bytes) / t / 1e3 for name, t in times.items()}
                goals = missed(row, case)
                failed |= bool(options.strict and goals)
                cells = "".join(f"{row[name]:9.0f}" if name in row else " " * 9 for name in ARMS)
                of_naive = f"{row['pyk'] / row['naive']:9.2f}" if "naive" in row else " " * 9
                print(f"{case.name:26}{cells}{row['pyk'] / row['copy']:10.2f}{of_naive}  {', '.join(goals) or 'ok'}", flush=True)
                rows.append({"case": case.name, "gb_s": row, "missed": goals, "intensity": case.operations * case.out.host.size / case.bytes})
            for operand in [*case.inputs, case.out]:
                if isinstance(operand, Operand):
                    operand.buffer.free()
        if not options.only or options.only in "small":
            case = Cases(driver, options.megabytes).small()
            times = time_small(case, libraries[False], pyk, numba, functions, cupy, driver, options.rounds)
            print(f"{case.name:26} microseconds of the host: " + ", ".join(f"{name} {us:.2f}" for name, us in times.items()))
            rows.append({"case": case.name, "host_us": times, "missed": []})
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": driver.name(), "rows": rows}, file, indent=1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
