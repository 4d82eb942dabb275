#!/usr/bin/env python3
"""Writes src/builtins/rows/libdevice.def: one row for each function of data/libdevice.tsv, with Numba's types.

usage: libdevice_rows.py [--check]

What C++ calls a function follows from its name, but for the words below. `--check` only compares (exit code 1: they
differ). data/libdevice.tsv itself comes from numba-cuda's declarations: extract_types.py.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
FACTS = HERE / "data/libdevice.tsv"
ROWS = HERE.parent.parent / "src/builtins/rows/libdevice.def"

HEAD = """\
// Written by tests/oracle/libdevice_rows.py; do not edit.
//
// CUDA's libdevice, by the names that Numba gives its functions, and with its types: unsigned C integers are signed, what
// C returns through a pointer is an element of a tuple. Columns: builtins.def. One macro for each list of types; the types
// of every row are Numba's own (tests/oracle/data/libdevice.tsv).
#define PYK_ROW(name, rule, cuda, cpu) PYK_BUILTIN("cuda.libdevice." name, rule, none, cuda, cpu, "", 0, "libdevice's __nv_" name)
"""

LETTERS = {"float32": "F", "float64": "D", "int16": "H", "int32": "I", "int64": "L"}

# CUDA: `__name`, an intrinsic. Names with a rounding (`_rd`) are such too.
INTRINSICS = set("""brev brevll byte_perm clz clzll double2hiint double2loint double_as_longlong ffs ffsll float_as_int hadd
    hiloint2double int_as_float longlong_as_double mul24 mul64hi mulhi popc popcll rhadd sad saturatef uhadd umul24 umul64hi
    umulhi urhadd usad""".split())
# CUDA: a function of the prelude, for what C returns through pointers and the like; float32's has the same name.
PRELUDE = set("fast_sincosf float2half_rn half2float frexp modf powi remquo signbit sincos sincospi".split())
OTHER_NAMES = {"finitef": "isfinite", "isfinited": "isfinite", "isinfd": "isinf", "isinff": "isinf", "isnand": "isnan",
               "isnanf": "isnan", "signbitd": "signbit", "max": "llmax", "min": "llmin", "llabs": "abs"}
# CPU: in <cmath> under the name without `f` and `fast_`; the rest is in the prelude.
STANDARD = set("""abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma
    fmax fmin fmod hypot ilogb ldexp lgamma llrint llround log log10 log1p log2 logb nearbyint nextafter pow remainder rint
    round scalbn sin sinh sqrt tan tanh tgamma trunc""".split())
# CUDA's result where it is not Numba's.
UNSIGNED = set("""brev byte_perm sad uhadd umax umin umul24 umulhi urhadd usad""".split())
UNSIGNED_LONG = set("brevll ullmax ullmin umul64hi".split())
# CUDA's parameters that are not Numba's; of `sad` only the last one is.
UNSIGNED_PARAMETERS = (UNSIGNED - {"sad"}) | UNSIGNED_LONG | {"popc", "popcll"}

ROUNDED = re.compile(r"([a-z0-9]+)_(r[dnuz])$")
CONVERSION = re.compile(r"(int|uint|ll|ull|float|double)2(int|uint|ll|ull|float|double)$")


def base_name(name):
    """Without what says float32, and the speed."""
    if name in OTHER_NAMES:
        return OTHER_NAMES[name]
    name = name.removeprefix("fast_")
    shorter = name.removesuffix("f")
    known = STANDARD | PRELUDE | {"cospi", "erfcinv", "erfcx", "erfinv", "exp10", "j0", "j1", "jn", "normcdf", "normcdfinv", "rcbrt",
                                  "rsqrt", "sinpi", "y0", "y1", "yn"}
    return shorter if shorter in known else name


def rounded_name(name):
    """What the prelude calls an operation with a rounding: `add_rd`, `to_int_rz`, `from_ll_to_float_ru`."""
    match = ROUNDED.match(name)
    if not match or name == "float2half_rn":
        return None
    stem, rounding = match.groups()
    if conversion := CONVERSION.match(stem):
        source, target = conversion.groups()
        if source in ("float", "double"):
            return f"to_{target}_{rounding}"
        exact = target == "double" and source in ("int", "uint")
        return f"from_{source}_to_{target}" + ("" if exact else f"_{rounding}")
    if name == "frsqrt_rn":
        return "rsqrt"
    return f"{'fma' if stem.startswith('fma') else stem[1:]}_{rounding}"


def cuda_name(name):
    if name in PRELUDE or base_name(name) in PRELUDE:
        return "pyk::libdevice::" + (name if name in PRELUDE else base_name(name))
    if name in INTRINSICS or rounded_name(name):
        return "__" + name
    if name.startswith("fast_"):
        return "__" + name.removeprefix("fast_")
    return OTHER_NAMES[name] if OTHER_NAMES.get(name, "").startswith("is") else name


def cpu_name(name):
    if name == "fast_powf":
        return "pyk::libdevice::fast_powf"
    rounded = rounded_name(name)
    base = rounded or base_name(name)
    return ("std::" if base in STANDARD else "pyk::libdevice::") + base


def cast(name):
    """What C++ gives as unsigned is signed in Numba, and a predicate's boolean is an integer."""
    if name in UNSIGNED or re.search(r"2uint_", name) or OTHER_NAMES.get(name, "").startswith("is"):
        return "static_cast<int>("
    return "static_cast<long long>(" if name in UNSIGNED_LONG or re.search(r"2ull_", name) else ""


def letters(types):
    return "".join(LETTERS[t] for t in types)


def parameter_letters(name, types):
    """`U` and `V`: of 32 and 64 bits that CUDA takes as unsigned."""
    is_unsigned = name in UNSIGNED_PARAMETERS or re.match(r"u(int|ll)2", name)
    return "".join({"I": "U", "L": "V"}.get(letter, letter) if is_unsigned or (name == "sad" and i == 2) else letter
                   for i, letter in enumerate(letters(types)))


def render():
    facts = [line.split("\t") for line in FACTS.read_text().splitlines() if not line.startswith("#")]
    shapes, rows = set(), []
    for name, args, result in facts:
        args, results = tuple(args.split(",")), tuple(re.findall(r"\w+", re.sub(r"^\w*Tuple", "", result)))
        if match := re.match(r"UniTuple\((\w+) x (\d+)\)", result):
            results = (match[1],) * int(match[2])
        taken = parameter_letters(name, args)
        shapes.add((len(args), args, len(results) == 1, results, taken))
        end = ', ")"' if cast(name) else ""
        rows.append(f'PYK_{taken}_{letters(results)}("{name}", "{cast(name)}{cuda_name(name)}", "{cpu_name(name)}"{end})\n')
    text = HEAD
    for count, args, single, results, taken in sorted(shapes):
        result = results[0] if single else f"({', '.join(results)})"
        call = "(" + ", ".join(f"{{{i}}}" for i in range(count)) + ")"
        bits = "(" + ", ".join(f"{{{i}:bits}}" if taken[i] in "UV" else f"{{{i}}}" for i in range(count)) + ")"
        text += (f'#define PYK_{taken}_{letters(results)}(name, cuda, cpu, ...) '
                 f'PYK_ROW(name, "({", ".join(args)}) -> {result}", cuda "{bits}" "" __VA_ARGS__, cpu "{call}")\n')
    text += "\n" + "".join(rows) + "\n#undef PYK_ROW\n"
    return text + "".join(f"#undef PYK_{taken}_{letters(results)}\n" for _, _, _, results, taken in sorted(shapes))


def main(arguments):
    text = render()
    if "--check" not in arguments:
        ROWS.write_text(text)
        return 0
    if ROWS.read_text() == text:
        return 0
    print(f"{ROWS} is not what {pathlib.Path(__file__).name} writes: edit the script and run it")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
