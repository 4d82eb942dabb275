nan, inf = float("nan"), float("inf")
I32 = [0, 1, -1, 7, 2147483647, -2147483648, -128, 100]
U8 = [3, 0, 255, 7, 200, 128, 1, 255]
U32 = [0, 1, 4294967295, 7, 2147483648, 5, 100, 4294967040]
case("int_arithmetic_is_64_bit", [array([0, 1, -1, 7, 127, -128, -100, 100], "int8"), array(U8, "uint8"), array(I32, "int32"),
     array(U32, "uint32"), zeros((8, 14), "int64")], block=8)
case("unsigned_arithmetic_wraps", [array([3, 0, 255, 7], "uint8"), array([5, 0, 2**64 - 1, 2**63], "uint64"), zeros((4, 6), "uint64"), zeros((4, 5))], block=4)
case("int_true_division", [array([1, -7, 0, 2**31 - 1, 3], "int32"), array([2, 2, 0, 7, 0], "int32"), array([3, 0, 1, 2**64 - 1, 10], "uint64"), zeros((5, 5))], block=8)
L = [0, 1, -1, 7, -7, 8, -8, 2**63 - 1, -2**63, 10**12]
case("int_floor_division_and_modulo", [array(L, "int64"), array([1, -1, 2, -2, 3, -3, 0, 2**63 - 1, -2**63], "int64"), zeros((10, 9, 4), "int64")], block=(10, 9))
case("int32_floor_division_and_modulo", [array(I32, "int32"), array([1, -1, 3, -3, 16, 0, 2**31 - 1, -2**31], "int32"), zeros((8, 8, 6), "int64")], block=(8, 8))
case("unsigned_floor_division_and_modulo", [array([0, 1, 7, 2**63, 2**64 - 1], "uint64"), array([1, 2, 0, 10, 2**63], "uint64"), zeros((5, 5, 4), "uint64")], block=(5, 5))
FL = [0.0, -0.0, 1.0, -1.0, 7.5, -7.5, 1e300, inf, -inf, nan, 0.1, 5e-324]
D64, D32 = [1.0, -1.0, 2.5, -2.5, 0.0, -0.0, nan, 3.0], [1, -1, 2.5, -2.5, 0.0, -0.0, nan, 3]
F32 = [0.0, -0.0, 1, -1, 7.5, -7.5, 1e30, inf, nan, 0.1]
case("float_floor_division_and_modulo", [array(FL, "float64"), array(D64, "float64"), zeros((12, 8, 4))], block=(12, 8))
case("float32_floor_division_and_modulo", [array(F32, "float32"), array(D32, "float32"), zeros((10, 8, 6))], block=(10, 8))
WHOLE = [0.3, -0.3, 0.6, 0.1 * 3, 0.7 * 7, -0.7 * 7, 2.1, 2.0**51 * 0.1, 2.0**50 + 0.5, -1e17, 1e15 + 0.3, 9.999999999999998, 1e-310]
case("float_modulo_of_whole_quotients", [array(WHOLE, "float64"), array([0.1, -0.1, 0.3, 0.7, 3.0, 1e-3, 5e-324, 1e-310], "float64"), zeros((13, 8, 4))], block=(13, 8),
     numba="NVVM computes x % y as x - trunc(x / y) * y, which is inexact for large x / y; here CPython's values")
why = "NVVM computes x % y as x - trunc(x / y) * y, so Numba on the GPU gives nan for an infinite y and is inexact for large x / y; here CPython's values"
case("float_modulo_of_extreme_divisors", [array(FL, "float64"), array([inf, -inf, 0.1, 1e-300, 1e300], "float64"), zeros((12, 5, 4))], block=(12, 5), numba=why)
case("float32_modulo_of_extreme_divisors", [array(F32, "float32"), array([inf, -inf, 0.1, 1e-30, 1e30], "float32"), zeros((10, 5, 4))], block=(10, 5), numba=why)
case("float_division", [array(FL, "float64"), array([1, -3, 0.0, -0.0, inf, nan], "float64"), array([1, -3, 0.0, -0.0, inf, nan, 1e-45, 1e38, 3, 0.1, 7, 9], "float32"), zeros((12, 6)), zeros((12, 6), "float32")], block=(12, 6))
case("shifts", [array([1, -1, 5, -2**40], "int64"), array([0, 1, 3, 31, 32, 63], "int32"), array([1, 2**63, 255, 2**64 - 1], "uint64"), zeros((4, 6, 4), "int64"), zeros((4, 6, 2), "uint64")], block=(4, 6))
case("shift_signedness", [array([-128, 127, -1], "int8"), array([1, 3, 255], "uint8"), zeros((3, 6))])
case("bit_operators", [array([0, -1, 127, -128], "int8"), array([255, -256, 2**31 - 1, -2**31], "int32"), array([255, 0, 170, 1], "uint8"), array([65535, 1, 21845, 0], "uint16"),
     array([True, False, True, False], "bool"), zeros((4, 13), "int64")], block=4)
case("invert_and_negate", [array([0, -1, 127, -128], "int8"), array([0, 255, 1, 128], "uint8"), array([0, 2**32 - 1, 1, 2**31], "uint32"), array([0, 2**64 - 1, 1, 2**63], "uint64"),
     array([True, False, True, False], "bool"), zeros((4, 10)), zeros((4, 4), "uint64")], block=4)
case("int_power", [array([0, 1, -1, 2, -2, 3, 10, -7], "int64"), array([0, 1, 2, 3, 10, 62, 63, 64, -1, -2, -3], "int64"), zeros((8, 11, 5), "int64")], block=(8, 11))
case("float_to_an_int_power", [array([0.0, 1, -1, 2, -2.5, 0.1, inf, nan], "float64"), array([0, 1, 2, 3, -1, -2, 10, -3], "int64"), array([0.0, 3, -1, 2, -2.5, 0.1, inf, nan], "float32"),
     zeros((8, 8, 4)), zeros((8, 8, 3))], block=(8, 8), rtol=1e-6)
case("float_power", [array([0.0, -0.0, 1, 2, -2, 0.5, 1e10, inf, -inf, nan], "float64"), array([0.0, 1, 2, -1, 0.5, -0.5, 3.3, inf, -inf, nan], "float64"), zeros((10, 10, 4))], block=(10, 10), rtol=1e-14)
case("float32_stays_float32", [array([0.1, 16777216, 3, -0.3], "float32"), array([1, 2, 3, -4], "int8"), array([1, 3001, 3, -4], "int16"), array([1, 16777217, 3, -4], "int32"),
     array([1, 2, 255, 4], "uint8"), array([1, 2, 65535, 4], "uint16"), zeros((4, 14))], block=4)
case("int_comparison", [array([0, -1, 127, -128], "int8"), array([0, 255, 127, 128], "uint8"), array([0, -1, 2**31 - 1, -2**31], "int32"), array([0, 2**32 - 1, 2**31 - 1, 2**31], "uint32"),
     zeros((4, 4, 9), "uint8")], block=(4, 4))
case("int64_with_uint64_compares_as_float", [array([0, -1, 2**53 + 1, 2**63 - 1], "int64"), array([0, 2**64 - 1, 2**53, 2**63], "uint64"), zeros((4, 4, 5), "uint8")], block=(4, 4),
     note="the comparison is done in float64: 2**53 + 1 equals 2**53")
case("int64_plus_uint64_is_int64", [array([1, -1, 2**63 - 1, -5], "int64"), array([5, 2**64 - 1, 1, 2**63], "uint64"), zeros((4, 5), "int64"), zeros((4, 3))], block=4)
case("float_comparison", [array([0.0, -0.0, 1, 0.1, nan, inf], "float64"), array([0.0, 0.1, nan, inf, -inf, 16777216], "float32"), array([0, 1, 16777217, -1, 2, 3], "int32"), zeros((6, 6, 10), "bool")], block=(6, 6))
case("precedence", [scalar(7), scalar(2), scalar(5), zeros(30)])
case("integer_edges", [array([-2**63, 5, -1, 0], "int64"), zeros(14, "int64")])
case("int_true_division_in_place", [array([7, -7, 0, 2**31 - 1], "int32"), zeros(4)],
     note="numba-cuda types integer /= as int64 by mistake (its bfloat16 bindings), but computes the float64; any further use of x breaks")
case("literals_and_arguments_agree", [scalar(-2**63), scalar(-7), scalar(0), scalar(1), scalar(64), scalar(2.5, "float64"), zeros((14, 2), "int64")], oracles="",
     expect={6: np.repeat(np.array([0, -4, 2, 0, -1, 0, 0, 1, 0, -2**63, 2, -4, -4, 0])[:, None], 2, axis=1)}, note="values of tests/oracle/data/gpu.tsv")
case("identity", [array([1, 2, 3], "float32"), array([1, 2, 3], "float32"), scalar(12), scalar(12, "int32"), scalar(2.5, "float64"), full(14, 9, "int64")], oracles="cpu")
case("identity_of_texts", [zeros(5, "int64")])
case("bit_count", [array([7, -7, -128, 0], "int8"), array([7, 255, 128, 0], "uint8"), array([7, -7, -2**31, 0], "int32"), array([7, 2**32 - 1, 2**31, 0], "uint32"),
     array([7, -7, -2**63, 0], "int64"), zeros((5, 4))], block=4, oracles="",
     expect={5: [[-3, -6, -1, 0], [-7, -2, -9, -10], [-1.5, -15, -0.5, 0], [-37, -8, -39, -40], [-3, -62, -1, 0]]},
     note="numba-cuda's bit_count is cuda.popc; CPython counts the bits of the magnitude")
case("words", [array([0, 1, 2**32 - 1, 2**31, 123456789, 2**31 - 1, 0xDEADBEEF, 77], "uint32"),
     array([0, -1, 2**31, 5, -2**40, 2**62, 123456789012345, 255], "int64"), scalar(9), zeros((8, 13), "int64"), zeros((8, 2))], block=8, rtol=1e-14, oracles="cpu")
case("operations_of_two_signs", [array([3000000000, 7, 2**32 - 1, 12], "uint32"), array([4000000000, 4100000000, 4200000000, 5], "uint32"), array([200, 100, 50, 255], "uint8"),
     scalar(4), zeros((4, 9))], block=4)
