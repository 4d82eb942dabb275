case("loads_and_stores", [array(np.arange(8) * 3 - 9, "int8"), array(np.arange(8) * 2, "uint16"), array(np.arange(8) / 4, "float32"), array(np.arange(16).reshape(8, 2), "int64"),
                          zeros((4, 8), "float64")], block=8, oracles="",
     expect={0: np.arange(8) * 2, 4: [np.arange(8) * 3 - 9, np.arange(8) * 2, (np.arange(8) / 4)[::-1], np.arange(16).reshape(8, 2)[:, 1]]})
h = np.array([1, -2.5, 0.25, 7], "float16")
case("halves", [array(h, "float16"), zeros((5, 4), "float16"), zeros((4, 4), "float16")], block=4, oracles="", expect={1: np.tile(h, (5, 1)), 2: np.tile(h, (4, 1))})
