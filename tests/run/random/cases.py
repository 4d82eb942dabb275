case("uniform_float32", [states(8, 1), zeros((8, 6), "float32")], block=8)
case("uniform_float64", [states(8, 12345678901234567), zeros((8, 6), "float64")], block=8)
case("normal_float32", [states(8, 7), zeros((8, 4), "float32")], block=8, rtol=2e-6, atol=1e-6)
case("normal_float64", [states(8, 42, 2), zeros((8, 4), "float64")], block=8, rtol=1e-6, atol=1e-6,
     note="the uniforms are float32, so is their logarithm")
case("result_types", [states(2, 3), zeros(5)])
case("monte_carlo_pi", [states(16, 1), scalar(200, "int32"), zeros(16, "int32")], grid=2, block=8)
case("bits", [array([0, 1, 2**63, 2**64 - 1, 0x123456789abcdef0, 2**53 + 1], "uint64"), zeros((6, 3)), zeros((6, 2), "uint64")], block=8)
