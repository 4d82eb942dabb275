"""What is timed: inputs, launch configurations and expected results of the kernels of ref.cu."""
import ctypes
from dataclasses import dataclass
from typing import Callable

import numpy as np

f32, i32 = np.float32, np.int32


@dataclass
class Case:
    name: str                    # of the .pyk file and of its kernel
    grid: tuple
    block: tuple
    args: list                   # of the kernel: NumPy arrays and scalars
    outputs: list                # positions of the arrays that the kernel writes
    ref: str                     # the launcher in ref.cu
    ref_args: list               # positions in `args`, or ctypes values
    check: Callable              # list of outputs → text of what is wrong, or ""
    accumulates: bool = False    # outputs start at zero and grow with every launch
    sizes: str = ""


def blocks(n, threads):
    return -(-n // threads)


def close(got, want, rtol, atol=0.0, share=0.0):
    """`share`: of the elements that may be off."""
    off = np.flatnonzero(~np.isclose(got, want, rtol=rtol, atol=atol))
    if off.size <= share * np.size(want):
        return ""
    i = off[0]
    return f"{off.size} of {np.size(want)} off, the first {np.ravel(got)[i]} instead of {np.ravel(want)[i]}"


def saxpy(rng, quick):
    n = 1 << (20 if quick else 26)
    x, y = rng.random(n, dtype=f32), rng.random(n, dtype=f32)
    a, at = f32(2.5), rng.integers(0, n, 100000)
    return Case("saxpy", (blocks(n, 256),), (256,), [a, x, y, np.empty(n, f32)],
                [3], "ref_saxpy", [ctypes.c_int(n), 0, 1, 2, 3], lambda o: close(o[0][at], a * x[at] + y[at], 1e-6), sizes=f"n={n}")


def transpose(rng, quick):
    n = 1024 if quick else 8192
    a = rng.random((n, n), dtype=f32)
    return Case("transpose", (blocks(n, 32),) * 2, (32, 8), [a, np.empty((n, n), f32)], [1],
                "ref_transpose", [ctypes.c_int(n), 0, 1], lambda o: close(o[0], a.T, 0), sizes=f"{n}x{n}")


def matmul(rng, quick):
    n = 512 if quick else 2048
    A, B = rng.random((n, n), dtype=f32), rng.random((n, n), dtype=f32)
    rows = rng.integers(0, n, 64)
    want = A[rows].astype(float) @ B.astype(float)
    return Case("matmul", (n // 32,) * 2, (32, 32), [A, B, np.empty((n, n), f32)], [2],
                "ref_matmul", [ctypes.c_int(n), 0, 1, 2], lambda o: close(o[0][rows], want, 1e-4), sizes=f"{n}x{n}")


def nbody(rng, quick):
    n = 2048 if quick else 32768
    p = rng.random((3, n), dtype=f32)
    eps2 = f32(1e-3)
    at = rng.integers(0, n, 64)
    d = p.astype(float)[:, None, :] - p.astype(float)[:, at, None]
    want = (d * ((d**2).sum(0) + eps2) ** -1.5).sum(2)
    return Case("nbody", (blocks(n, 128),), (128,),
                [*p.copy(), eps2, *(np.empty(n, f32) for _ in range(3))], [4, 5, 6], "ref_nbody", [ctypes.c_int(n), *range(7)],
                lambda o: close(np.stack(o)[:, at], want, 1e-2, 1.0), sizes=f"n={n}")


def escape_times(w, h, maxit, i, j):
    cr, ci = f32(-2) + f32(3) * i.astype(f32) / f32(w), f32(-1.5) + f32(3) * j.astype(f32) / f32(h)
    zr, zi, steps = np.zeros_like(cr), np.zeros_like(ci), np.full(cr.shape, maxit, i32)
    for k in range(maxit):
        inside = steps == maxit
        steps[inside & (zr * zr + zi * zi > 4)] = k
        zr, zi = np.where(inside, zr * zr - zi * zi + cr, 9), np.where(inside, f32(2) * zr * zi + ci, 9)
    return steps


def mandel(rng, quick):
    n, maxit = (512 if quick else 4096), 256
    i, j = rng.integers(0, n, 20000), rng.integers(0, n, 20000)
    want = escape_times(n, n, maxit, i, j)
    return Case("mandel", (blocks(n, 16),) * 2, (16, 16), [i32(maxit), np.empty((n, n), i32)],
                [1], "ref_mandel", [ctypes.c_int(n), ctypes.c_int(n), 0, 1],
                lambda o: close(o[0][j, i], want, 0, 0, share=0.02), sizes=f"{n}x{n}, {maxit} steps")


def reduce(rng, quick):
    n = 1 << (20 if quick else 27)
    x = rng.random(n, dtype=f32)
    want = x.sum(dtype=float)
    return Case("reduce", (132 * 8,), (256,), [x, np.zeros(1, f32)], [1], "ref_reduce",
                [ctypes.c_int64(n), 0, 1], lambda o: close(o[0], [want], 1e-5), accumulates=True, sizes=f"n={n}")


def hist(rng, quick):
    n = 1 << (20 if quick else 28)
    x = rng.integers(0, 256, n, dtype=np.uint8)
    want = np.bincount(x, minlength=256)
    return Case("hist", (132 * 8,), (256,), [x, np.zeros(256, i32)], [1], "ref_hist",
                [ctypes.c_int64(n), 0, 1], lambda o: close(o[0], want, 0), accumulates=True, sizes=f"n={n}")


def normal_cdf(d):
    k = 1 / (1 + 0.2316419 * np.abs(d))
    a = (0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
    r = 0.39894228040143267794 * np.exp(-0.5 * d * d) * (k * (a[0] + k * (a[1] + k * (a[2] + k * (a[3] + k * a[4])))))
    return np.where(d > 0, 1 - r, r)


def black_scholes(rng, quick):
    n = 1 << (20 if quick else 25)
    S, X, T = (rng.uniform(low, high, n).astype(f32) for low, high in ((5, 30), (1, 100), (0.25, 10)))
    R, V = f32(0.02), f32(0.3)
    at = rng.integers(0, n, 100000)
    s, x, t = (array[at].astype(float) for array in (S, X, T))
    d1 = (np.log(s / x) + (R + 0.5 * V * V) * t) / (V * np.sqrt(t))
    c1, c2, e = normal_cdf(d1), normal_cdf(d1 - V * np.sqrt(t)), np.exp(-R * t)
    call, put = s * c1 - x * e * c2, x * e * (1 - c2) - s * (1 - c1)
    return Case("black_scholes", (blocks(n, 256),), (256,),
                [S, X, T, R, V, np.empty(n, f32), np.empty(n, f32)], [5, 6], "ref_bs", [ctypes.c_int(n), *range(7)],
                lambda o: close(o[0][at], call, 1e-3, 1e-3) or close(o[1][at], put, 1e-3, 1e-3), sizes=f"n={n}")


def stencil(rng, quick):
    n = 128 if quick else 512
    u = rng.random((n, n, n))
    c0, c1 = np.float64(0.5), np.float64(0.1)
    k, j, i = rng.integers(1, n - 1, (3, 100000))
    want = c0 * u[k, j, i] + c1 * (u[k, j, i - 1] + u[k, j, i + 1] + u[k, j - 1, i] + u[k, j + 1, i] + u[k - 1, j, i] + u[k + 1, j, i])
    return Case("stencil", (blocks(n, 32), blocks(n, 4), blocks(n, 4)), (32, 4, 4),
                [np.int32(n), u.ravel(), np.empty(n**3), c0, c1], [2], "ref_stencil", [0, 1, 2, 3, 4],
                lambda o: close(o[0].reshape(n, n, n)[k, j, i], want, 1e-12), sizes=f"{n}x{n}x{n}")


ALL = [saxpy, transpose, matmul, nbody, mandel, reduce, hist, black_scholes, stencil]
