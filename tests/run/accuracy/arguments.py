#!/usr/bin/env python3
"""The arguments of CPython's own tests of math and cmath (test/math_testcases.txt, cmath_testcases.txt), with values re-derived here.

usage: arguments.py      writes the kernels (*.pyk); then ../make_expected.py accuracy

A value is CPython's, or mpmath's where these differ by more than one unit in the last place. What CPython raises ValueError for is NaN or
an infinity here, as C has it: those rows are left out, but for poles.
"""
import cmath
import math
import os
import test

import mpmath as mp

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(test.__file__)
mp.mp.prec = 300
# Units in the last place of float64 that CUDA documents (CUDA C++ Programming Guide, "Mathematical Functions").
ULPS = {"acos": 2, "acosh": 3, "asin": 2, "asinh": 3, "atan": 2, "atanh": 2, "cos": 2, "cosh": 1, "erf": 2, "erfc": 5, "exp": 1, "expm1": 1, "gamma": 10, "lgamma": 4,
        "log": 1, "log10": 1, "log1p": 1, "log2": 1, "sin": 2, "sinh": 2, "sqrt": 0, "tan": 2, "tanh": 1}
EXACTLY = {"erf": mp.erf, "erfc": mp.erfc, "gamma": mp.gamma, "lgamma": lambda x: mp.log(abs(mp.gamma(x))), "log2": lambda x: mp.log(x, 2),
           **{name: getattr(mp, name) for name in ULPS if name not in ("erf", "erfc", "gamma", "lgamma", "log2")}}
UNIT = 2.0 ** -52


def lines(file):
    folder = next(f for f in (FOLDER, os.path.join(FOLDER, "mathdata")) if os.path.exists(os.path.join(f, file)))
    with open(os.path.join(folder, file)) as text:
        for line in text:
            line = line.split("--")[0].strip()
            if line:
                yield line.split()


def value(name, x):
    """The function's value, None where it is left out."""
    try:
        got = getattr(math, name)(x)
    except OverflowError:
        return math.copysign(math.inf, float(EXACTLY[name](mp.mpf(x)))) if math.isfinite(x) else None
    except ValueError:
        return None
    if not math.isfinite(x) or not math.isfinite(got) or name == "lgamma" and x <= 0 or name.startswith("erf") and abs(x) > 100:
        return got
    exact = EXACTLY[name](mp.mpf(x))
    wanted = float(exact.real if isinstance(exact, mp.mpc) else exact)
    return wanted if abs(got - wanted) > UNIT * abs(wanted) and wanted else got


def real_cases():
    """Function -> [(argument, value)]."""
    arguments = {}
    for words in lines("math_testcases.txt"):
        arguments.setdefault(words[1], []).append(float(words[2]))
    for words in lines("cmath_testcases.txt"):
        if words[1] in ULPS and float(words[3]) == 0 and len(words) == 7 and float(words[6]) == 0:
            arguments.setdefault(words[1], []).append(float(words[2]))
    out = {}
    for name, values in sorted(arguments.items()):
        pairs = [(x, value(name, x)) for x in dict.fromkeys((x, math.copysign(1, x)) for x in values) for x in [x[0]]]
        out[name] = [(x, y) for x, y in pairs if y is not None and not near_a_root(name, x)]
    return out


def near_a_root(name, x):
    """Where lgamma is near 0 CUDA's bound is an absolute one."""
    return name == "lgamma" and (-11.1 < x < -2.2 or abs(x - 1) < 0.1 or abs(x - 2) < 0.1)


def complex_cases():
    """Function -> [(argument, value)], both finite: edges are in ../complex/cmath_special."""
    out = {}
    for words in lines("cmath_testcases.txt"):
        name, x, y = words[1], float(words[2]), float(words[3])
        if name in ("polar", "rect") or len(words) > 7 or not (math.isfinite(x) and math.isfinite(y)):
            continue
        try:
            got = getattr(cmath, name)(complex(x, y))
        except (ValueError, OverflowError):
            continue
        if math.isfinite(got.real) and math.isfinite(got.imag):
            out.setdefault(name, []).append((complex(x, y), got))
    return out


def kernel(functions, module):
    names = [f"{kind}_{name}" for name in functions for kind in ("x", "y")]
    body = "".join(f"    if i < x_{name}.size:\n        y_{name}[i] = {module}.{name}(x_{name}[i])\n" for name in functions)
    return f"import {module}\nfrom numba import cuda\n\n\n@cuda.jit\ndef k({', '.join(names)}):\n    i = cuda.grid(1)\n{body}"


def groups():
    """Case -> (functions, units in the last place)."""
    real = real_cases()
    out = {}
    for name in real:
        ulps = ULPS[name]
        group = "exact" if ulps == 0 else "one_ulp" if ulps == 1 else "three_ulps" if ulps <= 3 else "five_ulps" if ulps <= 5 else "ten_ulps"
        out.setdefault(group, []).append(name)
    return {group: (names, max(ULPS[n] for n in names)) for group, names in out.items()}


def main():
    for group, (names, _) in groups().items():
        with open(os.path.join(HERE, f"math_{group}.pyk"), "w") as out:
            out.write(kernel(names, "math"))
        print(group, names)
    with open(os.path.join(HERE, "cmath.pyk"), "w") as out:
        out.write(kernel(sorted(complex_cases()), "cmath"))
    print(sum(len(v) for v in real_cases().values()), "real and", sum(len(v) for v in complex_cases().values()), "complex values")


if __name__ == "__main__":
    main()
