"""The first exercises of a Numba course: array functions, in place of loops over arrays."""
import math

from numba import vectorize


@vectorize(["int64(int64)", "float32(float32)"])
def add_ten(x):
    return x + 10


@vectorize(["float32(float32, float32, float32)"])
def normalize(pixel, low, high):
    return (pixel - low) / (high - low)


@vectorize(["float32(float32, float32)"])
def zero_suppress(pulse, threshold):
    return pulse if pulse >= threshold else 0


@vectorize(["float32(float32, float32)"], identity="reorderable")
def larger(x, y):
    return max(x, y)


@vectorize(["float32(float32, float32)"], identity="reorderable")
def smaller(x, y):
    return min(x, y)


@vectorize(["int32(float32, float32)"])
def is_inside(x, y):
    return x * x + y * y < 1


@vectorize(["int32(int32, int32)"], identity=0)
def total(x, y):
    return x + y


@vectorize(["float32(float32, float32, float32)"])
def gauss(x, mean, sigma):
    z = (x - mean) / sigma
    return math.exp(-0.5 * z * z) / (sigma * math.sqrt(2 * math.pi))


@vectorize(["float32(float32)"])
def of_grey(level):
    return level / 255


@vectorize(["float32(float32, float32)"])
def weigh(value, weight):
    return value * weight


@vectorize(["float32(float32)"])
def activate(value):
    return math.tanh(value)


@vectorize(["int32(float32, float32)"])
def cartesian_quadrant(x, y):
    if x >= 0:
        return 1 if y >= 0 else 4
    return 2 if y >= 0 else 3
