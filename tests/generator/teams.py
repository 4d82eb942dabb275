"""Random kernels whose threads work together: shared memory, barriers, warps, atomics, the grid.

`Team(seed)` is the kernel `team_<seed>` with the functions that it uses, and how it is launched. No two threads race, and what order
they run in changes nothing: between a store to shared memory and another thread's access lies a barrier, atomics commute. So CPython
(team_machine.py), Numba and pykc must agree. Numbers are as in structures.py: integers from -64 to 63, multiples of 1/16; after each
statement every thread has a checksum of what it saw in `out`.
"""
import random

from structure_types import BOOL, CODES, FLOAT, INT, Values
from team_blocks import Blocks
from team_grids import Grids
from team_warps import Warps

STEPS, LENGTH, SLOTS = 6, 97, 96
INPUTS = {"i4": "int32", "u2": "uint16", "i8": "int64", "f4": "float32", "f8": "float64"}  # only read
COUNTERS = {"ci4": "int32", "cu4": "uint32", "ci8": "int64", "cu8": "uint64", "cf4": "float32", "cf8": "float64"}  # changed by atomics
BLOCKS = [(32, 1, 1), (64, 1, 1), (128, 1, 1), (96, 1, 1), (8, 8, 1), (32, 4, 1), (16, 2, 2), (4, 4, 4), (33, 1, 1), (7, 1, 1), (50, 1, 1), (5, 3, 2), (1, 1, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 2, 2)]
HEADER = """import numpy as np
from numba import cuda, float32, float64, int32, int64

point = np.dtype([("x", np.float32), ("n", np.int16)], align=True)
packed = np.dtype([("flag", "u1"), ("x", "<f8"), ("n", "<i4")])
WEIGHTS = (2, -3, 5, 7)
FULL = 0xFFFFFFFF


"""


class Team(Blocks, Warps, Grids, Values):
    def __init__(self, seed):
        self.seed, self.random = seed, random.Random(f"teams {seed}")
        self.block, self.grid = self.pick(*BLOCKS), self.pick(*GRIDS)
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.total = self.threads * self.grid[0] * self.grid[1] * self.grid[2]
        self.lines, self.indent, self.count, self.depth, self.functions = [], 1, 0, 0, []
        self.scope, self.fixed = {}, set()
        self.uniform = []           # names that have one value in all threads of a block
        self.arrays = {}            # of shared memory that are whole for all: name -> (element type, extent)
        self.touched = {}           # since the last barrier: array -> "read" or "written"
        self.is_converged = True    # all threads of a block come here
        self.are_all_there = True   # none has ended
        self.have_blocks_ended = False
        self.in_function = False
        self.slot = 0               # of the counters, the next that nothing uses
        self.is_mine_free = True    # no block reads what others have left there
        self.dynamic = 0            # bytes
        self.emit("h = 1")
        self.emit(f"t = {self.rank(self.block, 'cuda.threadIdx', 'cuda.blockDim')}")
        first = self.rank(self.grid, "cuda.blockIdx", "cuda.gridDim")
        self.emit("g = cuda.grid(1)" if self.is_line and self.chance(0.5) else f"g = ({first}) * {self.pick(self.threads, 'THREADS')} + t")
        for kind in (INT, INT, FLOAT):
            self.assign_new(kind, self.expression(kind, 1))
        for slot in range(STEPS):
            self.step()
            self.emit(f"out[{slot}, g] = h")
            if slot == STEPS - 2 and self.chance(0.3):
                self.leave()

    @property
    def is_line(self):
        return self.block[1] == self.block[2] == self.grid[1] == self.grid[2] == 1

    def rank(self, extents, index, extent):
        """The text of a rank among all."""
        width = lambda axis: self.pick(str(extents["xyz".index(axis)]), f"{extent}.{axis}")
        text = f"{index}.x"
        if extents[1] * extents[2] > 1:
            text += f" + {index}.y * {width('x')}"
        if extents[2] > 1:
            text += f" + {index}.z * {width('x')} * {width('y')}"
        return text

    def leave(self):
        """Some threads end."""
        self.emit(f"if {self.pick(f't >= {self.between(0, self.threads)}', f't % {self.between(2, 5)} == 1', self.boolean(1))}:")
        self.emit("    return")
        self.are_all_there = False

    def step(self):
        """A statement of any topic that may stand here."""
        before = len(self.lines)
        while len(self.lines) == before:
            topics = ["thread"]
            if self.is_converged and not self.are_all_there:
                topics += ["left"] * 2
            elif self.is_converged:
                topics += ["block"] * 4 + ["warp"] * 2 * (self.threads % 32 == 0) + ["grid"] * (not self.in_function and not self.have_blocks_ended)
            topic = self.pick(*topics)
            self.pick(*(getattr(self, name) for name in dir(type(self)) if name.startswith(f"do_{topic}_")))()

    def new_slots(self):
        """Four places of each counter that no other statement uses, or None."""
        if self.in_function or self.slot + 4 > SLOTS:
            return None
        self.slot += 4
        return self.slot - 4

    # --- numbers ---
    def integer(self, depth=2):
        """In -64 to 63."""
        if depth <= 0:
            leaves = [str(self.between(-9, 20)), f"t % {self.between(2, 64)}", "WEIGHTS[1]"]
            if not self.in_function:
                leaves += [f"g % {self.between(2, 60)}", "cuda.blockIdx.x", "cuda.blockIdx.y", "t // 32"]
                name = self.pick("i4", "u2", "i8")
                leaves += [f"int64({name}[{self.index(LENGTH)}])" if self.chance(0.5) else f"int64({name}[(g * {self.between(1, 7)} + {self.between(0, 40)}) % {LENGTH}])"] * 2
            return self.pick(*leaves)
        a = lambda: self.expression(INT, depth - 1)
        return self.pick(lambda: f"(({a()} {self.pick('+', '-', '*')} {a()}) % {self.between(2, 64)})", lambda: f"({a()} // {self.pick(2, 3, -4, -7)})",
                         lambda: f"({a()} >> {self.between(0, 3)})", lambda: f"({a()} & {self.between(0, 63)})", lambda: f"min({a()}, {a()})", lambda: f"max({a()}, {a()})",
                         lambda: f"int64({self.expression(BOOL, depth - 1)})", lambda: f"(int64({self.expression(FLOAT, depth - 1)}) % 16)", self.settled)()

    def floating(self, depth=2):
        """A multiple of 1/16, in -64 to 64."""
        if depth <= 0:
            name = self.pick("f4", "f8")
            return self.pick("0.5", "-2.25", "3.0625", "7.5") if self.in_function else f"float64({name}[(g + {self.between(0, 40)}) % {LENGTH}])"
        a = lambda: self.expression(FLOAT, depth - 1)
        return self.pick(lambda: f"(({a()} {self.pick('+', '-')} {a()}) % {self.pick('8.0', '64.0', '2.5')})", lambda: f"(-{a()})", lambda: f"(({a()} * {self.pick(2, 3)}) % 64.0)",
                         lambda: f"min({a()}, {a()})", lambda: f"max({a()}, {a()})", lambda: f"({self.expression(INT, depth - 1)} / 16)", lambda: self.settled(FLOAT))()

    def boolean(self, depth=2):
        a = lambda type=INT: self.expression(type, max(depth - 1, 0))
        compare = lambda: self.pick("<", "<=", ">", ">=", "==", "!=")
        forms = [lambda: f"({a()} {compare()} {a()})", lambda: f"(t % {self.between(2, 9)} {compare()} {self.between(0, 8)})"]
        if depth > 0:
            forms += [lambda: f"({a(FLOAT)} {compare()} {a(FLOAT)})", lambda: f"(not {a(BOOL)})", lambda: f"({a(BOOL)} {self.pick('and', 'or')} {a(BOOL)})",
                      lambda: f"({a()} < {a()} <= {a()})"]
        return self.pick(*forms)()

    def stored(self, element, depth=1):
        """An expression that fits into an element."""
        if element == "boolean":
            return self.boolean(depth)
        if element.startswith("float"):
            return self.expression(FLOAT, depth)
        return f"{self.expression(INT, depth)} & 63" if element.startswith("u") else self.expression(INT, depth)

    def loaded(self, text, element):
        """An element as a number of the checksum's kinds."""
        return f"float64({text})" if element.startswith("float") else f"int64({text})"

    # --- what every topic needs ---
    def inside(self, head, steps=1, known=None, converged=True):
        """The statements of a block behind `head`; what it defines is gone behind it."""
        scope, fixed, uniform, arrays, was_converged = dict(self.scope), set(self.fixed), list(self.uniform), dict(self.arrays), self.is_converged
        self.emit(head)
        self.scope |= known or {}
        self.fixed |= set(known or {})
        self.is_converged &= converged
        self.indent += 1
        self.depth += 1
        for _ in range(steps):
            self.step()
        self.depth -= 1
        self.indent -= 1
        self.scope, self.fixed, self.uniform, self.arrays, self.is_converged = scope, fixed, uniform, arrays, was_converged

    def uniform_test(self):
        """A condition that holds in all threads of a block or in none."""
        if self.uniform and self.chance(0.6):
            return f"{self.pick(*self.uniform)} {self.pick('<', '>', '!=')} {self.between(-5, 40)}"
        return self.pick("cuda.blockIdx.x % 2 == 0", "cuda.blockDim.x > 20", f"{self.between(0, 9)} < cuda.blockDim.y * 5")

    def text(self):
        constants = f"THREADS = {self.threads}\n\n\n"
        head = f"@cuda.jit\ndef team_{self.seed}(out, {', '.join([*INPUTS, *COUNTERS])}, mine):\n"
        return HEADER + constants + "\n\n".join(self.functions + [head + "\n".join(self.lines) + "\n"])

    def contents(self):
        """Array -> (type, shape, elements before the launch)"""
        source = random.Random(f"{self.seed} contents")
        number = {"i": lambda: source.randrange(-64, 64), "u": lambda: source.randrange(64), "f": lambda: source.randrange(-1024, 1024) / 16}
        arrays = {"out": ("int64", (STEPS, self.total), [0] * STEPS * self.total)}
        arrays |= {name: (type, (LENGTH,), [number[type[0]]() for _ in range(LENGTH)]) for name, type in INPUTS.items()}
        arrays |= {name: (type, (SLOTS,), [float(1 << 10) if type[0] == "f" else 1 << 20] * SLOTS) for name, type in COUNTERS.items()}
        return arrays | {"mine": ("int32", (self.total,), [0] * self.total)}


assert set(INPUTS.values()) | set(COUNTERS.values()) < set(CODES)

if __name__ == "__main__":
    import sys
    print(Team(int(sys.argv[1])).text())
