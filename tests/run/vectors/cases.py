case("every_name", [zeros((89, 4))], oracles="sim")
numbers = array([3.0, -1.5, 0.25], "float32")
case("construction", [numbers, zeros((3, 7))], block=3, oracles="sim")
x, n = np.array([2.75, -1.5, 300.25]), np.array([1, 2, 300])
case("conversion", [array(x, "float64"), array(n, "int64"), zeros((3, 6))], block=3,
     expect={2: np.stack([np.trunc(x), n, n > 2, n.astype(np.uint8), x.astype(np.float32), n], axis=1)})
case("values", [array([3.0, -1.5, 0.25], "float64"), zeros((3, 5))], block=3, oracles="sim")
case("dim3_values", [zeros((48, 5), "int64")], grid=(2, 2, 1), block=(3, 2, 2), oracles="sim")
f = np.arange(16.0).reshape(4, 4)
case("memory", [array(f.ravel(), "float32"), zeros(16, "float32")], block=4,
     expect={1: np.stack([f[::-1, 3], f[::-1, 2], np.arange(4), np.full(4, 4)], axis=1).ravel()},
     numba="Numba has no arrays of vectors")
