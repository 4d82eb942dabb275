"""Random module code over arrays that have several names: views, copies, lists, dicts and objects that hold them, functions that change
what they get, loops, branches, `try`, `with`.

`Program(seed).text` is a .pyk whose constant `N` is what one of the arrays has in the end, by Python; the statements are the module's own
or those of a function that it calls. pykc may not know N, but where it does, N is Python's.
"""
import random

from dice import Dice

NAMES = ("a", "b", "c")
# What gives the array itself or a view of it, and what makes an array.
VIEWS = ("np.asarray({0})", "np.ravel({0})", "{0}.ravel()", "{0}.reshape(-1)", "np.reshape({0}, (-1,))", "{0}[1:]", "{0}[::-1]",
         "np.flip({0})", "{0}[:]", "{0}.T", "np.squeeze({0})", "np.atleast_1d({0})", "{0}.view()", "np.transpose({0})",
         "np.expand_dims({0}, 0)[0]", "np.split({0}, [2])[0]", "np.asanyarray({0})", "np.require({0})", "np.array_split({0}, 2)[1]",
         "{0}.real", "np.moveaxis({0}, 0, 0)", "np.trim_zeros({0})", "np.hsplit({0}, [1])[1]", "{0}")
NEW = ("np.exp({0} * 0)", "{0} + 1", "{0}.copy()", "np.array({0})", "np.sort({0})", "np.cumsum({0})", "np.where({0} > 1, {0}, 0)",
       "np.concatenate(({0}, {1}))", "np.maximum({0}, 2)", "np.tile({0}, 2)", "np.zeros_like({0})", "np.full_like({0}, 3)",
       "np.append({0}, 1)", "-{0}", "abs({0})", "{0}.astype(float)", "np.take({0}, [0, 1])", "np.diff({0})", "{0}[[1, 0]]", "{0}[{0} > 0]",
       "np.clip({0}, 0, 5)", "np.stack([{0}, {0}])[0]", "np.repeat({0}, 2)", "{0}.flatten()", "np.outer({0}, {0})[0]", "np.roll({0}, 1)",
       "np.delete({0}, 0)", "np.insert({0}, 0, 5)", "np.linspace(0, 1, 4)")
CALLS = ("set_first({0}, {k})", "same({0})", "tail({0})", "pair({0}, {1})[1]", "np.asarray(same({0}))")
CHANGES = ("{0} += {k}", "{0} *= 2", "{0} -= {0}", "{0}[0] = {k}", "{0}[0] += {k}", "{0}[-1] = {k}", "{0}[:] = {k}", "{0}[1:] = {k}",
           "{0}[:2] *= 3", "{0}.fill({k})", "np.add({0}, 1, out={0})", "{0}[{0} > 2] = 0", "{0}.sort()", "{0}[::2] += 1",
           "np.copyto({0}, {k})", "{0} /= 2", "set_first({0}, {k})", "np.put({0}, [0], {k})", "{0}[[0, 1]] = {k}", "{0}.put([1], {k})",
           "np.multiply({0}, 2, {0})", "{0}[0], {0}[1] = {0}[1], {0}[0]", "grow({0})", "{0}.flat[0] = {k}", "{0}.T[0] = {k}",
           "{0}.reshape(-1)[1] = {k}")
HELD = {"[{0}, {1}]": ("{h}[0][0] = {k}", "{h}[1][:] = {k}", "{h}[0] += 1", "{h}[1] = {1}"),
        "{{'x': {0}}}": ("{h}['x'][0] = {k}", "{h}['x'] *= 2", "{h}['x'][1:] = {k}"),
        "Box({0})": ("{h}.v[0] = {k}", "{h}.put({k})", "{h}.v += 1", "{1} = {h}.own()", "{1} = {h}.put({k}).v", "{h}.v = {1}")}
HEADS = ("for i in range({k} % 3 + 1):", "if {0}[0] > 2:", "if {0}.sum() > 5:", "for x in ({0}, {1}):", "for x in {0}.reshape(1, -1):",
         "with np.errstate(all='ignore'):", "try:")
HEADER = """import numpy as np


def set_first(x, k):
    x[0] = k
    return x


def grow(x):
    for i in range(len(x)):
        x[i] += i


def same(x):
    return x


def tail(x):
    return x[1:]


def pair(x, y):
    return x, y


class Box:
    def __init__(self, v):
        self.v = v

    def put(self, k):
        self.v[0] = k
        return self

    def own(self):
        return self.v


"""
RESULT = "tuple([float(x) for x in np.ravel({})])"
KERNEL = """

from numba import cuda


@cuda.jit("void(float64[::1])")
def kernel(out):
    out[0] = len(N)
    for i in range({count}):
        out[i + 1] = N[i]
"""


class Program(Dice):
    def __init__(self, seed):
        self.seed = seed
        self.random = random.Random(seed)
        self.holders = 0
        lines = [f"{name} = np.array({[float(self.between(0, 6)) for _ in range(4)]})" for name in NAMES]
        for _ in range(self.between(3, 8)):
            lines += self.statement()
        result = RESULT.format(self.pick(*NAMES))
        if self.chance(0.4):
            self.code = HEADER + "def make():\n" + indented([*lines, f"return {result}"]) + "\n\n\nN = make()\n"
        else:
            self.code = HEADER + "\n".join([*lines, f"N = {result}"]) + "\n"

    def expected(self):
        """N of CPython; None: it raises, or gives a number that tells nothing."""
        names = {}
        try:
            exec(self.code, names)
        except Exception:  # noqa: BLE001  # of what random code raises none is of interest
            return None
        values = names["N"]
        return values if values and all(abs(x) < 1e12 for x in values) else None

    def text(self, values):
        return self.code + KERNEL.format(count=len(values))

    def filled(self, text, **more):
        return text.format(self.pick(*NAMES), self.pick(*NAMES), k=self.between(1, 9), **more)

    def statement(self, depth=0):
        target = self.pick(*NAMES)
        kind = self.random.random()
        if kind < 0.24:
            return [f"{target} = {self.filled(self.pick(*VIEWS))}"]
        if kind < 0.38:
            return [f"{target} = {self.filled(self.pick(*NEW))}"]
        if kind < 0.64:
            return [self.filled(self.pick(*CHANGES))]
        if kind < 0.67:
            return [self.filled("{0}, {1} = {1}, {0}")]
        if kind < 0.77:
            self.holders += 1
            holder = f"h{self.holders}"
            made = self.pick(*HELD)
            return [f"{holder} = {self.filled(made)}", self.filled(self.pick(*HELD[made]), h=holder)]
        if kind < 0.81:
            return [f"{target} = {self.filled(self.pick(*CALLS))}"]
        if kind < 0.84:
            return [self.filled("{0}, {1} = pair({1}, {0})")]
        return self.compound(depth) if depth < 2 else [f"{target} = {self.filled('{0} * 1')}"]

    def compound(self, depth):
        head = self.filled(self.pick(*HEADS))
        body = self.statement(depth + 1)
        if self.chance(0.5):
            body += self.statement(depth + 1)
        if head.startswith("for x"):
            body = [self.pick("x[0] = 2", "x += 1", "x *= 2", "x = x + 1"), *body]
        tail = ["except ValueError:", "    pass"] if head == "try:" else []
        return [head, *indented(body).split("\n"), *tail]


def indented(lines):
    return "\n".join("    " + line for line in lines)
