nan, inf = float("nan"), float("inf")
A = [0, 1, -1, 127, 128, 255, 256, -129, 32768, 65535, 65536, 2**31, 2**32 - 1, 2**32, -2**31 - 1, 2**63 - 1, -2**63]
n = len(A)
case("stores_narrow_silently", [array(A, "int64")] + [zeros(n, t) for t in "int8 uint8 int16 uint16 int32 uint32 bool float32".split()], block=32)
case("float_stores_truncate", [array([0.0, -0.0, 0.99, -0.99, 1.5, -1.5, 100.999, -100.999, 127.5, 0.1], "float64")] + [zeros(10, t) for t in "int8 uint8 int32 int64 uint64 float32 bool".split()], block=16)
case("narrow_loads_extend", [array([-1, 127, -128], "int8"), array([255, 0, 128], "uint8"), array([-1, 32767, -32768], "int16"), array([65535, 0, 32768], "uint16"),
     array([-1, 2**31 - 1, -2**31], "int32"), array([2**32 - 1, 0, 2**31], "uint32"), array([1, 0, 1], "bool"), zeros((3, 7), "int64"), zeros((3, 7))], block=4)
case("type_name_calls", [array([0, -1, 300, 16777217, 2**40 + 5, 70000], "int64"), array([0.1, -3.9, 7.5, 100.25, -0.0, 0], "float64"), zeros((6, 23))], block=8)
case("bool_values", [array([1, 0, 1], "bool"), array([5, 0, -1], "int8"), array([nan, 0.5, -0.0], "float32"), zeros((3, 12)), zeros((3, 5), "bool")], block=4)
case("float_to_int", [array([0, 1.99, -1.99, 100.5, -127.9], "float32"), array([2147483647.5, -2147483647.5, -0.5, 1e9, 3.999999], "float64"), zeros((5, 6), "int64"), zeros((5, 4), "uint64")], block=8)
case("int_to_float", [array([0, 2**24 + 1, -2**53 - 1, 2**63 - 1], "int64"), array([2**24 + 1, 2**53 + 1, 2**63, 2**64 - 1], "uint64"), zeros((4, 4), "float32"), zeros((4, 5))], block=4)
case("choices_of_float32", [array([0.0, -0.25, 0.1, 0.5000001, -3.3, 1e-30, -1e-30, 17.3, 300.0, 0.3], "float32"), zeros((10, 6), "float32"), zeros(20, "uint8"), zeros((10, 4))], block=10)
case("comparisons_of_float32", [array([0.1, 0.09999999403953552, 0.7, 0.7000000476837158, 0.5, -0.0, 1e-45, -1e-45, 3.4028234663852886e38, inf, -inf, nan], "float32"), zeros((12, 17), "bool")], block=12)
case("one_operation_of_float32", [array([0.1, -3.3, 1e-45, 7e-45, -1.1754942e-38, 3e-39, 3e38, 16777215, 0.33333334, 5e-38, inf, nan], "float32"), array([0, 1, 3, 51, 100, 127, 128, 200, 253, 254, 255, 7], "uint8"),
     zeros((12, 9), "float32"), array([0.1, -3.3, 1e-45, 16777216, 0, -1, 1e20, 0.9999999, 3, 5, inf, nan], "float32"), zeros(12, "float32")], block=12)
