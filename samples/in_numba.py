#!/usr/bin/env python3
"""Run every sample in Numba's own simulator and with `pykc run`, on the same small inputs, and compare the results.

usage: in_numba.py --pykc PYKC [--keep FOLDER] [SAMPLE]...
"""
import os
import warnings

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
import argparse
import importlib.machinery
import importlib.util
import inspect
import subprocess
import sys
import tempfile

import numpy as np
from numba.cuda.random import create_xoroshiro128p_states

HERE = os.path.dirname(os.path.abspath(__file__))
warnings.filterwarnings("ignore")  # the simulator lets NumPy integers overflow on purpose, and says so
RNG = np.random.default_rng(2024)


def f32(*shape):
    return RNG.random(shape, dtype=np.float32)


def f64(*shape, low=0.0, high=1.0):
    return RNG.uniform(low, high, shape)


def zeros(dtype, *shape):
    return np.zeros(shape, dtype)


def transposed(kernel, block):
    return kernel, (2, 2), block, [f32(37, 45), zeros(np.float32, 45, 37)]


# sample: [(kernel, grid, block, arguments)], small because the simulator has one OS thread per GPU thread
LAUNCHES = {
    "vector_add": [("vector_add", (2,), (32,), [f32(50), f32(50), zeros(np.float32, 50)])],
    "saxpy": [("saxpy", (2,), (16,), [np.float32(2.5), f32(100), f32(100)])],
    "matmul": [
        (kernel, (2, 2), (16, 16), [f32(20, 35), f32(35, 18), zeros(np.float32, 20, 18)])
        for kernel in ("matmul_naive", "matmul_tiled")
    ],
    "transpose": [
        transposed("transpose_naive", (32, 32)),
        transposed("transpose_tiled", (32, 8)),
        transposed("transpose_padded", (32, 8)),
    ],
    "reduction": [("block_sum", (2,), (256,), [f64(2000), zeros(np.float64, 1)])],
    "histogram": [("histogram", (2,), (64,), [RNG.integers(0, 256, 700, dtype=np.uint8), zeros(np.int32, 256)])],
    "mandelbrot": [("mandelbrot", (2, 2), (8, 8), [-2.0, 1.2, 0.2, np.int32(40), zeros(np.int32, 13, 16)])],
    "filter_chain": [
        ("blur_rows", (2, 2), (8, 8), [f32(13, 15), zeros(np.float32, 13, 15)]),
        ("blur_columns", (2, 2), (8, 8), [f32(13, 15), zeros(np.float32, 13, 15)]),
        ("edges", (2, 2), (8, 8), [f32(13, 15), np.float32(0.6), zeros(np.uint8, 13, 15)]),
    ],
    "heat": [("heat_step", (2, 2), (8, 8), [f32(15, 14), zeros(np.float32, 15, 14), np.float32(0.2)])],
    "nbody": [("accelerations", (1,), (128,), [f32(100, 4), zeros(np.float32, 100, 3)])],
    "black_scholes": [
        (
            "black_scholes",
            (2,),
            (32,),
            [zeros(np.float64, 50), zeros(np.float64, 50)]
            + [f64(50, low=5, high=30), f64(50, low=1, high=100), f64(50, low=0.25, high=10), 0.02, 0.3],
        )
    ],
    "monte_carlo_pi": [
        ("count_inside", (1,), (32,), [create_xoroshiro128p_states(32, seed=7).copy_to_host(), 20, zeros(np.int64, 1)])
    ],
    "life": [("generation", (2, 2), (8, 8), [RNG.integers(0, 2, (13, 16), dtype=np.uint8), zeros(np.uint8, 13, 16)])],
}


def load(path):
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path)[:-4], path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def spelled(value):
    """A scalar as `pykc run` takes it."""
    names = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64"}
    value = np.asarray(value)
    return f"{names[str(value.dtype)]}:{value.item()!r}"


def run_pykc(pykc, path, kernel, grid, block, params, args, folder):
    command = [pykc, "run", path, kernel, "--device", "cpu"]
    command += ["--grid", ",".join(map(str, grid)), "--block", ",".join(map(str, block))]
    outputs = {}
    for name, value in zip(params, args):
        if not isinstance(value, np.ndarray):
            command.append(f"{name}={spelled(value)}")
            continue
        given, outputs[name] = (os.path.join(folder, f"{kernel}.{name}.{way}.npy") for way in ("in", "out"))
        np.save(given, value)
        command.append(f"{name}={given}")
    for name, file in outputs.items():
        command += ["--save", f"{name}={file}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}exit code {done.returncode}")
    return {name: np.load(file) for name, file in outputs.items()}


def difference(ours, theirs):
    if ours.dtype != theirs.dtype or ours.shape != theirs.shape:
        return f"{ours.dtype}{ours.shape} is not {theirs.dtype}{theirs.shape}"
    if ours.dtype.kind != "f":
        wrong = np.flatnonzero(ours != theirs)
    else:
        # The simulator is Python: no fused multiply-add, and sums in another order.
        wrong = np.flatnonzero(~np.isclose(ours, theirs, rtol=2e-5 if ours.dtype == np.float32 else 1e-12, atol=1e-6))
    return f"{wrong.size} elements differ, the first at {wrong[0]}: {ours.flat[wrong[0]]} is not {theirs.flat[wrong[0]]}" if wrong.size else ""


def check(sample, launch, pykc, folder):
    kernel, grid, block, args = launch
    path = os.path.join(HERE, sample, f"{sample}.pyk")
    function = getattr(load(path), kernel)
    params = list(inspect.signature(function.fn).parameters)
    ours = run_pykc(pykc, path, kernel, grid, block, params, args, folder)
    function[grid, block](*args)
    faults = []
    for name, value in zip(params, args):
        if name in ours:
            fault = difference(ours[name], np.asarray(value))
            faults += [f"{name}: {fault}"] if fault else []
    print(f"{sample}.{kernel}: {'; '.join(faults) or 'same'}")
    return not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pykc", required=True)
    parser.add_argument("--keep", help="leave inputs and outputs here")
    parser.add_argument("samples", nargs="*", default=list(LAUNCHES))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        good = [check(s, launch, options.pykc, folder) for s in options.samples for launch in LAUNCHES[s]]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
