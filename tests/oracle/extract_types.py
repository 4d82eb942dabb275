#!/usr/bin/env python3
"""Ask numba-cuda's own typing context for every fact that pykc's resolver must reproduce.

usage: extract_types.py [--check] [OUTDIR]     (default OUTDIR: the folder `data` beside this script)

No GPU is needed.  --check writes nothing and exits 1 when the checked-in data differ from what numba says now.
Exits 77 when numba-cuda is not installed.
"""
import itertools
import math
import operator
import os
import sys

try:
    import numba
    import numba_cuda
    import numpy as np
    from numba import cuda
    from numba.core.target_extension import target_override
    from numba.cuda import descriptor, types
    from numba.cuda.typing import arraydecl, templates
except ImportError as e:
    print("SKIP: numba-cuda is not installed:", e)
    sys.exit(77)

TC = descriptor.cuda_target.typing_context
TC.refresh()

SCALARS = [types.boolean, types.int8, types.int16, types.int32, types.int64,
           types.uint8, types.uint16, types.uint32, types.uint64, types.float16, types.float32, types.float64, types.complex64,
          types.complex128]
INTS = SCALARS[1:9]

BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor",
          "lt", "le", "gt", "ge", "eq", "ne"]
INPLACE = {"add": "iadd", "sub": "isub", "mul": "imul", "truediv": "itruediv", "floordiv": "ifloordiv",
           "mod": "imod", "pow": "ipow", "lshift": "ilshift", "rshift": "irshift", "and_": "iand",
           "or_": "ior", "xor": "ixor"}
UNARY_OPS = ["neg", "pos", "invert", "not_", "truth"]
MATH_UNARY = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "degrees", "erf", "erfc",
              "exp", "exp2", "expm1", "fabs", "floor", "gamma", "lgamma", "log", "log2", "log10", "log1p", "radians",
              "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "frexp", "modf", "isfinite", "isinf", "isnan",
              # not in numba-cuda's list; recorded so that the answer is on file:
              "cbrt", "factorial", "isqrt", "ulp", "fsum", "prod"]
MATH_BINARY = ["atan2", "copysign", "fmod", "hypot", "ldexp", "nextafter", "pow", "remainder",
               "gcd", "lcm", "comb", "perm", "dist", "isclose", "log"]
COMMAND = "python tests/oracle/extract_types.py"


def spell(t):
    """Numba's name of a type: scalars as they are, Array(dtype, ndim, layout[, readonly]), Tuple(...)."""
    if t is None:
        return "-"
    if isinstance(t, types.Array):
        ro = "" if t.mutable else ",readonly"
        return f"Array({spell(t.dtype)},{t.ndim},{t.layout}{ro})"
    if isinstance(t, types.BaseTuple):
        return "Tuple(" + ",".join(spell(x) for x in t) + ")"
    if isinstance(t, types.Optional):
        return f"Optional({spell(t.type)})"
    if isinstance(t, types.SliceType):
        return "slice3" if t.has_step else "slice2"
    return {"bool": "boolean"}.get(str(t), str(t))


def spell_all(ts):
    return ",".join(spell(t) for t in ts) if ts else "()"


def call(fn, args):
    """The signature that the call resolves to, or None."""
    try:
        return TC.resolve_function_type(fn, tuple(args), {})
    except Exception:
        return None


def call_row(name, fn, args):
    sig = call(fn, args)
    if sig is None:
        return [name, *map(spell, args), "-", "-"]
    return [name, *map(spell, args), spell(sig.return_type), spell_all(sig.args)]


def callee(value):
    """What typing a reference to a Python object gives, or None: the callee of a call by that name."""
    try:
        return TC.resolve_value_type(value)
    except Exception:
        return None


# --- one function per file; each returns (column names, notes, rows) ---------------------------------------------

def binary():
    rows = [call_row(op, getattr(operator, op), p) for op in BINARY for p in itertools.product(SCALARS, SCALARS)]
    differ = []
    for op, iop in INPLACE.items():
        for p in itertools.product(SCALARS, SCALARS):
            plain, inplace = (call_row("", getattr(operator, o), p) for o in (op, iop))
            if plain != inplace:
                differ.append([iop, *inplace[1:]])
    note = "in-place operators (iadd, isub, ...) " + (
        "give the same result and operand types as the plain ones for every pair" if not differ
        else "differ from the plain ones in the rows listed under their own names; else they are the same")
    bug = ("itruediv: a bug of numba-cuda 0.30.4 (its bfloat16 bindings register the cases of add for it): integer /= integer "
           "is typed int64 but lowered as the float64 division, which fails or stores garbage; pykc gives float64")
    return "op lhs rhs result operands", [note, bug], rows + differ


def bfloat16():
    other = SCALARS + [types.bfloat16]
    pairs = [(types.bfloat16, t) for t in other] + [(t, types.bfloat16) for t in SCALARS]
    rows = [call_row(op, getattr(operator, op), p) for op in BINARY for p in pairs]
    rows += [["convert", spell(a), spell(b), "none" if c is None else c.name, "-"]
             for a, b in pairs for c in [TC.can_convert(a, b)]]
    return "op lhs rhs result operands", ["the operators of bfloat16; convert: the rating of lhs -> rhs"], rows


def unary():
    rows = [call_row(op, getattr(operator, op), (t,)) for op in UNARY_OPS for t in SCALARS]
    for name, fn in (("abs", abs), ("int", int), ("float", float), ("bool", bool), ("round", round)):
        rows += [call_row(name, fn, (t,)) for t in SCALARS]
    return "op operand result operands", [], rows


def builtins():
    rows = []
    for name, fn in (("min", min), ("max", max), ("pow", pow), ("divmod", divmod)):
        rows += [call_row(name, fn, p) for p in itertools.product(SCALARS, SCALARS)]
    rows += [call_row("round", round, p) for p in itertools.product(SCALARS, SCALARS)]
    rows += [call_row("int", int, p) for p in itertools.product([types.int64, types.float64], [types.int64])]
    rows = [[r[0], ",".join(r[1:3]), *r[3:]] for r in rows]
    some = [types.boolean, types.int32, types.int64, types.uint8, types.uint64, types.float32, types.float64]
    for name, fn in (("min", min), ("max", max)):
        for p in itertools.product(some, some, some):
            r = call_row(name, fn, p)
            rows.append([name, ",".join(r[1:4]), *r[4:]])
        for t in ([types.int32] * 2, [types.int32, types.float32], [types.int64, types.float64, types.int8],
                  [types.uint64, types.int64]):
            r = call_row(name, fn, (types.BaseTuple.from_types(t),))
            rows.append(r)
    for t in (types.UniTuple(types.int32, 3), types.Tuple((types.int32, types.float64)),
              types.Array(types.float32, 2, "C")):
        rows.append(call_row("len", len, (t,)))
    rows.append(call_row("sum", sum, (types.UniTuple(types.int32, 3),)))
    return "function arguments result operands", [
        "arguments: comma-separated; operands Tuple(...): an implementation of any number of arguments, which converts each",
        "pair to its unified type and keeps the first unless the second is smaller (greater)"], rows


def math_functions():
    rows = []
    for name in MATH_UNARY + MATH_BINARY:
        fn = callee(getattr(math, name)) if hasattr(math, name) else None
        arity = 1 if name in MATH_UNARY else 2
        if name == "log" and fn is not None:
            continue
        for p in itertools.product(SCALARS, repeat=arity):
            rows.append([f"math.{name}", spell_all(p), *(call_row("", fn, p)[-2:] if fn is not None else ["-", "-"])])
    for p in itertools.product(SCALARS, repeat=1):
        rows.append(["math.log", spell_all(p), *call_row("", callee(math.log), p)[-2:]])
    for p in itertools.product(SCALARS, repeat=2):
        rows.append(["math.log", spell_all(p), *call_row("", callee(math.log), p)[-2:]])
    return "function arguments result operands", [
        "arguments: comma-separated; math.log has rows for 1 and for 2 arguments",
        "a function whose rows are all '-' does not exist in kernels"], rows


def casts():
    named = {f"numba.{spell(t)}": t for t in SCALARS}
    for n in ("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
              "intc", "uintc", "intp", "uintp", "byte", "ubyte", "short", "ushort", "longlong", "ulonglong", "single",
              "double"):
        named[f"np.{n}"] = getattr(np, n)
    for n in ("bool_", "byte", "char", "uchar", "short", "ushort", "int_", "uint", "intc", "uintc", "intp", "uintp",
              "long_", "ulong", "longlong", "ulonglong", "float_", "double", "f4", "f8", "i1", "i2", "i4", "i8", "u1",
              "u2", "u4", "u8", "b1"):
        if hasattr(numba, n):
            named[f"numba.{n}"] = getattr(numba, n)
    rows = [[name, spell(t), *call_row("", callee(v), (t,))[-2:]] for name, v in named.items() for t in SCALARS]
    return "callee argument result operands", ["numba.X is the name X imported from numba (numba.types gives the same)"], rows


def unify():
    def a(dt, nd, lay, ro=False):
        return types.Array(dt, nd, lay, readonly=ro)
    f4, f8, i4, i8, b = types.float32, types.float64, types.int32, types.int64, types.boolean
    arrays = [a(f4, n, l, ro) for n in (1, 2) for l in "CFA" for ro in (False, True)] + [a(f8, 1, "C"), a(i4, 2, "C")]
    tup = types.BaseTuple.from_types
    tuples = [tup((i4, i4)), tup((i8, i8)), tup((f4, f4)), tup((i4, f4)), tup((i8, f8)), tup((i4, i4, i4)),
              tup((tup((i4, i8)), f4)), tup((tup((i8, i8)), f8)), tup((a(f4, 1, "C"), i4)), tup((a(f4, 1, "A"), i8)),
              tup((b, b)), tup(())]
    lits = [types.literal(1), types.literal(2), types.literal(True)]
    groups = [SCALARS, arrays, tuples]
    pairs = [p for g in groups for p in itertools.product(g, g)]
    odd = [types.none, i4, f4, f8, a(f4, 1, "C"), tup((i4, i4)), types.Optional(i4), types.Optional(f8)] + lits
    pairs += itertools.product(odd, odd)
    rows = {}
    for x, y in pairs:
        try:
            r = TC.unify_types(x, y)
        except Exception:
            r = None
        rows[(spell(x), spell(y))] = [spell(x), spell(y), spell(r)]
    return "a b unified", ["'-': Numba reports 'Cannot unify'", "none is the type of None"], list(rows.values())


def convert():
    rows = []
    for x, y in itertools.product(SCALARS, SCALARS):
        c = TC.can_convert(x, y)
        rows.append([spell(x), spell(y), "none" if c is None else c.name])
    arrs = [types.Array(types.float32, n, l, readonly=ro) for n in (1, 2) for l in "CFA" for ro in (False, True)]
    for x, y in itertools.product(arrs, arrs):
        c = TC.can_convert(x, y)
        rows.append([spell(x), spell(y), "none" if c is None else c.name])
    return "from to conversion", ["conversion: exact, promote, safe, unsafe, or none when it is refused"], rows


def ranges():
    ts = [types.int32, types.int64, types.uint32, types.uint64, types.uint8, types.int8, types.boolean, types.float32]
    rows = []
    for n in (1, 2, 3):
        for p in itertools.product(ts, repeat=n):
            sig = call(range, p)
            rows.append([spell_all(p), "-" if sig is None else spell(sig.return_type.iterator_type.yield_type),
                         "-" if sig is None else spell_all(sig.args)])
    return "arguments variable operands", [], rows


def index():
    i4, i8, u8, u4 = types.int32, types.int64, types.uint64, types.uint32
    s2, s3, el, nt = types.slice2_type, types.slice3_type, types.ellipsis, types.none
    tup = types.BaseTuple.from_types
    one = [i4, i8, u4, u8, types.boolean, types.int8, types.float32, s2, s3, el]
    two = [tup(p) for p in itertools.product([i8, u8, s2, s3], repeat=2)]
    two += [tup(p) for p in ((el, i8), (i8, el), (el, s2), (s2, el), (i4, i8), (i4, i4), (u4, i8), (nt, s2), (s2, nt),
                             (types.float32, i8), (types.boolean, i8))]
    three = [tup(p) for p in itertools.product([i8, s2, s3], repeat=3)]
    three += [tup(p) for p in ((i8, el, i8), (el, i8, i8), (el, s2, i8))]
    rows = []
    for nd in (1, 2, 3):
        for lay in "CFA":
            if nd == 1 and lay == "F":
                continue
            arr = types.Array(types.float32, nd, lay)
            for idx in one + two + three + [tup((i8,)), tup((s2,)), tup(())]:
                try:
                    r = arraydecl.get_array_index_type(arr, idx)
                    got = None if r is None else r.result
                except Exception:
                    got = None
                rows.append([spell(arr), spell(idx), spell(got)])
    ro = types.Array(types.float32, 2, "C", readonly=True)
    rows += [[spell(ro), spell(i), spell(arraydecl.get_array_index_type(ro, i).result)] for i in (i8, s2)]
    for nd in (1, 2, 3, 4, 5):
        for lay in "CFA":
            if nd == 1 and lay == "F":
                continue
            arr = types.Array(types.int32, nd, lay)
            for attr in ("T", "shape", "size", "ndim", "strides", "itemsize", "nbytes"):
                rows.append([spell(arr), "." + attr, spell(TC.resolve_getattr(arr, attr))])
            it = arr.iterator_type.yield_type if nd else None
            rows.append([spell(arr), "for-in", spell(it)])
    hom, het = types.UniTuple(types.int32, 3), types.Tuple((types.int32, types.float64))
    for t in (hom, het):
        for i in (i4, i8, u8, types.float32):
            sig = call(operator.getitem, (t, i))
            rows.append([spell(t), spell(i), spell(sig.return_type) if sig else "-"])
        for k in (-4, -3, -2, -1, 0, 1, 2, 3):
            try:
                r = TC.resolve_static_getitem(t, k)
            except Exception:
                r = None
            rows.append([spell(t), f"={k}", spell(r.return_type) if r else "-"])
        rows.append([spell(t), "for-in", spell(t.iterator_type.yield_type) if isinstance(t, types.UniTuple) else "-"])
    return "container index result", [
        "index: a type, Tuple(...) of types (int64, uint64, slice2 = a:b, slice3 = a:b:c, ellipsis, none = None),",
        ".attribute, for-in (the loop variable), or =K for the constant index K",
        "boolean and float indices: '-' means a TypingError"], rows


def literals():
    rows = []
    for text in ("0", "1", "-1", "127", "255", "2**31-1", "2**31", "2**32", "2**63-1", "2**63", "2**64-1", "2**64",
                 "-2**63", "-2**63-1", "1.5", "1e400", "0.0", "True", "False", "None", "1j", "(1, 2)", "(1, 2.0)", "()",
                 "(True, 1)", "(1, (2, 3))"):
        try:
            t = TC.resolve_value_type(eval(text))
        except Exception:
            t = None
        rows.append([text, spell(t)])
    for text, v in (("np.int32(1)", np.int32(1)), ("np.uint8(1)", np.uint8(1)), ("np.float32(1)", np.float32(1)),
                    ("np.bool_(1)", np.bool_(1)), ("np.int64(1)", np.int64(1)), ("np.uint64(1)", np.uint64(1)),
                    ("math.pi", math.pi), ("math.inf", math.inf)):
        rows.append([text, spell(TC.resolve_value_type(v))])
    from numba.cuda.types import literal
    for text in ("1", "True"):
        rows.append([f"literal({text})", spell(literal(eval(text)))])
    return "expression type", ["the type of a constant of the module or of a literal in a kernel, once un-literaled"], rows


def operator_cases():
    named = [(n, getattr(operator, n)) for n in BINARY + UNARY_OPS] + [
        ("abs", abs), ("divmod", divmod), ("pow()", pow), ("round", round), ("range", range), ("min", min), ("max", max),
        ("int", int), ("float", float), ("bool", bool)]
    named += [(f"math.{n}", getattr(math, n)) for n in MATH_UNARY + MATH_BINARY if callee(getattr(math, n, None))]
    keep = set(SCALARS)
    rows, seen = [], set()
    for name, fn in named:
        fty = callee(fn)
        if fty is None or name in seen:
            continue
        seen.add(name)
        for k, tpl in enumerate(fty.templates):
            # an AbstractTemplate computes its answer; it is listed by name, for it may answer before the cases do
            if not (isinstance(tpl, type) and issubclass(tpl, templates.ConcreteTemplate)):
                rows.append([name, str(k), "-", tpl.__name__, "-", "-"])
                continue
            unsafe = "unsafe" if getattr(tpl, "unsafe_casting", True) else "no-unsafe"
            n = 0
            for c in tpl.cases:
                if set(c.args) <= keep:
                    rows.append([name, str(k), f"{n:02d}", unsafe, spell(c.return_type) if not isinstance(
                        c.return_type, types.RangeType) else spell(c.return_type.iterator_type.yield_type), spell_all(c.args)])
                    n += 1
    return "function template case casting result operands", [
        "The ordered case lists.  Templates are asked in order; the first that accepts the arguments decides.  Within a",
        "template every case is rated by its counts of (unsafe, safe, promote) conversions and the smallest wins, the first",
        "on a tie.  casting no-unsafe: a case that needs an unsafe conversion is refused.  A row with case '-' is a template",
        "that computes its answer (its class name stands in column 4).  Cases with float16, bfloat16 or complex operands are left out;",
        "verify_cases.py shows that they never decide among our types.  range: the result is the loop variable."], rows


def libdevice():
    from numba.cuda import libdevicefuncs
    rows = []
    for name, (result, args) in libdevicefuncs.functions.items():
        sig = libdevicefuncs.create_signature(result, args)
        rows.append([name[len("__nv_"):], spell_all(sig.args), spell(sig.return_type)])
    return "function arguments result", ["the functions of cuda.libdevice; C's results through pointers are elements of the result"], rows


def intrinsics():
    """Warp, bit and other functions of cuda.*, for the types that kernels have."""
    i4, u4, i8 = types.int32, types.uint32, types.int64
    rows = []

    def add(name, args):
        with target_override("cuda"):
            rows.append(["cuda." + name, spell_all(args),
                         *call_row("", TC.resolve_getattr(types.Module(cuda), name), args)[-2:]])
    for name in ("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"):
        for t in SCALARS:
            add(name, (u4, t, i4))
    for name in ("all_sync", "any_sync", "eq_sync", "ballot_sync", "match_any_sync", "match_all_sync"):
        for t in SCALARS:
            add(name, (u4, t))
    for name in ("popc", "clz", "ffs", "brev", "cbrt"):
        for t in SCALARS:
            add(name, (t,))
    for t in SCALARS:
        add("fma", (t, t, t))
        add("selp", (types.boolean, t, t))
        add("selp", (types.boolean, t, types.float64))
    for name in ("activemask", "lanemask_lt", "threadfence", "threadfence_block", "threadfence_system", "syncwarp"):
        add(name, ())
    for name in ("syncwarp", "nanosleep"):
        for t in (i4, u4, i8):
            add(name, (t,))
    return "function arguments result operands", [], rows


FILES = {"libdevice": libdevice, "intrinsics": intrinsics, "binary": binary, "bfloat16": bfloat16, "unary": unary, "builtins": builtins, "math": math_functions, "casts": casts, "unify": unify,
         "convert": convert, "range": ranges, "index": index, "literals": literals, "operators_cases": operator_cases}
IN_ORDER = {"operators_cases"}          # here the order of the rows is the fact


def render(name):
    columns, notes, rows = FILES[name]()
    if name not in IN_ORDER:
        rows = sorted(set(map(tuple, rows)))
    head = [f"# {name}.tsv: written by `{COMMAND}`; do not edit",
            f"# numba {numba.__version__}, numba-cuda {numba_cuda.__version__}, numpy {np.__version__}, "
            f"python {sys.version_info.major}.{sys.version_info.minor}",
            "# columns: " + "\t".join(columns.split()),
            "# '-' as a result: numba has no such operation (TypingError)"]
    return "\n".join(head + [f"# {n}" for n in notes] + ["\t".join(r) for r in rows]) + "\n"


def main(argv):
    check = "--check" in argv
    paths = [a for a in argv if not a.startswith("-")]
    out = paths[0] if paths else os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
    stale = []
    for name in FILES:
        text, path = render(name), os.path.join(out, name + ".tsv")
        if check:
            if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
                stale.append(path)
        else:
            os.makedirs(out, exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
    for p in stale:
        print("differs from what numba says now:", p)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
