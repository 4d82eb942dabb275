nan, inf = float("nan"), float("inf")
case("abs_of_types", [array([-128, 127, 0, -1], "int8"), array([-2**31, 5, -5, 0], "int32"), array([-2**63, 5, -2**40, 0], "int64"),
     array([-0.0, nan, -inf, 0.1], "float32"), array([0, 255, 1, 128], "uint8"), zeros((4, 8))], block=4)
case("min_max_ints", [array([-128, 127, 0, -1], "int8"), array([-2**31, 5, -5, 2**31 - 1], "int32"), array([0, 255, 1, 200], "uint8"), array([0, 2**32 - 1, 3, 2**31], "uint32"),
     array([4, -2**63, 2**40, 1], "int64"), zeros((4, 12), "int64")], block=4)
case("min_max_floats", [array([0.1, -3, 1e10, 2.5], "float32"), array([0.1, 4, -inf, 2.5], "float64"), array([0, 7, -5, 16777217], "int32"), zeros((4, 8))], block=4)
V = np.array([0.5, 0.25, nan, inf, -inf, -1.5])
a, b = np.meshgrid(V, V, indexing="ij")
case("min_max_nan_and_zero", [array(V, "float64"), array(V, "float64"), array(V, "float32"), array(V, "float32"), zeros((6, 6, 4))], block=(6, 6), oracles="",
     expect={4: np.stack([np.fmin(a, b), np.fmax(a, b)] * 2, axis=-1)},
     note="two floats: fmin and fmax, a nan loses (Numba's CPU target and Python differ)")
case("round_half_even", [array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, 8388609, 1e9], "float32"), array([0.5, 1.5, -2.5, 0.49999999999999994, 4503599627370497.0, 2.5, -3.5, 1e15], "float64"), zeros((8, 4), "int64")], block=8)


def round_to(x, n):
    """cuda_round of numba-cuda: in double, the quotient rounded to an int64, so that zero loses its sign."""
    if not np.isfinite(x):
        return x
    p = 10.0 ** abs(int(n))
    y = float(x) * p if n >= 0 else float(x) / p
    z = round(y)
    return type(x)(z / p if n >= 0 else z * p)


f = np.array([0.5, 2.675, -1234.5678, 1e10, 0.0, 15, nan, inf], np.float32)
d = np.array([0.5, 2.675, -1234.5678, 1e12, -0.0, 15, nan, -inf], np.float64)
n = [0, 1, 2, -1, -2, 5]
case("round_to_digits", [array(f, "float32"), array(d, "float64"), array(n, "int64"), zeros((8, 6, 4))], block=(8, 6), oracles="",
     expect={3: [[[round_to(d[i], m), round_to(f[i], m), round_to(d[i], 2), float(round_to(f[i], 0)) / 3] for m in n] for i in range(8)]},
     note="in double also for float32; Numba's CPU target differs")
case("conversions", [array([0, -0.0, 1.99, -1.99, 0.1, 1e9], "float32"), array([0.5, -0.99, 2**53 + 2.0, -1e15, 7, 0], "float64"), array([0, 1, -1, 127, -128, 7], "int8"),
     array([0, 1, 2**64 - 1, 2**63, 2**53 + 1, 3], "uint64"), array([1, 0, 1, 0, 1, 1], "bool"), zeros((6, 14))], block=8)
case("divmod_of_types", [array([-128, 127, 5, -1], "int8"), array([7, 255, 1, 200], "uint8"), array([0.1, -3, 1e10, 2.5], "float32"), zeros((4, 9))], block=4)
case("len_forms", [zeros(5, "int32"), zeros((2, 7), "float32"), zeros(10, "int64")])
f, g, n = np.array([1, nan, -0.0, 7], np.float32), np.array([2, 1, 0.0, nan]), np.array([0, 1, 5, -3], np.int32)


def python_min(*v):
    r = v[0]
    for x in v[1:]:
        r = x if x < r else r
    return r


def python_max(*v):
    r = v[0]
    for x in v[1:]:
        r = x if x > r else r
    return r


case("min_max_bools_and_mixes", [array([1, 0, 1, 0], "bool"), array(f, "float32"), array(g, "float64"), array(n, "int32"), zeros((4, 7))], oracles="",
     expect={4: [[bool(b) and True, 1, python_min(float(x), float(z)), python_max(float(z), float(x)), python_min(float(x), float(y), 0.5),
                  python_max(float(x), float(y), 0.5), python_min(float(y), float(x))] for b, x, y, z in zip([1, 0, 1, 0], f, g, n)]})
case("sums", [array([1, 2, 3], "int64"), array([0.5, 0.25], "float32"), {"tuple": [scalar(2, "int32"), scalar(3, "int32")]}, zeros(6)])
case("types_and_attributes", [array([1.0], "float64"), scalar(7, "int64"), scalar(2.5, "float32"), zeros(13)])
case("texts", [scalar(3), scalar(2.5, "float64"), zeros(12)], oracles="sim")
case("tuple_search", [array([3, 5, 7], "int64"), zeros((3, 5))], block=3, oracles="sim", numba="Numba has no sets")
case("tuple_operations", [scalar(1), scalar(2.5, "float64"), zeros(15)])
case("of_arrays_and_ranges", [array([3, nan, -1, 7, 0.5], "float32"), array([4, -9, 2], "int64"), array([1, 2], "int32"), zeros(8)], oracles="", expect={3: [-1, 7, float("nan"), 13, 74003, 5, 0, 0]})
case("getattr_default", [array([1.5, 2.0, -3.0], "float64"), zeros(3)], block=3)
case("ranges_summed", [scalar(7, "int64"), zeros((4, 5))], block=4)
a, b = np.array([0, 100, 200, 255], np.uint8), np.array([3, 100, 100, 255], np.uint8)
s, far = a.astype(int) + b, np.array([5, 1000, -7, 2**60 + 2**10], np.int64)
case("saturated_bytes", [array(a, "uint8"), array(b, "uint8"), zeros(4, "uint8"), zeros(4, "uint8"), zeros(4, "float32"), array(far, "int64")], block=4, oracles="",
     expect={2: np.minimum(s, 255), 3: (np.maximum(255, a.astype(int) * b + 3) - 255) % 256, 4: np.clip(s, 100, 300) / 2, 5: np.minimum(s, far)}, note="the simulator adds bytes in bytes")
