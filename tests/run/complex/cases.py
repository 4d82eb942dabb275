import cmath
import itertools

nan, inf = float("nan"), float("inf")
Z = [1 + 2j, -0.5 + 0.25j, 3 - 4j, -2 - 1j, 0.1j, 2.5 + 0j, -1.5 - 0j, 1e-3 + 1e-3j]
W = [2 - 1j, 0.5j, 1 + 1j, -3 + 0.125j, 4 + 0j, -1 - 1j, 0.25 - 8j, 1e3 + 1j]
X = [2.0, -0.5, 3.0, 0.25, 1.0, -4.0, 1.5, 10.0]
N = [1, 2, 3, -4, 5, 7, 2, 9]
case("arithmetic", [array(Z, "complex128"), array(W, "complex128"), array(X, "float64"), array(N, "int32"),
                    zeros((8, 12), "complex128")], block=8, rtol=1e-15, atol=1e-16)
case("arithmetic_complex64", [array(Z, "complex64"), array(X, "float32"), array(N, "int16"), zeros((8, 3), "complex64"),
                              zeros((8, 3), "complex128")], block=8, rtol=1e-6, atol=1e-7)
case("parts", [array(Z, "complex128"), array(W, "complex64"), array(X, "float64"), array(N, "int32"), zeros((8, 6)),
               zeros((8, 2), "float32")], block=8, rtol=1e-6)
case("compare", [array([1 + 2j, 2, 0j, 1j, complex(nan, 0), complex(-0.0, -0.0), complex(0, 1e-300), 2j], "complex128"),
                 array([1 + 2j, 2j, 0j, 1, complex(nan, 0), 0j, 0, 0], "complex128"), zeros((8, 7), "int64")], block=8)
case("make", [array(X, "float64"), array(X, "float32"), array(N, "int32"), zeros((8, 7), "complex128"),
              zeros((8, 4), "complex64")], block=8, rtol=1e-15)
case("power", [array(Z, "complex128"), array(W, "complex128"), array(X, "float64"), zeros((8, 11), "complex128")], block=8,
     rtol=1e-11, atol=1e-9, note="small integer exponents multiply, as in CPython")
case("mandelbrot", [scalar(-2.0, "float64"), scalar(1.0, "float64"), scalar(-1.0, "float64"), scalar(1.0, "float64"),
                    zeros((16, 24), "uint8"), scalar(20, "int64")], grid=(3, 2), block=(4, 4))
case("containers", [array(Z, "complex128"), scalar(0.5 - 2j, "complex128"), zeros((8, 6), "complex128")], block=8, rtol=1e-15)
case("cmath_complex128", [array(Z + [0.9 + 0.2j, 1e200 - 1e200j, 12 - 7j, -30 + 1j], "complex128"), zeros((12, 18), "complex128"),
                          zeros((12, 4)), zeros((12, 3), "bool")], block=12, rtol=1e-13, atol=1e-15)
case("cmath_complex64", [array(Z + [0.9 + 0.2j, 3e9 - 1e9j, 12 - 7j, -30 + 1j], "complex64"), zeros((12, 18), "complex64"),
                         zeros((12, 4), "float32"), zeros((12, 3), "bool")], block=12, rtol=3e-6, atol=1e-6)

FUNCTIONS = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "sin", "sinh", "sqrt", "tan", "tanh",
             "log10"]


def special(name, z):
    """CPython's value; None where it raises an error instead."""
    try:
        return getattr(cmath, name)(z)
    except (ValueError, OverflowError):
        return None


EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, inf, -inf, nan]
# An infinity beside a NaN: C leaves signs of the results open.
PAIRS = [(x, y) for x, y in itertools.product(EDGES, EDGES) if not (cmath.isinf(complex(x, y)) and cmath.isnan(complex(x, y)))]
S = [complex(x, y) for x, y in PAIRS if all(special(f, complex(x, y)) is not None for f in FUNCTIONS)]
case("cmath_special", [array(S, "complex128"), zeros((len(S), len(FUNCTIONS)), "complex128")], block=len(S), rtol=1e-13, oracles="",
     expect={1: np.array([[special(f, z) for f in FUNCTIONS] for z in S])}, numba="Numba lacks some of CPython's special values")
w = np.arange(20).reshape(5, 4) * (1.5 - 0.25j) - 3
case("in_place", [array(w, "complex64"), array(w[0], "complex128")], block=4)
case("numpy_functions", [array([1 + 2j, -3.5j, 2.5, -1 - 1j, 0.25 + 0.5j], "complex128"), array([1 + 2j, 2.5, -1j, 0.5, -2 + 1j], "complex64"), array([1, 2, 3, 4, 5], "float64"), zeros((5, 17), "complex128"), zeros((5, 9), "complex64"), zeros((5, 9))], block=8, rtol=1e-6, atol=1e-7)
case("parts_of_arrays", [array([[1 + 2j, 3 - 4j], [5j, 6]], "complex128"), array([[1 + 2j, 3 - 4j], [5j, 6]], "complex64", layout="F"), array([1.5, 2.5], "float64"), zeros(8)])
more = [1 + 2j, -3.5j, 2.5, -1 - 1j, 0.25 + 0.5j, 0j, complex(nan, 1), complex(2, nan), -2.5 + 1.5j]
others = [1 + 3j, -3.5j, -2.5, 0j, 0.25 + 0.25j, 0j, 2, complex(nan, nan), complex(-2.5, nan)]
case("numpy_more", [array(more, "complex128"), array(others, "complex128"), array([1 + 2j, 2.5, -1j, 0.5, -2 + 1j, 0j, 1e-3j, 7, 3.5 - 2.5j], "complex64"),
                    array([1, 2, 3, -4, 0.5, 2, 1, 2, -1], "float64"), zeros((9, 13), "complex128"), zeros((9, 12), "complex64"), full((9, 10), 1, "bool")],
     block=16, rtol=1e-6, atol=1e-7)
case("numpy_into_arrays", [array(more[:5], "complex128"), array(others[:5], "complex128"), zeros((2, 5), "complex128"), zeros(5, "bool")])
