# Neither Numba's CPU compiler nor its simulator links device code.
f4 = np.float32
x = np.array([1.5, -2.25, 3.0, 0.5], dtype=f4)
n = np.array([3, -4, 5, 0])
case("scalars", [array(x, "float32"), array(n, "int64"), zeros(4, "float32"), zeros(4, "bool"), zeros(4, "int8")], block=4, oracles="",
     expect={2: x * n + x * 2, 3: n % 2 != 0, 4: n + 100})
i = np.arange(4)
case("c_abi", [array(n, "int32"), zeros(4, "float64"), zeros(4, "float32")], block=4, oracles="", expect={1: 4 * n + 2 * (n + i) + 42.5, 2: n * 0.5})
m = np.arange(8, dtype=f4).reshape(2, 4) - 2
part = np.arange(4) + m[0]
case("pointers", [array(m, "float32"), zeros(8, "float32")], oracles="", expect={
    0: [m[0] * 2, m[1]],
    1: [m.sum(), m[1].sum(), m[1, 2:].sum(), m[0].sum(), 2 * m[0].sum(), 2 * m[0, 1], 2 * part[:3].sum() + part[3], 2 * part[0] + part[3]]})
a = np.arange(12).reshape(4, 3) * 0.5
z = np.array([1 + 2j, 3 - 1j, -0.5 + 4j])
case("arrays_and_tuples", [array(a, "float64"), array(z, "complex64"), zeros((5, 3))], block=3, oracles="", expect={
    2: [a[:3, 1] + 1200 + 8000 + 1, a[:3, 1] + 1200 + 8000 - 1, a[2] + 600 + 8000 - 1, [3 * k + 2 * k for k in range(3)], (z * z[0]).real]})
case("error_ends_the_thread", [array(n, "int32"), zeros(4, "int32")], block=4, oracles="", expect={1: [4, 1, 6, 1]})
case("linked_by_the_kernel", [array(n, "int64"), zeros(4, "int64")], block=4, oracles="", expect={1: 3 * n + i})
case("made_in_a_factory", [array(n, "int64"), zeros(4, "int64")], block=4, oracles="", expect={1: 5 * n})
