#!/usr/bin/env python3
"""Time from GPU context to the first result, each in a process of its own, interleaved; medians and quartiles in milliseconds.

Arms: a program that uses NVRTC by hand, one that loads a ready cubin, a kernel of ours and an array function, with an empty cache and
with a warm one; where they are installed, Numba and CuPy on the same kernel. Goals: at most 3 ms more than by hand, 1 ms (an array
function: 2 ms) for a second kernel, and 2 ms more than the cubin with a warm cache."""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

NUMBA = """
import sys, time, numpy as np
sys.path.insert(0, %r)
from bench import load_numba
cuda, why = load_numba()
cuda.current_context(); d = cuda.to_device(np.ones(1, np.float32))
start = time.perf_counter()
exec(open(%r).read())
x, y = cuda.to_device(np.ones(1000, np.float32)), cuda.to_device(np.ones(1000, np.float32))
saxpy[4, 256](np.float32(2), x, y)
assert y.copy_to_host()[999] == 3
print(0, (time.perf_counter() - start) * 1e3, 0)
"""
CUPY = """
import time, cupy as cp
cp.zeros(1); start = time.perf_counter()
k = cp.RawKernel(open(%r).read(), 'saxpy')
x, y = cp.ones(1000, cp.float32), cp.ones(1000, cp.float32)
k((4,), (256,), (cp.float32(2), x, cp.int64(1000), y, cp.int64(1000)))
assert y.get()[999] == 3
print(0, (time.perf_counter() - start) * 1e3, 0)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, default=HERE / "../../build/release/bin/bench_first_result", help="bench_first_result")
    parser.add_argument("--json", metavar="FILE", help="keep the numbers")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    program = str(options.program.resolve())
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "saxpy.cubin")
        subprocess.run(["nvcc", "-cubin", f"-arch={options.arch}", "-o", cubin, str(HERE / "saxpy.cu")], check=True)
        cache = os.path.join(folder, "cache")
        environment = {**os.environ, "PYK_CACHE_DIR": cache, "CUDA_CACHE_DISABLE": "1", "CUPY_CACHE_DIR": os.path.join(folder, "cupy"),
                       "CUPY_CACHE_IN_MEMORY": "1"}
        ours = [program, "pyk", str(HERE / "saxpy.pyk"), "saxpy"]
        ufunc = [program, "ufunc", str(HERE / "saxpy.pyk"), "twice_and"]
        arms = {"NVRTC by hand": [program, "nvrtc", str(HERE / "saxpy.cu"), "saxpy"],
                "pyk, cold cache": ours,
                "a ready cubin": [program, "cubin", cubin, "saxpy"],
                "pyk, warm cache": ours,
                "@vectorize, cold cache": ufunc,
                "@vectorize, warm cache": ufunc,
                "Numba": [sys.executable, "-c", NUMBA % (str(HERE.parent), str(HERE / "saxpy.pyk"))],
                "CuPy RawKernel": [sys.executable, "-c", CUPY % str(HERE / "saxpy.cu")]}
        times = {arm: [] for arm in arms}
        for _ in range(options.rounds):
            for arm, command in arms.items():
                if arm.endswith("cold cache"):
                    shutil.rmtree(cache, ignore_errors=True)
                done = subprocess.run(command, env=environment, capture_output=True, text=True)
                if done.returncode == 0:
                    times[arm].append([float(word) for word in done.stdout.split()])
                else:
                    print(f"{arm}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        print(f"{'':22} {'context':>9} {'first result':>26} {'a second kernel':>26}")
        rows_out = []
        for arm, rows in times.items():
            if not rows:
                continue
            columns = list(zip(*rows))
            shown = [f"{statistics.median(c):9.2f} ({statistics.quantiles(c, n=4)[0]:.2f} … {statistics.quantiles(c, n=4)[2]:.2f})"
                     for c in columns[1:]]
            print(f"{arm:22} {statistics.median(columns[0]):9.2f} {shown[0]:>26} {shown[1]:>26}")
            rows_out.append({"case": arm, "first_ms": statistics.median(columns[1]), "second_ms": statistics.median(columns[2])})
        if options.json:
            with open(options.json, "w") as file:
                json.dump({"rows": rows_out}, file, indent=1)


if __name__ == "__main__":
    main()
