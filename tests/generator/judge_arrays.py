#!/usr/bin/env python3
"""Compares pykc's array functions with Numba's and NumPy's on random calls (array_programs.py).

usage: judge_arrays.py LIBRARY [--first SEED] [--count N] [--seed N] [--device cpu|cuda] [-j JOBS] [--batch N] [--seconds N]

LIBRARY is what `ninja array_calls` builds. Results, their types and shapes, all memory that a call is given, and whether it is refused must be
the same. Exits 1 where there is a difference, 77 where Numba is not installed.
"""
import ctypes
import os
import sys
import tempfile
import warnings

import batches
import numpy as np
from array_programs import Functions

ELEMENTS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", None, None, "float32", "float64", "complex64", "complex128"]
NAMED = 16  # of pyk::jit::Element: records and dates, which have a text
MOST_RESULTS, MOST_AXES = 4, 32


class Operand(ctypes.Structure):
    """As in array_calls.cpp."""
    _fields_ = [("element", ctypes.c_int), ("ndim", ctypes.c_int), ("memory", ctypes.c_void_p), ("bytes", ctypes.c_longlong), ("offset", ctypes.c_longlong),
                ("shape", ctypes.c_longlong * MOST_AXES), ("strides", ctypes.c_longlong * MOST_AXES), ("integer", ctypes.c_longlong), ("real", ctypes.c_double),
                ("type", ctypes.c_char_p), ("type_bytes", ctypes.c_longlong), ("type_alignment", ctypes.c_longlong)]


class Outcome(ctypes.Structure):
    _fields_ = [("element", ctypes.c_int), ("ndim", ctypes.c_int), ("shape", ctypes.c_longlong * MOST_AXES), ("bytes", ctypes.c_void_p), ("size", ctypes.c_longlong),
                ("type", ctypes.c_char_p)]


def library_of(path):
    library = ctypes.CDLL(os.path.abspath(path))
    library.calls_error.restype = ctypes.c_char_p
    library.calls_load.restype = ctypes.c_void_p
    library.calls_load.argtypes = [ctypes.c_char_p, ctypes.c_int]
    library.calls_make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(Operand), ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                                   ctypes.c_int, ctypes.POINTER(Outcome)]
    return library


def memory_of(a):
    """The array of bytes that a view was cut out of."""
    while a.base is not None:
        a = a.base
    return a


def type_of(dtype):
    """As signatures write it; empty: of a number."""
    if dtype.kind not in "VmM":
        return b"", 0, 0
    import numba
    return str(numba.from_dtype(dtype)).encode(), dtype.itemsize, dtype.alignment


def operand_of(value):
    if isinstance(value, (np.void, np.datetime64, np.timedelta64)):
        kept = np.array(value)
        return Operand(NAMED, -1, kept.ctypes.data, kept.nbytes, 0, (), (), 0, 0, *type_of(value.dtype)), kept
    if not isinstance(value, np.ndarray):
        kind = "bool" if isinstance(value, bool) else "float64" if isinstance(value, float) else "int64"
        return Operand(ELEMENTS.index(kind), -1, integer=int(value), real=float(value)), None
    memory, named = memory_of(value), type_of(value.dtype)
    element = NAMED if named[0] else ELEMENTS.index(value.dtype.name)
    return Operand(element, value.ndim, memory.ctypes.data, memory.nbytes, value.ctypes.data - memory.ctypes.data, value.shape, value.strides, 0, 0, *named), None


def by_pyk(library, module, call, on_gpu):
    """The results, or what it says."""
    given = [operand_of(value) for value in call.operands]
    operands, outcomes = (Operand * len(given))(*(operand for operand, _ in given)), (Outcome * MOST_RESULTS)()
    count = library.calls_make(module, b"f", call.what.encode(), operands, len(operands), call.axis, call.all, call.keepdims, on_gpu, outcomes)
    if count < 0:
        return library.calls_error().decode()
    named = {type_of(dtype)[0]: dtype for a in call.operands if hasattr(a, "dtype") for dtype in [a.dtype, *spans_of(a.dtype)]}
    dtype_of = lambda o: named[o.type] if o.element == NAMED else np.dtype(ELEMENTS[o.element])
    return [np.frombuffer(ctypes.string_at(o.bytes, o.size) if o.size else b"", dtype_of(o)).reshape(o.shape[:o.ndim]) for o in outcomes[:count]]


def spans_of(dtype):
    """What dates may become."""
    return [np.dtype(f"{kind}8[{np.datetime_data(dtype)[0]}]") for kind in "mM"] if dtype.kind in "mM" else []


def by_python(function, call):
    """Of dates: NumPy's scalars, one by one."""
    try:
        arrays = np.broadcast_arrays(*call.operands)
        items = [function(*(a[at] for a in arrays)) for at in np.ndindex(arrays[0].shape)]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return [np.array(items).reshape(arrays[0].shape)] if items else None


def by_numba(function, call):
    """Of dense copies, and without `out`, to which the result is stored: Numba takes strided ones for dense now and then."""
    outputs = {"into": 1, "apply": call.outputs}.get(call.what, 0)
    arrays = [np.array(a, order="C", ndmin=0) if isinstance(a, np.ndarray) else a for a in call.operands[:len(call.operands) - outputs]]
    try:
        if call.what == "reduce":
            result = function.reduce(arrays[0], axis=None if call.all else call.axis, keepdims=call.keepdims)
        elif call.what == "accumulate":
            result = function.accumulate(arrays[0], axis=call.axis)
        elif call.what == "outer":
            result = function.outer(*arrays)
        else:
            result = function(*arrays)
        results = [np.asarray(r) for r in (result if isinstance(result, tuple) else (result,))]
        for r, out in zip(results, call.operands[len(arrays):]):
            np.copyto(out, r, casting="same_kind")
    except Exception as error:  # whatever NumPy and Numba's compiler have
        return f"{type(error).__name__}: {error}"
    return [] if outputs else results


def difference(got, want):
    if isinstance(got, str) or isinstance(want, str):
        return None if isinstance(got, str) and isinstance(want, str) else f"{shortened(got)} instead of {shortened(want)}"
    for g, w in zip(got, want, strict=True):
        if g.dtype != w.dtype or g.shape != w.shape:
            return f"{g.dtype}{list(g.shape)} instead of {w.dtype}{list(w.shape)}"
        if g.tobytes() != np.ascontiguousarray(w).tobytes() and not np.array_equal(g, w):
            return f"{g.ravel()[:12]} instead of {w.ravel()[:12]}"
    return None


def shortened(what):
    return " ".join(what.split())[:300] if isinstance(what, str) else f"{[(a.dtype.name, a.shape) for a in what]}"


def judge_one(options, library, seed):
    """Lines of differences."""
    functions = Functions(seed, aligned=options.device == "cuda")  # GPUs read no others
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "arrays.pyk")
        with open(path, "w") as out:
            out.write(functions.text)
        module = library.calls_load(path.encode(), options.device == "cuda")
        if not module:
            return [f"seed {seed}: not loaded: {library.calls_error().decode()}"]
        space = {"__name__": f"arrays_{seed}"}
        for number, call in enumerate(functions.calls):
            if number == 0 or functions.is_dynamic:  # else a loop that an earlier call had compiled would do
                exec(compile(functions.text, path, "exec"), space)
            memories = {id(m): m for m in (memory_of(a) for a in call.operands if isinstance(a, np.ndarray))}.values()
            before = [m.copy() for m in memories]
            got = by_pyk(library, module, call, options.device == "cuda")
            after = [m.copy() for m in memories]
            for m, b in zip(memories, before):
                m[...] = b
            want = by_python(functions.plain, call) if functions.of_dates else by_numba(space["f"], call)
            found = None if want is None else difference(got, want)
            if not found and not isinstance(want, str) and any(a.tobytes() != m.tobytes() for a, m in zip(after, memories)):
                found = "memory differs"
            if found:
                lines.append(f"seed {seed}, call {number}: {call}: {found}")
    return lines


def judge_batch(options, seeds):
    warnings.simplefilter("ignore")
    if batches.is_late(options):
        return 0, []
    library = library_of(options.pykc)
    return len(seeds), [line for seed in seeds for line in judge_one(options, library, seed)]


def main():
    parser = batches.options_of(__doc__, "function", 40, 5, ["njit"])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    options = batches.parsed(parser, lambda options: Functions(options.seed).text)
    if batches.lacks_numba():
        return 77
    judged, found = 0, 0
    for count, lines in batches.of_batches(options, judge_batch):
        for line in lines:
            print(line, flush=True)
        judged, found = judged + count, found + len(lines)
    print(f"{judged} functions from seed {options.first}: {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
