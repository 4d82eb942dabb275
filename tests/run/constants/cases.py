case("captured", [array(np.arange(12) * 0.5, "float32"), zeros((5, 12), "float64"), zeros((4, 12), "int64"), zeros(12, "complex64")], block=12)
case("array_like", [zeros(10), zeros(10, "int32"), zeros(10, "complex64"), zeros(10, "int64")], block=10)
case("records", [zeros((6, 7))], block=6)
case("host_code", [zeros(10)])
