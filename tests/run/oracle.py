"""What make_expected.py, check_numba.py and ../oracle/check_sim.py share: the case format, and two ways to run a .pyk
file that know nothing of pykc: Numba's CUDA simulator, and Numba's CPU compiler, one thread after another."""
import ast
import importlib.util
import json
import math
import os
import sys
from importlib.machinery import SourceFileLoader

import numpy as np

np.seterr(all="ignore")
SHOWN = int(os.environ.get("PYK_SHOWN", "1"))       # how many differing elements a message lists


class Unsupported(Exception):
    """This oracle cannot run the case (barriers on the CPU compiler, ...)."""


# --- values <-> JSON ---------------------------------------------------------------------------------------------

def to_json_number(x):
    if isinstance(x, (np.datetime64, np.timedelta64)):
        return int(x.view(np.int64))
    if isinstance(x, (bool, np.bool_)):
        return int(x)
    if isinstance(x, np.complexfloating):
        return [to_json_number(x.real), to_json_number(x.imag)]
    if isinstance(x, np.floating):
        if np.isnan(x):
            return "nan"
        if np.isinf(x):
            return "inf" if x > 0 else "-inf"
        short = float(str(x))                       # the shortest text, if it reads back to the same value
        return short if type(x)(short) == x else float(x)
    return int(x)


def dtype_to_json(dt):
    """A dtype as the cases spell it: a name (of texts Numba's), or a record's fields with offsets and its size."""
    if dt.kind in "SU":
        return f"CharSeq({dt.itemsize})" if dt.kind == "S" else f"UnicodeCharSeq({dt.itemsize // 4})"
    if dt.names is None:
        return dt.name
    fields = []
    for name in dt.names:
        field, offset = dt.fields[name][:2]
        shape = [list(field.shape)] if field.shape else []
        fields.append([name, dtype_to_json(field.base), offset, *shape])
    return {"fields": fields, "itemsize": dt.itemsize}


def dtype_from_json(spec):
    if isinstance(spec, str) and spec.endswith(")"):
        return np.dtype(("U" if spec.startswith("Unicode") else "S") + spec[spec.index("(") + 1:-1])
    if isinstance(spec, str):
        return np.dtype(spec)
    formats = [(dtype_from_json(t), tuple(shape[0])) if shape else dtype_from_json(t) for _, t, _, *shape in spec["fields"]]
    return np.dtype({"names": [f[0] for f in spec["fields"]], "formats": formats,
                     "offsets": [f[2] for f in spec["fields"]], "itemsize": spec["itemsize"]})


def to_json_value(x, dt):
    if dt.shape:
        return [to_json_value(item, np.dtype((dt.base, dt.shape[1:])) if dt.shape[1:] else dt.base) for item in x]
    if dt.names is not None:
        return [to_json_value(x[name], dt.fields[name][0]) for name in dt.names]
    if dt.kind in "SU":
        return [ord(c) for c in x] if dt.kind == "U" else list(x)
    return to_json_number(x)


def from_json_record(value, dt):
    """What NumPy takes for one record: a tuple of its fields, lists for arrays."""
    if dt.shape:
        inner = np.dtype((dt.base, dt.shape[1:])) if dt.shape[1:] else dt.base
        return [from_json_record(item, inner) for item in value]
    if dt.names is not None:
        return tuple(from_json_record(v, dt.fields[name][0]) for v, name in zip(value, dt.names))
    if dt.kind in "SU":
        return "".join(map(chr, value)) if dt.kind == "U" else bytes(value)
    return from_json_numbers([value], dt)[0]


def leaves(a, name=""):
    """The arrays of plain elements that an array consists of."""
    if a.dtype.names is None:
        return [(name, a)]
    return [leaf for n in a.dtype.names for leaf in leaves(a[n], f"{name}.{n}")]


def from_json_numbers(values, dtype):
    dt = dtype_from_json(dtype) if not isinstance(dtype, np.dtype) else dtype
    if dt.names is not None:
        return np.array([from_json_record(v, dt) for v in values], dtype=dt)
    if dt.kind in "mM":
        return np.array(values, dtype=np.int64).view(dt)
    if dt.kind == "c":
        parts = [(float(re), float(im)) for re, im in values]
        return np.array(parts, dtype=np.float64).reshape(-1, 2).view(np.complex128).reshape(-1).astype(dt)
    if dt.kind == "f":
        return np.array([float(v) for v in values], dtype=np.float64).astype(dt)
    return np.array(values, dtype=dt) if dt.kind != "b" else np.array(values, dtype=np.uint8).astype(bool)


def array_to_json(a):
    return {"dtype": dtype_to_json(a.dtype), "shape": list(a.shape),
            "values": [to_json_value(x, a.dtype) for x in a.ravel(order="C")]}


def lay_out(a, layout):
    """The array with the memory layout that the case asks for (the README says what A means)."""
    if layout == "C":
        return np.ascontiguousarray(a)
    if layout == "F":
        return np.asfortranarray(a)
    wide = np.zeros(a.shape[:-1] + (2 * a.shape[-1],), a.dtype)
    view = wide[..., ::2]
    view[...] = a
    return view


def xoroshiro_states(n, seed, subsequence_start=0):
    """create_xoroshiro128p_states in Python integers: an (n, 2) array of uint64, s0 and s1 of each state."""
    M = (1 << 64) - 1
    rotl = lambda x, k: ((x << k) | (x >> (64 - k))) & M

    def step(s):
        s0, s1 = s
        s1 ^= s0
        return rotl(s0, 55) ^ s1 ^ ((s1 << 14) & M), rotl(s1, 36)

    def jump(s):
        a = b = 0
        for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
            for bit in range(64):
                if word >> bit & 1:
                    a, b = a ^ s[0], b ^ s[1]
                s = step(s)
        return a, b

    z = (seed + 0x9E3779B97F4A7C15) & M
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
    z ^= z >> 31
    s, out = (z, z), []
    for _ in range(subsequence_start):
        s = jump(s)
    for _ in range(n):
        out.append(s)
        s = jump(s)
    return np.array(out, dtype=np.uint64).reshape(n, 2)


STATE = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)


def make_args(case):
    """Fresh Python arguments for one launch."""
    args = []
    for spec in case["args"]:
        args.append(make_arg(spec, args))
    return args


def make_arg(spec, before):
    if "same_as" in spec:
        return before[spec["same_as"]]
    if "none" in spec:
        return None
    if "tuple" in spec:
        return tuple(make_arg(s, before) for s in spec["tuple"])
    if "xoroshiro" in spec:
        return xoroshiro_states(**spec["xoroshiro"]).view(STATE).reshape(-1)
    if "scalar" in spec:
        return from_json_numbers([spec["scalar"]], spec["dtype"])[0]
    a = from_json_numbers(spec["values"], spec["dtype"]).reshape(spec["shape"])
    return lay_out(a, spec.get("layout", "C"))


def plain(a):
    """An argument after the launch as an array to compare: random states as (n, 2) uint64."""
    return np.ascontiguousarray(a).view(np.uint64).reshape(-1, 2) if a.dtype == STATE else a


def arrays_of(args):
    return {i: plain(a) for i, a in enumerate(args) if isinstance(a, np.ndarray)}


def difference(got, want, tolerance):
    """None, or one line that says where the two arrays differ."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"{got.dtype}{list(got.shape)} instead of {want.dtype}{list(want.shape)}"
    if got.dtype.kind == "c":                       # part by part
        part = {8: np.float32, 16: np.float64}[got.dtype.itemsize]
        got, want = (np.ascontiguousarray(a).view(part) for a in (got, want))
    if got.dtype.names is not None:
        said = [(n, difference(g, w, tolerance)) for (n, g), (_, w) in zip(leaves(got), leaves(want))]
        return next((f"{n}: {d}" for n, d in said if d), None)
    g, w = got.ravel(), want.ravel()
    if g.dtype.kind in "mM":
        g, w = g.view(np.int64), w.view(np.int64)
    if g.dtype.kind == "f":
        with np.errstate(all="ignore"):
            same = (g == w) | (np.isnan(g) & np.isnan(w))
            near = np.abs(g - w) <= tolerance["atol"] + tolerance["rtol"] * np.abs(w)
            ok = same | (near & np.isfinite(g) & np.isfinite(w))
            ok &= (g != 0) | (w != 0) | (np.signbit(g) == np.signbit(w)) | (tolerance["atol"] > 0)
    else:
        ok = g == w
    if ok.all():
        return None
    where = np.flatnonzero(~ok)
    at = lambda i: f"{[int(n) for n in np.unravel_index(i, got.shape)]}: {g[i]!r} instead of {w[i]!r}"
    return f"{where.size} of {ok.size} differ, first at " + "; ".join(at(i) for i in where[:SHOWN])


def expected_arrays(case):
    return {int(i): from_json_numbers(e["values"], e["dtype"]).reshape(e["shape"]) for i, e in case["expected"].items()}


def compare(case, args):
    """Lines that say how the arguments after a launch differ from what the case expects; [] when they agree."""
    want, before = expected_arrays(case), arrays_of(make_args(case))
    out = []
    for i, got in arrays_of(args).items():
        if "same_as" in case["args"][i]:
            continue
        ref, tol = (want[i], case["tolerance"]) if i in want else (before[i], {"rtol": 0, "atol": 0})
        d = difference(got, ref, tol)
        if d:
            out.append(f"argument {i}: {d}" + ("" if i in want else " (it must stay as it was)"))
    return out


def load_case(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def dims(v):
    v = [v] if isinstance(v, int) else list(v)
    return tuple(v + [1] * (3 - len(v)))


# --- Numba's own targets: the simulator (NUMBA_ENABLE_CUDASIM=1) or a real GPU ------------------------------------

def load_pyk(path, name="pyk_case"):
    loader = SourceFileLoader(name, path)
    loader.set_data = lambda *a, **k: None                       # no __pycache__ beside the tests
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    was, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, os.path.dirname(path))                    # files that the case imports
    try:
        loader.exec_module(module)
    finally:
        sys.path.pop(0)
        sys.dont_write_bytecode = was
    return module


def to_device(cuda, arg, moved):
    """The argument on the device; the same host array is moved once, a strided one as a view of its wide buffer."""
    if not isinstance(arg, np.ndarray):
        return arg
    if id(arg) not in moved:
        strided = arg.base is not None and arg.dtype != STATE and not (arg.flags.c_contiguous or arg.flags.f_contiguous)
        host = arg.base if strided else arg
        device = cuda.to_device(host)
        every_other = (slice(None),) * (arg.ndim - 1) + (slice(None, None, 2),)
        moved[id(arg)] = (host, device, device[every_other] if strided else device)
    return moved[id(arg)][2]


def launch_numba(path, case):
    """Run the case with whatever `numba.cuda` is (simulator or GPU) and return the arguments afterwards."""
    from numba import cuda
    kernel = getattr(load_pyk(path), case["kernel"])
    args, moved = make_args(case), {}
    on_device = [to_device(cuda, a, moved) for a in args]
    kernel[tuple(case["grid"]), tuple(case["block"]), 0, case.get("shared", 0)](*on_device)
    cuda.synchronize()
    for host, device, _ in moved.values():
        if host.size:
            host[...] = device.copy_to_host()
    return args


# --- Numba's CPU compiler, thread after thread --------------------------------------------------------------------

HELPERS = '''
import numpy as _np, numba as _numba
_njit = _numba.njit(error_model="numpy")
@_njit
def _grid1(c): return _np.int64(c[3]) * _np.int64(c[6]) + _np.int64(c[0])
@_njit
def _grid2(c): return (_grid1(c), _np.int64(c[4]) * _np.int64(c[7]) + _np.int64(c[1]))
@_njit
def _grid3(c): return (_grid1(c), _grid2(c)[1], _np.int64(c[5]) * _np.int64(c[8]) + _np.int64(c[2]))
@_njit
def _gridsize1(c): return _np.int64(c[6]) * _np.int64(c[9])
@_njit
def _gridsize2(c): return (_gridsize1(c), _np.int64(c[7]) * _np.int64(c[10]))
@_njit
def _gridsize3(c): return (_gridsize1(c), _gridsize2(c)[1], _np.int64(c[8]) * _np.int64(c[11]))
@_njit
def _cast(a, i, v):
    one = _np.empty(1, a.dtype)
    one[0] = v
    return one[0]
@_njit
def _atomic_add(a, i, v):
    old = a[i]; a[i] = old + _cast(a, i, v); return old
@_njit
def _atomic_sub(a, i, v):
    old = a[i]; a[i] = old - _cast(a, i, v); return old
@_njit
def _atomic_exch(a, i, v):
    old = a[i]; a[i] = v; return old
@_njit
def _atomic_cas(a, i, e, v):
    old = a[i]
    if old == _cast(a, i, e): a[i] = v
    return old
@_njit
def _atomic_max(a, i, v):
    old = a[i]; w = _cast(a, i, v)
    if w > old: a[i] = w
    return old
@_njit
def _atomic_min(a, i, v):
    old = a[i]; w = _cast(a, i, v)
    if w < old: a[i] = w
    return old
'''
CONTEXT = {f"{n}.{d}": 3 * k + j for k, n in enumerate(("threadIdx", "blockIdx", "blockDim", "gridDim"))
           for j, d in enumerate("xyz")}
ATOMICS = ("add", "sub", "max", "min", "exch", "cas")


def dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base and f"{base}.{node.attr}"
    return None


def is_cuda_jit(d):
    return dotted(d.func if isinstance(d, ast.Call) else d) == "cuda.jit"


class ToCpu(ast.NodeTransformer):
    def __init__(self, tree):
        self.functions = {f.name for f in ast.walk(tree) if isinstance(f, ast.FunctionDef)
                          and any(is_cuda_jit(d) for d in f.decorator_list)}
        self.inside = 0

    def visit_FunctionDef(self, f):
        if f.name in self.functions:
            f.decorator_list = [ast.Name("_njit", ast.Load())]
            f.args.args.insert(0, ast.arg("_c"))
            self.inside += 1
            f.body = [self.visit(s) for s in f.body]
            self.inside -= 1
        return f

    def visit_Attribute(self, node):
        name = dotted(node) or ""
        if self.inside and name.startswith("cuda.") and name[5:] in CONTEXT:
            return ast.Subscript(ast.Name("_c", ast.Load()), ast.Constant(CONTEXT[name[5:]]), ast.Load())
        return self.generic_visit(node)

    def visit_Call(self, node):
        name = dotted(node.func) or ""
        c = ast.Name("_c", ast.Load())
        if name in ("cuda.grid", "cuda.gridsize"):
            return ast.Call(ast.Name(f"_{name[5:]}{node.args[0].value}", ast.Load()), [c], [])
        if name == "cuda.local.array":
            node.func = ast.parse("_np.empty", mode="eval").body
            self.generic_visit(node)
            return node
        if name.startswith("cuda.atomic.") and name[12:] in ATOMICS:
            node.func = ast.Name("_atomic_" + name[12:], ast.Load())
        elif name in self.functions and self.inside:
            node.args.insert(0, c)
        elif name.startswith("cuda."):
            raise Unsupported(name)
        self.generic_visit(node)
        return node


def random_source():
    import numba.cuda
    path = os.path.join(os.path.dirname(numba.cuda.__file__), "random.py")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return text.replace("forceobj=_forceobj, looplift=_looplift, nopython=_nopython", "nopython=True, error_model='numpy'")


def launch_cpu(path, case):
    with open(path, encoding="utf-8-sig") as f:
        text = f.read()
    tree = ast.parse(text)
    names = {}
    exec(HELPERS, names)
    if "numba.cuda.random" in text:
        compiled = {"__name__": "cpu_random"}
        exec(compile(random_source(), "numba_cuda_random", "exec"), compiled)
        for node in [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "numba.cuda.random"]:
            tree.body.remove(node)
            names.update({a.asname or a.name: compiled[a.name] for a in node.names})
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "numba.cuda":
            raise Unsupported("from numba.cuda import ...")
    tree = ast.fix_missing_locations(ToCpu(tree).visit(tree))
    names["__name__"] = "cpu_case"
    exec(compile(tree, path, "exec"), names)
    kernel, args = names[case["kernel"]], make_args(case)
    grid, block = case["grid"], case["block"]
    import itertools
    for bz, by, bx in itertools.product(*(range(n) for n in reversed(grid))):
        for tz, ty, tx in itertools.product(*(range(n) for n in reversed(block))):
            kernel(tuple(np.int32(v) for v in (tx, ty, tz, bx, by, bz, *block, *grid)), *args)
    return args
