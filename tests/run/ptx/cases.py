words = [0xFFFFFFFF, 0x80000001, 12345, 0xF0F0F0F0]
three = [(words[i], words[(i + 1) % 4], words[(i + 2) % 4]) for i in range(4)]
case("operands", [array(words, "uint32"), zeros((4, 4), "int64"), array([0.5, -1.25, 1e10, 3], "float64")], block=4, oracles="",
     numba="Numba has no inline PTX",
     expect={1: [[(a & b) | (b & c) | (a & c) for a, b, c in three], [(a + b) & 0xFFFFFFFF for a, b, _ in three],
                 [(a + b) >> 32 for a, b, _ in three], [2 * i * 1000000007 for i in range(4)]],
             2: [4 * 0.5, 4 * -1.25, 4e10, 12]})
