"""Arrays that random host functions are called with: element types, shapes, layouts, views that overlap, and how a call makes them.

Every call cuts its arrays out of pools, one of each element type, by text that is Python and pyk alike. The first half of a pool is tame:
small integers, multiples of 1/4. The second half has the ends of each type, NaN, infinities and -0.0 as well.
"""
import random

from values import TYPES

CODES = {"boolean": "b1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
         "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16"}
DTYPES = {"boolean": "np.bool_"} | {name: f"np.{name}" for name in TYPES if name != "boolean"}
HALF = 4096
FAR = 1 << 40  # an index that is nowhere near memory: what reads there faults
RANKS = {"bool": 0, "uint": 1, "int": 1, "float": 2, "complex": 3}


def rank(type):
    """Elements of a lower rank are stored to those of a higher one without losing what they are."""
    return RANKS[type.kind]


def pool(name):
    """What is in the pool of an element type."""
    dice, type = random.Random(f"pool {name}"), TYPES[name]
    return [element(dice, type, wild=False) for _ in range(HALF)] + [element(dice, type, wild=dice.random() < 0.15) for _ in range(HALF)]


def element(dice, type, wild):
    if type.kind == "bool":
        return dice.random() < 0.4
    if type.is_int:
        ends = [type.low, type.low + 1, type.high, type.high - 1, type.high // 2, type.low // 2]
        return dice.choice(ends) if wild else dice.randint(max(type.low, -9), 9)
    real = dice.choice([float("nan"), float("inf"), float("-inf"), -0.0]) if wild else dice.randint(-36, 36) / 4
    return complex(real, dice.randint(-8, 8) / 4) if type.kind == "complex" else real


class Array:
    """A parameter: `dims` names its extents, of which calls choose the sizes."""

    def __init__(self, name, type, dims, layout, shares=None):
        self.name, self.type, self.dims, self.layout = name, type, dims, layout
        self.shares = shares  # the array whose memory it has, and how: ("x", "[::-1]")

    def made(self, offset):
        """The text that makes it in a call whose sizes are variables named as the extents are, and whose elements begin at `o`."""
        if self.shares:
            return "".join(self.shares)
        extents, steps, flips = list(self.dims), "2" in self.layout, "r" in self.layout
        count = " * ".join(extents + ["2"] * steps)
        flat = f"{CODES[self.type.name]}[o + {offset}:o + {offset} + {count}].copy()"
        if len(extents) == 1:
            return flat + ("[::-2]" if flips and steps else "[::-1]" if flips else "[::2]" if steps else "")
        if self.layout == "F":
            return f"np.asfortranarray({flat}.reshape({', '.join(extents)}))"
        if self.layout == "T":
            return f"{flat}.reshape({', '.join(extents[::-1])}).T"
        view = ", ".join(["::-1" if flips else ":"] + [":"] * (len(extents) - 2) + ["::2" if steps else ":"])
        return f"{flat}.reshape({', '.join(extents)}{' * 2' if steps else ''})" + (f"[{view}]" if steps or flips else "")


LAYOUTS_1D = ["C", "C", "C", "2", "r", "r2"]
LAYOUTS = ["C", "C", "C", "F", "F", "T", "2", "r", "r2"]


def sizes_of(dice, dims, deep, least):
    """The sizes of three calls: tiny, odd, and large enough for SIMD; `deep`: how often an axis is walked within itself."""
    flat = max((len(d) for d in dims), default=1)
    large = [33, 64, 100, 257, 1000, 1500] if flat == 1 and deep <= 1 else [17, 33, 40] if flat <= 2 and deep <= 2 else [7, 8, 11]
    small = [3, 4, 5, 7, 8, 9] if flat == 3 or deep > 2 else [3, 5, 7, 8, 9, 16, 17]
    chosen = [[0, 1, 2, 2, 3], small, large]
    return [{d: max(least.get(d, 0), dice.choice(some)) for d in "nmp"} for some in chosen]
