#!/usr/bin/env python3
"""Ask numba-cuda for the types of expressions over values that are no plain numbers: vectors, Dim3, Optional, datetime64
and timedelta64, complex numbers, members of records.

usage: extract_values.py [--check] [OUTDIR]     (default OUTDIR: the folder `data` beside this script)

Writes values.tsv.  No GPU is needed: functions are compiled up to typing.  --check writes nothing and exits 1 when the
checked-in data differ from what numba says now.  Exits 77 when numba-cuda is not installed.
"""
import itertools
import os
import sys
import warnings

warnings.simplefilter("ignore")
try:
    import numba
    import numba_cuda
    import numpy as np
    from numba import cuda
    from numba.core.target_extension import target_override
    from numba.cuda import types
    from numba.cuda.compiler import compile_cuda
    from numba.cuda.np.numpy_support import from_dtype
    from numba.cuda.vector_types import vector_types
except ImportError as e:
    print("SKIP: numba-cuda is not installed:", e)
    sys.exit(77)

# A name of each type that the rows use: what a signature of ours calls it, and Numba's type.
point = np.dtype([("x", np.float32), ("n", np.int16), ("v", np.float64, (2, 3))], align=True)
TYPES = {"int8": types.int8, "int32": types.int32, "uint8": types.uint8, "uint32": types.uint32, "int64": types.int64,
         "float32": types.float32, "float64": types.float64, "boolean": types.boolean, "complex64": types.complex64,
         "complex128": types.complex128, "float32[::1]": types.float32[::1], "point": from_dtype(point),
         "point[::1]": from_dtype(point)[::1], "point[:]": from_dtype(point)[:]}
TYPES |= {f"optional({n})": types.Optional(TYPES[n]) for n in ("int32", "uint8", "float32", "float64", "boolean", "float32[::1]")}
TYPES |= {f"datetime64[{u}]": types.NPDatetime(u) for u in ("Y", "M", "W", "D", "h", "us", "")}
TYPES |= {f"timedelta64[{u}]": types.NPTimedelta(u) for u in ("Y", "M", "W", "D", "h", "us", "")}
TYPES |= dict(vector_types)


def spell(t):
    """Numba's name, as a signature of ours says it."""
    for name, known in TYPES.items():
        if known == t:
            return name
    if isinstance(t, types.Optional):
        return f"optional({spell(t.type)})"
    if isinstance(t, types.Array):
        axes = {"C": ":, " * (t.ndim - 1) + "::1", "A": ", ".join(":" * t.ndim)}[t.layout]
        return f"{spell(t.dtype)}[{axes}]"
    return {"bool": "boolean"}.get(str(t), str(t))


def result(expression, args):
    names = {"np": np, "cuda": cuda, **{n: getattr(types, n) for n in ("float32", "int64", "int32", "float64")}}
    exec(f"def f({', '.join('abc'[:len(args)])}):\n    return {expression}", names)
    try:
        with target_override("cuda"):
            return spell(compile_cuda(names["f"], None, tuple(TYPES[a] for a in args), cc=(8, 0)).signature.return_type)
    except Exception:
        return "-"


def rows():
    vectors = ["float32x1", "float32x2", "float32x3", "uint8x2", "float64x2", "int32", "float64", "complex64", "boolean"]
    for a, b in itertools.product(vectors, vectors):
        if "x" in a + b:
            yield "cuda.float32x3(a, b)", (a, b)
    for a in vectors[:5]:
        for expression in ("a.x", "a.y", "a.w", "a[0]", "len(a)", "-a", "a + a", "a == a", "a * 2.0", "cuda.float4(a, a)",
                           "cuda.float2(a)", "float32(a)", "abs(a)", "a.real", "(a, 1)[0].x", "not a"):
            yield expression, (a,)
    for a in ("datetime64[Y]", "datetime64[D]", "datetime64[us]", "timedelta64[Y]", "timedelta64[M]", "timedelta64[W]",
              "timedelta64[h]", "timedelta64[]"):
        for b in ("datetime64[M]", "datetime64[W]", "datetime64[h]", "timedelta64[Y]", "timedelta64[D]", "timedelta64[us]",
                  "timedelta64[]", "int32", "uint32", "float32", "float64", "boolean", "complex64"):
            for op in ("+", "-", "*", "/", "<", "=="):
                yield f"a {op} b", (a, b)
            yield "b * a", (a, b)
        for expression in ("a // 2", "a % a", "a // 1.5", "-a", "+a", "abs(a)", "~a", "np.isnat(a)", "np.int64(a)", "int(a)",
                           "float(a)", "min(a, a)", "max(a, a, a)", "a ** 2", "a < 0", "a is None", "a if a > a else a"):
            yield expression, (a,)
    for a in [n for n in TYPES if n.startswith("optional(")]:
        for expression in ("a + a", "a + 1", "-a", "a * 2.5", "a is None", "a is not None", "a < 3", "abs(a)", "not a", "a / a",
                           "np.sin(a)", "int(a)", "a[0]", "a.size", "len(a)", "min(a, 3)", "a if True else None",
                           "None if a is None else a", "a // a", "a % 2", "a ** 2", "a << 1", "a & 1", "a == a"):
            yield expression, (a,)
        yield "a + b", (a, "float32")
        yield "a + b", (a, "int8")
        yield "a if b else None", (a, "boolean")
    for a in ("int32", "float32", "complex64"):
        yield "a if b else None", (a, "boolean")
        yield "None if b else a", (a, "boolean")
    for a in ("complex64", "complex128"):
        for expression in ("a.real", "a.imag", "a.conjugate()", "abs(a)", "-a", "+a", "~a", "not a", "a + 1", "a * 1.5", "a ** 2",
                           "a / 2", "a // 2", "a % 2", "a < a", "a == a", "a == 1", "np.complex64(a)", "np.complex128(a)",
                           "complex(1, 2)", "np.float32(a)", "np.isnan(a)", "a and a", "a if a == a else 0.5"):
            yield expression, (a,)
    for a, b in itertools.product(("complex64", "complex128"), ("int8", "int32", "uint32", "int64", "float32", "float64", "boolean",
                                                                "complex64", "complex128")):
        for op in ("+", "-", "*", "/", "**"):
            yield f"a {op} b", (a, b)
            yield f"b {op} a", (a, b)
    for a in ("point", "point[::1]", "point[:]"):
        for expression in ("a.x", "a.n", "a['x']", "a['n']", "a[0].x", "a[0]['n']", "a.x[0]", "a.v[0, 1]", "a.v[1]", "a[0].v[1]",
                           "a.n + a.n", "a.x * a.n", "a[0].x + a[0].n", "a[0].v[1, 2]", "a.w", "a['w']", "len(a)", "a + a", "a[0]"):
            yield expression, (a,)


def render():
    lines = ["# values.tsv: written by `python tests/oracle/extract_values.py`; do not edit",
             f"# numba {numba.__version__}, numba-cuda {numba_cuda.__version__}, numpy {np.__version__}",
             "# columns: types of a and b\texpression\ttype; '-': numba refuses it"]
    for expression, args in rows():
        lines.append("\t".join(["; ".join(args), expression, result(expression, args)]))
    return "\n".join(lines) + "\n"


def main(argv):
    paths = [a for a in argv if not a.startswith("-")]
    out = paths[0] if paths else os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    text, path = render(), os.path.join(out, "values.tsv")
    if "--check" in argv:
        if os.path.exists(path) and open(path, encoding="utf-8").read() == text:
            return 0
        print("differs from what numba says now:", path)
        return 1
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
