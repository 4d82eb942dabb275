#!/usr/bin/env python3
"""Times array functions for parts of arrays (@guvectorize) against a hand-written kernel and Numba's own, on a GPU; the roof
is a copy within the device's memory.

Each arm's result is checked first, then all are timed by CUDA events, interleaved; a number is the median. Gigabytes are
10^9 bytes that the elements of inputs and output have. Needs the library that `ninja bench_elementwise` builds. Exit code
1: a wrong result, or (with --strict) a missed goal: 0.9 of the hand-written one, twice Numba's.
"""
import argparse
import ctypes
import json
import os
import statistics
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "elementwise"))

import numba_file  # noqa: E402
from bench import load_numba, nvcc, run  # noqa: E402
from driver import Buffer, CudaError, Driver  # noqa: E402
from elementwise import BenchArray, Operand, copy_arm  # noqa: E402

ARMS = ("copy", "by hand", "pyk", "numba")
OF_HAND, OF_NUMBA = 0.9, 2.0


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


REFERENCE = {"softmax": softmax, "matmul": np.matmul, "norm": lambda x: np.sqrt((x * x).sum(axis=-1))}


class Case:
    def __init__(self, driver, name, function, by_hand, shapes, out_shape, rng):
        self.name, self.function, self.by_hand = name, function, by_hand
        self.inputs = [self.operand(driver, rng.random(shape, dtype=np.float32)) for shape in shapes]
        self.out = self.operand(driver, np.zeros(out_shape, np.float32))

    @staticmethod
    def operand(driver, base):
        return Operand(Buffer(driver, base), base, base)

    @property
    def operands(self):
        return [*self.inputs, self.out]

    @property
    def bytes(self):
        return sum(o.host.nbytes for o in self.operands)


def cases(driver, megabytes, only):
    rng, elements = np.random.default_rng(1), (megabytes << 20) // 4
    wanted = []
    for columns in (16, 64, 128, 256, 1000, 8192, 32768):
        rows = elements // columns
        wanted.append((f"softmax, rows of {columns}", "softmax", "softmax", [(rows, columns)], (rows, columns)))
        wanted.append((f"norm, rows of {columns}", "norm", "norm", [(rows, columns)], (rows,)))
    for n in (4, 8):
        shape = (elements // (n * n), n, n)
        wanted.append((f"matmul, {n} x {n}", "matmul", f"matmul_{n}", [shape, shape], shape))
    for case in wanted:
        if not only or only in case[0]:
            yield Case(driver, *case, rng)


def pyk_arm(case, library):
    arrays = (BenchArray * len(case.operands))(*[o.c_struct() for o in case.operands])
    call = library.bench_prepare_parts(os.path.join(HERE, "functions.pyk").encode(), case.function.encode(), len(case.operands), arrays)
    if not call or not library.bench_run_parts(ctypes.c_void_p(call)):
        raise SystemExit(f"{case.name}: {library.bench_error().decode()}")
    return lambda: library.bench_run_parts(ctypes.c_void_p(call))


def hand_arm(case, library):
    function = getattr(library, f"by_hand_{case.by_hand}")
    rows = ctypes.c_int(case.inputs[0].host.shape[0])
    sizes = [rows] if case.function == "matmul" else [rows, ctypes.c_int(case.inputs[0].host.shape[1])]
    pointers = [ctypes.c_void_p(o.pointer) for o in case.operands]
    return lambda: function(*sizes, *pointers)


def numba_arm(case, numba, functions):
    arrays = [numba.as_cuda_array(o) for o in case.operands]
    return lambda: functions[case.function](*arrays[:-1], out=arrays[-1])


def wrong(case, arm, driver):
    case.out.buffer.fill_bytes(0xFF)
    arm()
    driver.synchronize()
    got = case.out.buffer.read().reshape(case.out.base.shape)
    picks = np.random.default_rng(2).integers(0, got.shape[0], 1000)
    expected = REFERENCE[case.function](*[o.host[picks].astype(float) for o in case.inputs])
    off = np.flatnonzero(~np.isclose(got[picks], expected, rtol=1e-4))
    return f"{off.size} of {expected.size} elements off" if off.size or np.isnan(got).any() else ""


def time_all(arms, driver, rounds):
    events, times = (driver.event(), driver.event()), {name: [] for name in arms}
    counts = {name: max(1, min(200, int(4000 / max(1.0, driver.time_us(arm, 3, events))))) for name, arm in arms.items()}
    names = list(arms)
    for r in range(rounds):
        for name in names[r % len(names):] + names[: r % len(names)]:
            times[name].append(driver.time_us(arms[name], counts[name], events))
    return {name: statistics.median(t) for name, t in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=os.path.join(HERE, "..", "..", "build", "release", "lib", "libbench_elementwise.so"))
    parser.add_argument("--megabytes", type=int, default=256, help="of an input")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--only", metavar="TEXT", help="cases whose name has it")
    parser.add_argument("--strict", action="store_true", help="a missed goal is a failure")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    try:
        driver = Driver()
    except (OSError, CudaError) as error:
        raise SystemExit(f"parts: there is no GPU to time on ({error})") from None
    numba, why = load_numba()
    functions = {}
    if numba:
        functions = numba_file.names_of(os.path.join(HERE, "functions.pyk"))
    pyk = ctypes.CDLL(options.library)
    pyk.bench_prepare_parts.restype, pyk.bench_error.restype = ctypes.c_void_p, ctypes.c_char_p
    print(f"{driver.name()}, sm_{driver.arch()}, {options.megabytes} MiB an input; GB/s{'; not here: ' + why if why else ''}")
    print(f"{'':26}" + "".join(f"{name:>9}" for name in ARMS) + "   of hand  of numba")
    rows, failed = [], False
    with tempfile.TemporaryDirectory() as folder:
        shared = os.path.join(folder, "libbyhand.so")
        run([nvcc(), "-O3", f"-arch=sm_{driver.arch()}", "-shared", "-Xcompiler", "-fPIC", os.path.join(HERE, "by_hand.cu"), "-o", shared])
        by_hand, copy = ctypes.CDLL(shared), copy_arm(driver, options.megabytes)
        for case in cases(driver, options.megabytes, options.only):
            arms = {"by hand": hand_arm(case, by_hand), "pyk": pyk_arm(case, pyk)}
            if numba:
                arms["numba"] = numba_arm(case, numba, functions)
            faults = {name: text for name, arm in arms.items() if (text := wrong(case, arm, driver))}
            if faults:
                failed = True
                print(f"{case.name:26} WRONG {faults}", flush=True)
            else:
                times = time_all({**arms, "copy": copy}, driver, options.rounds)
                row = {name: (2 * options.megabytes << 20 if name == "copy" else case.bytes) / t / 1e3 for name, t in times.items()}
                goals = ["by hand"] if row["pyk"] < OF_HAND * row["by hand"] else []
                goals += ["Numba"] if row["pyk"] < OF_NUMBA * row.get("numba", 0) else []
                failed |= bool(options.strict and goals)
                cells = "".join(f"{row[name]:9.0f}" if name in row else " " * 9 for name in ARMS)
                of_numba = f"{row['pyk'] / row['numba']:10.2f}" if "numba" in row else " " * 10
                print(f"{case.name:26}{cells}{row['pyk'] / row['by hand']:10.2f}{of_numba}  {', '.join(goals) or 'ok'}", flush=True)
                rows.append({"case": case.name, "gb_s": row, "missed": goals})
            for operand in case.operands:
                operand.buffer.free()
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": driver.name(), "rows": rows}, file, indent=1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
