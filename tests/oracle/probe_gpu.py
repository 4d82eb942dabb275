#!/usr/bin/env python3
"""Ask Numba on a real GPU about what no specification fixes; writes the rows of data/gpu.tsv to standard output.

usage: probe_gpu.py > data/gpu.tsv        exits 77 without numba-cuda or a GPU
"""
import os
import sys
import warnings

warnings.simplefilter("ignore")
os.environ["NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"] = "0"
import numpy as np

for name in ("row_stack", "in1d", "trapz"):
    if not hasattr(np, name):
        setattr(np, name, lambda *a, **k: None)
try:
    import math
    import numba
    import numba_cuda
    from numba import cuda, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64
    if not cuda.is_available():
        raise ImportError("no CUDA GPU")
except ImportError as e:
    print("SKIP:", e, file=sys.stderr)
    sys.exit(77)

NAMES = dict(cuda=cuda, math=math, float32=float32, float64=float64, int8=int8, int16=int16, int32=int32, int64=int64,
             uint8=uint8, uint16=uint16, uint32=uint32, uint64=uint64)
ROWS = []


def ask(body, *values, out="float64"):
    """body assigns r from the kernel's arguments a, b, ...; the result is stored in an array of the type out."""
    params = "abcdef"[:len(values)]
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = f"def k(o{''.join(', ' + p for p in params)}):\n{lines}    o[0] = r\n"
    names = dict(NAMES)
    exec(text, names)
    o = np.zeros(1, out)
    shown = ", ".join(f"{type(v).__name__}({v})" if not isinstance(v, np.ndarray) else f"{v.dtype}{v.tolist()}" for v in values)
    try:
        cuda.jit(names["k"])[1, 1](o, *values)
        result = repr(o[0].item())
    except BaseException as e:  # noqa: BLE001
        lines = [x.strip() for x in str(e).replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines() if x.strip()]
        result = "-"
        shown += "  # " + type(e).__name__ + ": " + (lines[1] if len(lines) > 1 else lines[0] if lines else "")[:110].replace("\t", " ")
    ROWS.append((body.replace("\n", "; "), shown, out, result))


def as_text(name):
    return name.decode() if isinstance(name, bytes) else name


i32, i64, u64, f32, f64 = np.int32, np.int64, np.uint64, np.float32, np.float64
for n in (63, 64, 65, 127, 128, -1):
    ask("r = a << b", i64(1), i64(n), out="int64")
    ask("r = a >> b", i64(-8), i64(n), out="int64")
    ask("r = a >> b", u64(2**63), i64(n), out="uint64")
for t in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
    for v in (300.7, -1.5, 1e10, -1e10, 1e20, -1e20, math.nan, math.inf, -math.inf):
        ask(f"r = {t}(a)", f64(v), out=t)
        if v in (300.7, -1.5) or v != v:
            ask(f"r = {t}(a)", f32(v), out=t)
for v in (300.7, -1.5, 1e20, math.nan):
    ask("r = a", f64(v), out="int8")
    ask("r = a", f64(v), out="uint8")
    ask("r = int(a)", f64(v), out="int64")
    ask("r = bool(a)", f64(v), out="int64")
for x, y in ((5.0, math.inf), (-5.0, math.inf), (5.0, -math.inf), (0.0, math.inf), (1e300, 0.1), (1e17, 3.0), (1e15, 0.1),
             (5.5, 0.0), (math.inf, 2.0), (5e-324, 1.0), (-5e-324, 1.0), (1.0, 5e-324), (0.1, 1e300), (-0.1, 1e300)):
    for t in (f64, f32):
        for body in ("r = a % b", "r = a // b", "r = math.fmod(a, b)"):
            ask(body, t(x), t(y))
ask("r = a\nr /= b", i32(7), i32(2))
ask("r = a\nr /= 2", i64(7))
ask("r = a\nr /= 2.0", i64(7))
ask("r = 0\nfor i in range(a): r += 1", f32(3.7))
ask("r = 0\nfor i in range(a, b, c): r += 1", i64(0), i64(5), i64(0))
ask("t = (1, 2, 3)\nr = t[a]", i64(7))
ask("r = abs(a)", np.bool_(True), out="int64")
ask("r = abs(a) / 2", np.bool_(True))
ask("r = float(a)", np.bool_(True))
ask("r = math.log(a, b)", f64(8), f64(2))
ask("r = min(a, b)", np.bool_(True), np.bool_(False))
ask("r = min(a, b, c)", f64(1), f64(math.nan), f64(0.5))
ask("r = max(a, b, c)", f64(math.nan), f64(1), f64(0.5))
ask("r = min((a, b))", f64(math.nan), f64(1))
ask("r = min(a, b)", f64(0.0), f64(-0.0))
ask("r = max(a, b)", f64(-0.0), f64(0.0))
ask("r = min(a, b)", f32(math.nan), i32(1))
ask("r = max(a, b)", i32(1), f32(math.nan))
ask("r = round(a)", f64(1e20), out="int64")
ask("r = round(a)", f64(math.nan), out="int64")
ask("r = round(a, 0)", f64(1e22))
ask("r = round(a, 1)", f64(-0.0))
ask("r = round(a, 400)", f64(1.5))
ask("r = a ** b", i64(0), i64(-1), out="int64")
ask("r = a ** b", np.bool_(True), i32(2))
ask("r = a ** b", f32(0), i64(-1))
ask("r = a ** b", f64(1.0000001), i64(100000))
ask("r = a ** b", f64(2), i64(-9223372036854775808))
ask("r = a ** b", f64(-8), f64(1 / 3))
ask("r = math.pow(a, b)", f64(3), i64(1))
ask("r = a * b", i64(2**62), i64(4), out="int64")
ask("r = a + b", i64(2**63 - 1), i64(1), out="int64")
ask("r = -a", i64(-2**63), out="int64")
ask("r = 1 if a + 1 > a else 0", i64(2**63 - 1), out="int64")
ask("a[2:4] = b[:2]\nr = a[3]", np.arange(5, dtype=f32), np.arange(5, dtype=f32) + 10)
ask("a[:] = b\nr = a[3]", np.arange(5, dtype=f32), np.arange(5, dtype=f32) + 10)
ask("a[2:4] = b[:2]\nr = a[3]", np.arange(5, dtype=f32), np.arange(5, dtype=i32) + 10)
ask("a += 1\nr = a[3]", np.arange(5, dtype=f32))
ask("r = a[b]", np.arange(5, dtype=f32), np.bool_(True))
ask("r = a[b]", np.arange(5, dtype=f32), f32(2.0))
ask("r = a[b]", np.arange(5, dtype=f32), np.uint8(255 & 3))
ask("r = 1 in (1, 2)", out="int64")
ask("r = not a", f64(math.nan), out="int64")
ask("n = 4\nm = n * 2\nx = cuda.local.array(m, int32)\nr = x.size", out="int64")
ask("x = cuda.local.array(2 * 4, int32)\nr = x.size", out="int64")
ask("x = cuda.shared.array((2, 3), 'float32')\nr = x.size", out="int64")
ask("r = cuda.atomic.exch(a, 0, 2.5)", np.arange(3, dtype=f32))
ask("r = cuda.atomic.add(a, 0, 2.75)", np.arange(3, dtype=i32), out="int64")
ask("r = cuda.atomic.max(a, 0, -1)", np.ones(3, dtype=np.uint32), out="int64")
ask("x = 5\nx = a if x > 3 else None\nr = x[1]", np.arange(3, dtype=f32))

print("# gpu.tsv: written by `python tests/oracle/probe_gpu.py` on a machine with a GPU; do not edit")
print(f"# numba {numba.__version__}, numba-cuda {numba_cuda.__version__}, numpy {np.__version__}, "
      f"{as_text(cuda.get_current_device().name)} (sm_{''.join(map(str, cuda.get_current_device().compute_capability))})")
print("# columns: statements\targuments\tstored as\tresult")
print("# '-': a compile-time or launch error, its text follows the arguments")
for row in ROWS:
    print("\t".join(row))
