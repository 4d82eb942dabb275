# Rows of the builtins table that follow a typing rule; their values are computed in rows.py.
from table import rows as table

for name, rows in table.groups(table.read_rules()).items():
    _, kinds, count = table.kernel(rows)
    floats, integers = table.results_of(rows)
    args = [array(table.INPUTS[kind], table.dtype_of(kind)) for kind in kinds]
    outs = [(values, dtype) for values, dtype in ((floats, "float64"), (integers, "int64")) if values]
    rtol, atol = table.TOLERANCES.get(name, (0.0, 0.0))
    case(name, args + [zeros((len(values), table.N), dtype) for values, dtype in outs], block=table.N, oracles="", rtol=rtol, atol=atol,
         expect={len(args) + at: values for at, (values, _) in enumerate(outs)}, numba=True)

# The rows of other kinds that no other topic calls.
n = np.array([1, -7, 2049, 0, 30001, 5 << 40, -(1 << 62) - 12345, 123456789], "int64")
x = np.array([0.3, -0.7, 1.5, 27.0, -8.0, 1e-3, 7.7, 12.2])
low, whole = [int(w) & 0xFFFFFFFF for w in n], [int(w) & (1 << 64) - 1 for w in n]
first = lambda w: (w & -w).bit_length()
exactly = lambda a, b, c: table.rounded(table.Fraction(float(a)) * table.Fraction(float(b)) + table.Fraction(float(c)), "float64")
case("bits", [array(n, "int64"), array(x, "float64"), zeros((9, 8), "int64"), zeros((4, 8))], block=8, oracles="", rtol=1e-15, expect={
    2: [[int(f"{w:032b}"[::-1], 2) for w in low], [32 - w.bit_length() for w in low], [64 - w.bit_length() for w in whole], [first(w) for w in low],
        [first(w) for w in whole], [w.bit_count() for w in low], [w.bit_count() for w in whole], np.where(n > 0, n, -1), [int(f"{w:064b}"[::-1], 2) >> 8 for w in whole]],
    3: [[exactly(v, v, -v * v) for v in x], np.cbrt(x), np.where(x > 0, x, 7.5), (x.astype("float32").astype("float64") * 3 + np.float64(np.float32(0.1))).astype("float32")]})

a, b = np.array([7, -7, 12, 99, -128, 5], "int64"), np.array([3, 3, -5, 10, 7, -2], "int64")
y = np.array([1.0, -2.5, 7.75, 100.0, 1e-3, 0.1])
case("in_place_operators", [array(a, "int64"), array(b, "int64"), array(y, "float64"), zeros((13, 6), "int64"), zeros((2, 6))], block=6, oracles="", expect={
    3: [a & b, a | b, a ^ b, a // b, a % b, a * b, a - b, a << 3, a >> 2, a**3, ~a, a + b, a + 100 * b + 50000], 4: [y / 3.0, y * y]})

v, z = np.array([5, 3, 12, 127], "int64"), np.array([1 + 2j, 0.5 - 3.5j, 4.0, -1 - 1j])
case("names", [array(v, "int64"), array(z, "complex128"), zeros((10, 4), "int64"), zeros(7)], block=4, oracles="", expect={
    1: z.real + 1j * v, 2: [np.full(4, 14), np.full(4, 1), np.full(4, 2), np.full(4, 98), 50 + v, np.full(4, 3210), ~v, v << 2, v >> 1, [int(w).bit_count() for w in v]],
    3: [np.pi, np.e, 2 * np.pi, np.inf, np.nan, np.inf, np.nan]}, numba="getattr, hasattr, chr, iter and bit_count: ours, or Numba's newer versions only")

zz, yy, xx = (axis.ravel() for axis in np.mgrid[0:2, 0:4, 0:6])
case("grids", [zeros((6, 48), "int64")], grid=(3, 2, 1), block=(2, 2, 2), oracles="", expect={
    0: [xx + 10 * yy + 100 * zz, xx + 10 * yy + 100 * zz, np.full(48, 246), np.full(48, 246), xx - 7, np.ones(48)]}, numba="dtype of grid is ours")


def stepped(i):
    s0, s1 = (int(w) for w in oracle_states(1, 1234 + i, i)[0])
    out = []
    for _ in range(2):
        out.append((s0 + s1) % 2**64)
        s1 ^= s0
        s0, s1 = ((s0 << 55 | s0 >> 9) ^ s1 ^ s1 << 14) % 2**64, (s1 << 36 | s1 >> 28) % 2**64
    return (s0, s1), out


from oracle import xoroshiro_states as oracle_states
walked = [stepped(i) for i in range(4)]
case("states", [states(4, 7), zeros((2, 4), "uint64")], block=4, oracles="",
     expect={0: np.array([s for s, _ in walked], "uint64"), 1: np.array([o for _, o in walked], "uint64").T})

w = np.array([3, 91, 5, 9, 12, 1, 80, 33])
case("barriers", [array(w, "int64"), zeros((6, 8), "int64")], block=8, oracles="", expect={
    1: [w * 2, np.ones(8), np.zeros(8), np.ones(8), np.zeros(8), np.full(8, 4)]})

f = np.array([1.5, np.nan, -2.5, 7.0, 3.0, -9.0, np.nan, 0.5])
bits = np.array([255, 0, 5, 0], "int32")
case("atomics", [array(f, "float32"), array([0, 3], "uint32"), array([np.nan, np.nan, 100.0], "float32"), array(bits, "int32")], block=8, oracles="", expect={
    1: [8 % 7, (3 - 8) % 7], 2: [7.0, -9.0, -9.0], 3: [0, np.bitwise_xor.reduce([3 << i for i in range(8)]), 9, 5]}, numba="the order of atomics is ours")

m = (np.arange(16) * 11) % 37 + 64
on = np.flatnonzero(m % 3 == 0)
rest = np.zeros((7, 16), "int64")
for rank, t in enumerate(on):
    rest[:, t] = [len(on) + 100 * (m[on] > 0).all() + 1000 * (m[on] > 30).any(), sum(1 << i for i, u in enumerate(on) if m[u] % 2 == m[t] % 2),
                  np.bitwise_and.reduce(m[on]), np.bitwise_or.reduce(m[on]), m[on].max(), m[on].min(), m[on[max(rank - 1, 0)]]]
four = m.reshape(4, 4)
case("groups", [array(m, "int64"), zeros((12, 16), "int64")], block=16, oracles="", expect={
    1: [1616 + 10000 * np.arange(16), np.full(16, 40416), *(np.repeat(f.reduce(four, 1), 4) for f in (np.bitwise_and, np.bitwise_or, np.bitwise_xor)), *rest]},
     numba="Numba has the grid's group only")

x, a, b = np.array([0.5, -0.25, 1.0, -0.875]), np.array([7, -128, 100, 5], "int8"), np.array([3, 5, -7, 127], "int8")
p, q = np.array([True, True, False, False]), np.array([True, False, True, False])
case("numpy_names", [array(x, "float64"), array(a, "int8"), array(b, "int8"), array(p, "bool"), array(q, "bool"), zeros((9, 4)), zeros((8, 4), "int64")],
     block=4, oracles="", rtol=1e-15, expect={
         5: [np.abs(x), np.arcsin(x), np.arcsinh(x), np.arctan(x), np.arctan2(x, 0.5), x / 3, (a.astype("float32") / b.astype("float32")), np.floor(x * 4), np.trunc(x * 4)],
         6: [a & b, a | b, a ^ b, p & q, p | q, p ^ q, a, a]})
case("identities", [array([1, 2], "int64"), zeros((4, 2), "int64")], block=2)
