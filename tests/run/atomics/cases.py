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


def small():
    x = (np.arange(64) * 37) % 101 - 50
    i = np.arange(64)
    i8 = np.array([0, 1, 2, 3, -100, 100])
    for t in i:
        i8[t % 3] += x[t]
    i8[3] -= 64
    i8[4], i8[5] = max(-100, x.max()), min(100, x.min())
    return {1: i8.astype("int8"), 2: [0xF0, 0xFF, np.bitwise_xor.reduce(i), 63, 200], 3: np.array([-300 * 32, -300 * 32, 1234, 99]).astype("int16"),
            4: [70 * (13 if k < 4 else 12) for k in range(5)] + [99], 5: [5, 7, 7, 9]}


case("small_integers", [array((np.arange(64) * 37) % 101 - 50, "int32"), array([0, 1, 2, 3, -100, 100], "int8"), array([255, 0, 0, 5, 9], "uint8"), array([0, 0, 5, 7], "int16"),
                        array([0, 0, 0, 0, 0, 7], "uint16"), zeros(4, "int64")], grid=2, block=32, oracles="", expect=small(),
     numba="Numba has atomics of 32 and 64 bits only")
x = np.arange(40) - 13
case("order_and_scope", [array(x, "int32"), zeros(3, "int64"), array([0, 0, nan, 0], "float32"), array([0, 0, 0], "uint32"), zeros(3, "int16"), zeros(2, "int32")], grid=2, block=20,
     oracles="", numba="Numba's atomics are relaxed",
     expect={1: [x.sum(), x.sum(), -x.sum()], 2: [26, -13, 26, x.sum()], 3: [40 % 7, (-40) % 7, 2**32 - 1], 4: [x[k::3].sum() for k in range(3)], 5: [6, 5]})
z = (np.arange(32) % 5 - 1.5) + 1j * (np.arange(32) % 3)
case("complex_sums", [array(z, "complex64"), zeros(2, "complex64"), zeros(2, "complex128")], block=32, oracles="", numba="Numba has no atomics on complex numbers",
     expect={1: [z[::2].sum(), z[1::2].sum()], 2: [-2 * z.sum(), np.arange(32).sum()]})
case("complex_ordered", [array(z, "complex64"), zeros(2, "complex64"), zeros(2, "complex128")], block=32, oracles="", numba="Numba has no atomics on complex numbers",
     expect={1: [z[::2].sum(), z[1::2].sum()], 2: [-2 * z.sum(), np.arange(32).sum()]})
nan = np.nan
case("exch_and_cas_of_floats", [array([1, 2, 3, 4, 5, nan, -0.0], "float32"), array([-1, nan, -0.0, -0.0], "float64"), zeros(13)], oracles="", numba="ours: Numba exchanges integers",
     expect={0: [7.5, 20, 3, 50, 1.5, 70, -0.0], 1: [-2.25, 30, -0.0, 60], 2: [1, -1, 2, 3, nan, -0.0, 4, 5, -0.0, nan, -0.0, 3, 90]})
small = np.arange(-4, 12) / 4
case("halves", [array(small, "float16"), array([0, 1, -9, 9, np.nan, np.nan], "float16")], block=16,
     expect={1: [small.sum(), 1 - small.sum(), 2.75, -1, 2.75, -1]}, numba="ours: Numba has no atomics of float16")
H = [*small[:6], np.nan, 0.0, -0.0, 3.0, -1.0, 2.0, *small[6:10]]
held = [0, 1, -9, 9, np.nan, np.nan, H[0], 7, H[5], H[7], 0, 0]
whole = [x for x in H if x == x]
case("halves_ordered", [array(H, "float16"), array(held, "float16"), zeros(13)], block=16, oracles="", numba="ours: Numba's atomics are relaxed, and none is of float16",
     expect={1: [np.nan, np.nan, max(whole), min(whole), max(whole), min(whole), H[3], H[1], H[6], H[8], 0, 0],
             2: [H[0], H[3], 7, H[2], H[5], H[7], H[8], 1, 1, 33, max(max(whole), 1), 7, 9]})
case("index_of_mixed_types", [zeros((3, 4), "int32"), zeros((2, 3), "float64")], block=(3, 4), oracles="sim")
case("wait_in_block", [zeros(64, "int32"), zeros(64, "int32")], block=64, oracles="", expect={0: [1] * 64, 1: 64 - np.arange(64)})
case("wait_for_blocks", [zeros(40, "int32"), zeros(320, "int32")], grid=40, block=8, oracles="no sim", expect={0: [1] * 40, 1: 40 - np.arange(320) // 8})
case("grid_barrier_by_hand", [zeros(1, "int32"), array(np.arange(96), "int32"), zeros(96, "int32")], grid=12, block=8, oracles="no sim",
     expect={0: [72], 1: (np.arange(96) + 18) % 96, 2: (np.arange(96) + 17) % 96})
picked = np.arange(20) * 8 + np.arange(20) % 8
case("spin_lock", [zeros(1, "int32"), zeros(1, "int64"), zeros(1, "int64")], grid=20, block=8, oracles="", expect={1: [picked.sum()], 2: [((picked * 37) % 101).max()]})
