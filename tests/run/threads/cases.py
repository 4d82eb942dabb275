case("indices_1d", [zeros((10, 8), "int64")], grid=3, block=4)
case("indices_2d", [zeros((6, 6), "int32"), zeros(4, "int64")], grid=(2, 3), block=(3, 2))
case("indices_3d", [zeros((48, 5), "int32")], grid=(2, 1, 2), block=(2, 3, 2))
case("grid_stride_loop", [scalar(2.5, "float32"), array(np.arange(100), "float32"), array(np.arange(100) * 3, "float32"), zeros(100, "float32")], grid=3, block=8)
case("index_arithmetic_is_64_bit", [zeros((6, 6))], block=6)
case("imported_names", [zeros(8)], grid=2, block=4, oracles="", expect={0: np.arange(8) + 80},
     note="threadIdx, shared, atomic and the like cannot be imported by name in Numba")
case("other_module_name", [zeros(6, "float64")], grid=2, block=3,
     expect={0: [np.float32(i) / np.float32(3) + np.float64(i % 3 + i // 3) for i in range(6)]},
     note="float32 + int32 is float64")
case("grid_in_32_bits", [zeros((2, 12), "int64")], grid=2, block=3, oracles="",
     expect={0: [[11 * i if i < 6 else i + 10 * (i - 6) for i in range(12)], [6] * 6 + [0] * 6]}, numba="Numba's grid is int64")
case("indices_read_in_32_bits", [scalar(4000000000, "int64"), zeros(48, "int64"), zeros((6, 8), "int64"), zeros(8, "int32"), zeros(2, "int64"), zeros(8, "int64")], grid=(2, 3), block=(4, 2))
case("tuples_of_indices", [array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]], "float32"), zeros((3, 4), "float32"), zeros(3, "float64")], grid=(1, 1), block=(2, 3))
