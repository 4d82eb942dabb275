from numba import float32

WIDTH, HEIGHT = 3, 5
SCALE = float32(0.5)
LIMITS = {"low": 2, "high": 9}
_hidden = 1


class Config:
    N = 4
    TILE = N * 2
