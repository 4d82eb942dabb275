nan, inf = float("nan"), float("inf")
X = [0.0, -0.0, 0.5, -1.5, 2.5, 3.25, -7.75, 10.0]
case("unary_float32", [array(X, "float32"), zeros((8, 30), "float32")], block=8, rtol=1e-6)
case("unary_float64", [array(X, "float64"), zeros((8, 30))], block=8, rtol=1e-14)
D = [0.0, 0.25, 0.5, 1.0, 1.5, 10.0, -0.75, -2.0, inf, nan]
case("domain_limited", [array(D, "float64"), array(D, "float32"), zeros((10, 10)), zeros((10, 8), "float32")], block=16, rtol=1e-6, atol=1e-12)
B = [0.0, -0.0, 1.0, -2.5, 7.25, inf, -inf, nan]
case("binary_floats", [array(B, "float64"), array(B, "float64"), zeros((8, 8, 16))], block=(8, 8), rtol=1e-14)
R = [0.0, 1.0, -1.0, 7.5, -7.5, 6.0, -6.0, 0.1]
case("remainders", [array(R, "float64"), array([1.0, -1.0, 2.5, -2.5, 3.0], "float64"), zeros((8, 5, 5))], block=(8, 5), rtol=1e-14, atol=1e-15)
case("powers", [array([0, 1, -1, 2, -3, 10], "int32"), array([0, 1, 2, 5, 9], "int32"), array([0.5, 2.0, -2.0, 1.0], "float32"), array([0.0, 1.0, 2.0, -1.0, 3.0], "float32"),
     zeros((6, 5), "int32"), zeros((6, 5, 4))], block=(6, 5), rtol=1e-6)
case("integers_stay_in_their_type", [array([-128, 127, 5, -7, 100, 0], "int8"), array([3, 1, 0, 3, 100, 5], "int8"), array([0, 255, 7, 200, 16, 1], "uint8"), array([1, 255, 0, 100, 16, 3], "uint8"),
     array([-2**31, 2**31 - 1, 5, -7, 65536, 0], "int32"), array([7, 1, 3, 3, 65536, 9], "int32"), zeros((6, 14)), zeros((6, 9)), zeros((6, 8))], block=8)
case("gcd_and_lcm", [array([0, 12, -18, 7, 2**40], "int64"), array([0, 8, -6, 49], "int64"), array([0, 12, 18, 7, 200], "uint8"), array([0, 8, 6, 49], "uint8"), zeros((5, 4, 4), "int64")], block=(5, 4))
case("comparisons", [array([-1, 0, 5, 2**63 - 1], "int64"), array([0, 5, 2**63, 2**64 - 1], "uint64"), array([0.0, 1.5, nan, -0.0], "float32"), zeros((4, 4, 11), "int8")], block=(4, 4))
P = [0.0, -0.0, 1.5, -2.5, inf, -inf, nan, 1e-310]
case("predicates", [array(P, "float64"), array(P, "float32"), array([0, 1, -1, 5, 6, 7, 8, 9], "int32"), zeros((8, 11), "int8")], block=8)
case("result_types", [array([100, 7, 3], "int8"), array([100, 7, 3], "int32"), array([2**53 + 1, 3, 5], "int64"), array([0.1, 2.5, 3.5], "float32"), zeros(11)], rtol=1e-15)
case("type_constants", [array([1.5], "float64"), array([1], "int32"), zeros(14)])
case("out_array", [array(np.arange(6).reshape(2, 3), "float32"), array([10, 20, 30], "float32"), zeros((2, 3), "float32"), zeros((2, 3), "float32"), array([1, 2, 3], "int32")])
case("in_place_operators", [array(np.arange(6).reshape(2, 3), "float32"), array([10, 20, 30], "float32"), array([1, -7, 20, 4], "int64"), scalar(2.5, "float64")])
F = [[1.5, -2.25, 3.0], [0.5, 7.0, -0.125]]
case("reductions", [array(F, "float32"), array(F, "float64", layout="A"), array([[3, -1, 0], [2, 2, 5]], "int32"), array([200, 100, 255], "uint8"), array([1, 0, 1, 1], "bool"), array([1 + 2j, -3j, 2.5], "complex64"),
     zeros(18), zeros(15, "int64")], rtol=1e-6)
N = [2.0, nan, -1.5, 8.0, nan, 0.25]
case("reductions_with_nan", [array(N, "float64"), array([[1.5, nan], [nan, 2.0]], "float32", layout="F"), array([3, -4, 0], "int32"), zeros(17)], rtol=1e-6)
case("searching", [array([-1.0, 0.0, 0.0, 2.5, 10.0], "float64"), array([10.0, 2.5, 0.0, -1.0], "float64"), array([0, 1, 1, 3, 6, 9], "int32"), array([-5.0, -1.0, 0.0, 1.0, 2.5, 10.0, 11.0, inf, -inf], "float64"), zeros((9, 8), "int64")], block=16)
case("of_numbers", [array([0.5, 1.5, -2.5, 3.14159, 0.0, inf, -inf, nan], "float64"), array([1 + 1j, -1 + 0j, 2j, 3 - 4j, 0j, 1, -1j, 5], "complex128"), array([0, 1, -3, 3, 0, 7, 8, 9], "int32"), zeros((8, 8)), zeros((8, 6), "int64")], block=8, rtol=1e-14, atol=1e-15)
SHAPED, COMPLEX = np.arange(12).reshape(3, 4) * 1.5, np.array([[1 + 2j, 3], [4j, 5 - 7j]])
case("shapes", [array(SHAPED, "float64"), array(COMPLEX, "complex128"), zeros(5, "int64"), zeros(11)], oracles="",
     expect={2: [3, 4, 12, 4, 5], 3: [np.trace(SHAPED, o) for o in range(-4, 5)] + [np.trace(SHAPED), np.trace(COMPLEX).imag]})
