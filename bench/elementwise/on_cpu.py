#!/usr/bin/env python3
"""Times array functions on the CPU, all cores, against Numba's (`target="parallel"`) and NumExpr on the same cores; the
roof is NumPy's copy by one thread. Results are checked first, then the arms take turns; a number is the median. Gigabytes
are 10^9 bytes that the elements of inputs and output have. Needs the library that `ninja bench_elementwise` builds, NumPy,
and what is there of Numba and NumExpr. Exit code 1: a wrong result, or (with --strict) a missed goal: either of the two.
"""
import argparse
import ctypes
import json
import os
import statistics
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

from elementwise import ELEMENTS, BenchArray, numba_names  # noqa: E402

CASES = [  # function, element, numbers behind the arrays, NumExpr, NumPy
    ("plus", "f4", 2, [], "x + y", lambda x, y: x + y),
    ("plus", "f8", 2, [], "x + y", lambda x, y: x + y),
    ("multiply_add", "f8", 3, [], "x * y + z", lambda x, y, z: x * y + z),
    ("polynomial", "f8", 1, [], "1 + x * (0.5 + x * (0.25 + x * (0.125 + x * (0.0625 + x * 0.03125))))",
     lambda x: 1 + x * (0.5 + x * (0.25 + x * (0.125 + x * (0.0625 + x * 0.03125))))),
    ("distance", "f8", 2, [], "sqrt(x * x + y * y)", np.hypot),
    ("gauss", "f8", 1, [0.25, 1.5], "exp(-0.5 * ((x - 0.25) / 1.5) ** 2)", lambda x: np.exp(-0.5 * ((x - 0.25) / 1.5) ** 2)),
]


def host_array(array):
    c = BenchArray(array.ctypes.data, 0, ELEMENTS[array.dtype.str[1:]], 1, array.ndim)
    for axis in range(array.ndim):
        c.shape[axis], c.strides[axis] = array.shape[axis], array.strides[axis]
    return c


def arms_of(case, arrays, out, library, numba_functions, numexpr):
    function, _, _, numbers, expression, _ = case
    operands = (BenchArray * (len(arrays) + len(numbers) + 1))(
        *map(host_array, arrays), *(BenchArray(None, n, 1, 1, 0) for n in numbers), host_array(out))
    call = library.bench_prepare(os.path.join(HERE, "cpu_functions.pyk").encode(), function.encode(), len(operands) - 1, operands, 0)
    if not call or not library.bench_run(ctypes.c_void_p(call)):
        raise SystemExit(f"{function}: {library.bench_error().decode()}")
    arms = {"pyk": lambda: library.bench_run(ctypes.c_void_p(call))}
    if numba_functions:
        arms["numba"] = lambda: numba_functions[function](*arrays, *numbers, out=out)
    if numexpr:
        names = dict(zip("xyz", arrays))
        arms["numexpr"] = lambda: numexpr.evaluate(expression, local_dict=names, out=out)
    return arms


def seconds(arm):
    start = time.perf_counter()
    arm()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=os.path.join(HERE, "..", "..", "build", "release", "lib", "libbench_elementwise.so"))
    parser.add_argument("--megabytes", type=int, default=256, help="of an array")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--strict", action="store_true", help="a missed goal is a failure")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    functions, numexpr, missing = {}, None, []
    try:
        functions = numba_names("cpu_functions.pyk")
    except ImportError as error:
        missing.append(str(error))
    try:
        import numexpr
        numexpr.set_num_threads(len(os.sched_getaffinity(0)))
    except ImportError as error:
        missing.append(str(error))
    library = ctypes.CDLL(options.library)
    library.bench_prepare.restype, library.bench_error.restype = ctypes.c_void_p, ctypes.c_char_p
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores, {options.megabytes} MiB an array; GB/s" + "".join(f"; not here: {why}" for why in missing))
    print(f"{'':20}{'copy':>9}{'pyk':>9}{'numba':>9}{'numexpr':>9}")
    rng, rows, failed = np.random.default_rng(1), [], False
    for case in CASES:
        name, element, inputs = f"{case[0]} {case[1]}", case[1], case[2]
        n = (options.megabytes << 20) // int(element[1])
        arrays, out = [rng.random(n).astype(element) for _ in range(inputs)], np.empty(n, element)
        arms = arms_of(case, arrays, out, library, functions, numexpr)
        expected, wrong = case[5](*arrays), {}
        for arm, run in arms.items():
            out[:] = np.nan
            run()
            off = np.count_nonzero(~np.isclose(out, expected, rtol=1e-5 if element == "f4" else 1e-12))
            if off:
                wrong[arm] = f"{off} elements off"
        if wrong:
            failed = True
            print(f"{name:20} WRONG {wrong}", flush=True)
            continue
        arms["copy"] = lambda: np.copyto(out, arrays[0])
        times = {arm: [] for arm in arms}
        for _ in range(options.rounds):
            for arm, run in arms.items():
                times[arm].append(seconds(run))
        moved = {arm: (2 if arm == "copy" else inputs + 1) * out.nbytes for arm in arms}
        row = {arm: moved[arm] / statistics.median(t) / 1e9 for arm, t in times.items()}
        missed = [arm for arm in ("numba", "numexpr") if row["pyk"] < row.get(arm, 0)]
        failed |= bool(options.strict and missed)
        cells = "".join(f"{row[arm]:9.1f}" if arm in row else " " * 9 for arm in ("copy", "pyk", "numba", "numexpr"))
        print(f"{name:20}{cells}  {', '.join('behind ' + arm for arm in missed) or 'ok'}", flush=True)
        rows.append({"case": name, "gb_s": row, "missed": missed})
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": f"{cores} cores", "rows": rows}, file, indent=1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
