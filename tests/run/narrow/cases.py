import warnings as _warnings

_NARROW = "narrow typing is ours: NumPy with weak Python numbers gives the values"
_warnings.simplefilter("ignore")
i32, u32, f32 = np.int32, np.uint32, np.float32
a, b = [7, -7, 7, -7, 0, 100, -100, 2**31 - 1, -2**31, 5, 1, -1], [2, 2, -2, -2, 3, 0, 7, 1000, 3, -3, 5, 4]
u, v = [0, 1, 2**32 - 1, 2**31, 12345, 7, 70000], [1, 2**32 - 1, 2**32 - 1, 3, 70000, 0, 70000]
u += [3] * (len(a) - len(u))
v += [5] * (len(a) - len(v))
x, y, p, q = np.array(a, "int32"), np.array(b, "int32"), np.array(u, "uint32"), np.array(v, "uint32")
inverse = [n if n in (1, -1) else -2**31 if n == 0 else 0 for n in a]
shifts = q & 31
case("integers_keep_32_bits", [array(a, "int32"), array(b, "int32"), array(u, "uint32"), array(v, "uint32"), zeros((12, 8), "int64"), zeros((12, 11), "int64")], block=16,
     expect={4: np.stack([x // y, x % y, x >> (y & 7), (x & 15) << i32(27) >> i32(27), (x & 7) ** (y & 3), np.array(inverse), np.where(x < 0, -1, 0), -x // 2], axis=-1),
             5: np.stack([p + q, p - q, p * q, p // q, p % q, p << shifts, p >> shifts, p ** u32(3), (p * u32(2)) >> u32(1), ~p, -p // u32(3)], axis=-1)},
     oracles="none", numba=_NARROW)
f, d, bytes8 = np.array([1.5, -2.25, 0.3, 1e10], "float32"), np.array([1.5, -2.25, 0.3, 1e10]), np.array([0, 200, 255, 86], "uint8")
n = np.arange(4, dtype="int32").astype("float32")
case("weak_literals", [array(f, "float32"), array(d, "float64"), array(bytes8, "uint8"), zeros((4, 6), "float64"), zeros((4, 4), "float64"), zeros((4, 3), "int32")], block=4,
     expect={3: np.stack([f * f32(0.1), f + f32(0.1), f / f32(3), n / f32(3), n * f32(0.7), f - f32(1 / 3)], axis=-1),
             4: np.stack([d * 0.1, d + 0.1, d - 1 / 3, (f * f32(0.1)).astype("float64")], axis=-1),
             5: np.stack([(bytes8 + 1).astype("int32"), (bytes8 * 3 // 2).astype("int32"), bytes8.astype("int32") + 1000], axis=-1)},
     oracles="none", numba=_NARROW)
case("accumulators", [array([0.5, 2.25, 100.0], "float32"), array([0.1, 0.2, 1e300], "float64"), array([200, 100, 255], "uint8"), array([2**40, 1, 2], "int64"), zeros(4), zeros(1), zeros(2, "int64")],
     expect={4: [102.75, f32(102.75) / f32(555), 100.0, f32(0.1)], 5: [0.1 + 0.2 + 1e300], 6: [555, 2**40 + 3]}, oracles="none", numba=_NARROW)
m = np.array([0, 1, 4, 9, 16777217, 2], "int32")
g = m.astype("float32")
case("math_in_float32", [array(m, "int32"), zeros((6, 6)), zeros((6, 3), "int64")], block=8,
     expect={1: np.stack([np.sqrt(g), g / f32(7), g / f32(7), f32(np.pi) * g, np.minimum(g, f32(2.5)), np.abs(m).astype("float64")], axis=-1),
             2: np.stack([np.rint(g / f32(7)), np.trunc(g / f32(7)), (m > 3).astype(int) + (m > 5)], axis=-1)},
     oracles="none", numba=_NARROW)


def all_ways(x, t):
    d = t(0.1)
    w = t(1.0)
    for _ in range(3):
        w = w * d
    return np.array([x * d] * 9 + [x + d] + [x * d] * 4 + [x * np.sqrt(d), x * d, x * w, x * d, x - d], "float64")


single, double = f32(1.7), np.float64(1.7)
case("weak_floats", [scalar(1.7, "float64"), scalar(1.7, "float32"), scalar(1, "int32"), zeros(19), zeros(19, "float32"), zeros(3)],
     expect={3: all_ways(double, np.float64), 4: all_ways(single, f32).astype("float32"), 5: [f32(0.1) * single, 0.1 * 1.7, f32(0.1) * (single + f32(1))]},
     rtol=1e-9, oracles="none", numba=_NARROW)
whole = np.array([250, 255, 3], "uint8")
u8 = np.uint8(255)
case("numpy_functions", [scalar(255, "uint8"), scalar(3, "int32"), scalar(1.7, "float32"), scalar(1.7, "float64"), array(whole, "uint8"), zeros(12)],
     expect={4: whole + np.uint8(1), 5: [int(np.maximum(u8, 0)) - 300, np.add(u8, 1), 555, 0.1 * 1.7, single * f32(0.1), np.left_shift(u8, 1), 1, 0, np.ldexp(single, 2), 0.1 * 1.7, 508, f32(f32(0.1) + f32(251)) + f32(4)]},
     rtol=1e-15, oracles="none", numba=_NARROW)
HA, HB = np.float16([7.5, -7.5, 3.25, -0.5]), np.float16([2, 2, -1.5, 0.75])
A32, B32 = HA.astype(f32), HB.astype(f32)
case("half_division", [array(HA, "float16"), array(HB, "float16"), scalar(3, "int32"), zeros((4, 8), "float16")],
     block=4, expect={0: A32 // 2, 3: np.stack([A32 // B32, A32 % B32, A32 // 2, A32 % 2, B32 ** 2, np.sqrt(abs(A32)), B32 ** 3, A32 // 2], 1)},
     oracles="none", numba=_NARROW)
case("python_types", [zeros(9), scalar(1.5, "float32"), scalar(1.5, "float64")], expect={0: [1, 1, 2, 2, 2, 1, 3, 1.5, 3.5]}, oracles="none", numba=_NARROW)
