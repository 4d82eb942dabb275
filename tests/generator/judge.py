#!/usr/bin/env python3
"""Compares pykc with Numba on random typed kernels (generate.py).

usage: judge.py PYKC [--first SEED] [--count N] [--seed N] [--device cpu|cuda|both] [--oracle njit|cuda|simulator|stored]
                [-j JOBS] [--batch N] [--seconds N] [--matrix FILE] [--keep FOLDER]
       judge.py --store [--count N]        ask Numba's CPU compiler and write data/expected.tsv
       judge.py --coverage [--count N]     only generate

Integers, booleans and floats that are computed without rounding must be equal; others lie within the bound that the generator carries.
The oracle `stored` needs no Numba. Prints every difference, and which cells of operator × type × statement the kernels cover; exits 1
where there is a difference, 77 where the oracle is not installed.
"""
import multiprocessing
import os
import subprocess
import sys
import tempfile
import warnings
import zlib

import batches
import cells
import npy
from generate import ARRAYS, ATOMICS, INPUTS, OUTPUTS, THREADS, Kernel, inputs, module

HERE = os.path.dirname(os.path.abspath(__file__))
STORED = os.path.join(HERE, "data", "expected.tsv")
GRID, BLOCK = 2, THREADS // 2


def values_of(name, kernels):
    """The contents of an array before the launch: a row for each kernel, in it one for each thread."""
    type, shape = ARRAYS[name]
    count = THREADS
    for extent in shape:
        count *= extent
    if name not in INPUTS:
        return [0] * (count * len(kernels))
    return [x for k in kernels for x in inputs(type, count, f"{k.seed} {name}")]


def patience(kernels):
    """Seconds after which kernels that compile and run in a fraction of a second each are taken to hang."""
    return 20 + 4 * len(kernels)


# --- pykc ---
def by_pykc(options, kernels, device):
    """Array -> numbers after the launch, or what pykc says."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(options.keep or folder, f"kernels_{kernels[0].seed}.pyk")
        with open(path, "w") as out:
            out.write(module(kernels))
        command = [options.pykc, "run", path, "all_bodies", "--grid", str(GRID), "--block", str(BLOCK), "--device", device, "--no-warnings"]
        for name, (type, shape) in ARRAYS.items():
            file = os.path.join(folder, name + ".npy")
            npy.save(file, type.name, (len(kernels), THREADS, *shape), values_of(name, kernels))
            command += [file, "--save", f"{name}={os.path.join(folder, 'out_' + name + '.npy')}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=patience(kernels))
        except subprocess.TimeoutExpired:
            return "no answer"
        if done.returncode != 0:
            return done.stderr + done.stdout
        return {name: npy.load(os.path.join(folder, f"out_{name}.npy"), type.name) for name, (type, _) in ARRAYS.items()}


# --- Numba ---
NJIT = """
import numba, numpy
njit = numba.njit(error_model="numpy")
@njit
def fmod_(x, y): return numpy.fmod(numpy.float64(x), numpy.float64(y))
@njit
def remainder_(x, y): return x - y * numpy.rint(x / y)
@njit
def modf_(x):
    whole = numpy.trunc(x)
    return x - whole, whole
@njit
def atomic_add(a, i, v): old = a[i]; a[i] = old + v; return old
@njit
def atomic_sub(a, i, v): old = a[i]; a[i] = old - v; return old
@njit
def atomic_max(a, i, v): old = a[i]; a[i] = max(old, v); return old
@njit
def atomic_min(a, i, v): old = a[i]; a[i] = min(old, v); return old
@njit
def atomic_exch(a, i, v): old = a[i]; a[i] = v; return old
@njit
def atomic_cas(a, i, e, v):
    old = a[i]
    if old == e: a[i] = v
    return old
@njit
def atomic_and_(a, i, v): old = a[i]; a[i] = old & v; return old
@njit
def atomic_or_(a, i, v): old = a[i]; a[i] = old | v; return old
@njit
def atomic_xor(a, i, v): old = a[i]; a[i] = old ^ v; return old
"""
REPLACED = {"@cuda.jit(device=True)": "@njit", "cuda.shared.array": "numpy.empty", "cuda.local.array": "numpy.empty", "cuda.syncthreads()": "pass",
            "cuda.threadIdx.x": "t", "cuda.atomic.": "atomic_", "math.fmod": "fmod_", "math.remainder": "remainder_", "math.modf": "modf_"}


def numpy_arrays(kernels):
    import numpy as np
    return {name: np.array(values_of(name, kernels), np.dtype(npy.FORMATS[type.name][0])).reshape(len(kernels), THREADS, *shape)
            for name, (type, shape) in ARRAYS.items()}


def numbers_of(a):
    """A dense array's, as npy.load gives them."""
    import numpy as np
    return (a.view({8: np.float32, 16: np.float64}[a.dtype.itemsize]) if a.dtype.kind == "c" else a.view(np.uint8) if a.dtype.kind == "b" else a).ravel().tolist()


def listed(arrays):
    return {name: numbers_of(a) for name, a in arrays.items()}


def checksum_of(arrays):
    return f"{zlib.crc32(repr(sorted(arrays.items())).encode()):08x}"


def by_njit(kernels):
    import numba
    import numpy as np
    space = {}
    exec(NJIT, space)
    for kernel in kernels:
        text = module([kernel]).split("@cuda.jit\n")[0]
        for old, new in REPLACED.items():
            text = text.replace(old, new)
        exec(text, space)
    arrays = numpy_arrays(kernels)
    for row, kernel in enumerate(kernels):
        try:
            for thread in range(THREADS):
                space[f"body_{kernel.seed}"](np.int64(thread), *(arrays[name][row, thread] for name in kernel.parameters[1:]))
        except numba.core.errors.NumbaError as error:
            return f"seed {kernel.seed}: {error}"
    return listed(arrays)


def by_cuda(kernels):
    return launched(module(kernels), "all_bodies", (GRID, BLOCK), numpy_arrays(kernels))


def launched(text, name, configuration, arrays):
    """What numba-cuda leaves in the arrays, or what it says."""
    import numpy
    for dropped in ("row_stack", "in1d", "trapz"):       # by NumPy 2.5; numba-cuda 0.30 looks them up
        if not hasattr(numpy, dropped):
            setattr(numpy, dropped, lambda *a: None)
    from numba import config, cuda
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    with tempfile.TemporaryDirectory() as folder:  # Numba reads the source of what it compiles
        path = os.path.join(folder, "kernels.py")
        with open(path, "w") as out:
            out.write(text)
        space = {"__name__": "kernels", "__file__": path}
        exec(compile(text, path, "exec"), space)
        moved = [cuda.to_device(a) for a in arrays.values()]
        try:
            space[name][configuration](*moved)
            cuda.synchronize()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return listed({name: a.copy_to_host() for name, a in zip(arrays, moved)})


def in_a_child(oracle, kernels, seconds=None):
    """A kernel that reads where nothing is makes a process useless for the next one."""
    here, there = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=lambda: there.send(oracle(kernels)))
    child.start()
    there.close()
    try:
        return here.recv() if here.poll(seconds or patience(kernels)) else "no answer"
    except EOFError:
        return "the process ended"
    finally:
        child.kill()
        child.join()


def by_numba(oracle, kernels):
    """What Numba gives, and the kernels that it takes: the others are left out, with the reason."""
    refused = []
    result = in_a_child(oracle, kernels) if oracle is by_cuda else oracle(kernels)
    if isinstance(result, str):
        if len(kernels) == 1:
            return {}, [], [(kernels[0].seed, result)]
        half = len(kernels) // 2
        parts = [by_numba(oracle, part) for part in (kernels[:half], kernels[half:])]
        merged = {name: [x for arrays, _, _ in parts for x in arrays.get(name, [])] for name in ARRAYS}
        return merged, parts[0][1] + parts[1][1], parts[0][2] + parts[1][2]
    return result, kernels, refused


# --- comparing ---
def slices(kernels, arrays, kernel):
    """Array -> a kernel's numbers."""
    row = kernels.index(kernel)
    return {name: values[row * (len(values) // len(kernels)):(row + 1) * (len(values) // len(kernels))] for name, values in arrays.items()}


def bounds(kernel, name):
    """How far each number of an output may be off; None: all are exact."""
    if name not in kernel.tolerances or not any(kernel.tolerances[name]):
        return None
    parts = 2 if name == "out_c" else 1
    return [bound for _ in range(THREADS) for bound in kernel.tolerances[name] for _ in range(parts)]


def split(kernel, arrays):
    """What must be equal, as one text, and the others as (bound, number)."""
    exact, rounded = [], []
    for name, values in arrays.items():
        allowed = bounds(kernel, name) or [0.0] * len(values)
        for x, bound in zip(values, allowed):
            if bound:
                rounded.append((bound, x))
            else:
                exact.append(repr(x + 0.0) if isinstance(x, float) else str(x))
    return " ".join(exact), rounded


def agree(x, y, bound):
    return x == y or (x != x and y != y) or abs(x - y) <= bound


def differences(kernel, got, want):
    lines = []
    for name, values in got.items():
        allowed = bounds(kernel, name) or [0.0] * len(values)
        for at, (x, y, bound) in enumerate(zip(values, want[name], allowed)):
            if not agree(x, y, bound):
                lines.append(f"seed {kernel.seed}: {name}, element {at}: {x!r} instead of {y!r}" + (f", may be off by {bound}" if bound else ""))
    return lines


def stored_values(path=STORED):
    """Seed -> checksum of what must be exact, the other numbers."""
    return {int(seed): (checksum, [float(x) for x in rounded.split()]) for seed, checksum, rounded in batches.read_rows(path)}


def differences_from_stored(kernel, got, stored):
    exact, rounded = split(kernel, got)
    checksum, wanted = stored
    lines = [] if f"{zlib.crc32(exact.encode()):08x}" == checksum else [f"seed {kernel.seed}: a value that must be exact is not (--oracle njit --first {kernel.seed} --count 1 says which)"]
    return lines + [f"seed {kernel.seed}: {x!r} instead of {y!r}, may be off by {bound}" for (bound, x), y in zip(rounded, wanted) if not agree(x, y, bound + 1e-11 * abs(y))]


def judge_batch(options, seeds):
    """(seeds judged, differences, refused, cells covered)"""
    if batches.is_late(options):
        return 0, [], [], set()
    warnings.simplefilter("ignore")
    kernels = [Kernel(seed) for seed in seeds]
    covered = set().union(*(k.covered for k in kernels))
    if options.coverage:
        return len(seeds), [], [], covered
    refused, lines, want, stored = [], [], {}, {}
    if options.oracle == "stored":
        stored = stored_values()
        kernels = [k for k in kernels if k.seed in stored]
    else:
        want, kernels, refused = by_numba(by_njit if options.oracle == "njit" else by_cuda, kernels)
    for device in ["cpu", "cuda"] if options.device == "both" else [options.device]:
        lines += judge_device(options, kernels, device, want, stored)
    return len(seeds), lines, refused, covered


def judge_device(options, kernels, device, want, stored):
    if not kernels:
        return []
    got = by_pykc(options, kernels, device)
    if isinstance(got, str):
        if len(kernels) == 1:
            return [f"seed {kernels[0].seed}: pykc on {device}: {got[:1500]}"]
        half = len(kernels) // 2
        lines = []
        for part in (kernels[:half], kernels[half:]):
            pieces = [slices(kernels, want, k) for k in part] if want else []
            lines += judge_device(options, part, device, {name: [x for piece in pieces for x in piece[name]] for name in want}, stored)
        return lines
    lines = []
    for kernel in kernels:
        mine = slices(kernels, got, kernel)
        found = differences_from_stored(kernel, mine, stored[kernel.seed]) if stored else differences(kernel, mine, slices(kernels, want, kernel))
        lines += [f"{device}: {line}" for line in found[:3]]
    return lines


def store(options):
    rows = [row for part in batches.of_batches(options, stored_lines) for row in part]
    batches.write_rows(STORED, ["# written by judge.py --store, with Numba's CPU compiler; do not edit",
                                "# seed\tCRC-32 of what must be exact\tthe other numbers, in order"], rows)


def stored_lines(_, seeds):
    warnings.simplefilter("ignore")
    arrays, kernels, refused = by_numba(by_njit, [Kernel(seed) for seed in seeds])
    for seed, why in refused:
        print(f"seed {seed} is left out: {why[:300]}")
    lines = []
    for kernel in kernels:
        exact, rounded = split(kernel, slices(kernels, arrays, kernel))
        lines.append(f"{kernel.seed}\t{zlib.crc32(exact.encode()):08x}\t" + " ".join(f"{x:.12g}" for _, x in rounded))
    return lines


def report(covered, options):
    """The matrix: each operator with each type, and in how many of the statements."""
    possible = [cell for cell in cells.cells() if cells.impossible(*cell) is None]
    empty = [cell for cell in possible if cell not in covered]
    types = list(dict.fromkeys(cell[1] for cell in cells.cells()))
    lines = ["operator".ljust(16) + " ".join(t.name.rjust(10) for t in types)]
    for operator in cells.OPERATORS:
        row = []
        for t in types:
            can = [cell for cell in possible if cell[:2] == (operator, t)]
            row.append(f"{sum(cell in covered for cell in can)}/{len(can)}".rjust(10) if can else "-".rjust(10))
        lines.append(operator.ljust(16) + " ".join(row))
    lines += ["", "Cells that cannot be, by reason:"]
    reasons = {}
    for cell in cells.cells():
        why = cells.impossible(*cell)
        if why:
            reasons[why] = reasons.get(why, 0) + 1
    lines += [f"{count:6} {why}" for why, count in sorted(reasons.items())]
    lines.append(f"{len(possible) - len(empty)} of {len(possible)} possible cells of operator x type x statement ({len(cells.STATEMENTS)} statements: {', '.join(cells.STATEMENTS)})")
    text = "\n".join(lines)
    if options.matrix:
        with open(options.matrix, "w") as out:
            out.write(text + "\n")
            out.writelines(f"empty\t{op}\t{t}\t{s}\n" for op, t, s in empty)
    print(text if options.matrix or options.coverage else lines[-1])


def main():
    parser = batches.options_of(__doc__, "kernel", 300, 25, ["njit", "cuda", "simulator"])
    parser.add_argument("--device", choices=["cpu", "cuda", "both"], default="cpu")
    parser.add_argument("--matrix", metavar="FILE", help="write the matrix into a file")
    parser.add_argument("--coverage", action="store_true")
    options = batches.parsed(parser, lambda options: module([Kernel(options.seed)]))
    if options.oracle == "simulator":
        os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
    if options.store:
        return store(options)
    if options.oracle != "stored" and not options.coverage and batches.lacks_numba():
        return 77
    covered, judged, found, refused = set(), 0, 0, 0
    for count, lines, not_taken, new in batches.of_batches(options, judge_batch):
        for line in lines:
            print(line, flush=True)
        for seed, why in not_taken:
            print(f"seed {seed}: refused by the oracle: {why[-400:]}", flush=True)
        judged, found, refused, covered = judged + count, found + len(lines), refused + len(not_taken), covered | new
    report(covered, options)
    print(f"{judged} kernels, seeds {options.first} to {options.first + judged - 1}: {refused} refused by the oracle, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
