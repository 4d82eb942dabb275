from numba import cuda

from . import consts
from .consts import WIDTH as W


@cuda.jit(device=True)
def rectangle(x, y=consts.HEIGHT):
    return x * y + W


@cuda.jit(device=True)
def broken(x):
    return [y for y in nowhere]


@cuda.jit(device=True)
def fill(out, i, v):
    out[i] = doubled(v)


@cuda.jit(device=True)
def doubled(v):
    return v + v
