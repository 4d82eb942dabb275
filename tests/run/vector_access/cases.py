case("load_and_store", [array(np.arange(8) / 4, "float32"), array(np.arange(8).reshape(2, 4) + 0.5, "float64"),
                        array([10, 20, 30, 40], "int64"), array(np.arange(8) - 3, "int16"), zeros(8, "int16"), zeros(8, "float32")], block=2, oracles="",
     numba="Numba has no vector loads and stores",
     expect={2: [20, 10, 40, 30], 4: [1, 2, 3, 4, 5, 6, 7, 1],
             5: [0 + 2.5, 0.25 + 3.5, 0.5 + 10, 0.75 + 24, 1 + 6.5, 1.25 + 7.5, 1.5 + 30, 1.75 + 44]})
case("booleans", [array([1, 0, 1, 1, 0, 0, 1, 0], "bool"), zeros(2, "int64")], block=2, oracles="", numba="Numba has no vector loads and stores",
     expect={1: [1101, 100]})
