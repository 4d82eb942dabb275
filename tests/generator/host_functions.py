"""Random host functions, as text that pykc and Numba's CPU compiler take.

`Function(seed)` is `f_<seed>`, decorated by `@njit`, and its calls: `call_<seed>` makes arrays of some size from the pools of
host_arrays.py, calls it, and returns what it returned and what it left in the arrays. `module(functions)` is a .pyk of many, with a
function `every` that makes all calls.
"""
from host_arrays import CODES, HALF, LAYOUTS, LAYOUTS_1D, Array, pool, sizes_of
from host_whole import WholeArrays
from values import TYPES

HEADER = "import math\n\nimport numpy as np\nfrom numba import njit, prange\n"
POOLS = {name: CODES[name] for name in TYPES}
CALLS = 3


class Function(WholeArrays):
    raises = False

    def __init__(self, seed):
        super().__init__(seed)
        self.seed = seed
        self.write()
        self.caller = self.call()
        self.calls = [self.call_arguments(sizes) for sizes in sizes_of(self.dice, [a.dims for a in self.arrays], self.deep, self.least)]

    def write(self):
        self.kind = self.pick(*["loops"] * 15 + ["whole"] * 3 + ["both"] * 2)
        self.parallel, self.small = self.chance(0.04), self.chance(0.45)
        self.parameters()
        self.extents()
        self.helper_texts = [self.helper(k) for k in range(self.pick(0, 0, 0, 1, 2))] if self.kind != "whole" else []
        if self.kind != "whole":
            self.declare()
        if self.kind != "loops":
            for _ in range(self.between(1, 3)):
                self.whole_statement()
        if self.kind != "whole":
            for _ in range(self.pick(1, 1, 2)):
                if self.parallel:
                    self.shared_loop()
                else:
                    self.loop(1 if self.small else 3)
        if self.kind != "loops" and self.chance(0.3):
            self.whole_statement()
        self.lines.append(f"    return {self.results()}")

    # --- parameters ---
    def parameters(self):
        self.arrays = []
        dims = self.pick([("n",)], [("n",)], [("n",), ("m",)], [("n",), ("n", "m")], [("n", "m")], [("n", "m"), ("m",)], [("n", "m", "p"), ("p",)])
        some = [self.pick(*TYPES.values()) for _ in range(2)] + [TYPES[self.pick("float64", "float64", "float32", "int64", "int32", "uint8")]]
        for k in range(self.between(1, 4)):
            of = dims[0] if k == 0 else self.pick(*dims)
            self.arrays.append(Array("abcd"[k], self.pick(*some), of, self.pick(*(LAYOUTS_1D if len(of) == 1 else LAYOUTS))))
        if self.chance(0.15) and not self.parallel:
            a = self.arrays[0]
            view = self.pick("", "", "[::-1]") if len(a.dims) > 1 else self.pick("", "[::-1]", "[:]")
            self.arrays.append(Array("e", a.type, a.dims, a.layout, (a.name, view)))
        self.far = ["k0", "k1"][:self.between(1, 2)]
        self.names["i"] += [*self.far, self.low]
        if self.chance(0.4):
            self.names["f"].append("g")

    def extents(self):
        for dim in {d: 0 for a in self.arrays for d in a.dims}:
            array = self.pick(*[a for a in self.arrays if dim in a.dims])
            self.emit(f"n_{dim} = {array.name}.shape[{array.dims.index(dim)}]")

    def helper(self, k):
        """A function of two integers that loops call."""
        name = f"h{k}_{self.seed}"
        kept = self.names, self.arrays, self.helpers
        self.names, self.arrays, self.helpers = {"i": ["x", "y"], "u": [], "f": [], "c": [], "b": []}, [], []
        lines = ["", "", "@njit", f"def {name}(x, y):"]
        if self.chance(0.5):
            lines += [f"    if {self.condition(1)}:", f"        return {self.integer(1)}"]
        lines.append(f"    return {self.integer(2)}")
        self.names, self.arrays, self.helpers = kept
        self.helpers.append(name)
        return "\n".join(lines)

    # --- the results and the calls ---
    def results(self):
        names = [a[0] for a in self.accumulators] + (self.numbers + [z.text for z in self.made] if self.kind == "whole" else [])
        self.count_of_results = max(len(names), 1)
        return f"({', '.join(names)},)" if names else "(0,)"

    def signature(self):
        return [a.name for a in self.arrays] + self.far + [self.low] + (["g"] if "g" in self.names["f"] else [])

    def call(self):
        """The function that makes the arrays and calls."""
        lines = ["", "", "@njit", f"def call_{self.seed}({', '.join([*POOLS.values(), *'nmpo', *self.far, self.low])}):"]
        lines += [f"    {a.name} = {a.made(self.between(0, 100))}" for a in self.arrays]
        passed = [a.name for a in self.arrays] + self.far + [self.low] + (["1.5"] if "g" in self.names["f"] else [])
        lines.append(f"    return f_{self.seed}({', '.join(passed)}), {', '.join(a.name for a in self.arrays)}")
        return "\n".join(lines)

    def call_arguments(self, sizes):
        return [*(sizes[d] for d in "nmp"), self.pick(0, 0, HALF), *(self.far_value() for _ in self.far), self.low_value()]

    def text(self):
        decorator = "@njit(parallel=True)" if self.parallel else "@njit"
        return "\n".join([*self.helper_texts, "", "", decorator, f"def f_{self.seed}({', '.join(self.signature())}):", *self.lines, self.caller]) + "\n"

    def results_of_a_call(self):
        return self.count_of_results + len(self.arrays)


def module(functions):
    calls = [f"call_{f.seed}({', '.join([*POOLS.values(), *map(str, arguments)])})" for f in functions for arguments in f.calls]
    every = f"\n\n@njit\ndef every({', '.join(POOLS.values())}):\n    return ({', '.join(calls)},)\n"
    return HEADER + "".join(f.text() for f in functions) + every


def pools():
    return {code: (name, pool(name)) for name, code in POOLS.items()}
