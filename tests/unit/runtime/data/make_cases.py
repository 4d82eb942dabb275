"""Writes the tables beside it: what Python says of arithmetic and slices, and Numba's source of random numbers.

Run by hand, with a Python that has numba-cuda, when a table has to grow:  NUMBA_ENABLE_CUDASIM=1 python make_cases.py
"""
import itertools
import math
import pathlib
import random

here = pathlib.Path(__file__).parent


def literal(x):
    if math.isnan(x):
        return "kNan"
    if math.isinf(x):
        return "kInf" if x > 0 else "-kInf"
    return x.hex()


def write(name, rows):
    text = "// Written by make_cases.py.\n" + "".join("{" + ", ".join(row) + "},\n" for row in rows)
    (here / name).write_text(text)


def float_divmod():
    values = [0.0, -0.0, 1.0, -1.0, 0.1, -0.3, 2.5, -7.5, 3.0, 1e300, -1e-300, math.inf, -math.inf, math.nan]
    for a, b in itertools.product(values, values):
        if b != 0:
            yield literal(a), literal(b), literal(a // b), literal(a % b)


def rounded():
    source = random.Random(1)
    values = [source.uniform(-10.0**e, 10.0**e) for e in range(-3, 7) for _ in range(6)]
    values += [0.5, 1.5, 2.5, -0.5, -2.5, 0.125, 1e22, 12345.5, -0.04, 5e-324, 1.7e308, math.inf]
    for x, digits in itertools.product(values, [-3, -1, 0, 1, 2, 5, 25, 400, -400]):
        yield literal(x), str(digits), literal(round(x, digits))


def halves():
    for k in range(-9, 10):
        for x in (k / 2, k / 4, k * 1e9 + 0.5):
            yield literal(x), str(round(x)) + "LL"


def slices():
    """For each length, start, stop and step in this order: the first index (as a letter, a = -1) and the count (a digit)."""
    bounds = [None, *range(-6, 7)]
    row = ""
    for n, start, stop, step in itertools.product([0, 1, 4], bounds, bounds, [-3, -2, -1, 1, 2, 3]):
        indices = range(n)[start:stop:step]
        row += chr(ord("b") + indices.start) + str(len(indices))
    for at in range(0, len(row), 110):
        yield row[at : at + 110]


def random_states():
    import numpy as np
    from numba.cuda import random as rng

    for seed, subsequence in [(0, 0), (1, 0), (12345678901, 2), (-5, 1)]:
        states = np.zeros(3, dtype=rng.xoroshiro128p_dtype)
        with np.errstate(over="ignore"):
            rng.init_xoroshiro128p_states_cpu(states, np.int64(seed).astype(np.uint64), subsequence)
            for index in range(3):
                yield [str(seed), str(subsequence), str(index)] + [
                    f"{int(states[index][field]):#x}" for field in ("s0", "s1")
                ] + [f"{int(rng.xoroshiro128p_next(states, index)):#x}"] + [
                    literal(float(rng.xoroshiro128p_uniform_float64(states, index))),
                    literal(float(rng.xoroshiro128p_uniform_float32(states, index))),
                    literal(float(rng.xoroshiro128p_normal_float32(states, index))),
                    literal(float(rng.xoroshiro128p_normal_float64(states, index))),
                ]


write("float_divmod.inc", float_divmod())
write("rounded.inc", rounded())
write("halves.inc", halves())
(here / "slices.inc").write_text("// Written by make_cases.py.\n" + "".join(f'"{line}"\n' for line in slices()))
write("random.inc", random_states())
