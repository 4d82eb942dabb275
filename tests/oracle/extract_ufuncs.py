#!/usr/bin/env python3
"""Ask NumPy and Numba how array functions choose a loop, cast and broadcast.

usage: extract_ufuncs.py [--check] [OUTDIR]     (default OUTDIR: the folder `data` beside this script)

Writes ufunc_casts.tsv, ufunc_loops.tsv, gufunc_loops.tsv and ufunc_shapes.tsv.  --check writes nothing and exits 1 when the checked-in data
differ.  Exits 77 when Numba is not installed.
"""
import os
import random
import sys
import warnings

warnings.simplefilter("ignore")
try:
    import numpy as np
    from numba import guvectorize, vectorize
    from numba.cuda.deviceufunc import GeneralizedUFunc, UFuncMechanism
except ImportError as e:
    print("SKIP: Numba is not installed:", e)
    sys.exit(77)

NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
         "complex64", "complex128"]
LOOPS = [n for n in NAMES if n not in ("bool", "float16")]  # that Numba compiles `a + b` for
NUMBERS = {"bool": True, "int64": 2, "float64": 2.5, "complex128": 2j}  # of Python's: weak


def casts():
    yield "# from\tto\tsafe\tsame_kind"
    for a in NAMES:
        for b in NAMES:
            yield f"{a}\t{b}\t{int(np.can_cast(a, b, 'safe'))}\t{int(np.can_cast(a, b, 'same_kind'))}"


def cpu_loop(function, arguments, loops):
    try:
        result = function(*arguments)
    except TypeError:
        return "-"
    return str(loops.index(str(result.dtype)))


def cuda_loop(loops, arguments):
    typemap = {(np.dtype(n),) * 2: (np.dtype(n), None) for n in loops}
    mechanism = UFuncMechanism(typemap, arguments)
    mechanism._fill_arrays()
    mechanism._fill_argtypes()
    try:
        mechanism._resolve_signature()
    except TypeError:
        return "-"
    return str(loops.index(str(mechanism.argtypes[0])))


def loop_rows():
    yield "# loops of one type each, (T, T) -> T\targuments: a type of an array, or number:type\tcpu\tcuda"
    rng = random.Random(6)
    for _ in range(40):
        loops = rng.sample(LOOPS, rng.randint(1, 4))
        function = vectorize([f"{n}({n}, {n})" for n in loops])(lambda a, b: a + b)
        for _ in range(12):
            array = rng.choice([n for n in NAMES if n != "float16"])
            if rng.random() < 0.4:
                number = rng.choice(list(NUMBERS))
                arguments, second = (np.ones(2, array), NUMBERS[number]), f"number:{number}"
            else:
                second = rng.choice([n for n in NAMES if n != "float16"])
                arguments = np.ones(2, array), np.ones(2, second)
            yield f"{','.join(loops)}\t{array},{second}\t{cpu_loop(function, arguments, loops)}\t{cuda_loop(loops, arguments)}"


def cuda_parts_loop(loops, arguments):
    """What GeneralizedUFunc._schedule does of types."""
    typemap = {(np.dtype(n),) * 2: None for n in loops}
    given = tuple(np.asarray(a).dtype for a in arguments)
    try:
        chosen = given if given in typemap else GeneralizedUFunc(typemap, None)._search_matching_signature(given)
    except TypeError:
        return "-"
    return str(loops.index(str(chosen[0])))


def add_parts(a, b, out):
    for i in range(a.shape[0]):
        out[i] = a[i] + b[0]


def gufunc_loop_rows():
    yield "# loops of one type each, (n),()->(n)\targuments: a type of an array, or number:type\tcpu\tcuda"
    rng = random.Random(8)
    for _ in range(25):
        loops = rng.sample(LOOPS, rng.randint(2, 4))
        function = guvectorize([f"void({n}[:], {n}[:], {n}[:])" for n in loops], "(n),()->(n)")(add_parts)
        for _ in range(12):
            array = rng.choice(loops if rng.random() < 0.6 else LOOPS)
            if rng.random() < 0.3:
                number = rng.choice(list(NUMBERS))
                arguments, second = (np.ones(2, array), NUMBERS[number]), f"number:{number}"
            else:
                second = array if rng.random() < 0.6 else rng.choice(LOOPS)
                arguments = np.ones(2, array), np.ones((), second)
            yield (f"{','.join(loops)}\t{array},{second}\t{cpu_loop(function, arguments, loops)}\t"
                   f"{cuda_parts_loop(loops, arguments)}")


def shape_rows():
    yield "# shapes\twhat they broadcast to"
    rng = random.Random(7)

    def text(shape):
        return "x".join(map(str, shape)) or "()"

    for _ in range(400):
        full = [rng.choice([0, 1, 2, 3, 5]) for _ in range(rng.randint(0, 5))]
        shapes = []
        for _ in range(rng.randint(1, 3)):
            own = [n if rng.random() < 0.6 else rng.choice([1, n, 4]) for n in full[rng.randint(0, len(full)):]]
            shapes.append(tuple(own))
        try:
            result = text(np.broadcast_shapes(*shapes))
        except ValueError:
            result = "-"
        yield f"{','.join(map(text, shapes))}\t{result}"


FILES = {"ufunc_casts.tsv": casts, "ufunc_loops.tsv": loop_rows, "gufunc_loops.tsv": gufunc_loop_rows,
          "ufunc_shapes.tsv": shape_rows}


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    folder = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    differs = False
    for name, rows in FILES.items():
        text, path = "\n".join(rows()) + "\n", os.path.join(folder, name)
        if "--check" in sys.argv:
            with open(path) as file:
                if file.read() != text:
                    print(f"{path} differs from what NumPy and Numba say")
                    differs = True
        else:
            with open(path, "w") as file:
                file.write(text)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
