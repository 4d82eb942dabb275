#!/usr/bin/env python3
"""Times functions of whole arrays (`@njit(parallel=True)`) on the CPU, all cores, against Numba and NumExpr on the same cores.
Each library has processes of its own, as threads that wait for work take the cores from others; the processes take turns.
Each checks its results first, then warms up and is timed call by call, ours from C++ and the others from Python, as who uses them
calls them; every call makes its result anew, or stores it where it says. A number is the median of all calls, in microseconds,
and behind it are the least and the quartiles. Needs the library that `ninja bench_whole_arrays` builds, NumPy, and what is there
of Numba and NumExpr. Exit code 1: a wrong result, or (with --strict) a missed goal: either of the two.
"""
import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import numba_file  # noqa: E402

FILE = os.path.join(HERE, "functions.pyk")
POLYNOMIAL = "1 + x * (0.5 + x * (0.25 + x * (0.125 + x * (0.0625 + x * 0.03125))))"
CASES = {  # function: inputs, what it gives, NumExpr, NumPy
    "plus": (2, "array", "x + y", lambda x, y: x + y),
    "multiply_add": (3, "array", "x * y + z", lambda x, y, z: x * y + z),
    "polynomial": (1, "array", POLYNOMIAL, lambda x: eval(POLYNOMIAL)),
    "distance": (2, "array", "sqrt(x * x + y * y)", np.hypot),
    "gauss": (1, "array", "exp(-0.5 * ((x - 0.25) / 1.5) ** 2)", lambda x: np.exp(-0.5 * ((x - 0.25) / 1.5) ** 2)),
    "chosen": (2, "array", "where(x > y, x - y, 2 * y)", lambda x, y: np.where(x > y, x - y, 2 * y)),
    "squares": (2, "number", "sum((x - y) ** 2)", lambda x, y: np.sum((x - y) ** 2)),
    "mean": (1, "number", None, np.mean),
    "greatest": (1, "number", "max(x)", np.max),
    # These store to the first of their arguments.
    "into": (3, "nothing", "y * z + 1.0", lambda x, y, z: y * z + 1.0),
    "add_to": (3, "nothing", "x + y * z", lambda x, y, z: x + y * z),
    "into_on_one_core": (3, "nothing", None, lambda x, y, z: y * z + 1.0),
    "plus_on_one_core": (2, "array", None, lambda x, y: x + y),
}
ARMS = ("pyk", "numba", "numexpr")
SECONDS_OF_A_TURN, MOST_CALLS = 0.25, 400


def pyk_arm(library):
    library.whole_prepare.restype, library.whole_error.restype = ctypes.c_void_p, ctypes.c_char_p
    library.whole_run.restype, library.whole_time.restype = ctypes.POINTER(ctypes.c_double), ctypes.c_double

    def arm_of(name, arrays):
        inputs, gives, _, _ = CASES[name]
        call = ctypes.c_void_p(library.whole_prepare(FILE.encode(), name.encode(), inputs, gives.encode()))
        pointers, n = (ctypes.c_void_p * inputs)(*(a.ctypes.data for a in arrays)), ctypes.c_longlong(arrays[0].size)
        result = call and library.whole_run(call, pointers, n)
        if not result:
            raise SystemExit(f"{name}: {library.whole_error().decode()}")
        found = np.ctypeslib.as_array(result, (1 if gives == "number" else arrays[0].size,)).copy()
        return found, lambda: library.whole_time(call, pointers, n)

    return arm_of


def called_from_python(run):
    """The microseconds that `run` takes."""
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1e6


def numba_arm():
    functions = numba_file.names_of(FILE)

    def arm_of(name, arrays):
        found = functions[name](*arrays)
        return arrays[0].copy() if found is None else found, lambda: called_from_python(lambda: functions[name](*arrays))

    return arm_of


def numexpr_arm():
    import numexpr
    numexpr.set_num_threads(len(os.sched_getaffinity(0)))

    def arm_of(name, arrays):
        if not CASES[name][2]:
            return None, None
        names, out = dict(zip("xyz", arrays)), arrays[0] if CASES[name][1] == "nothing" else None
        run = lambda: numexpr.evaluate(CASES[name][2], local_dict=names, out=out)  # noqa: E731
        return run().copy(), lambda: called_from_python(run)

    return arm_of


def times_of(timed_call):
    for _ in range(3):
        timed_call()
    times, end = [], time.perf_counter() + SECONDS_OF_A_TURN
    while len(times) < 5 or (len(times) < MOST_CALLS and time.perf_counter() < end):
        times.append(timed_call())
    return times


def work(arm, library, sizes):
    """One library's process: prints the times of its calls by case, or what is wrong."""
    try:
        arm_of = {"pyk": lambda: pyk_arm(ctypes.CDLL(library)), "numba": numba_arm, "numexpr": numexpr_arm}[arm]()
    except ImportError as error:
        return print(json.dumps({"missing": str(error)}))
    rng, times, wrong = np.random.default_rng(1), {}, {}
    for n in sizes:
        arrays = [rng.random(n) for _ in range(3)]
        for name, (inputs, gives, _, expected) in CASES.items():
            right = expected(*arrays[:inputs])
            own = [a.copy() if k == 0 and gives == "nothing" else a for k, a in enumerate(arrays[:inputs])]
            found, timed_call = arm_of(name, own)
            if timed_call is None:
                continue
            case = f"{name} {n:.0e}"
            if not np.allclose(found, right, rtol=1e-10):
                wrong[case] = "other values than NumPy's"
            del found, right
            times[case] = times_of(timed_call)
    print(json.dumps({"times": times, "wrong": wrong}))


def gathered(options, sizes):
    """Per arm the times of all processes; and what was wrong."""
    times, wrong, missing = {}, {}, {}
    for _ in range(options.turns):
        for arm in ARMS:
            if arm in missing:
                continue
            command = [sys.executable, "-B", __file__, "--library", options.library, "--sizes", options.sizes, "--arm", arm]
            told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            if "missing" in told:
                missing[arm] = told["missing"]
                continue
            wrong.update({f"{arm}: {case}": why for case, why in told["wrong"].items()})
            for case, some in told["times"].items():
                times.setdefault(case, {}).setdefault(arm, []).extend(some)
    return times, wrong, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=os.path.join(HERE, "..", "..", "build", "release", "lib", "libbench_whole_arrays.so"))
    parser.add_argument("--sizes", default="1e4,1e5,1e6,1e7", help="elements of an array, of 8 bytes each")
    parser.add_argument("--turns", type=int, default=3, help="processes of each library")
    parser.add_argument("--strict", action="store_true", help="a missed goal is a failure")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--arm", choices=ARMS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = [int(float(size)) for size in options.sizes.split(",")]
    if options.arm:
        return work(options.arm, options.library, sizes)
    cores = len(os.sched_getaffinity(0))
    times, wrong, missing = gathered(options, sizes)
    print(f"{cores} cores; microseconds (the least; quartiles)" + "".join(f"; not here: {why}" for why in missing.values()))
    print(f"{'':20}" + "".join(f"{arm:>32}" for arm in ARMS))
    rows = []
    for case, arms in times.items():
        row = {arm: statistics.median(some) for arm, some in arms.items()}
        spread = {arm: [float(q) for q in np.percentile(some, [0, 25, 75])] for arm, some in arms.items()}
        missed = [arm for arm in ARMS if row["pyk"] > row.get(arm, row["pyk"])]
        cells = "".join("{:.0f} ({:.0f}; {:.0f} … {:.0f})".format(row[arm], *spread[arm]).rjust(32) if arm in row else " " * 32 for arm in ARMS)
        print(f"{case:20}{cells}  {', '.join('behind ' + arm for arm in missed) or 'ok'}", flush=True)
        rows.append({"case": case, "us": row, "least_and_quartiles": spread, "missed": missed})
    for case, why in wrong.items():
        print(f"WRONG {case}: {why}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"device": f"{cores} cores", "rows": rows}, file, indent=1)
    return int(bool(wrong) or (options.strict and any(row["missed"] for row in rows)))


if __name__ == "__main__":
    sys.exit(main())
