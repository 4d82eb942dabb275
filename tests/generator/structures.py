"""Random programs over the structures of the kernel language: arrays and views, tuples, records, functions, control flow.

`Program(seed)` is the device function `body_<seed>` with the functions and constants that it uses, and `module(programs)` a .pyk of many.
Its text is Python that pykc, Numba's CPU compiler and, with NumPy's arrays, CPython take alike: integers lie in -64 to 63, floats are
multiples of 1/16 below 64, so that nothing overflows or is rounded. After each statement a checksum of what it made goes to the next
slot of `out`, so the first slot that differs names the statement.
"""
import random
from dataclasses import dataclass

from structure_arrays import Arrays
from structure_flow import Flow
from structure_functions import Functions
from structure_records import Records
from structure_tuples import Tuples
from structure_types import BOOL, FLOAT, INT, ArrayType, CODES

THREADS, STEPS = 2, 5
SHAPES = {1: (6,), 2: (3, 4), 3: (2, 3, 4)}
ARRAYS = {f"{code}_{axes}": (name, shape) for name, code in CODES.items() for axes, shape in SHAPES.items()}
HEADER = """from collections import namedtuple
from enum import Enum, IntEnum
import numpy as np
from numba import cuda, float64, int64, literal_unroll

Pair = namedtuple("Pair", "x y")
Triple = namedtuple("Triple", ["n", "at", "f"])
point = np.dtype([("x", np.float32), ("n", np.int16)], align=True)
particle = np.dtype([("id", "i4"), ("at", point), ("path", "f4", (3,)), ("mass", "f8")], align=True)
packed = np.dtype([("flag", "u1"), ("mass", "<f8"), ("id", "<i4"), ("at", point), ("grid", "i2", (2, 2))])
TABLE = np.array([[3, -1, 4], [1, -5, 9]], dtype=np.int32)
STEEP = np.arange(12, dtype=np.float64)[::-2] / 4
WEIGHTS = (2, -3, 5, 7)
SQUARES = tuple(i * i for i in range(6) if i % 2)
POINTS = np.array([(0.5, 3), (-2.25, -4), (7.0, 9)], dtype=point)
NAME = "last"
MIXED = (4, 2.5, True, (1, -0.25))
LIMITS = {"low": -3, "high": 12, "scale": 0.5}


class Colour(IntEnum):
    RED = 3
    GREEN = 5
    BLUE = -7


class Mode(Enum):
    SUM = 1
    LAST = 2


"""


@dataclass(frozen=True)
class Layout:
    """How a body's parameter is made of a row of an array of the kernel: the views that it may be, with their shapes."""
    suffix: str
    shape: tuple
    order: str


LAYOUTS = {
    1: [Layout("", (6,), "C"), Layout("[::-1]", (6,), "A"), Layout("[::2]", (3,), "A"), Layout("[4::-2]", (3,), "A")],
    2: [Layout("", (3, 4), "C"), Layout(".T", (4, 3), "F"), Layout("[::-1]", (3, 4), "A"), Layout("[:, 1::2]", (3, 2), "A"),
        Layout(".T[::-1, ::2]", (4, 2), "A")],
    3: [Layout("", (2, 3, 4), "C"), Layout(".T", (4, 3, 2), "F"), Layout("[:, ::-1]", (2, 3, 4), "A"), Layout("[..., ::2]", (2, 3, 2), "A"),
        Layout(".T[:, ::2]", (4, 2, 2), "A")],
}


class Program(Arrays, Tuples, Records, Functions, Flow):
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(f"structures {seed}")
        self.lines, self.indent, self.count, self.depth, self.functions = [], 1, 0, 0, []
        self.scope, self.loops, self.inside, self.result = {"t": INT}, 0, False, None
        self.fixed = {"t"}
        self.parameters = {}  # name -> text of the argument in the kernel
        for _ in range(self.pick(2, 3, 3, 4)):
            self.parameter()
        self.begin()
        for slot in range(STEPS):
            self.step()
            self.emit(f"out[{slot}] = h")

    def parameter(self):
        array = self.pick(*ARRAYS) if self.chance(0.5) else self.pick("i8_1", "i4_2", "f8_1", "f4_2", "i8_3", "c8_1")
        element, shape = ARRAYS[array]
        layout = self.pick(*LAYOUTS[len(shape)])
        name = self.fresh("a")
        if f"{array}[{{row}}, t]{layout.suffix}" in self.parameters.values() or any(text.startswith(array) for text in self.parameters.values()):
            return  # two parameters would be one memory
        self.parameters[name] = f"{array}[{{row}}, t]{layout.suffix}"
        self.scope[name] = ArrayType(element, layout.shape, layout.order)
        self.fixed.add(name)

    def begin(self):
        """The checksum, and a variable of each kind of number."""
        self.emit("h = 1")
        for kind in (INT, INT, FLOAT, BOOL):
            self.assign_new(kind, self.expression(kind, 1))

    def step(self):
        """A statement of any topic."""
        before = len(self.lines)
        while len(self.lines) == before:
            topic = "flow" if self.depth < 3 and self.chance(0.3) else self.pick("array", "array", "tuple", "tuple", "record", "function", "function", "scalar")
            self.pick(*self.statements(topic))()

    def statements(self, topic):
        return [getattr(self, name) for name in dir(type(self)) if name.startswith(f"do_{topic}_")]

    def text(self):
        head = f"@cuda.jit(device=True)\ndef body_{self.seed}(t, out, {', '.join(self.parameters)}):\n"
        return "\n\n".join(self.functions + [head + "\n".join(self.lines) + "\n"])


def module(programs):
    calls = [f"    body_{p.seed}(t, out[{row}, t], " + ", ".join(text.format(row=row) for text in p.parameters.values()) + ")" for row, p in enumerate(programs)]
    text = "\n\n".join(p.text() for p in programs)
    return HEADER + text + f"\n\n@cuda.jit\ndef all_bodies(out, {', '.join(ARRAYS)}):\n    t = cuda.grid(1)\n" + "\n".join(calls) + "\n"


def inputs(name, seed):
    """The elements of an array for one program, in C order."""
    source = random.Random(f"{seed} {name}")
    element, shape = ARRAYS[name]
    count = THREADS
    for extent in shape:
        count *= extent
    number = {"b": lambda: source.randrange(2), "i": lambda: source.randrange(-64, 64), "u": lambda: source.randrange(64),
              "f": lambda: source.randrange(-1024, 1024) / 16,
              "c": lambda: complex(source.randrange(-1024, 1024) / 16, source.randrange(-1024, 1024) / 16)}[element[0]]
    return [number() for _ in range(count)]


if __name__ == "__main__":
    import sys
    print(module([Program(int(s)) for s in sys.argv[1:]]))
