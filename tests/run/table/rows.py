#!/usr/bin/env python3
"""Run cases for the rows of the builtins table that follow a typing rule: libdevice, cuda.fp16, cuda.bf16.

usage: rows.py PYKC      writes the kernels (*.pyk) from the rules that `pykc --list-builtins` prints; then ../make_expected.py table

The expected values are computed here, from what CUDA documents: mpmath for functions, fractions for what is rounded once, integers for
bits. `cases.py` asks GROUPS.
"""
import math
import os
import re
import subprocess
import sys
from fractions import Fraction

import mpmath as mp

HERE = os.path.dirname(os.path.abspath(__file__))
mp.mp.prec = 400
N = 8
INPUTS = {
    "float64": [[0.3, -0.7, 1.5, 2.25, -3.6, 0.01, 7.7, 12.2], [0.5, 1.2, -0.4, 3.0, 2.0, -1.5, 0.25, 5.0], [-0.9, 0.1, 3.3, 7.0, 1e-3, 11.0, -2.5, 0.7]],
    "small": [[0.3, -0.7, 1.1, 0.9, -0.6, 0.01, 0.5, 1.2], [0.5, 1.2, 0.4, 3.0, 2.0, 1.5, 0.25, 2.5], [0.0] * N],
    "half": [[1.5, -2.25, 0.3125, math.nan, 7.0, math.inf, -0.5, 3.0], [1.5, 0.40625, math.nan, 1.0, -2.0, -1.0, -0.5, 4.0],
             [0.25, -1.5, 2.0, 0.5, math.nan, 1.0, 0.75, -9.0]],
    "finite": [[1.5, -2.5, 0.3125, 100.25, 7.0, 0.75, -0.5, 63.5], [1.5, 0.40625, 2.0, 1.0, -2.0, -1.0, -0.5, 4.0], [0.0] * N],
    "int64": [[1, -7, 2049, -4099, 30001, 5 << 40, -(1 << 62) - 12345, 123456789], [3, -2, 77, -1000, 30011, 6 << 41, (1 << 61) + 999, -987654321], [0] * N],
    "int32": [[1, -7, 2049, -4099, 30001, 1 << 30, -(1 << 31) + 5, 123456789], [3, -2, 77, 1000, -30011, 0x5041, 0x7531, -987654321],
              [4, 9, -1, 0x5041, 0x1234, 0x7531, 2, 0]],
    "few": [[1, -2, 3, 0, 2, 1, -1, 4], [2, 1, 0, 3, 2, 1, 2, 3], [0] * N],
    "int16": [[1, -7, 2049, -4099, 30001, 15360, -17000, 12345]], "uint16": [[1, 7, 2049, 4099, 30001, 15360, 60001, 12345]],
    "uint32": [[1, 7, 2049, 4099, 30001, 55555, 60001, 12345]], "uint64": [[1, 7, 2049, 4099, 30001, 55555, 60001, 12345]],
    "halves": [[1, -7, 2049, -4099, 30001, 55555, -60001, 12345]]}
FORMATS = {"float64": (53, -1074, 1024), "float32": (24, -149, 128), "float16": (11, -24, 16), "bfloat16": (8, -133, 128)}  # digits, least exponent, overflow


def rounded(x, type, way="n"):
    """An exact number in a floating format: to nearest even, down, up or towards zero."""
    if isinstance(x, float) and not math.isfinite(x) or x is None:
        return math.nan if x is None else x
    x = Fraction(x)
    digits, least, most = FORMATS[type]
    if x == 0:
        return 0.0
    exponent = abs(x.numerator).bit_length() - x.denominator.bit_length()
    if abs(x) < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent - digits + 1, least)
    scaled = x / Fraction(2) ** exponent
    whole = {"n": round, "d": math.floor, "u": math.ceil, "z": math.trunc}[way](scaled) * Fraction(2) ** exponent
    if abs(whole) >= Fraction(2) ** most:
        if way == "n" or way == "u" and x > 0 or way == "d" and x < 0:
            return math.copysign(math.inf, x)
        return float(math.copysign(2.0 ** most * (1 - 2.0 ** -digits) if most < 1024 else sys.float_info.max, x))
    return float(whole)


def exact(x):
    """A number of mpmath as a fraction; None where there is none."""
    if isinstance(x, (int, Fraction)):
        return Fraction(x)
    if isinstance(x, mp.mpc):
        if x.imag != 0:
            return None
        x = x.real
    if mp.isnan(x):
        return None
    if mp.isinf(x):
        return float(x)
    sign, mantissa, exponent, _ = x._mpf_
    return Fraction(-mantissa if sign else mantissa) * Fraction(2) ** exponent


def smooth(function, low=-mp.inf, high=mp.inf):
    def value(*args):
        if not all(low <= a <= high for a in args[-1:]):
            return None
        return exact(function(*map(mp.mpf, args)))
    return value


gamma_sign = lambda x: None if x <= 0 and x == int(x) else mp.gamma(x)
FUNCTIONS = {
    "acos": smooth(mp.acos, -1, 1), "acosh": smooth(mp.acosh, 1), "asin": smooth(mp.asin, -1, 1), "asinh": smooth(mp.asinh), "atan": smooth(mp.atan),
    "atanh": smooth(mp.atanh, -1, 1), "cbrt": smooth(lambda x: mp.sign(x) * mp.cbrt(abs(x))), "cos": smooth(mp.cos), "cosh": smooth(mp.cosh),
    "cospi": smooth(mp.cospi), "erf": smooth(mp.erf), "erfc": smooth(mp.erfc), "erfcinv": smooth(lambda x: mp.erfinv(1 - x), 0, 2),
    "erfcx": smooth(lambda x: mp.exp(x * x) * mp.erfc(x)), "erfinv": smooth(mp.erfinv, -1, 1), "exp": smooth(mp.exp), "exp10": smooth(lambda x: mp.power(10, x)),
    "exp2": smooth(lambda x: mp.power(2, x)), "expm1": smooth(mp.expm1), "j0": smooth(mp.j0), "j1": smooth(mp.j1), "y0": smooth(lambda x: mp.bessely(0, x), 0),
    "y1": smooth(lambda x: mp.bessely(1, x), 0), "lgamma": smooth(lambda x: mp.log(abs(mp.gamma(x)))), "tgamma": smooth(gamma_sign),
    "log": smooth(mp.log, 0), "log10": smooth(mp.log10, 0), "log1p": smooth(mp.log1p, -1), "log2": smooth(lambda x: mp.log(x, 2), 0), "normcdf": smooth(mp.ncdf),
    "normcdfinv": smooth(lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), 0, 1), "rcbrt": smooth(lambda x: mp.sign(x) / mp.cbrt(abs(x))),
    "rsqrt": smooth(lambda x: 1 / mp.sqrt(x), 0), "sin": smooth(mp.sin), "sinh": smooth(mp.sinh), "sinpi": smooth(mp.sinpi), "sqrt": smooth(mp.sqrt, 0),
    "tan": smooth(mp.tan), "tanh": smooth(mp.tanh), "atan2": smooth(mp.atan2), "hypot": smooth(mp.hypot),
    "pow": lambda x, y: None if x < 0 and y != int(y) else exact(mp.power(mp.mpf(x), mp.mpf(y))), "powi": lambda x, n: exact(mp.power(mp.mpf(x), n)),
    "jn": lambda n, x: None if n < 0 else exact(mp.besselj(n, mp.mpf(x))), "yn": lambda n, x: None if x < 0 or n < 0 else exact(mp.bessely(n, mp.mpf(x))),
    "fdivide": lambda x, y: Fraction(x) / Fraction(y), "rcp": lambda x: 1 / Fraction(x), "add": lambda x, y: Fraction(x) + Fraction(y),
    "sub": lambda x, y: Fraction(x) - Fraction(y), "mul": lambda x, y: Fraction(x) * Fraction(y), "div": lambda x, y: Fraction(x) / Fraction(y),
    "fma": lambda x, y, z: Fraction(x) * Fraction(y) + Fraction(z), "fdim": lambda x, y: max(Fraction(x) - Fraction(y), 0),
    "fmax": max, "fmin": min, "fmod": lambda x, y: Fraction(math.fmod(x, y)), "remainder": lambda x, y: Fraction(math.remainder(x, y)),
    "copysign": math.copysign, "ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "rint": round, "nearbyint": round,
    "round": lambda x: math.floor(abs(x) + 0.5) * (1 if x > 0 else -1), "fabs": abs, "saturatef": lambda x: min(max(x, 0), 1),
    "scalbn": lambda x, n: Fraction(x) * Fraction(2) ** n, "ldexp": lambda x, n: Fraction(x) * Fraction(2) ** n, "logb": lambda x: math.frexp(x)[1] - 1}
u32, u64 = lambda x: x & 0xFFFFFFFF, lambda x: x & (1 << 64) - 1
s32, s64 = lambda x: (x & 0xFFFFFFFF) - ((x & 1 << 31) << 1), lambda x: (x & (1 << 64) - 1) - ((x & 1 << 63) << 1)


def bits_of(x, type):
    import struct
    return struct.unpack({"float32": "<i", "float64": "<q", "float16": "<h"}[type], struct.pack({"float32": "<f", "float64": "<d", "float16": "<e"}[type], x))[0]


def from_bits(n, type):
    import struct
    if type == "bfloat16":
        return struct.unpack("<f", struct.pack("<I", (n & 0xFFFF) << 16))[0]
    n, code, back = {"float32": (s32(n), "<i", "<f"), "float64": (s64(n), "<q", "<d"), "float16": (n & 0xFFFF, "<H", "<e")}[type]
    return struct.unpack(back, struct.pack(code, n))[0]


def byte_perm(x, y, s):
    data = [((u32(y) << 32 | u32(x)) >> 8 * k) & 255 for k in range(8)]
    return s32(sum(data[u32(s) >> 4 * k & 7] << 8 * k for k in range(4)))


def mul24(x, y):
    signed = lambda n: (n & 0xFFFFFF) - ((n & 0x800000) << 1)
    return s32(signed(x) * signed(y))


INTEGERS = {
    "abs": abs, "llabs": abs, "brev": lambda x: s32(int(f"{u32(x):032b}"[::-1], 2)), "brevll": lambda x: s64(int(f"{u64(x):064b}"[::-1], 2)), "byte_perm": byte_perm,
    "clz": lambda x: 32 - u32(x).bit_length(), "clzll": lambda x: 64 - u64(x).bit_length(), "ffs": lambda x: (u32(x) & -u32(x)).bit_length(),
    "ffsll": lambda x: (u64(x) & -u64(x)).bit_length(), "popc": lambda x: u32(x).bit_count(), "popcll": lambda x: u64(x).bit_count(), "hadd": lambda x, y: (x + y) >> 1,
    "rhadd": lambda x, y: (x + y + 1) >> 1, "uhadd": lambda x, y: s32((u32(x) + u32(y)) >> 1), "urhadd": lambda x, y: s32((u32(x) + u32(y) + 1) >> 1), "max": max, "min": min,
    "llmax": max, "llmin": min, "ullmax": lambda x, y: s64(max(u64(x), u64(y))), "ullmin": lambda x, y: s64(min(u64(x), u64(y))),
    "umax": lambda x, y: s32(max(u32(x), u32(y))), "umin": lambda x, y: s32(min(u32(x), u32(y))), "mul24": mul24,
    "umul24": lambda x, y: s32((x & 0xFFFFFF) * (y & 0xFFFFFF)), "mulhi": lambda x, y: (x * y) >> 32, "mul64hi": lambda x, y: (x * y) >> 64,
    "umulhi": lambda x, y: s32((u32(x) * u32(y)) >> 32), "umul64hi": lambda x, y: s64((u64(x) * u64(y)) >> 64), "sad": lambda x, y, z: s32(abs(x - y) + z),
    "usad": lambda x, y, z: s32(abs(u32(x) - u32(y)) + z), "hiloint2double": lambda hi, lo: from_bits(u32(hi) << 32 | u32(lo), "float64"),
    "int_as_float": lambda n: from_bits(n, "float32"), "longlong_as_double": lambda n: from_bits(n, "float64"), "float_as_int": lambda x: bits_of(x, "float32"),
    "double_as_longlong": lambda x: bits_of(x, "float64"), "double2hiint": lambda x: bits_of(x, "float64") >> 32, "double2loint": lambda x: s32(bits_of(x, "float64")),
    "half2float": lambda n: from_bits(n, "float16"), "float2half_rn": lambda x: bits_of(rounded(x, "float16"), "float16"),
    "llrint": round, "llround": lambda x: math.floor(abs(x) + 0.5) * (1 if x > 0 else -1), "ilogb": lambda x: math.frexp(x)[1] - 1}
PREDICATES = {"finitef": math.isfinite, "isfinited": math.isfinite, "isinfd": math.isinf, "isinff": math.isinf, "isnand": math.isnan, "isnanf": math.isnan,
              "signbitd": lambda x: x < 0, "signbitf": lambda x: x < 0}


class Row:
    """A call, and what it gives for each thread: group, expressions of the arguments, how results are stored."""

    def __init__(self, name, params, result):
        self.name, self.module, self.function = name, name.split(".")[1], name.split(".")[2]
        self.params, self.result = params, result
        self.results = result.strip("()").split(", ") if result.startswith("(") else [result]

    def base(self):
        """The name without the letter of float32."""
        name = self.function
        if name in FUNCTIONS or name in INTEGERS or name in PREDICATES or name == "modf":
            return name
        return name[:-1] if name.endswith("f") else name


def inputs(row):
    """The name of the input array and of its Python values for each parameter."""
    out = []
    for p in row.params:
        if p in ("float16", "bfloat16"):
            finite = "2" in row.function and not row.function.startswith("hlog") or "_to_" in row.function or "_as_" in row.function
            out.append("finite" if finite else "half")
        elif row.module in ("fp16", "bf16"):
            out.append({"float32": "finite", "float64": "finite", "int64": "halves", "int32": "halves"}.get(p, p))
        elif p in ("float64", "float32"):
            out.append("small" if row.function.startswith("fast_") else "float64")
        elif p == "int32" and ("float64" in row.params or "float32" in row.params):
            out.append("few")
        else:
            out.append(p)
    return out


def unsigned(row):
    return re.search(r"2u|to_uint|uchar|ushort", row.function) is not None and "_as_" not in row.function


def arguments(row, i):
    """The exact arguments of thread i."""
    values = []
    for j, (p, kind) in enumerate(zip(row.params, inputs(row))):
        x = INPUTS[kind][j][i]
        if p in FORMATS:
            x = rounded(x, p)
            if unsigned(row):
                x = abs(x)
            if "2ull_r" in row.function and row.module == "libdevice" and i % 2:
                x *= 2.0 ** 60  # beyond int64
        values.append(x)
    return values


WAYS = {"rn": "n", "rd": "d", "ru": "u", "rz": "z"}


def integral(x, way):
    return {"n": round, "d": math.floor, "u": math.ceil, "z": math.trunc}[way](Fraction(x))


def expected(row, i):
    """The results of thread i, each an int or a float."""
    args, name, base = arguments(row, i), row.function, row.base()
    if row.module != "libdevice":
        return [half_value(row, args)]
    if base in PREDICATES or name in PREDICATES:
        return [int((PREDICATES.get(name) or PREDICATES[base])(*args))]
    if base in ("frexp", "modf", "sincos", "sincospi", "fast_sincos", "remquo"):
        return pair(row, base, args)
    if base == "nextafter":
        import numpy as np
        t = np.float32 if row.result == "float32" else np.float64
        return [float(np.nextafter(t(args[0]), t(args[1])))]
    converted = re.fullmatch(r"(float|double|int|uint|ll|ull)2(float|double|int|uint|ll|ull)_(r[ndzu])", name)
    if converted:
        source, target, way = converted.groups()
        x = args[0]
        if source == "uint":
            x = u32(x)
        if source == "ull":
            x = u64(x)
        if target in ("float", "double"):
            return [rounded(x, "float32" if target == "float" else "float64", WAYS[way])]
        return [s64(integral(x, WAYS[way]))]
    if name in INTEGERS or base in INTEGERS:
        return [(INTEGERS.get(name) or INTEGERS[base])(*args)]
    directed = re.fullmatch(r"([df]?)(add|sub|mul|div|rcp|sqrt|rsqrt|fma|fmaf)_(r[ndzu])", name)
    if directed:
        function = FUNCTIONS[directed[2].replace("fmaf", "fma")]
        value = function(*args)
        return [rounded(value, row.result, WAYS[directed[3]])]
    if name == "fast_powf" and args[0] < 0:
        return [math.nan]
    base = base[5:] if base.startswith("fast_") else base
    base = base if base in FUNCTIONS else base[:-1]
    value = FUNCTIONS[base](*args)
    result = rounded(value, row.result)
    return [math.copysign(result, args[0]) if result == 0 and base in ("trunc", "rint", "nearbyint", "round", "ceil", "fmod", "remainder") else result]


def pair(row, base, args):
    x, t = args[0], row.results[0]
    if base == "frexp":
        return list(math.frexp(x))
    if base == "modf":
        return list(math.modf(x))
    if base == "remquo":
        y = args[1]
        quotient = round(Fraction(x) / Fraction(y))
        return [rounded(Fraction(x) - quotient * Fraction(y), t), (abs(quotient) & 7) * (1 if quotient >= 0 else -1)]
    scale = mp.pi if "pi" in base else 1
    return [rounded(exact(f(mp.mpf(x) * scale)), t) for f in (mp.sin, mp.cos)]


def half_value(row, args):
    name = row.function.strip("_")
    t = "float16" if row.module == "fp16" else "bfloat16"
    name = re.sub(r"^__", "", name)
    if "_as_" in name:
        if row.result in ("float16", "bfloat16"):
            return from_bits(args[0], t)
        bits = bits_of(args[0], "float16") if t == "float16" else bits_of(args[0], "float32") >> 16
        return bits & 0xFFFF if row.result == "uint16" else bits
    way = WAYS.get(name[-2:], "n")
    if name != "hisinf" and re.match("u?int", row.result):
        return integral(args[0], way)
    if "2half" in name or "to_bfloat16" in name:
        return rounded(args[0], t, way)
    if name in ("half2float", "bfloat16_to_float32"):
        return args[0]
    nan = any(isinstance(a, float) and math.isnan(a) for a in args)
    if name == "hisinf":
        return 0 if nan or not math.isinf(args[0]) else int(math.copysign(1, args[0]))
    if name == "hisnan":
        return int(nan)
    comparison = re.fullmatch(r"h(eq|ne|lt|le|gt|ge)(u?)", name)
    if comparison:
        if nan:
            return int(comparison[2] == "u")
        a, b = args
        return int({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[comparison[1]])
    if name.startswith(("hmax", "hmin")):
        numbers = [a for a in args if not math.isnan(a)]
        if nan and name.endswith("nan") or not numbers:
            return math.nan
        return (max if name.startswith("hmax") else min)(numbers)
    base, _, kind = name.partition("_")
    if base in ("habs", "hneg"):
        return abs(args[0]) if base == "habs" else -args[0]
    value = special_half(base[1:], args, t)
    if kind == "sat":
        return 0.0 if math.isnan(value) else min(max(value, 0.0), 1.0)
    if kind == "relu":
        return value if math.isnan(value) else max(value, 0.0)
    return value


def special_half(base, args, t):
    """With infinities and NaN as IEEE has them, else exact and rounded once."""
    if not all(map(math.isfinite, args)):
        import numpy as np
        with np.errstate(all="ignore"):
            a = [np.float64(x) for x in args]
            f = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y, "fma": lambda x, y, z: x * y + z,
                 "rcp": lambda x: 1 / x, "rsqrt": lambda x: 1 / np.sqrt(x), "exp10": lambda x: 10.0 ** x}
            return float((f.get(base) or getattr(np, base))(*a))
    value = FUNCTIONS[base](*args)
    if value is not None and not isinstance(value, float):
        value = Fraction(value)
    result = rounded(value, t)
    return math.copysign(result, args[0]) if result == 0 and base in ("trunc", "rint", "ceil") else result


def group_of(row):
    if row.module != "libdevice":
        name = row.function.strip("_").split("_")[0]
        rough = name in ("hcos", "hexp", "hexp10", "hexp2", "hlog", "hlog10", "hlog2", "hrcp", "hrsqrt", "hsin", "hsqrt", "htanh")
        return row.module + ("_functions" if rough else "_conversions" if "2" in row.function.replace("hlog2", "") or "_to_" in row.function or "_as_" in row.function else "_exact")
    name, base = row.function, row.base()
    if name.startswith("fast_"):
        return "libdevice_fast"
    stripped = base if base in FUNCTIONS else base[:-1]
    single = "float32" in row.params or "float32" in row.results
    if re.search(r"_r[ndzu]$", name) and "2" not in name:
        return "libdevice_rounding_" + ("float32" if single else "float64")
    if "2" in name and "_r" in name:
        return "libdevice_conversions"
    if name in INTEGERS or name in PREDICATES or base in INTEGERS:
        return "libdevice_integers"
    exactly = ("fdim", "fmax", "fmin", "fmod", "remainder", "copysign", "ceil", "floor", "trunc", "rint", "nearbyint", "round", "fabs", "saturatef", "scalbn",
               "ldexp", "logb", "fma", "frexp", "modf", "remquo", "nextafter", "sqrt")
    if stripped in exactly or base in exactly:
        return "libdevice_exact"
    return "libdevice_functions_" + ("float32" if single else "float64")


TOLERANCES = {"libdevice_fast": (2e-5, 2e-6), "libdevice_functions_float32": (2e-6, 1e-6), "libdevice_functions_float64": (4e-15, 2e-15),
              "fp16_functions": (2.0 ** -10, 1e-7), "bf16_functions": (2.0 ** -7, 1e-7)}


def read_rows(pykc):
    listed = subprocess.run([pykc, "--list-builtins"], capture_output=True, text=True, check=True).stdout
    rows = []
    for line in listed.splitlines():
        found = re.match(r"(cuda\.(?:libdevice|fp16|bf16)\.\w+)\s+\(([^()]*)\) -> (.*)$", line)
        if found:
            rows.append(Row(found[1], found[2].split(", "), found[3].strip()))
    return rows


def is_float(type):
    return type.startswith(("float", "bfloat"))


def call_of(row):
    used = []
    for j, (p, kind) in enumerate(zip(row.params, inputs(row))):
        text = f"x_{kind}[{j}, i]"
        if unsigned(row) and p in FORMATS:
            text = f"abs({text})"
        if "2ull_r" in row.function and row.module == "libdevice":
            text += " * (2.0**60 if i % 2 else 1.0)"
        used.append(f"{p}({text})" if p != "int64" and p != "float64" else text)
    prefix = row.module if row.module != "libdevice" else "libdevice"
    return f"{prefix}.{row.function}({', '.join(used)})"


def kernel(rows):
    """The text of a group's kernel, and the number of its rows of each kind."""
    kinds = sorted({k for row in rows for k in inputs(row)})
    lines, count = [], {"f": 0, "n": 0}

    def store(type, text):
        out = "f" if is_float(type) else "n"
        lines.append(f"    out_{out}[{count[out]}, i] = {text}")
        count[out] += 1
    for row in rows:
        call = call_of(row)
        if row.base() in PREDICATES or row.function in PREDICATES:
            store("int64", f"{call} != 0")
        elif len(row.results) > 1:
            lines.append(f"    a, b = {call}")
            store(row.results[0], "a")
            store(row.results[1], "b")
        else:
            store(row.result, f"float32({call})" if row.result in ("float16", "bfloat16") else call)
    module = rows[0].module
    head = ["from numba import cuda, float16, float32, int8, int16, int32, uint16, uint32, uint64" if module != "libdevice" else "from numba import cuda, float32, int16, int32"]
    head += {"libdevice": ["from numba.cuda import libdevice"], "fp16": ["from numba.cuda import fp16"], "bf16": ["from numba.cuda import bf16", "from numba.cuda.bf16 import bfloat16"]}[module]
    names = ", ".join(["x_" + k for k in kinds] + [f"out_{o}" for o in "fn" if count[o]])
    return "\n".join(head) + f"\n\n\n@cuda.jit\ndef k({names}):\n    i = cuda.grid(1)\n" + "\n".join(lines) + "\n", kinds, count


def read_rules():
    with open(os.path.join(HERE, "rules.tsv")) as lines:
        return [Row(name, params.split(", "), result) for name, params, result in (line.rstrip("\n").split("\t") for line in lines)]


def results_of(rows):
    """The arrays of floats and of integers that a group's kernel leaves."""
    floats, integers = [], []
    for row in rows:
        results = ["int64"] if row.base() in PREDICATES or row.function in PREDICATES else row.results
        values = [expected(row, i) for i in range(N)]
        for at, type in enumerate(results):
            (floats if is_float(type) else integers).append([v[at] for v in values])
    return floats, integers


def groups(rows):
    out = {}
    for row in rows:
        out.setdefault(group_of(row), []).append(row)
    return out


def dtype_of(kind):
    return kind if kind in ("int16", "uint16", "uint32", "uint64", "int64", "int32") else {"few": "int32", "halves": "int64"}.get(kind, "float64")


def main():
    for name, rows in groups(read_rows(sys.argv[1])).items():
        with open(os.path.join(HERE, name + ".pyk"), "w") as out:
            out.write(kernel(rows)[0])
        print(name, len(rows), kernel(rows)[2])
    with open(os.path.join(HERE, "rules.tsv"), "w") as out:
        for row in read_rows(sys.argv[1]):
            out.write(f"{row.name}\t{', '.join(row.params)}\t{row.result}\n")


if __name__ == "__main__":
    main()
