ints = [0, 1, -1, -5, -11, 50, 100, 101]
case("if_elif_else", [array(ints, "int32"), full(8, 77, "int64")], block=16)
case("ternary", [array([0, 1, -1, 16777217, 3], "int32"), array([0.1, 2, 0.7, 3, -1], "float32"), zeros((5, 5))], block=8)
case("and_or_give_operands", [array([0, 1, -1, 5, 0], "int32"), array([0.5, 0, 2.5, -1, 0], "float32"), full((5, 10), 77, "float64")], block=8)
case("short_circuit", [zeros(14, "int32"), zeros(6, "int64")])
case("chained_comparison", [array([-20, -1, 0, 1, 3, 4, 5, 7, 10], "int32"), zeros(2, "int64"), full((9, 7), 77, "int64")])
case("chain_whose_start_is_known", [array([0, 2, 3, 4, 9], "int64"), full((5, 5), 77, "int64")])
case("truth_of_numbers", [array([0.0, -0.0, 1e-30, float("nan"), float("inf"), -2], "float32"), array([0, 1, 255, 0], "uint8"),
     array([True, False, True], "bool"), full((6, 6), 77, "int64")])
case("while_loop", [array([1, 2, 3, 6, 7, 9, 27, 97, 871], "int32"), zeros(9, "int32")], block=16)
case("while_else", [array([2, 4, 9, 13, 15, 91, 97, 1], "int64"), zeros(8, "int64")], block=8)
case("while_first_test_known", [array([0.1, 1, 2.5, 7], "float32"), array([1, 2, 250, 0], "uint8"), zeros((4, 9))], block=8, oracles="cpu")
case("early_return", [array([-1, 0, 3, 5, 9, 30], "int64"), zeros(6, "int64")], block=8)
case("pass_and_docstrings", [full(4, 7, "int64")])
case("number_literals", [zeros(8, "int64"), zeros(14)])
case("layout_of_the_text", [array([3, 4], "int32"), zeros(5)])
case("raise_ends_the_thread", [array([4, -1, 1, 100, 2.25], "float64"), zeros(5)], block=8, oracles="",
     expect={1: [3, -1, -1, -1, 2.5]}, note="the thread ends; Numba's launch raises only with debug=True")
case("assert_in_a_loop", [array([5, 1, 7], "int64"), zeros(3, "int64")], block=3, oracles="", expect={1: [13, 5, 13]})
case("match_values", [array([0, 1, -1, 5, 7, 8, 101, 16], "int64"), array([0.5, 3, -2, -2, 1, -1, 4, 2.5], "float64"), zeros((8, 7))], block=8)
case("match_sequences", [array([0, 3, 1, 2, 6, 4, 9], "int64"), array([0, 5, 0, 2, 1, 7, -3], "int64"), zeros((7, 5))], block=8, oracles="sim",
     numba=False, note="Numba refuses sequence patterns")
case("nested_tuples_in_order", [array([1, 2, 3, 3], "int32"), array([1, 3, 2, 3], "int64"), zeros((4, 6), "int64")], block=4)
case("in_arrays", [array(np.arange(6).reshape(2, 3), "int32"), array([1, 4, 2, 9], "int64"), zeros((4, 7), "int64")], block=4)
case("raise_of_nothing", [array([4, -1, 1, 100, 6], "int64"), zeros(5, "int64")], block=8, oracles="", expect={1: [4, -1, 1, -1, -1]},
     numba="Numba refuses a raise that chooses", note="the thread ends; Numba's launch raises only with debug=True")
case("texts", [scalar(4), zeros(8, "int64")])
case("rings", [array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], "int64"), zeros((4, 3, 4), "int64"), scalar(3, "int32")], grid=(1, 1), block=(4, 5))
case("defaults", [array([1, 2, 3, 4, 2.5, float("nan"), float("inf")], "float64"), scalar(4, "int32"), zeros((7, 6), "float64")], block=8)
case("errors_of_unused_values", [array([1, 9, -4, 9, 2, 0, 101, 1, 2, 5, 1, 2, 0, 3, 3, 5], "int64"), array(np.arange(6), "float64"), zeros(16, "int64")], block=16, oracles="",
     expect={2: [8, 1] * 8}, note="the thread ends; Numba's launch raises only with debug=True")
