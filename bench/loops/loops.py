#!/usr/bin/env python3
"""Times plain loops (`@njit`) on one core of the CPU against Numba running the same file: results are compared first, bit by bit
where they are integers, then the two take turns, call by call, ours from C++ and Numba's from Python. A ratio is the median of
the rounds' ratios of Numba's time to ours, and behind it are its quartiles. Needs the library that `ninja bench_loops` builds,
NumPy and Numba. Exit code 1: other results than Numba's, or (with --strict) a loop of less than 0.9.
"""
import argparse
import ctypes
import json
import math
import os
import statistics
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import numba_file  # noqa: E402

FILE = os.path.join(HERE, "loops.pyk")
ELEMENTS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", None, "float32", "float64"]
SECONDS_OF_A_LOOP, MOST_ROUNDS = 0.6, 60


class Operand(ctypes.Structure):
    """Operand of loops.cpp."""
    _fields_ = [("element", ctypes.c_int), ("ndim", ctypes.c_int), ("data", ctypes.c_void_p), ("real", ctypes.c_double),
                ("integer", ctypes.c_longlong), ("shape", ctypes.c_longlong * 3)]


def operand(value):
    if isinstance(value, np.ndarray):
        return Operand(ELEMENTS.index(value.dtype.name), value.ndim, value.ctypes.data, 0, 0, value.shape)
    if isinstance(value, float):
        return Operand(ELEMENTS.index("float64"), real=value)
    return Operand(ELEMENTS.index("int64"), integer=value)


def cases():
    """The arguments of each loop: those that it writes are copied before each call."""
    rng = np.random.default_rng(1)
    image, other, rgb = (rng.integers(0, 256, shape, np.uint8) for shape in ((512, 512), (512, 512), (256, 512, 3)))
    cells, mask, same = rng.integers(0, 2, (256, 256), np.uint8), rng.random(200_000) < 0.5, np.zeros((512, 512), np.uint8)
    x, y, words = rng.random(200_000), rng.random(200_000), rng.integers(0, 2**32, 100_000, np.uint32)
    x32, signed, small, out = x.astype(np.float32), rng.standard_normal(200_000), rng.random((128, 128)), np.zeros(200_000)
    longs, text = rng.integers(1, 2**31, 20_000), rng.integers(0, 4, 400, np.uint8)
    points, field, flags = rng.random((400, 3)), rng.random((512, 512)), np.zeros(200_000, np.bool_)
    starts, columns = np.arange(0, 160_001, 8), rng.integers(0, 20_000, 160_000)
    three = [rng.random(600) for _ in range(4)]
    return {
        "threshold": (image, same, 100), "brightness": (image, same, 1.3), "brighter": (image, same, 40), "invert": (image, same),
        "grey": (rgb, np.zeros((256, 512), np.uint8)), "grey_by_integers": (rgb, np.zeros((256, 512), np.uint8)),
        "dilate": (image, same), "erode": (image, same), "blur": (image, same), "blur_plainly": (image, same), "sobel": (image, same),
        "median_of_three": (image, same), "histogram": (image, np.zeros(256, np.int64)), "lookup": (image, image[0, :256].copy(), same),
        "to_bytes": (x, np.zeros(200_000, np.uint8)), "from_bytes": (image, np.zeros((512, 512))), "blend": (image, other, 0.3, same),
        "life": (cells, np.zeros((256, 256), np.uint8)), "count_above": (image, 100), "mean_of_bytes": (image,),
        "difference_of_bytes": (image, other), "count_true": (mask,), "masked_sum": (x, mask), "mask_of": (x, 0.2, 0.7, flags),
        "both": (mask, mask[::-1].copy(), flags), "selected": (mask, x, flags), "cut_out": (image, other < 128, 100, same), "keep_positive": (signed, out), "popcount": (words, np.zeros(100_000, np.int64)),
        "popcount_by_shifts": (words, np.zeros(100_000, np.int64)), "lcg": (500_000, 7), "xorshift": (500_000, 2463534242),
        "fnv": (image.ravel(),), "gcds": (longs, longs[::-1].copy(), np.zeros(20_000, np.int64)), "sieve": (200_000, flags),
        "prefix_sum": (longs, np.zeros(20_000, np.int64)), "binary_search": (np.sort(x), y[:20_000].copy(), np.zeros(20_000, np.int64)),
        "edit_distance": (text, text[::-1].copy(), np.zeros(401, np.int64)), "bubble_sort": (x[:1000].copy(),),
        "insertion_sort": (x[:1000].copy(),), "squares32": (x32, np.zeros(200_000, np.float32)), "norm32": (x32,), "dot_fast": (x, y),
        "relu": (signed, out), "clamp": (signed, -0.5, 0.5, out), "smooth_around": (x, out), "diffuse_around": (field, np.zeros((512, 512))),
        "moving_average": (x, 16, out),
        "exponential_average": (x, 0.1, out), "softmax": (small, np.zeros((128, 128))), "matmul": (small, small.T.copy(), np.zeros((128, 128))),
        "convolve": (field[:200], small[:5, :5].copy(), np.zeros((200, 512))), "laplace": (field, np.zeros((512, 512))),
        "nbody": (*three, *(np.zeros(600) for _ in range(3))), "pairwise": (points, np.zeros((400, 400))),
        "kmeans": (rng.random((5000, 3)), points[:8].copy(), np.zeros(5000, np.int64)),
        "spmv": (starts, columns, x[:160_000].copy(), y[:20_000].copy(), np.zeros(20_000)), "fft": (x[:8192].copy(), y[:8192].copy()),
        "black_scholes": (x[:20_000] * 20 + 5, y[:20_000] * 90 + 10, x[20_000:40_000] * 9 + 0.25, np.zeros(20_000)),
        "mandelbrot": (np.zeros((60, 80), np.int32), 100), "floyd_steinberg": (field * 255,), "monte_carlo_pi": (200_000,),
        "trapezoid": (200_000,), "argmax": (x,), "variance": (x,), "euler": (20_000,), "runge_kutta": (10_000,),
        "rotate": (points, np.zeros((400, 3))), "differences": (x[:300].copy(), y[:300].copy()),
    }


def copied(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


class Pyk:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.loops_load.restype, self.library.loops_error.restype = ctypes.c_void_p, ctypes.c_char_p
        self.library.loops_call.restype = ctypes.c_double
        self.module = ctypes.c_void_p(self.library.loops_load(FILE.encode()))
        if not self.module:
            raise SystemExit(self.library.loops_error().decode())

    def timed(self, name, arguments):
        """Seconds, and the bytes of what it returned."""
        operands, result = (Operand * len(arguments))(*map(operand, arguments)), ctypes.create_string_buffer(16)
        seconds = self.library.loops_call(self.module, name.encode(), operands, len(arguments), result)
        if seconds < 0:
            raise SystemExit(f"{name}: {self.library.loops_error().decode()}")
        return seconds, result.raw


def numba_timed(function, arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def equal(found, right):
    if np.issubdtype(np.asarray(right).dtype, np.floating):
        return np.allclose(found, right, rtol=1e-9 if np.asarray(right).dtype == np.float64 else 1e-5)
    return np.array_equal(found, right)


def is_right(pyk, name, function, arguments):
    """Whether both leave the same arrays and give the same number. What draws random numbers only has to run."""
    ours, theirs = copied(arguments), copied(arguments)
    _, raw = pyk.timed(name, ours)
    _, result = numba_timed(function, theirs)
    if name.startswith("monte_carlo"):
        return True
    if result is not None:
        found = np.frombuffer(raw, np.float64 if isinstance(result, float) else np.int64)[0]
        if not equal(found, result):
            return False
    return all(equal(a, b) for a, b in zip(ours, theirs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=os.path.join(HERE, "../../build/release/lib/libbench_loops.so"))
    parser.add_argument("--only", help="loops whose names contain one of these, separated by commas")
    parser.add_argument("--json")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    try:
        functions = numba_file.names_of(FILE)
    except ImportError as error:
        return print(f"left out: {error}") or 0
    pyk, rows, good = Pyk(options.library), [], True
    print(f"{'':20} {'pyk, µs':>9} {'Numba / pyk':>12} {'quartiles':>14}")
    for name, arguments in cases().items():
        if options.only and not any(part in name for part in options.only.split(",")):
            continue
        if not is_right(pyk, name, functions[name], arguments):
            print(f"{name:20} other results than Numba's")
            good = False
            continue
        ours, ratios, end = [], [], time.perf_counter() + SECONDS_OF_A_LOOP
        while len(ratios) < 5 or (len(ratios) < MOST_ROUNDS and time.perf_counter() < end):
            seconds, _ = pyk.timed(name, copied(arguments))
            ours.append(seconds)
            ratios.append(numba_timed(functions[name], copied(arguments))[0] / seconds)
        first, median, third = statistics.quantiles(ratios, n=4)
        rows.append({"case": name, "us": statistics.median(ours) * 1e6, "numba": median, "quartiles": [first, third]})
        print(f"{name:20} {rows[-1]['us']:9.1f} {median:12.2f} {first:6.2f} - {third:5.2f}", flush=True)
        good &= not options.strict or median >= 0.9
    if rows:
        print(f"geometric mean {math.exp(statistics.fmean(math.log(row['numba']) for row in rows)):.2f}")
    if options.json:
        with open(options.json, "w") as out:
            json.dump({"rows": rows}, out, indent=1)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
