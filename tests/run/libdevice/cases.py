# Numba's CPU compiler and simulator have no libdevice: CPython's math, mpmath-free closed forms and exact fractions.
import math
from fractions import Fraction
from statistics import NormalDist

v = np.arange(1, 9) * 0.375
n = np.array([[(k * 1103515245 + 12345 * j) % 2**31 - 2**30 for k in range(8)] for j in range(8)])
bits = lambda w: int(w) & 0xFFFFFFFF
signed = lambda w: (w & 0xFFFFFFFF) - (2**32 if w & 0x80000000 else 0)


def perm(x, y, s):
    b = [(bits(x) | bits(y) << 32) >> 8 * k & 255 for k in range(8)]
    return signed(sum(b[s >> 4 * k & 7] << 8 * k for k in range(4)))


def erfinv(y):
    return NormalDist().inv_cdf((y + 1) / 2) / math.sqrt(2)


case("functions", [array(v, "float64"), array(n, "int32"), zeros((14, 8))], block=8, oracles="", rtol=1e-7, atol=1e-9, expect={
    2: [1 / np.sqrt(v), [NormalDist().cdf(a - 1) for a in v], [math.exp(a * a) * math.erfc(a) for a in v], [erfinv(a / 8) for a in v], 10.0**v,
        [math.sin(math.pi * a) for a in v], [math.cos(math.pi * a) for a in v], [math.modf(3 * a)[0] for a in v], [math.modf(3 * a)[1] for a in v],
        [sum(math.frexp(a)) for a in v], v.astype("float16"), v**3, np.clip(v - 1, 0, 1), [NormalDist().inv_cdf(a / 8) for a in v]],
    1: [[perm(w, 0x01020304, 0x5041) for w in n[0]], (n[1] - 3) >> 1, n[2] * 2**30 >> 32, [signed(int(f"{bits(w):032b}"[::-1], 2)) for w in n[3]],
        np.ceil(v) + 100 * np.floor(v), [signed(max(bits(w), bits(-7))) for w in n[5]], np.abs(n[6] - 9) + 1, np.full(8, 2)]})


def rounded(exact, way, t):
    nearest = t(float(exact))
    if t is np.float32 and abs(Fraction(float(np.nextafter(nearest, t(np.inf)))) - exact) < abs(Fraction(float(nearest)) - exact):
        nearest = np.nextafter(nearest, t(np.inf))
    error = exact - Fraction(float(nearest))
    down = way == "d" or (way == "z" and exact > 0)
    if error < 0 and down:
        return np.nextafter(nearest, t(-np.inf))
    if error > 0 and not down:
        return np.nextafter(nearest, t(np.inf))
    return nearest


a = np.array([0.1, -0.3, 1e10, -7.7e-5, 3.0, 1 / 3])
b = np.array([0.2, 0.7, 1e-7, 123.456, 7.0, -1e16])
f4, f8 = np.float32, np.float64
ops = [(lambda x, y: x + y, "d"), (lambda x, y: x + y, "u"), (lambda x, y: x * y, "z"), (lambda x, y: x * y, "u"), (lambda x, y: x / y, "d"), (lambda x, y: x / y, "u"),
       (lambda x, y: x * y + x, "d"), (lambda x, y: x * y - y, "z")]
F = lambda q: Fraction(float(q))
case("directed_rounding", [array(a, "float64"), array(b, "float64"), zeros((12, 6))], block=6, oracles="", expect={
    2: [[rounded(op(F(x), F(y)), way, f8) for x, y in zip(a, b)] for op, way in ops]
    + [[rounded(F(x), way, f4) for x in a] for way in "du"]
    + [[rounded(F(f4(x)) + F(f4(y)), "u", f4) for x, y in zip(a, b)], [rounded(F(f4(x)) * F(f4(y)), "d", f4) for x, y in zip(a, b)]]})
