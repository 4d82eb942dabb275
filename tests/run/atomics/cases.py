nan, inf = float("nan"), float("inf")
T = ["int32", "uint32", "int64", "uint64", "float32", "float64"]
case("add_every_type", [array(np.arange(40) - 15, "int32")] + [array([5, 1000], t) for t in T], grid=2, block=32)
case("max_min_every_type", [array((np.arange(40) * 37) % 101 + 3, "int32")] + [array([50, 60], t) for t in T], grid=2, block=32)
case("max_min_with_nan", [array([1, 2, nan, nan, -0.75], "float32"), array([1, 2, nan, nan, inf], "float64"), scalar(nan, "float64")], oracles="",
     expect={0: [1, 2, nan, nan, -0.5], 1: [1, 2, nan, nan, -0.5]})
case("exch_and_cas", [array([1, 5, 6], "int32"), array([1, 5], "uint32"), array([-1, 5], "int64"), array([2**63, 5, 7], "uint64"), zeros(10)])
case("old_value_is_returned", [array([0, 5], "int32"), array([1, 5], "float32"), array([77], "uint64"), zeros((3, 6))])
case("index_forms", [array([0, 0, 0, 0], "int32"), zeros((2, 3), "float64"), zeros((1, 2, 3), "int64"), zeros(4, "uint32")], grid=2, block=8)
case("shared_histogram", [array((np.arange(100) ** 2) % 23, "int64"), zeros(8, "int32")], grid=2, block=64)
case("shared_float", [array(np.arange(16) - 4, "float32"), zeros(8)], block=16)
case("slots_by_counter", [array(np.arange(50) % 7 - 3, "int32"), zeros(1, "int32"), zeros(1, "int64")], grid=2, block=32)
