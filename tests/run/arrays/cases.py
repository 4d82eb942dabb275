case("one_to_five_dimensions", [array(np.arange(3) + 1, "int32"), array(np.arange(6).reshape(2, 3), "int64"), array(np.arange(12).reshape(2, 2, 3), "float32"),
     array(np.arange(24).reshape(2, 2, 2, 3), "uint8"), array(np.arange(48).reshape(2, 2, 2, 2, 3), "int16"), zeros(8, "int64")])
case("negative_indices", [array([10, 20, 30, 40, 50], "int32"), array(np.arange(12).reshape(3, 4), "float32"), array([-2, -3], "int8"), zeros(9)])
case("index_types", [array(np.arange(300) * 3, "int32"), array([-1, 5], "int8"), array([7, 4, 255], "uint8"), array([9], "uint32"), array([11], "uint64"), zeros(9, "int64")])
case("attributes", [zeros(3, "int8"), zeros((4, 5), "float32"), zeros((2, 3, 7), "uint16"), zeros(13, "int64")])
case("transpose", [array(np.arange(6).reshape(2, 3), "int32"), array(np.arange(6).reshape(2, 3), "int32", "F"), array(np.arange(12).reshape(2, 2, 3), "int64"), zeros(7, "int64")])
case("fortran_order", [array(np.arange(12).reshape(3, 4), "float32", "F"), array(np.arange(24).reshape(2, 3, 4), "float64", "F"), zeros((3, 4), "float64", "F")], block=(3, 4))
case("strided_arguments", [array([1, 2, 3, 4], "int32", "A"), array(np.arange(12).reshape(3, 4), "float32", "A"), zeros(4, "float64", "A")], block=8)
S = [(0, 10, 1), (2, 8, 3), (-3, 100, 1), (-100, 3, 1), (8, 2, 1), (9, 0, -1), (100, -100, -1), (-1, -100, -3), (5, 5, 1), (0, 10, 100), (3, -4, 2), (7, 2, -2), (10, 20, 1), (-100, -50, 1), (2, 7, -1)]
case("slices_clip", [array(np.arange(10) + 1, "int32")] + [array(c, "int64") for c in zip(*S)] + [zeros((15, 12), "int64"), zeros(15, "int64")], block=16)
case("slice_forms", [array([1, 2, 3, 4, 5, 6, 7, 8], "int16"), zeros(40, "int64")])
case("slices_of_more_dimensions", [array(np.arange(20).reshape(4, 5), "int32"), array(np.arange(24).reshape(2, 3, 4), "float32"), zeros(13)])
case("sub_array_indexing", [array(np.arange(12).reshape(3, 4), "int32"), array(np.arange(12).reshape(2, 2, 3), "float64"), zeros(4)])
case("assignment_to_slices", [array(np.arange(8), "float32"), array(np.arange(12).reshape(3, 4), "int64"), scalar(2.75, "float64")])
case("views_passed_on", [zeros(8, "int32"), array(np.arange(12).reshape(3, 4), "float32"), zeros(4)])
case("all_dtypes_stored_and_loaded", [array([1, 0, 0], "bool"), array([-128, 0, 0], "int8"), array([-32768, 0, 0], "int16"), array([-2**31, 0, 0], "int32"), array([-2**63, 0, 0], "int64"),
     array([255, 0, 0], "uint8"), array([65535, 0, 0], "uint16"), array([2**32 - 1, 0, 0], "uint32"), array([2**64 - 1, 0, 0], "uint64"), array([0.1, 0, 0], "float32"), array([0.1, 0, 0], "float64")], block=4)
case("scalar_arguments_keep_their_types", [scalar(1, "bool"), scalar(-128, "int8"), scalar(-3, "int16"), scalar(2**31 - 1, "int32"), scalar(-5), scalar(200, "uint8"), scalar(65535, "uint16"),
     scalar(7, "uint32"), scalar(2**63 + 1, "uint64"), scalar(0.1, "float32"), scalar(0.1, "float64"), zeros(14)])
case("same_array_twice", [array([1, 0, 0, 0, 0, 0], "int32"), {"same_as": 0}, scalar(5, "int32")])
case("empty_arrays", [zeros(0, "float32"), zeros((3, 0), "int32"), zeros(5, "int64")])
case("three_dimensional_grid_of_views", [array(np.arange(24).reshape(3, 2, 4), "float32", "F"), zeros((2, 2, 3))], block=(2, 2, 3))
