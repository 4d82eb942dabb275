#!/usr/bin/env python3
"""Ask numba-cuda for the loop that it chooses for each NumPy function on scalars: its result and operand types.

usage: extract_numpy.py [--check] [OUTDIR]     as extract_types.py, whose helpers it uses
"""
import itertools
import sys

import extract_types as facts
import numpy as np
from numba.cuda import types
from numba.cuda.np.numpy_support import ufunc_find_matching_loop

UNARY = """sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh deg2rad radians rad2deg degrees log log2
log10 logical_not invert conjugate isnan absolute fabs cbrt ceil floor trunc rint exp exp2 expm1 log1p isfinite isinf negative
positive reciprocal sign signbit spacing sqrt square""".split()
BINARY = """arctan2 hypot greater greater_equal less less_equal not_equal equal logical_and logical_or logical_xor maximum
minimum fmax fmin bitwise_and bitwise_or bitwise_xor left_shift right_shift divide add subtract multiply floor_divide remainder
divmod power float_power copysign fmod gcd lcm ldexp logaddexp logaddexp2 nextafter""".split()
REALS = [t for t in facts.SCALARS if not isinstance(t, types.Complex)]
ALIASES = """abs conj mod true_divide bitwise_not acos acosh asin asinh atan atan2 atanh bitwise_invert bitwise_left_shift
bitwise_right_shift pow""".split()


def row(name, args):
    ufunc = getattr(np, name)
    loop = ufunc_find_matching_loop(ufunc, args)
    if facts.call(ufunc, args) is None or loop is None:
        return [f"np.{name}", facts.spell_all(args), "-", "-"]
    result = facts.call(ufunc, args).return_type
    return [f"np.{name}", facts.spell_all(args), facts.spell(result), facts.spell_all(loop.inputs)]


def numpy_functions():
    rows = []
    for name in UNARY + BINARY:
        for args in itertools.product(REALS, repeat=getattr(np, name).nin):
            rows.append(row(name, args))
    rows += [[f"np.{a}", "=", f"np.{getattr(np, a).__name__}", "-"] for a in ALIASES]
    return "function arguments result operands", [
        "operands: the types of the loop, to which the arguments are converted; result '=' in the second column: another name"], rows


def main(argv):
    facts.COMMAND = "python tests/oracle/extract_numpy.py"
    facts.FILES = {"numpy": numpy_functions}
    return facts.main(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
