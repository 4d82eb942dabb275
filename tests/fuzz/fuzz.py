#!/usr/bin/env python3
"""Compares pykc's CPU target with Numba's CPU compiler on random kernels.

usage: fuzz.py PYKC [FIRST [COUNT]] [--batch N] [-j JOBS] [--keep FOLDER]

Each seed is one function (see generate.py). Integers must agree to the bit, floats as well unless they went through libm. Prints every
difference with its seed; exits 1 when there is one, 77 where Numba is not installed. Nearly all of the time is Numba's: about a second of
CPU for each kernel.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import warnings

import generate

os.environ["NUMBA_OPT"] = "0"  # the values are the same, the compiler is faster
try:
    import numba
    import numpy as np
except ImportError:
    print("SKIPPED: no numba here")
    sys.exit(77)

SCALARS = {"i8": -7, "i16": 300, "i32": 77, "i64": -900, "u8": 200, "u32": 4000, "f32": 2.71875, "f64": -13.3}
TYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u32": np.uint32, "f32": np.float32, "f64": np.float64}


def arguments():
    values = {name: TYPES[name](value) for name, value in SCALARS.items()}
    values["ai"] = np.array([3, -1, 40, 7, -12, 0, 99, 5], np.int32)
    values["al"] = np.arange(20, dtype=np.int64).reshape(4, 5) * 7 - 50
    values["af"] = np.array([0.5, -1.25, 3, 100.125, -0.0, 7.75, 2.5, -42.5], np.float32)
    values["ad"] = np.arange(15, dtype=np.float64).reshape(5, 3) / 7 - 1
    values["exact_i"] = np.zeros(generate.RESULTS, np.int64)
    values["exact_f"] = np.zeros(generate.RESULTS)
    values["inexact"] = np.zeros(4)
    return values


def by_numba(seed):
    """The arrays afterwards, or why Numba refuses."""
    text = generate.module([seed]).replace("@cuda.jit(device=True)", "@numba.njit(error_model='numpy')").replace("@cuda.jit\n", "")
    space = {"numba": numba}
    exec(compile(text, "<module>", "exec"), space)
    values = arguments()
    try:
        space[f"body_{seed}"](*values.values())
    except numba.core.errors.NumbaError as error:
        return str(error)
    return values


def by_pykc(pykc, seeds, keep):
    """The arrays of each seed afterwards, or what pykc says."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(keep or folder, f"fuzz_{seeds[0]}_{len(seeds)}.pyk")
        with open(path, "w") as out:
            out.write(generate.module(seeds))
        command = [pykc, "run", path, "all_bodies", "--grid", "1", "--block", "1", "--device", "cpu", "--no-warnings"]
        for name, value in arguments().items():
            if name in SCALARS:
                command.append(f"{name}:{value}")
                continue
            file = os.path.join(folder, name + ".npy")
            np.save(file, np.stack([value] * len(seeds)))
            command += [file, "--save", f"{name}={os.path.join(folder, 'out_' + name + '.npy')}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            return done.stderr + done.stdout
        arrays = {name: np.load(os.path.join(folder, f"out_{name}.npy")) for name in generate.ARRAYS}
        return [{name: rows[row] for name, rows in arrays.items()} for row in range(len(seeds))]


def equal(name, got, want):
    if name in ("ai", "al", "exact_i"):
        return np.array_equal(got, want)
    if name != "inexact":
        return np.array_equal(got, want, equal_nan=True)
    return np.allclose(got, want, rtol=1e-5, atol=1e-6, equal_nan=True)


def differences(pykc, wanted, keep):
    """Messages; a batch that pykc does not take is split."""
    seeds = list(wanted)
    got = by_pykc(pykc, seeds, keep)
    if isinstance(got, str):
        if len(seeds) == 1:
            return [f"seed {seeds[0]}: {got[:1500]}"]
        half = len(seeds) // 2
        return [text for part in (seeds[:half], seeds[half:]) for text in differences(pykc, {seed: wanted[seed] for seed in part}, keep)]
    return [f"seed {seed}: {name}\n  pykc  {ours[name].tolist()}\n  Numba {wanted[seed][name].tolist()}"
            for seed, ours in zip(seeds, got) for name in generate.ARRAYS if not equal(name, ours[name], wanted[seed][name])]


def judge(options, seeds):
    """Messages, and why Numba refuses those that it does."""
    warnings.simplefilter("ignore")
    wanted, refused = {}, []
    for seed in seeds:
        result = by_numba(seed)
        if isinstance(result, str):
            refused.append(f"seed {seed}: Numba refuses it: {result[:600]}")
        else:
            wanted[seed] = result
    return differences(options.pykc, wanted, options.keep) if wanted else [], refused


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pykc")
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="write the modules into this folder")
    parser.add_argument("-v", "--verbose", action="store_true", help="say why Numba refuses a kernel")
    options = parser.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    seeds = list(range(options.first, options.first + options.count))
    batches = [seeds[i:i + options.batch] for i in range(0, len(seeds), options.batch)]
    found = refused = done = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for batch, (new, why) in zip(batches, pool.map(judge, [options] * len(batches), batches)):
            found, refused, done = found + len(new), refused + len(why), done + len(batch)
            for text in new + (why if options.verbose else []):
                print(text)
            print(f"{done} kernels, {refused} of them refused by Numba, {found} differences", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
