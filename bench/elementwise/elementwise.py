#!/usr/bin/env python3
"""Times array functions (@vectorize) against what one would use instead, on a GPU: a naive hand-written kernel, Numba's
ufunc, CuPy's ElementwiseKernel; the roof is a copy within the device's memory.

Each arm's result is checked first, then all are timed by CUDA events, interleaved; a number is the median. Gigabytes are
10^9 bytes that the elements of inputs and output have. Needs the library that `ninja bench_elementwise` builds. Exit code
1: a wrong result, or (with --strict) a missed goal.
"""
import argparse
import ctypes
import json
import os
import statistics
import sys
import tempfile
from dataclasses import dataclass, field

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from bench import load_numba, nvcc, run  # noqa: E402
from driver import Buffer, CudaError, Driver  # noqa: E402

OF_COPY = {"flat": 0.97, "other": 0.90}
OF_NAIVE = {("f4", "square"): 1.4, ("f4", "plus"): 1.2}


class BenchArray(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("number", ctypes.c_double), ("is_double", ctypes.c_int), ("ndim", ctypes.c_int),
                ("shape", ctypes.c_longlong * 4), ("strides", ctypes.c_longlong * 4)]


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
        array = BenchArray(self.pointer, 0, self.host.dtype == np.float64, self.host.ndim)
        for axis in range(self.host.ndim):
            array.shape[axis], array.strides[axis] = self.host.shape[axis], self.host.strides[axis]
        return array


@dataclass
class Case:
    name: str
    function: str
    dtype: str
    inputs: list          # Operands, and numbers
    out: Operand
    way: str = "flat"     # the goal's row
    arms: dict = field(default_factory=dict)

    @property
    def bytes(self):
        """Of what has to be moved: an operand that is broadcast is read once."""
        return sum(o.base.nbytes if o.host.size > o.base.size else o.host.nbytes for o in [*self.inputs, self.out]
                   if isinstance(o, Operand))

    def expected(self, picks):
        values = [o.host[picks].astype(float) if isinstance(o, Operand) else o for o in self.inputs]
        return {"square": lambda x: x * x, "plus": lambda x, y: x + y, "multiply_add": lambda x, y, z: x * y + z}[self.function](*values)


class Cases:
    def __init__(self, driver, megabytes):
        self.driver, self.bytes, self.rng = driver, megabytes << 20, np.random.default_rng(1)

    def array(self, dtype, shape, view=lambda a: a):
        base = self.rng.random(shape, dtype=np.float32).astype(dtype)
        return Operand(Buffer(self.driver, base), view(base), base)

    def all(self):
        for dtype in ("f4", "f8"):
            n = self.bytes // int(dtype[1])
            for function, count in (("square", 1), ("plus", 2), ("multiply_add", 3)):
                yield Case(f"{function} {dtype}", function, dtype, [self.array(dtype, n) for _ in range(count)], self.array(dtype, n))
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


def pyk_arm(case, library):
    operands = [*case.inputs, case.out]
    arrays = (BenchArray * len(operands))(*[o.c_struct() if isinstance(o, Operand) else BenchArray(None, o, case.dtype == "f8") for o in operands])
    call = library.bench_prepare(os.path.join(HERE, "functions.pyk").encode(), case.function.encode(), len(case.inputs), arrays)
    if not call or not library.bench_run(ctypes.c_void_p(call)):
        raise SystemExit(f"{case.name}: {library.bench_error().decode()}")
    return lambda: library.bench_run(ctypes.c_void_p(call))


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
    if any(not isinstance(o, Operand) or not o.host.flags.c_contiguous or o.host.ndim != 1 for o in case.inputs):
        return None  # it copies such arrays to the host, or refuses them
    arrays = [numba.as_cuda_array(o) for o in case.inputs]
    out = numba.as_cuda_array(case.out)
    return lambda: functions[case.function](*arrays, out=out)


def cupy_arm(case, cupy):
    body = {"square": "out = x * x", "plus": "out = x + y", "multiply_add": "out = x * y + z"}[case.function]
    kernel = cupy.ElementwiseKernel(", ".join(f"T {n}" for n in "xyz"[:len(case.inputs)]), "T out", body, f"bench_{case.function}")
    arrays = [cupy.asarray(o) if isinstance(o, Operand) else np.dtype(case.dtype).type(o) for o in case.inputs]
    out = cupy.asarray(case.out)
    return lambda: kernel(*arrays, out)


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
    off = np.flatnonzero(~np.isclose(got[picks], case.expected(picks), rtol=1e-6))
    return f"{off.size} of {picks[0].size} elements off" if off.size or np.isnan(got).any() else ""


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
    if case.way == "flat" and row["pyk"] < OF_NAIVE.get((case.dtype, case.function), 1.0) * row["naive"]:
        found.append("naive")
    if row.get("numba") and row["pyk"] < row["numba"]:
        found.append("Numba")
    return found


ARMS = ("copy", "naive", "pyk", "numba", "cupy")


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
    functions = {}
    if numba:
        import importlib.machinery
        import importlib.util
        loader = importlib.machinery.SourceFileLoader("functions", os.path.join(HERE, "functions.pyk"))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("functions", loader))
        sys.dont_write_bytecode = True
        loader.exec_module(module)
        functions = vars(module)
    pyk = ctypes.CDLL(options.library)
    pyk.bench_prepare.restype, pyk.bench_error.restype = ctypes.c_void_p, ctypes.c_char_p
    print(f"{driver.name()}, sm_{driver.arch()}, {options.megabytes} MiB an operand; GB/s{'; not here: ' + why if why else ''}")
    print(f"{'':26}" + "".join(f"{name:>9}" for name in ARMS) + "   of copy  of naive")
    rows, rng, failed = [], np.random.default_rng(2), False
    with tempfile.TemporaryDirectory() as folder:
        shared = os.path.join(folder, "libnaive.so")
        run([nvcc(), "-O3", f"-arch=sm_{driver.arch()}", "-shared", "-Xcompiler", "-fPIC", os.path.join(HERE, "naive.cu"), "-o", shared])
        naive, copy = ctypes.CDLL(shared), copy_arm(driver, options.megabytes)
        for case in Cases(driver, options.megabytes).all():
            if options.only and options.only not in case.name:
                continue
            arms = {"naive": naive_arm(case, naive), "pyk": pyk_arm(case, pyk)}
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
                rows.append({"case": case.name, "gb_s": row, "missed": goals})
            for operand in [*case.inputs, case.out]:
                if isinstance(operand, Operand):
                    operand.buffer.free()
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
