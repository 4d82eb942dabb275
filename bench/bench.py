#!/usr/bin/env python3
"""Times kernels written as .pyk against the hand-written ones of ref.cu and against Numba, on a GPU.

Three arms over the same buffers, results checked first, then timed by CUDA events, interleaved: every round times each
arm once, in turning order; a ratio is the median of the rounds' ratios. Goals: at most 1.02 of the hand-written time, and
never behind Numba. Exit code 1: a wrong result, or (with --strict) a missed goal.
"""
import argparse
import ctypes
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import warnings

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import cases  # noqa: E402
import numba_file  # noqa: E402
from driver import Buffer, CudaError, Driver  # noqa: E402

HAND_WRITTEN_GOAL = 1.02


def load_numba():
    """numba.cuda, or None and why."""
    for name in ("row_stack", "in1d", "trapz"):  # numba-cuda 0.30.4 looks them up, NumPy 2.5 dropped them
        if not hasattr(np, name):
            setattr(np, name, lambda *args, **kwargs: None)
    try:
        from numba import cuda
    except ImportError as error:
        return None, str(error)
    warnings.filterwarnings("ignore", module="numba")
    return cuda, ""


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}exit code {done.returncode}")
    return done.stdout


def nvcc():
    found = os.environ.get("PYK_NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.access(found, os.X_OK):
        raise SystemExit("bench: nvcc is needed to build the hand-written arm; put it in PATH or in $PYK_NVCC")
    return found


def build_reference(arch, folder):
    library = os.path.join(folder, "libref.so")
    run([nvcc(), "-O3", f"-arch=sm_{arch}", "-shared", "-Xcompiler", "-fPIC", os.path.join(HERE, "ref.cu"), "-o", library])
    return ctypes.CDLL(library)


def reference_arm(case, args, library):
    function = getattr(library, case.ref)
    function.restype = None
    kinds = {"float32": ctypes.c_float, "float64": ctypes.c_double, "int32": ctypes.c_int, "int64": ctypes.c_int64}

    def as_c(arg):
        if not isinstance(arg, int):
            return arg
        value = args[arg]
        return ctypes.c_void_p(value.pointer.value) if isinstance(value, Buffer) else kinds[str(value.dtype)](value)

    converted = [as_c(arg) for arg in case.ref_args]
    return lambda: function(*converted)


def source(case):
    return os.path.join(HERE, "kernels", case.name + ".pyk")


def signature(case):
    """Of the line `# pykc: --sig '…'` in the kernel's file."""
    with open(source(case)) as file:
        return re.search(r"^# pykc: --sig '(.*)'$", file.read(), re.MULTILINE)[1]


def pyk_arm(case, args, driver, pykc, folder):
    cubin = os.path.join(folder, case.name + ".cubin")
    run([pykc, source(case), "--emit=cubin", f"-arch=sm_{driver.arch()}", "--sig", signature(case), "-o", cubin])
    with open(cubin, "rb") as file:
        kernel = driver.load_kernel(file.read())
    return driver.launcher(kernel, case.grid, case.block, args)


def numba_arm(case, args, numba):
    configured = numba_file.names_of(source(case))[case.name][case.grid, case.block]
    arrays = [numba.as_cuda_array(arg) if isinstance(arg, Buffer) else arg for arg in args]
    return lambda: configured(*arrays)


def checked(case, args, arm, driver):
    """Text of what is wrong with an arm's result, or empty. What a kernel should write is poisoned first."""
    for position in case.outputs:
        args[position].fill_bytes(0 if case.accumulates else 0xFF)
    arm()
    driver.synchronize()
    return case.check([args[position].read() for position in case.outputs])


def time_arms(arms, driver, rounds):
    events = driver.event(), driver.event()
    once = {name: driver.time_us(arm, 3, events) for name, arm in arms.items()}
    count = max(3, min(200, int(4000 / max(1.0, min(once.values())))))
    names, times = list(arms), {name: [] for name in arms}
    for r in range(rounds):
        for name in names[r % len(names):] + names[: r % len(names)]:
            times[name].append(driver.time_us(arms[name], count, events))
    return times


def summary(times):
    quarters = statistics.quantiles(times, n=4)
    median = statistics.median(times)
    return {"median_us": median, "spread": (quarters[2] - quarters[0]) / median}


def ratio(times, over):
    return statistics.median(a / b for a, b in zip(times["pyk"], times[over])) if over in times else None


def measure(case, driver, library, numba, options, folder):
    args = [Buffer(driver, arg) if isinstance(arg, np.ndarray) and arg.ndim else arg for arg in case.args]
    arms = {"hand": reference_arm(case, args, library), "pyk": pyk_arm(case, args, driver, options.pykc, folder)}
    if numba:
        arms["numba"] = numba_arm(case, args, numba)
    wrong = {name: text for name, arm in arms.items() if (text := checked(case, args, arm, driver))}
    row = {"kernel": case.name, "sizes": case.sizes, "wrong": wrong}
    if not wrong:
        times = time_arms(arms, driver, options.rounds)
        row.update({name: summary(t) for name, t in times.items()})
        row["to_hand"], row["to_numba"] = ratio(times, "hand"), ratio(times, "numba")
    for arg in args:
        if isinstance(arg, Buffer):
            arg.free()
    return row


def goals_missed(row):
    missed = []
    if row["to_hand"] > HAND_WRITTEN_GOAL:
        missed.append(f"over {HAND_WRITTEN_GOAL} × hand-written")
    if row["to_numba"] and row["to_numba"] > 1 + (row["pyk"]["spread"] + row["numba"]["spread"]) / 2:
        missed.append("behind Numba")
    return missed


def print_row(row):
    if row["wrong"]:
        print(f"{row['kernel']:14} {row['sizes']:24} WRONG " + "; ".join(f"{k}: {v}" for k, v in row["wrong"].items()))
        return
    cells = []
    for arm in ("hand", "pyk", "numba"):
        cells.append(f"{row[arm]['median_us']:9.1f} ±{50 * row[arm]['spread']:4.1f}%" if arm in row else " " * 16)
    ratios = f"{row['to_hand']:6.3f}  " + (f"{row['to_numba']:6.3f}" if row["to_numba"] else "     –")
    print(f"{row['kernel']:14} {row['sizes']:24} {' '.join(cells)}  {ratios}  {', '.join(goals_missed(row)) or 'ok'}", flush=True)


def run_limits(arch, folder):
    program = os.path.join(folder, "limits")
    run([nvcc(), "-O3", "-std=c++17", f"-arch=sm_{arch}", os.path.join(HERE, "limits.cu"), "-o", program])
    print("\nWhat the machine can do (limits.cu):\n" + run([program]))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pykc", default=os.path.join(HERE, "..", "build", "release", "bin", "pykc"))
    parser.add_argument("--only", action="append", metavar="KERNEL")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--quick", action="store_true", help="small sizes: to see whether it works")
    parser.add_argument("--strict", action="store_true", help="a missed goal is a failure")
    parser.add_argument("--limits", action="store_true", help="run limits.cu as well")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


def main():
    options = parse_options()
    try:
        driver = Driver()
    except (OSError, CudaError) as error:
        raise SystemExit(f"bench: there is no GPU to time on ({error})") from None
    numba, why = load_numba()
    print(f"{driver.name()}, sm_{driver.arch()}; {'Numba from ' + numba.__file__ if numba else 'no Numba arm: ' + why}")
    print(f"{'kernel':14} {'size':24} {'hand-written µs':>16} {'pyk µs':>16} {'Numba µs':>16}  /hand   /Numba")
    rng, rows = np.random.default_rng(1), []
    with tempfile.TemporaryDirectory() as folder:
        library = build_reference(driver.arch(), folder)
        for make in cases.ALL:
            if not options.only or make.__name__ in options.only:
                rows.append(measure(make(rng, options.quick), driver, library, numba, options, folder))
                print_row(rows[-1])
        if options.limits:
            run_limits(driver.arch(), folder)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)
    wrong = any(row["wrong"] for row in rows)
    return 1 if wrong or options.strict and any(goals_missed(row) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
