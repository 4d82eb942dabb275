#!/usr/bin/env python3
"""Compares pykc with CPython and Numba on random programs over the structures of the kernel language (structures.py).

usage: judge_structures.py PYKC [--first SEED] [--count N] [--seed N] [--oracle python|njit|stored] [--device cpu|cuda] [--ptx]
                           [-j JOBS] [--batch N] [--seconds N] [--keep FOLDER]
       judge_structures.py --store [--count N]      ask Numba's CPU compiler, or CPython where that refuses, and write data/structures.tsv

All values must be equal. The oracle `python` is CPython with NumPy, which takes every program and milliseconds for it; what differs there, or
what pykc refuses, is asked of Numba's CPU compiler, whose word counts. `njit` asks Numba for all. `stored` needs neither. --ptx has NVRTC
compile the kernels too. Exits 1 where there is a difference, 77 where the oracle is not installed.
"""
import os
import re
import subprocess
import sys
import tempfile
import warnings

import batches
import npy
from judge import checksum_of, in_a_child, listed, patience
from structures import ARRAYS, STEPS, THREADS, Program, inputs, module

HERE = os.path.dirname(os.path.abspath(__file__))
STORED = os.path.join(HERE, "data", "structures.tsv")
REPLACED = {"@cuda.jit(device=True)": "@decorator", "cuda.local.array(": "local_array(", "LIMITS['high']": "12", "LIMITS['scale']": "0.5"}  # Numba takes no dict of the module
NUMBA_IMPORT = "from numba import cuda, float64, int64, literal_unroll\n"


def used(programs):
    """The kernel's arrays that the programs use."""
    return [name for name in ARRAYS if any(f"{name}[" in text for p in programs for text in p.parameters.values())]


# --- pykc ---
def by_pykc(options, programs):
    """(seed -> array -> numbers, seed -> what pykc says of a program that it does not take)"""
    refused = {}
    while programs:
        result = run_pykc(options, programs)
        if isinstance(result, dict):
            return result, refused
        blamed = {p.seed for p in programs if re.search(rf"\w_{p.seed}(?:_\d+)?\b", " ".join(blamed_functions(result, programs)))}
        if len(programs) == 1 or not blamed:
            if len(programs) == 1:
                return {}, refused | {programs[0].seed: result}
            half = len(programs) // 2
            (a, x), (b, y) = by_pykc(options, programs[:half]), by_pykc(options, programs[half:])
            return a | b, refused | x | y
        for seed in blamed:
            refused[seed] = by_pykc(options, [p for p in programs if p.seed == seed])[1].get(seed, result) if len(blamed) > 1 else result
        programs = [p for p in programs if p.seed not in blamed]
    return {}, refused


def blamed_functions(message, programs):
    """Names of the functions that the lines of a message's errors are of."""
    lines = module(programs).split("\n")
    for found in re.finditer(r"\.pyk:(\d+):\d+: error", message):
        at = min(int(found.group(1)), len(lines)) - 1
        while at > 0 and not lines[at].startswith("def "):
            at -= 1
        yield lines[at].split("(")[0]


def run_pykc(options, programs):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(options.keep or folder, f"structures_{programs[0].seed}.pyk")
        with open(path, "w") as out:
            out.write(module(programs))
        command = [options.pykc, "run", path, "all_bodies", "--grid", "1", "--block", str(THREADS), "--device", options.device, "--no-warnings"]
        saved = {}  # array -> file
        for name in ["out", *ARRAYS]:
            type, shape = ("int64", (STEPS,)) if name == "out" else ARRAYS[name]
            values = [x for p in programs for x in (inputs(name, p.seed) if name != "out" else [0] * STEPS * THREADS)]
            if name == "out" or name in used(programs):
                file = os.path.join(folder, name + ".npy")
                npy.save(file, type, (len(programs), THREADS, *shape), values)
                saved[name] = os.path.join(folder, f"out_{name}.npy")
                command += [file, "--save", f"{name}={saved[name]}"]
            else:
                command.append(f"zeros:{short(type)}:1x1" + "x1" * len(shape))
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=patience(programs))
        except subprocess.TimeoutExpired:
            return "no answer"
        if done.returncode != 0:
            return done.stderr + done.stdout
        arrays = {name: npy.load(file, "int64" if name == "out" else ARRAYS[name][0]) for name, file in saved.items()}
    return {p.seed: {name: row_of(values, row, len(programs)) for name, values in arrays.items() if name == "out" or name in used([p])}
            for row, p in enumerate(programs)}


def short(type):
    """As pykc's command line names a type."""
    return {"boolean": "bool", "complex64": "c64", "complex128": "c128"}.get(type) or type[0] + type.lstrip("uintfloat")


def row_of(values, row, count):
    n = len(values) // count
    return values[row * n:(row + 1) * n]


def ptx_errors(options, programs):
    """What NVRTC says of the kernel's text, or None."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "structures.pyk")
        with open(path, "w") as out:
            out.write(module(programs))
        arrays = ", ".join(f"{type}[{', '.join([':'] * (len(shape) + 1))}, ::1]" for type, shape in ARRAYS.values())
        done = subprocess.run([options.pykc, path, "--no-warnings", "--sig", f"all_bodies(int64[:, :, ::1], {arrays})", "--arch", "sm_90", "-o", os.path.join(folder, "x.ptx")],
                              capture_output=True, text=True)
        return done.stderr + done.stdout if done.returncode else None


# --- the oracles ---
def run_python(program, space):
    """A program's arrays after a run of its text with these names."""
    import numpy as np
    text = module([program]).split("@cuda.jit\n")[0].replace(NUMBA_IMPORT, "")
    for old, new in REPLACED.items():
        text = text.replace(old, new)
    exec(text, space)
    space["POINTS"] = space["as_records"](space["POINTS"])
    arrays = {name: np.array(inputs(name, program.seed), np.dtype(npy.FORMATS[ARRAYS[name][0]][0])).reshape(THREADS, *ARRAYS[name][1]) for name in used([program])}
    arrays["out"] = np.zeros((THREADS, STEPS), np.int64)
    body = space[f"body_{program.seed}"]
    for t in range(THREADS):
        arguments = [eval(re.sub(r"\[\{row\}, t\]", "[t]", text), dict(arrays, t=t)) for text in program.parameters.values()]
        body(t, arrays["out"][t], *arguments)
    return listed(arrays)


def by_python(program):
    import numpy as np

    def as_records(a):
        return a.view(np.recarray) if a.dtype.names else a

    warnings.simplefilter("ignore")
    try:
        return run_python(program, {"decorator": lambda f: f, "as_records": as_records, "local_array": lambda shape, dtype: as_records(np.zeros(shape, dtype)),
                                    "int64": int, "float64": float, "literal_unroll": lambda t: t})
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def by_njit(program):
    import numba
    import numpy as np
    warnings.simplefilter("ignore")
    try:
        return run_python(program, {"decorator": numba.njit(error_model="numpy"), "as_records": lambda a: a, "local_array": np.empty, "int64": numba.int64, "float64": numba.float64,
                                    "literal_unroll": numba.literal_unroll})
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def by_numba(program):
    """By a process of its own."""
    return in_a_child(lambda programs: by_njit(programs[0]), [program])


def differences(program, got, want):
    """Where the first step differs, or else arrays."""
    if got["out"] == want["out"]:
        return [f"seed {program.seed}: {name} is {got[name]} instead of {want[name]}" for name in got if got[name] != want[name]][:1]
    at = next(i for i, (x, y) in enumerate(zip(got["out"], want["out"])) if x != y)
    return [f"seed {program.seed}: thread {at // STEPS}, out[{at % STEPS}]: {got['out'][at]} instead of {want['out'][at]}"]


def judge_one(options, program, got, said, lines):
    """Adds what is wrong; returns whether the oracles could say."""
    want = by_numba(program) if options.oracle == "njit" else by_python(program)
    if got is not None and isinstance(want, dict) and not differences(program, got, want):
        return True
    if options.oracle == "python":
        python, want = want, by_numba(program)
        if isinstance(want, str):  # Numba refuses: CPython's word counts
            if isinstance(python, str):
                lines.append(f"seed {program.seed}: no oracle takes it: {python}; Numba: {shortened(want)}")
                return False
            if got is None:
                lines.append(f"seed {program.seed}: only CPython takes it: pykc: {first_error(said)}; Numba: {shortened(want)}")
                return False
            want = python
    if isinstance(want, str):
        return False
    if got is None:
        lines.append(f"seed {program.seed}: REFUSED by pykc: {said[:1500]}")
    else:
        lines += ["DIFFERS " + line for line in differences(program, got, want)]
    return True


def shortened(text):
    return " ".join(text.split())[:300]


def first_error(said):
    return next((line for line in said.split("\n") if "error" in line), said[:200])


def judge_batch(options, seeds):
    """(programs judged, lines of differences, how many no oracle could judge)"""
    if batches.is_late(options):
        return 0, [], 0
    programs = [Program(seed) for seed in seeds]
    lines, unjudged = [], 0
    if options.oracle == "stored":
        stored = {int(seed): checksum for seed, checksum in batches.read_rows(STORED)}
        programs = [p for p in programs if p.seed in stored]
    got, refused = by_pykc(options, list(programs))
    for program in programs:
        if options.oracle == "stored":
            if program.seed in refused:
                lines.append(f"seed {program.seed}: REFUSED by pykc: {refused[program.seed][:1500]}")
            elif checksum_of(got[program.seed]) != stored[program.seed]:
                lines.append(f"seed {program.seed}: DIFFERS (--oracle njit --seed {program.seed} says where)")
        else:
            unjudged += not judge_one(options, program, got.get(program.seed), refused.get(program.seed), lines)
    if options.ptx:
        taken = [p for p in programs if p.seed in got]
        if taken and (said := ptx_errors(options, taken)):
            lines += [f"seed {p.seed}: NVRTC: {alone[:1500]}" for p in taken if (alone := ptx_errors(options, [p]))] or [f"seeds {seeds[0]} to {seeds[-1]}: NVRTC: {said[:1500]}"]
    return len(seeds), lines, unjudged


def stored_lines(_, seeds):
    """But for those that neither takes, or about which they disagree."""
    lines = []
    for program in map(Program, seeds):
        python, numba = by_python(program), by_numba(program)
        if isinstance(numba, str):
            print(f"seed {program.seed}: Numba refuses: {shortened(numba)}")
        want = numba if isinstance(numba, dict) else python
        if isinstance(want, str) or isinstance(python, dict) and differences(program, python, want):
            print(f"seed {program.seed} is left out")
        else:
            lines.append(f"{program.seed}\t{checksum_of(want)}")
    return lines


def store(options):
    rows = [row for part in batches.of_batches(options, stored_lines) for row in part]
    batches.write_rows(STORED, ["# written by judge_structures.py --store, with Numba's CPU compiler (CPython where that refuses); do not edit",
                                "# seed\tCRC-32 of the arrays"], rows)


def main():
    parser = batches.options_of(__doc__, "program", 100, 20, ["python", "njit"])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--ptx", action="store_true")
    options = batches.parsed(parser, lambda options: Program(options.seed).text())
    if options.store:
        return store(options)
    if options.oracle != "stored" and batches.lacks_numba():
        return 77
    judged, found, unjudged = 0, 0, 0
    for count, lines, open_ in batches.of_batches(options, judge_batch):
        for line in lines:
            print(line, flush=True)
        judged, found, unjudged = judged + count, found + len(lines), unjudged + open_
    print(f"{judged} programs from seed {options.first}: {unjudged} that no oracle could judge, {found} lines")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
