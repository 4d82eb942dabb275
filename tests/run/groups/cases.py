# The simulator has the grid of one block only; the other groups are ours.
def grid(n=24):
    x, rows = np.arange(n) * 5, []
    for _ in range(3):
        rows.append(x + 2 * x[(np.arange(n) + 1) % n])
        x = rows[-1][(np.arange(n) + 7) % n] % 1000
    return {0: x, 1: np.array(rows)}


def tiles():
    x, r = (np.arange(32) * 29) % 64, np.arange(32)
    t = x.reshape(4, 8)
    k = np.arange(8)
    spread = lambda rows: np.repeat(rows, 8)
    bits = lambda rows: spread([sum(1 << i for i in range(8) if row[i]) for row in rows])
    return [32000 + r, r // 16 * 10, r % 8 + 800 + r // 8 * 10000, spread(t[:, 3]),
            t[:, np.where(k < 6, k + 2, k) % 8].ravel(), t[:, np.where(k > 0, k - 1, k)].ravel(), t[:, k ^ 4].ravel(),
            bits(t % 2 == 0), spread((t > 60).any(1) + 2 * (t > 3).all(1)),
            np.array([[sum(1 << i for i in range(8) if row[i] % 3 == v % 3) for v in row] for row in t]).ravel(),
            spread(t.sum(1)), spread(t.max(1)), np.repeat(x.reshape(8, 4).min(1), 4),
            r % 8 // 4 + 20 + 400, r % 4 // 2 + 20]


def together():
    x = (np.arange(32) * 11) % 37
    out = np.zeros((6, 32), "int64")
    on = np.flatnonzero(x % 3 == 0)
    for rank, t in enumerate(on):
        out[:, t] = [len(on) * 100 + rank, x[on[1]], x[on[min(rank + 1, len(on) - 1)]], sum(1 << i for i, u in enumerate(on) if x[u] > 20),
                     x[on].sum(), np.bitwise_xor.reduce(x[on])]
    return out


case("grid_sync", [array(np.arange(24) * 5, "int64"), zeros((3, 24), "int64")], grid=3, block=8, oracles="", expect=grid())
case("grid_sync_unused", [array(np.arange(12), "int64")], grid=3, block=4, oracles="", expect={0: np.arange(12) + 1})
case("block_and_tiles", [array((np.arange(32) * 29) % 64, "int64"), zeros((15, 32), "int64")], block=(16, 2), oracles="", expect={1: tiles()},
     numba="Numba has the grid's group only")


def axes(grid=(2, 3, 2), block=(4, 2, 3)):
    order = lambda extent: [(x, y, z) for z in range(extent[2]) for y in range(extent[1]) for x in range(extent[0])]
    return [[t[0] + 10 * t[1] + 100 * t[2], b[0] + 10 * b[1] + 100 * b[2], (b if b[0] else t)[0] - 100 * (b if b[0] else t)[1]]
            for b in order(grid) for t in order(block)]


case("axes", [zeros((288, 3), "int64")], grid=(2, 3, 2), block=(4, 2, 3), oracles="", expect={0: np.array(axes())},
     numba="Numba has the grid's group only")
case("coalesced", [array((np.arange(32) * 11) % 37, "int64"), zeros((6, 32), "int64")], block=32, oracles="", expect={1: together()},
     numba="Numba has the grid's group only")


def passed():
    x, r = (np.arange(32) * 11) % 37, np.arange(32)
    out = np.zeros((8, 32), "int64")
    for row, size, more in [(0, 8, 0), (1, 4, 0), (7, 4, 1)]:
        out[row] = np.repeat((x + more).reshape(-1, size).sum(1), size) * 100 + r % size
    out[2], out[3] = r % 4 * 100 + r, r * 100 + r
    on = np.flatnonzero(x % 3 == 0)
    for rank, t in enumerate(on):
        out[4:7, t] = [x[on].sum() * 100 + rank, t % 8 * 100 + rank, (x[on] + 1).sum() * 100 + rank]
    return out


case("passed_to_functions", [array((np.arange(32) * 11) % 37, "int64"), zeros((8, 32), "int64")], block=32, oracles="", expect={1: passed()},
     numba="Numba has the grid's group only")


def as_values():
    x = (np.arange(32) * 11) % 37
    high = x > 20
    size = np.where(high, high.sum(), (~high).sum())
    v = np.where(high, x, -x)
    return [np.repeat(x.reshape(8, 4).sum(1), 4), np.repeat(x.reshape(4, 8).sum(1), 8) + 32, size * 1000 + v,
            np.where(high, v[high].sum(), v[~high].sum())]


case("as_values", [array((np.arange(32) * 11) % 37, "int64"), zeros((4, 32), "int64")], block=32, oracles="", expect={1: as_values()},
     numba="Numba has the grid's group only")
