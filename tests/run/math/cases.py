nan, inf = float("nan"), float("inf")
X = [0.0, -0.0, 0.5, -0.5, 1.0, -1.75, 2.5, -3.3, 10.25, -7.0]
U = [0.0, -0.0, 0.5, -0.5, 0.9, -0.9, 0.125, -0.25, 0.99, -0.01]
P = [1e-3, 1.0, 0.5, 1.5, 2.0, 3.75, 10.0, 0.1, 30.5, 1.0625]
case("unary_float64", [array(X, "float64"), array(U, "float64"), array(P, "float64"), zeros((10, 30))], block=16, rtol=1e-13, atol=1e-14)
P32 = [1.001, 1.0, 1.5, 1.75, 2.0, 3.75, 10.0, 5.5, 20.5, 1.0625]
case("unary_float32", [array(X, "float32"), array(U, "float32"), array(P32, "float32"), zeros((10, 30))], block=16, rtol=3e-6, atol=1e-6)
f = np.array([3, 0.1, 7, 2.5], np.float32)
d = f.astype(np.float64)
case("float32_result_types", [array(f, "float32"), zeros((4, 6))], block=4, oracles="",
     expect={1: np.stack([np.sqrt(f) / f[0], np.sqrt(f).astype(np.float64) / 3, f + f[0], np.floor(f) / f[2], np.sqrt(d),
                          np.ceil(d) / 4], axis=-1)},
     note="every step is correctly rounded, so the result is exact; floor and ceil keep float32, as on the GPU")
case("int_arguments_become_float64", [array([0, 1, -1, 9], "int8"), array([4, 16777217, 3, 100], "int32"), array([0, 2**63, 49, 2], "uint64"), array([0, 1, 1, 0], "bool"), zeros((4, 18))], block=4, rtol=1e-14)
B = [0.0, -0.0, 1.0, -2.5, 3.0, 0.1, inf, -inf, nan]


def remainder(a, b):
    """C's remainder: the quotient rounded to the nearest integer, half to even; exact."""
    import math
    if np.isnan(a) or np.isnan(b) or np.isinf(a) or b == 0:
        return nan
    return math.remainder(float(a), float(b))


def binary(dtype, rtol):
    first, second = np.array(B + [7.5, -1e10], dtype), np.array(B, dtype)
    a, b = np.meshgrid(first, second, indexing="ij")
    want = np.stack([np.arctan2(a, b), np.copysign(a, b), np.fmod(a, b), np.hypot(a, b), np.power(a, b),
                     np.vectorize(remainder, otypes=[dtype])(a, b), np.nextafter(a, b)], axis=-1)
    case(f"binary_{dtype}", [array(first, dtype), array(second, dtype), zeros((11, 9, 7))], block=(11, 9), rtol=rtol,
         oracles="", expect={2: want}, note="C's functions, as NumPy has them")


binary("float64", 1e-14)
binary("float32", 1e-6)
x, f = np.array([0.0, 1, -2.5, 0.1, 1e300, 5e-324]), np.array([-0.0, 1, -2.5, 0.1, 1e30, 1e-45], np.float32)
n = np.array([0, 3, -4, 100, -10, 2], np.int32)
case("frexp_ldexp_modf", [array(x, "float64"), array(f, "float32"), array(n, "int32"), zeros((6, 10))], block=8, oracles="",
     expect={3: np.stack([*np.frexp(x), *np.frexp(f), np.ldexp(x, n), np.ldexp(f, n), *np.modf(x), *np.modf(f)], axis=-1)},
     note="C's functions, as NumPy has them")
case("predicates", [array([0, nan, inf, -inf, 1e308, 1], "float64"), array([0, 1, inf, nan, -inf, 3e38], "float32"), zeros((6, 8), "int32")], block=8)
x = np.array([inf, -inf, nan, -0.0, 0.0, -1, 1])
case("special_values", [array(x, "float64"), zeros((7, 12))], block=8, rtol=1e-14, oracles="",
     expect={1: np.stack([np.sqrt(x), np.log(x), np.exp(x), np.arccos(x), np.arctan(x), np.floor(x), np.ceil(x), np.trunc(x),
                          np.abs(x), np.tanh(x), np.log1p(x),
                          [1, -1, nan, -0.0, 0.0, -0.8427007929497149, 0.8427007929497149]], axis=-1)},
     note="floor, ceil and trunc give floats on the GPU, so inf and nan stay what they are")
case("constants_and_imports", [array([0.5, 2], "float64"), zeros(10)], rtol=1e-15)
