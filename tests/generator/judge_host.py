#!/usr/bin/env python3
"""Compares pykc with Numba's CPU compiler on random host functions (host_functions.py).

usage: judge_host.py PYKC [--errors] [--first SEED] [--count N] [--seed N] [--oracle njit|python|stored] [-j JOBS] [--batch N] [--seconds N]
                     [--keep FOLDER] [--answers FOLDER] [--check-bounds]
       judge_host.py --store [--errors] [--count N]    ask Numba and write data/host.tsv or data/host_errors.tsv

Element types, shapes, integers and floats must be equal; only functions that take sums of floats as NumPy's functions or shared loops do
may be off, by roundings of their greatest number. With --errors functions raise and handle errors (host_errors.py), and both must
raise the same. --answers keeps what Numba said for the next time. With --check-bounds
pykc looks at every index, and passes that count on what these are do nothing. Exits 1 where there is a difference,
77 where Numba is not installed.
"""
import ast
import hashlib
import math
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
from host_errors import Handling
from host_functions import CALLS, HEADER, Function, module, pools
from judge import agree, in_a_child, numbers_of, stored_values

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = {"float32": 2.0 ** -24, "float64": 2.0 ** -53, "complex64": 2.0 ** -24, "complex128": 2.0 ** -53}
NO_ERROR = "no error"
ROUNDINGS = 1 << 14  # of each number: as many as the longest sum of products has


def functions_of(options, seeds):
    return [(Handling if options.errors else Function)(seed) for seed in seeds]


def stored_in(options):
    return os.path.join(HERE, "data", "host_errors.tsv" if options.errors else "host.tsv")


# --- pykc ---
def by_pykc(options, functions):
    """Seed -> what its calls gave, each a list of (type, shape, numbers); or what pykc says."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(options.keep or folder, f"functions_{functions[0].seed}.pyk")
        with open(path, "w") as out:
            out.write(module(functions))
        run = [options.pykc, "run", path, "--device", "cpu", "--no-warnings"] + ["--check=bounds"] * options.check_bounds
        arrays = []
        for code, (type, values) in pools().items():
            npy.save(os.path.join(folder, code + ".npy"), type, (len(values),), values)
            arrays.append(os.path.join(folder, code + ".npy"))
        command = [*run, "every", *arrays]
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
        got = {f.seed: [[next(results) for _ in range(f.results_of_a_call())] for _ in range(CALLS)] for f in functions}
        for f in (f for f in functions if f.raises):
            for call, arguments in zip(got[f.seed], f.calls):
                _, _, [has_raised] = call.pop(f.count_of_results)
                call.append((error_of([*run, f"bare_{f.seed}", *arrays, *map(str, arguments)]) if has_raised else NO_ERROR, (), []))
    return got


def error_of(command):
    """The type of what a call raises."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    found = re.search(r": line \d+: (\w+)", done.stderr)
    return found.group(1) if found else f"exit {done.returncode}: {done.stderr}"


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
                out[f.seed] = numba_calls(f, space, arrays)
            except NotCompiled as error:
                out[f.seed] = str(error)
            except Exception as error:
                out[f.seed] = f"{type_name(error)}: {str(error)[:400]}"
    return out


class NotCompiled(BaseException):
    """No error of the function's own: it passes the handlers of callers."""


class Recorded:
    """A compiled function that keeps the name of the error of its last call."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        from numba import typeof
        self.error = NO_ERROR
        try:
            if self.function._can_compile:
                self.function.compile(tuple(typeof(a) for a in arguments))
        except Exception as error:  # whatever its compiler runs into
            raise NotCompiled(f"{type_name(error)}: {str(error)[:400]}") from error
        try:
            return self.function(*arguments)
        except Exception as error:
            if not self.function._can_compile and "No matching definition" in str(error):
                raise NotCompiled(str(error)) from error
            self.error = type_name(error)
            raise


def numba_calls(f, space, arrays):
    """The results of each call. The largest is made first, as small arrays are often of several layouts at once and would be compiled anew."""
    function, call = space[f"f_{f.seed}"], space[f"call_{f.seed}"].py_func
    recorded = space[f"f_{f.seed}"] = Recorded(function)
    out = []
    for arguments in reversed(f.calls):
        try:
            given = call(*arrays, *arguments)
        except NotCompiled:
            if function._can_compile:
                raise
            function.disable_compile(False)
            given = call(*arrays, *arguments)
        function.disable_compile()
        out.insert(0, listed(f, function, given) + [(recorded.error, (), [])] * f.raises)
    return out


def type_name(error):
    return type(error).__name__


def listed(f, function, given):
    """The results of a call, of the types that Numba inferred, as npy.read gives them."""
    import numpy as np
    from numba.np.numpy_support import as_dtype
    results, *arrays = given
    types = list(function.overloads[function.signatures[-1]].signature.return_type)
    out = []
    for value, type in list(zip(results[:f.count_of_results], types)) + [(a, None) for a in arrays]:
        a = value if isinstance(value, np.ndarray) else np.array(value, as_dtype(type))
        name = "boolean" if a.dtype.kind == "b" else a.dtype.name
        out.append((name, a.shape, numbers_of(np.ascontiguousarray(a).ravel())))
    return out


# --- CPython ---
# Numba now and then takes an error that was handled for one that is not, and what its compiler makes of a few functions runs for ever.
class Widened(ast.NodeTransformer):
    """Numbers compute in 64 bits, as Numba's do, and wrap where arrays have fewer."""

    def visit_Constant(self, node):
        return call("widened", node) if type(node.value) is int else node

    def visit_Subscript(self, node):
        self.generic_visit(node)
        return call("widened", node) if isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node):
        self.generic_visit(node)
        return call("widened", node) if ast.unparse(node.func).startswith("np.int") else node


    def visit_Assign(self, node):
        self.generic_visit(node)
        if isinstance(node.targets[0], ast.Subscript):
            node.value = call("wrapped", node.targets[0].value, node.value)
        return node

    def visit_AugAssign(self, node):
        if not isinstance(node.target, ast.Subscript):
            return self.generic_visit(node)
        load = ast.Subscript(node.target.value, node.target.slice, ast.Load())
        return self.visit_Assign(ast.Assign([node.target], ast.BinOp(load, node.op, node.value)))


def call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def wrapped(array, x):
    import numpy as np
    return np.asarray(x).astype(array.dtype)


def widened(x):
    import numpy as np
    if isinstance(x, (np.signedinteger, int)) and not isinstance(x, bool):
        return np.int64(x)
    return np.uint64(x) if isinstance(x, np.unsignedinteger) else x


def by_python(f, like):
    """What its calls give in CPython, of the types that there are in `like`; or why it gives nothing."""
    import numpy as np
    tree = ast.fix_missing_locations(Widened().visit(ast.parse(module([f]).removeprefix(HEADER))))
    space = {"np": np, "math": math, "widened": widened, "wrapped": wrapped, "prange": range, "njit": lambda function=None, **_: function or (lambda given: given)}
    exec(compile(tree, f"f{f.seed}.py", "exec"), space)
    function, recorded = space[f"f_{f.seed}"], []

    def called(*arguments):
        recorded.append(NO_ERROR)
        try:
            return function(*arguments)
        except Exception as error:
            recorded[-1] = type_name(error).replace("FloatingPointError", "ZeroDivisionError")
            raise

    space[f"f_{f.seed}"] = called
    out = []
    with np.errstate(all="ignore", divide="raise"):
        arrays = [np.array(values, np.dtype(npy.FORMATS[type][0])) for type, values in pools().values()]
        for arguments, known in zip(f.calls, like):
            results, *left = space[f"call_{f.seed}"](*arrays, *map(widened, arguments))
            found = [np.asarray(value).astype(np.dtype(npy.FORMATS[type][0])) for value, (type, _, _) in zip([*results[:f.count_of_results], *left], known)]
            out.append([(type, a.shape, numbers_of(np.ascontiguousarray(a).ravel())) for a, (type, _, _) in zip(found, known)] + [(recorded[-1], (), [])])
    return out


def agrees_with_python(f, got):
    if isinstance(got, str):
        return False
    try:
        given = in_a_child(lambda _: by_python(f, got), [f])
    except Exception:
        return False
    return not isinstance(given, str) and not any(True for _ in differences(f, got, given))


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
        yield f"seed {function.seed}: a result is not Numba's (--oracle njit{' --errors' * function.raises} --seed {function.seed} says which)"
    greatest = max([1.0, *(abs(x) for x in wanted if finite(x))])
    for (unit, x), y in zip(rounded, wanted):
        if not agree(x, y, ROUNDINGS * unit * greatest + 1e-11 * abs(y)):
            yield f"seed {function.seed}: {x!r} instead of {y!r}"


def judge_batch(options, seeds):
    """(functions judged, differences, functions that Numba does not take)"""
    if batches.is_late(options):
        return 0, [], []
    warnings.simplefilter("ignore")
    functions = functions_of(options, seeds)
    if options.oracle == "python":
        return judge_by_python_first(options, functions)
    want = stored_values(stored_in(options)) if options.oracle == "stored" else answers(options, functions)
    refused = [f"seed {seed}: refused by the oracle: {why}" for seed, why in want.items() if isinstance(why, str)]
    functions = [f for f in functions if f.seed in want and not isinstance(want[f.seed], str)]
    compare = differences_from_stored if options.oracle == "stored" else differences
    lines = []
    for f, got in ((f, got) for seed, got in judged_by_pykc(options, functions).items() for f in functions if f.seed == seed):
        found = [f"seed {f.seed}: pykc: {got[:1500]}"] if isinstance(got, str) else list(compare(f, got, want[f.seed]))[:3]
        if found and f.raises and options.oracle == "njit" and agrees_with_python(f, got):
            refused.append(f"seed {f.seed}: Numba differs from CPython and pykc")
        else:
            lines += found
    return len(seeds), lines, refused


def judge_by_python_first(options, functions):
    """As judge_batch. Numba is asked where CPython differs, or pykc does not take it."""
    lines, refused = [], []
    for seed, got in judged_by_pykc(options, functions).items():
        f = next(f for f in functions if f.seed == seed)
        if agrees_with_python(f, got):
            continue
        want = answers(options, [f])[seed]
        if isinstance(want, str):
            refused.append(f"seed {seed}: {'pykc refuses' if isinstance(got, str) else 'CPython differs'}, and refused by Numba: {want}")
        else:
            lines += [f"seed {seed}: pykc: {got[:1500]}"] if isinstance(got, str) else list(differences(f, got, want))[:3]
    return len(functions), lines, refused


def store(options):
    rows = [row for part in batches.of_batches(options, stored_lines) for row in part]
    batches.write_rows(stored_in(options), ["# written by judge_host.py --store, with Numba's CPU compiler; do not edit",
                                "# seed\tCRC-32 of what must be exact\tthe other numbers, some of each result"], rows)


def stored_lines(options, seeds):
    warnings.simplefilter("ignore")
    functions, lines = functions_of(options, seeds), []
    want = answers(options, functions)
    for f in functions:
        if not isinstance(want[f.seed], str) and (not f.raises or agrees_with_python(f, want[f.seed])):
            checksum, rounded = exact(f, want[f.seed])
            lines.append(f"{f.seed}\t{checksum}\t" + " ".join(f"{x:.12g}" for _, x in rounded))
    return lines


def main():
    parser = batches.options_of(__doc__, "function", 100, 12, ["njit", "python"])
    parser.add_argument("--answers", metavar="FOLDER", help="keep Numba's answers in this folder")
    parser.add_argument("--check-bounds", action="store_true")
    parser.add_argument("--errors", action="store_true", help="functions that raise and handle errors")
    options = batches.parsed(parser, lambda options: module(functions_of(options, [options.seed])))
    if options.oracle == "python" and not options.errors:
        parser.error("--oracle python is for --errors: integers of CPython do not wrap")
    if (options.store or options.oracle != "stored") and batches.lacks_numba():
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
