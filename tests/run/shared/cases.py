case("static_reverse", [array(np.arange(64) * 0.5, "float32"), zeros(64, "float32")], grid=2, block=32)
case("two_dimensional_tile", [array(np.arange(12 * 20).reshape(12, 20), "float32"), zeros((20, 12), "float32")], grid=(3, 2), block=(8, 8))
case("shape_expression_in_the_kernel", [array(np.arange(12 * 20).reshape(12, 20), "float32"), zeros((20, 12), "float32")], grid=(3, 2), block=(8, 8),
     numba="Numba wants literals for the shape")
case("constant_expression_shape", [zeros((8, 5))], block=8)
case("block_reduction", [array(np.arange(150) - 70, "int32"), zeros(3, "int64")], grid=3, block=64)
case("dynamic", [array(np.arange(16) + 0.5, "float32"), zeros(16, "float32"), zeros(2, "int64")], block=16, shared=80)
case("dynamic_partition", [array(np.arange(16) + 0.5, "float32"), zeros(16)], block=16, shared=128)
case("double_buffer_swap", [array(np.arange(16) ** 2 - 40, "int32"), zeros(16, "int64")], block=16)
case("passed_to_a_device_function", [array(np.arange(48), "int32"), zeros(48, "int32")], grid=2, block=24)
case("array_in_a_device_function", [array(np.arange(16) / 4, "float64"), zeros(16)], grid=2, block=8)
case("early_return_before_a_barrier", [array(np.arange(32), "int32"), zeros(32, "int32")], grid=2, block=32)
case("bool_and_small_types", [array([0, 1, -1, 100, -128, 127, 5, 0], "int32"), zeros((8, 3), "int64")], block=8,
     oracles="", expect={1: [[x != 0, x, x % 65536] for x in [0, 5, 127, -128, 100, -1, 1, 0]]})
case("tiled_matmul", [array(np.arange(30).reshape(5, 6) % 7, "float32"), array(np.arange(42).reshape(6, 7) % 5 - 2, "float32"), zeros((5, 7), "float32")], grid=(2, 2), block=(4, 4))
case("local_arrays", [zeros((4, 4))], grid=2, block=2)
case("parts", [array(np.arange(6) + 0.5, "float32"), zeros((8, 3)), scalar(6), scalar(2)], block=8, shared=160, oracles="",
     numba="Numba wants literals for the shape",
     expect={1: [[3 * (5.5 - t), (t + 1) % 6 + 107, (5.5 - t) - (t + 0.5) + 18] if t < 6 else [0, 0, 0] for t in range(8)]})
case("parts_aligned", [zeros((6, 2)), scalar(6)], block=6, shared=768, oracles="", numba="Numba wants literals for the shape",
     expect={0: [[u + u * 0.5 - u + u * 1000 + 7 * u, 0] for u in range(5, -1, -1)]})
case("shape_of_the_warp", [array(np.arange(32) + 0.5, "float32"), zeros(32)], block=32, oracles="sim", numba="Numba wants literals for the shape")

# Arrays that an assignment of a tuple names. On one line the simulator takes two for one.
case("unpacked", [array(np.arange(32) * 3 % 17, "float32"), zeros(32, "float32"), zeros((32, 4), "int64")], block=32,
     oracles="sim")
