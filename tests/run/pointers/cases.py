x = np.arange(6) * 1.5
case("arrays_at_an_address", [array(x, "float32"), zeros((6, 6), "float64"), scalar(3)], block=6, oracles="",
     numba="Numba has no pointers of its arrays here",
     expect={1: [[x[i % 2 * 3 + i % 3], x[i % 2 + 2 * (i % 3)] + 3, x[5] + x[i], 5.5, 5.5, 2] for i in range(6)]})
