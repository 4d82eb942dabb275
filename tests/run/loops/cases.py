case("range_forms", [zeros(16, "int64")])
start = [0, 0, 10, 10, 5, 5, 0, -3, 7, 0, 0]
stop = [5, 10, 0, -1, 5, 4, 5, 3, -7, -5, 1]
step = [1, 3, -1, -4, 1, 1, -1, 2, -5, -1, 100]
case("step_of_unknown_sign", [array(start, "int64"), array(stop, "int64"), array(step, "int32"), full((11, 8), 77, "int64"), zeros((11, 2), "int64")], block=16)
case("variable_after_the_loop", [full(6, 9, "int64")])
case("variable_reassigned_in_the_body", [full(16, 99, "float64")])
case("variable_in_its_own_range", [zeros(13, "int64")])
case("bound_changed_in_the_body", [zeros(5, "int64")])
case("loop_variable_types", [array([4], "int32"), array([4], "int64"), array([3], "uint32"), array([2], "uint8"), zeros(8)])
case("unsigned_range", [array([3, 6, 1, 10, 4, 2], "uint32"), full(10, 99, "int64")])
case("for_else", [array([0, 3, 4, 5, -1], "int32"), zeros(5, "int64")], block=8)
case("break_continue_nest", [zeros(3, "int64")])
case("over_array", [array([1, -2, 100, 127], "int8"), array([9, 2, -3, 0.5, 4, 8], "float32"), zeros(4)])
case("over_rows", [array(np.arange(12).reshape(3, 4), "int32"), zeros(3, "int64")])
case("over_tuple", [array([10, 20, 30], "int32"), zeros(10, "int64")])
case("enumerate_forms", [array([1, 2, 3], "int32"), array([[5, 6], [7, 8]], "float32"), zeros(13)])
case("zip_forms", [array([1, 2, 3, 4], "int32"), array([10, 20, 30], "float32"), zeros(10)])
case("step_of_zero_ends_the_thread", [array([1, 0, 3, -1], "int64"), zeros(4, "int64")], block=4, oracles="",
     expect={1: [14, 0, 12, 10]}, note="ValueError: the thread ends")
case("literal_unroll", [array([1.5, 2.0], "float64"), zeros(6)])
case("bounds_that_change", [array([3, 5], "int64"), zeros(6, "int64")])
