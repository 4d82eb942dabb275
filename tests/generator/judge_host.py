#!/usr/bin/env python3
"""Compares pykc with Numba's CPU compiler on random host functions (host_functions.py).

usage: judge_host.py PYKC [--first SEED] [--count N] [--seed N] [--oracle njit|stored] [-j JOBS] [--batch N] [--seconds N]
                     [--keep FOLDER] [--answers FOLDER] [--check-bounds]
       judge_host.py --store [--count N]    ask Numba and write data/host.tsv

Element types, shapes, integers and floats must be equal; only functions that take sums of floats as NumPy's functions or shared loops do
may be off, by roundings of their greatest number. --answers keeps what Numba said for the next time. With --check-bounds
pykc looks at every index, and passes that count on what these are do nothing. Exits 1 where there is a difference,
77 where Numba is not installed.
"""
import hashlib
import os
import pickle
import re
import subprocess
import sys
import tempfile
import warnings
import zlib

import batches
import npy
from host_functions import CALLS, Function, module, pools
from judge import agree, in_a_child, numbers_of, stored_values

HERE = os.path.dirname(os.path.abspath(__file__))
STORED = os.path.join(HERE, "data", "host.tsv")
LIMIT = {"float32": 2.0 ** -24, "float64": 2.0 ** -53, "complex64": 2.0 ** -24, "complex128": 2.0 ** -53}
ROUNDINGS = 1 << 14  # of each number: as many as the longest sum of products has


# --- pykc ---
def by_pykc(options, functions):
    """Seed -> what its calls gave, each a list of (type, shape, numbers); or what pykc says."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(options.keep or folder, f"functions_{functions[0].seed}.pyk")
        with open(path, "w") as out:
            out.write(module(functions))
        command = [options.pykc, "run", path, "every", "--device", "cpu", "--no-warnings"] + ["--check=bounds"] * options.check_bounds
        for code, (type, values) in pools().items():
            npy.save(os.path.join(folder, code + ".npy"), type, (len(values),), values)
            command.append(os.path.join(folder, code + ".npy"))
        counts = [f.results_of_a_call() for f in functions for _ in range(CALLS)]
        for place in range(sum(counts)):
            command += ["--save", f"{place}={os.path.join(folder, f'result_{place}.npy')}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60 + 10 * len(functions))
        except subprocess.TimeoutExpired:
            return "no answer"
        if done.returncode != 0:
            return f"exit {done.returncode}: {done.stderr}{done.stdout}"
        results = iter([npy.read(os.path.join(folder, f"result_{place}.npy")) for place in range(sum(counts))])
    return {f.seed: [[next(results) for _ in range(f.results_of_a_call())] for _ in range(CALLS)] for f in functions}


def blamed(functions, message):
    """The function that an error of a batch names, by its line."""
    found = re.search(r"\.pyk:(\d+)", message)
    if not found:
        return None
    before = "\n".join(module(functions).split("\n")[:int(found.group(1))])
    starts = [f for f in functions if f"def f_{f.seed}(" in before or f"def h0_{f.seed}(" in before]
    return starts[-1] if starts else None


def judged_by_pykc(options, functions):
    """Seed -> results or an error of that function alone."""
    if not functions:
        return {}
    got = by_pykc(options, functions)
    if not isinstance(got, str):
        return got
    if len(functions) == 1:
        return {functions[0].seed: got}
    culprit = blamed(functions, got)
    parts = [[culprit], [f for f in functions if f is not culprit]] if culprit else [functions[::2], functions[1::2]]
    return judged_by_pykc(options, parts[0]) | judged_by_pykc(options, parts[1])


# --- Numba ---
def by_numba(functions):
    """Seed -> what its calls gave, or why Numba does not take it."""
    import numpy as np
    arrays = [np.array(values, np.dtype(npy.FORMATS[type][0])) for type, values in pools().values()]
    out = {}
    with tempfile.TemporaryDirectory() as folder:  # Numba reads the source of what it compiles
        for f in functions:
            path = os.path.join(folder, f"f{f.seed}.py")
            with open(path, "w") as file:
                file.write(module([f]))
            space = {"__name__": f"f{f.seed}", "__file__": path}
            exec(compile(open(path).read(), path, "exec"), space)
            try:
                out[f.seed] = numba_calls(space[f"f_{f.seed}"], space[f"call_{f.seed}"].py_func, arrays, f.calls)
            except Exception as error:  # whatever its compiler runs into
                out[f.seed] = f"{type_name(error)}: {str(error)[:400]}"
    return out


def numba_calls(function, call, arrays, calls):
    """The results of each call. The largest is made first, as small arrays are often of several layouts at once and would be compiled anew."""
    out = []
    for arguments in reversed(calls):
        try:
            given = call(*arrays, *arguments)
        except TypeError:
            if function._can_compile:
                raise
            function.disable_compile(False)
            given = call(*arrays, *arguments)
        function.disable_compile()
        out.insert(0, listed(function, given))
    return out


def type_name(error):
    return type(error).__name__


def listed(function, given):
    """The results of a call, of the types that Numba inferred, as npy.read gives them."""
    import numpy as np
    from numba.np.numpy_support import as_dtype
    results, *arrays = given
    types = list(function.overloads[function.signatures[-1]].signature.return_type)
    out = []
    for value, type in list(zip(results, types)) + [(a, None) for a in arrays]:
        a = value if isinstance(value, np.ndarray) else np.array(value, as_dtype(type))
        name = "boolean" if a.dtype.kind == "b" else a.dtype.name
        out.append((name, a.shape, numbers_of(np.ascontiguousarray(a).ravel())))
    return out


def asked(functions):
    """by_numba, in processes of their own: what ends one is found by halves."""
    result = in_a_child(by_numba, functions)
    if not isinstance(result, str):
        return result
    if len(functions) == 1:
        return {functions[0].seed: result}
    half = len(functions) // 2
    return asked(functions[:half]) | asked(functions[half:])


def answers(options, functions):
    """As `asked`, from the folder of what was asked before."""
    if not options.answers:
        return asked(functions)
    os.makedirs(options.answers, exist_ok=True)
    files = {f.seed: os.path.join(options.answers, hashlib.sha1(module([f]).encode()).hexdigest()) for f in functions}
    missing = [f for f in functions if not os.path.exists(files[f.seed])]
    for seed, answer in (asked(missing) if missing else {}).items():
        with open(files[seed], "wb") as out:
            pickle.dump(answer, out)
    out = {}
    for f in functions:
        with open(files[f.seed], "rb") as file:
            out[f.seed] = pickle.load(file)
    return out


# --- comparing ---
def finite(x):
    return x == x and abs(x) != float("inf")


def differences(function, got, want):
    """Lines about the first numbers that differ in each result."""
    for call, (mine, theirs) in enumerate(zip(got, want)):
        sizes = [abs(x) for _, _, numbers in theirs for x in numbers if function.rounded and finite(x)]
        for place, ((type, shape, numbers), (wanted, wanted_shape, right)) in enumerate(zip(mine, theirs)):
            at = f"seed {function.seed}: call {call}, result {place}"
            if type != wanted or shape != wanted_shape:
                yield f"{at}: {type} {shape} instead of {wanted} {wanted_shape}"
                continue
            bound = ROUNDINGS * LIMIT.get(type, 0) * max([1.0, *sizes]) if function.rounded else 0.0
            wrong = [k for k, (x, y) in enumerate(zip(numbers, right)) if not agree(x, y, bound)]
            if wrong:
                k = wrong[0]
                yield f"{at}, {type} {shape}, element {k}: {numbers[k]!r} instead of {right[k]!r} ({len(wrong)} differ{f', may be off by {bound:.3g}' if bound else ''})"


def exact(function, results):
    """A checksum of what a function gave, and in place of sums of floats of some of the numbers themselves."""
    parts, rounded = [], []
    for type, shape, numbers in (result for call in results for result in call):
        parts.append(f"{type} {shape}")
        if function.rounded and type in LIMIT:
            rounded += [(LIMIT[type], x) for x in numbers[:3] + numbers[-1:]]
        else:
            parts.append(" ".join(repr(x + 0.0) if isinstance(x, float) else str(x) for x in numbers))
    return f"{zlib.crc32(' '.join(parts).encode()):08x}", rounded


def differences_from_stored(function, got, stored):
    checksum, wanted = stored
    mine, rounded = exact(function, got)
    if mine != checksum:
        yield f"seed {function.seed}: a result is not Numba's (--oracle njit --seed {function.seed} says which)"
    greatest = max([1.0, *(abs(x) for x in wanted if finite(x))])
    for (unit, x), y in zip(rounded, wanted):
        if not agree(x, y, ROUNDINGS * unit * greatest + 1e-11 * abs(y)):
            yield f"seed {function.seed}: {x!r} instead of {y!r}"


def judge_batch(options, seeds):
    """(functions judged, differences, functions that Numba does not take)"""
    if batches.is_late(options):
        return 0, [], []
    warnings.simplefilter("ignore")
    functions = [Function(seed) for seed in seeds]
    want = stored_values(STORED) if options.oracle == "stored" else answers(options, functions)
    refused = [f"seed {seed}: refused by the oracle: {why}" for seed, why in want.items() if isinstance(why, str)]
    functions = [f for f in functions if f.seed in want and not isinstance(want[f.seed], str)]
    compare = differences_from_stored if options.oracle == "stored" else differences
    lines = []
    for f, got in ((f, got) for seed, got in judged_by_pykc(options, functions).items() for f in functions if f.seed == seed):
        lines += [f"seed {f.seed}: pykc: {got[:1500]}"] if isinstance(got, str) else list(compare(f, got, want[f.seed]))[:3]
    return len(seeds), lines, refused


def store(options):
    rows = [row for part in batches.of_batches(options, stored_lines) for row in part]
    batches.write_rows(STORED, ["# written by judge_host.py --store, with Numba's CPU compiler; do not edit",
                                "# seed\tCRC-32 of what must be exact\tthe other numbers, some of each result"], rows)


def stored_lines(options, seeds):
    warnings.simplefilter("ignore")
    functions, lines = [Function(seed) for seed in seeds], []
    want = answers(options, functions)
    for f in functions:
        if not isinstance(want[f.seed], str):
            checksum, rounded = exact(f, want[f.seed])
            lines.append(f"{f.seed}\t{checksum}\t" + " ".join(f"{x:.12g}" for _, x in rounded))
    return lines


def main():
    parser = batches.options_of(__doc__, "function", 100, 12, ["njit"])
    parser.add_argument("--answers", metavar="FOLDER", help="keep Numba's answers in this folder")
    parser.add_argument("--check-bounds", action="store_true")
    options = batches.parsed(parser, lambda seed: module([Function(seed)]))
    if (options.store or options.oracle == "njit") and batches.lacks_numba():
        return 77
    if options.store:
        return store(options)
    judged, found, refused = 0, 0, 0
    for count, lines, not_taken in batches.of_batches(options, judge_batch):
        for line in lines + not_taken:
            print(line, flush=True)
        judged, found, refused = judged + count, found + len(lines), refused + len(not_taken)
    print(f"{judged} functions, {CALLS} calls each: {refused} refused by the oracle, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
