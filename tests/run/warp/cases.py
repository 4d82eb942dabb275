# The simulator has no warp functions and Numba's CPU compiler neither: closed forms.
lanes = np.arange(32)
x32 = (lanes * 7) % 11


def tree(v):
    v = v.copy()
    for step in (16, 8, 4, 2, 1):
        v = v + np.where(lanes + step < 32, v[np.minimum(lanes + step, 31)], v)
    return v


case("shuffles", [array(x32, "int64"), zeros((6, 32), "int64")], block=32, oracles="",
     expect={1: [np.full(32, x32[5]), np.where(lanes >= 3, x32[lanes - 3], x32), np.where(lanes < 28, x32[np.minimum(lanes + 4, 31)], x32),
                 x32[lanes ^ 9], tree(x32), x32[lanes // 2]]})
case("shuffles_of_every_type", [array(x32 - 5, "int32"), array(x32 * 2**40 - 3, "int64"), array(x32 / 4, "float32"), array(x32 / 3, "float64"), zeros((4, 32))],
     block=32, oracles="", expect={4: [(x32 - 5)[lanes ^ 1], (x32 * 2**40 - 3)[lanes ^ 2], (x32 / 4)[lanes ^ 4], (x32 / 3)[lanes ^ 8]]})
case("shuffles_of_unsigned", [array(x32 + 2**31, "uint32"), array(x32.astype("uint64") + 2**63, "uint64"), zeros((2, 32), "uint64")], block=32, oracles="",
     expect={2: [np.where(lanes >= 1, x32[lanes - 1], x32).astype("uint64") + np.uint64(2**31),
                 np.where(lanes < 30, x32[np.minimum(lanes + 2, 31)], x32).astype("uint64") + np.uint64(2**63)]},
     numba="Numba shuffles signed integers only")
case("votes_and_matches", [array(x32, "int32"), zeros((9, 32), "int64")], block=32, oracles="",
     expect={1: [np.full(32, np.int32(np.uint32(sum(1 << l for l in range(32) if x32[l] > 3)))), np.full(32, 1), np.full(32, 1), np.full(32, 0),
                 [np.int32(np.uint32(sum(1 << m for m in range(32) if x32[m] == x32[l]))) for l in range(32)],
                 np.full(32, 0), np.full(32, -1 + 1), [(1 << l) - 1 for l in range(32)], lanes + 3200]})


def masks():
    x = np.arange(40)
    out = np.zeros((3, 40), "int64")
    for t in range(39):
        lane = t % 32
        if lane < 8:
            out[0, t], out[1, t] = x[t - lane + 6], 0xFF if t < 32 else 0x7F
        elif lane < 14:
            out[0, t] = x[t + 2]
        out[2, t] = 19
    return out


case("partial_warps_and_masks", [array(np.arange(40), "int32"), zeros((3, 40), "int64")], block=40, oracles="", expect={1: masks()})
case("reduction_by_two_warps", [array(np.arange(256) % 13, "float32"), zeros(2, "float32")], grid=2, block=128, oracles="",
     expect={1: [(np.arange(128) % 13).sum(), (np.arange(128, 256) % 13).sum()]})
case("shared_without_a_barrier", [array(np.arange(64) * 3, "int32"), zeros(64, "int32")], block=64, oracles="", expect={1: np.arange(64) * 6})
