case("call_before_definition", [zeros(2)])
case("module_constants", [zeros(20)])
case("argument_specialisation", [array([7, 2147483647], "int32"), array([0.1], "float32"), array([0.3], "float64"), zeros(8)])
case("returns_unified", [array([0.5, 1.25, 4, 5], "float32"), zeros(8)])
case("returns_tuples", [array([5, 3, -9, 100], "int32"), zeros(11)])
case("returns_nothing", [zeros(4, "int32")])
case("recursion_without_a_result", [array([3, 1, 2, 9, 0, 5, 5], "float64"), zeros(5), zeros(12)])
case("jit_forms", [array([1, 2, 3, 4], "int32"), zeros(7)], oracles="sim",
     expect={1: [2, 6, 2.5, 40, 3, -2147483646, 3]}, note="int32(int32, int32) wraps")
case("default_and_keyword_arguments", [array([2, 3], "int32"), zeros(4)])
case("arrays_as_arguments", [array([1, 2, 3, 4, 5, 6, 7, 8], "int32"), array(np.arange(9).reshape(3, 3), "float32"), zeros(7)])
case("nested_calls", [zeros(3)])
case("thread_index_in_a_device_function", [zeros(12, "int32"), zeros(12, "int64")], grid=3, block=4)
case("explicit_signature", [array([1, 2, 0.1], "float32"), scalar(3), zeros(3)], block=4,
     expect={2: np.array([1, 2, 0.1], np.float32).astype(np.float64) / 3}, note="float32 / int32 is float64")
case("signature_of_types", [array(np.arange(6).reshape(2, 3), "float32", "F"), scalar(258), zeros((2, 3)), scalar(-5, "int64")],
     block=(2, 3), oracles="sim", expect={2: np.arange(6).reshape(2, 3).astype(np.float32).astype(np.float64) / 3 + 20 - 5},
     note="the argument 258 becomes the uint8 2")
case("list_of_signatures", [array([1, 2, 0.1], "float32"), zeros(3)], block=4,
     expect={1: np.array([1, 2, 0.1], np.float32).astype(np.float64) / 3})
case("annotated_parameters", [array([1, 2, 5], "int32"), scalar(2), zeros(3)])
case("several_kernels", [zeros(3, "int32")], kernel="second")
case("host_code_is_passed_over", [zeros(3, "int32")])
case("tuples_of_arrays", [array([1, 2, 3, 4], "float64"), array([10, 20, 30, 40], "float64"), zeros((6, 4)), zeros(4)], block=4)
case("tuple_arguments", [{"tuple": [scalar(4, "int32"), scalar(5, "int32")]},
     {"tuple": [scalar(7, "int64"), {"tuple": [scalar(0.5, "float32"), scalar(3, "uint8")]}]}, zeros(7)])
case("star_arguments", [array([1.5, 2.25, -4.0], "float64"), zeros(13)])
case("keyword_only_arguments", [array([1.5, 2.25], "float64"), zeros(2)], oracles="", expect={1: [4, 8.25]},
     numba="Numba takes no keyword-only parameters")
case("star_in_subscripts", [array(np.arange(6).reshape(2, 3), "float64"), zeros((2, 3))], grid=1, block=(2, 3))
case("functions_as_arguments", [array([1.5, 2.0, -4.0], "float64"), zeros(7)])
case("nested_functions", [array([1.5, 2.0, -4.0], "float64"), zeros(8)])
case("captured_when_called", [array([1.5, 2.0, 3.0, 4.5, 5.0, 6.0], "float64"), zeros(8)], oracles="sim", numba="Numba refuses a nested function that captures another")
case("defaults_of_variables", [array([1.5, 2.0], "float64"), zeros((2, 4))], block=2, oracles="sim", numba="Numba takes no keyword-only parameters")
case("captured_before_it_changes", [array([1.5, 2.0], "float64"), zeros(2)])
V = np.array([1, 2, 0.1, 7, 3, 5, 11, 13], np.float32).astype(np.float64)
case("kernel_factory", [array(V, "float32"), zeros(8)], kernel="k8", block=8, oracles="",
     expect={1: V[::-1] / 3 + 16 + 0.5 * np.arange(8) - V + 2}, rtol=1e-15, note="float32 / int is float64")
case("function_made_by_a_call", [array([1, 2, 3], "int64"), array([1, 2, 3], "int64")], block=4)
case("kernel_inside_a_function", [zeros(3, "int64")], block=4, expect={0: [10, 11, 12]}, oracles="")
case("imports", [array([1.5, 2.0, -4.0], "float64"), zeros(8)])
case("map_filter_reduce", [array([1.0, 4.0, 9.0], "float64"), array([3, 0, 5, 8], "int64"), zeros(12), zeros(10, "int64")],
     oracles="sim", numba="Numba takes no closures there")
case("unreached", [array(np.arange(6).reshape(2, 3), "int64"), zeros((3, 2), "int64")], block=(4, 4))
x = np.arange(8) * 1.25 + 1
squares = lambda rows, columns: sum(x[(i + j) % 8] ** 2 for i in range(rows) for j in range(columns))
case("literal_arguments", [array(x, "float64"), zeros((8, 6))], block=8, oracles="sim", rtol=1e-15,
     expect={1: [[float(np.float32(np.float32(x[7 - t]) / np.float32(3))), x[7 - t] / 3, squares(3, 2) + squares(2, 4), t, 2.5, float("inf")] for t in range(8)]})
case("decorators", [array(np.arange(6) * 1.5, "float64")], block=6)
case("decorator_values", [zeros(6)])
case("imported_decorators", [array([1.5, 2.0, -4.0], "float32")], block=3)
case("register_jitable", [array([1.5, -2.0], "float64"), zeros((2, 2))], block=2)
case("kernel_varargs", [zeros(5), scalar(4), array([1.5, 2, -3, 8, 9], "float64"), array([1, 2, 3, 4, 5], "float64"), scalar(3)], block=5)
case("kernel_no_varargs", [zeros(3, "int64")], block=3)
case("made_in_a_package", [array([1.5, -2.0, 4.0], "float64"), zeros(3)], block=4, oracles="sim")
case("assigned_on_one_path", [zeros(2), scalar(3)])
case("overloads", [array([-3, -1, 2, 4], "float32"), array([-3, 5, 9, 2], "int32")], block=4, oracles="sim")
case("arguments_that_assign", [zeros(6, "int64")], oracles="sim")
case("argtypes", [array([1.5, -2.5, 7.75], "float32"), scalar(3, "int32")], block=4, oracles="",
     expect={0: [4 + 1.5, -6 - 2.5, 20 + 7.75]}, numba="Numba had this once")
case("things_as_values", [scalar(3), zeros((14, 4))], block=4, oracles="sim")
case("parameters_sliced", [zeros(6, layout="A"), array(range(12), "float64", layout="A"), scalar(5)], block=4)
case("overloads_by_type", [array([-3, 0.25, 2], "float64"), array([-3, 5, 19], "int64")], block=3, oracles="sim")
case("kernels_of_objects", [array([1.0, 2.0, -4.0], "float64")], block=4, oracles="", expect={0: [3.25, 6.5, -13.0]}, numba="Numba compiles no methods of classes")
case("tuple_of_a_thousand", [scalar(7), zeros(3, "int64")])
numbers = np.arange(8, dtype="float32") + 1
case("literal_parameters", [array(numbers, "float32"), zeros((4, 8), "float32")], block=8, oracles="", numba="Numba takes no parameter for a shape",
     expect={1: [np.full(8, 20), np.full(8, 42), np.repeat(numbers.reshape(2, 4).sum(1), 4), np.full(8, 8765)]})
case("decorators_in_turn", [scalar(7), zeros(10, "int64")])

# What is returned becomes what the signature says, item by item.
case("declared_tuple", [zeros(8), scalar(300)], oracles="",
     expect={0: [44, 45, 132, np.float32(300 / 7 / 3), 150, 301.0 ** 8, 43, np.float32(-0.1)]})
case("tuple_with_none", [{"tuple": [scalar(3, "int32"), none(), scalar(2.5, "float64")]}, {"tuple": [scalar(4, "int8"), {"tuple": [none(), scalar(7, "int64")]}]}, zeros(5)])
case("calls_happen_once", [zeros(1, "int64"), array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], "int32"), array([[21, 22, 23, 24], [25, 26, 27, 28], [29, 30, 31, 32]], "int32"), array([5, 6, 7, 8], "int32"), zeros((8, 2), "int64")], block=1)
