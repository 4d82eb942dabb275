"""Random array functions and their calls: broadcasting, layouts, overlap, `out=`, element types, reductions, parts of arrays, records, dates.

`Functions(seed)` is a file with one `@vectorize` or `@guvectorize` function, and the calls that judge_arrays.py makes of it with NumPy
arrays. What the functions compute is simple: which elements meet, of which types, and where results go is what is asked here.
"""
import random

import numpy as np
from dice import Dice

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NAMES = {"bool": "boolean"}  # where Numba has another
BODIES = {
    1: ["x + x", "x * 3", "-x", "x if x > 2 else x + 1", "x - 1", "x * x"],
    2: ["x + y", "x - y", "x * 2 + y", "x if x > y else y", "x if x < y else y", "x * y", "max(x, y)", "x > y", "x == y"],
    3: ["x * y + z", "x if y > z else z", "x - y + z", "min(x, max(y, z))"],
}
COMPLEX_BODIES = {1: ["x + x", "x * 3", "-x", "x.conjugate()"], 2: ["x + y", "x - y", "x * 2 + y", "x * y", "x == y"], 3: ["x * y + z", "x - y + z"]}
PARTS = [  # layout, parameters, body
    ("(n)->()", "a, out", "    total = a[0] * 0\n    for i in range(a.shape[0]):\n        total += a[i] * (i % 3 + 1)\n    out[0] = total\n"),
    ("(n)->(n)", "a, out", "    for i in range(a.shape[0]):\n        out[i] = a[a.shape[0] - 1 - i] + a[0]\n"),
    ("(n),(n)->(n)", "a, b, out", "    for i in range(a.shape[0]):\n        out[i] = a[i] - b[i]\n"),
    ("(n),()->(n)", "a, b, out", "    for i in range(a.shape[0]):\n        out[i] = a[i] * b + i\n"),
    ("(m,n),(n)->(m)", "a, b, out", "    for i in range(a.shape[0]):\n        total = a[0, 0] * 0\n        for k in range(a.shape[1]):\n            total += a[i, k] * b[k]\n        out[i] = total\n"),
    ("(m,n)->(n,m)", "a, out", "    for i in range(a.shape[0]):\n        for k in range(a.shape[1]):\n            out[k, i] = a[i, k] + i\n"),
    ("(n)->(n),()", "a, out, most", "    most[0] = a[0]\n    for i in range(a.shape[0]):\n        out[i] = a[i] + 1\n        if a[i] > most[0]:\n            most[0] = a[i]\n"),
    ("(m,k),(k,n)->(m,n)", "a, b, out", "    for i in range(a.shape[0]):\n        for j in range(b.shape[1]):\n            total = a[0, 0] * 0\n            for k in range(a.shape[1]):\n                total += a[i, k] * b[k, j]\n            out[i, j] = total\n"),
]


RECORDS = [  # each has an `x` and a `k`
    np.dtype([("x", "f4"), ("y", "f8"), ("k", "i4")], align=True),
    np.dtype([("x", "u1"), ("k", "u1"), ("z", "u1")]),
    np.dtype([("k", "i2"), ("x", "f4"), ("y", "f8")]),
    np.dtype([("v", "f4", (3,)), ("k", "i8"), ("x", "f8")], align=True),
    np.dtype([("x", "f4"), ("k", "i4"), ("z", "f4")], align=True),
    np.dtype([("rest", "i4", (7, 3)), ("x", "i2"), ("k", "i2")], align=True),
]
RECORD_BODIES = {  # by what the parameters are: records or numbers
    "r": ["x.x * 2 + x.k", "x.k - 1", "x.x > x.k", "x"],
    "rr": ["x if x.k > y.k else y", "x.x + y.x", "x.k * 3 - y.k"],
    "rn": ["x.x + y", "x.k * y", "x.k if y > 2 else x.x"],
    "rrn": ["x.x * z + y.x", "x if z > 1 else y"],
}
UNITS = ["D", "s", "ns", "M"]
DATE_BODIES = {"MM": ["x - y", "x if x > y else y", "x == y"], "Mm": ["x + y", "x - y"], "mm": ["x + y", "x - y", "x < y", "x if x < y else y"], "M": ["x"], "m": ["x + x", "-x"]}


class Call:
    """what: as calls_make of array_calls.cpp has it. operands: arrays and numbers; of "into" and "apply" outputs are the last."""

    def __init__(self, what, operands, axis=0, everything=False, keepdims=False, outputs=1):
        self.what, self.operands, self.axis, self.all, self.keepdims, self.outputs = what, operands, axis, everything, keepdims, outputs

    def __str__(self):
        shown = [f"{a.dtype}{list(a.shape)} strides {list(a.strides)}" if isinstance(a, np.ndarray) else repr(a) for a in self.operands]
        return f"{self.what}({', '.join(shown)}) axis {None if self.all else self.axis} keepdims {self.keepdims}"


class Functions(Dice):
    def __init__(self, seed, calls=12, aligned=False):
        self.seed, self.random, self.aligned = seed, random.Random(f"arrays {seed}"), aligned
        self.is_named = seed % 6 == 5
        self.is_parts = not self.is_named and self.chance(0.3)
        self.is_dynamic = self.of_dates = False
        self.calls = []
        if self.is_named:
            self.make_named()
        elif self.is_parts:
            self.make_parts()
        else:
            self.make_elementwise()
        for _ in range(calls):
            call = self.call_of_parts() if self.is_parts else self.call_of_named() if self.is_named else self.call()
            if call:
                self.calls.append(call)

    # --- the function ---
    def make_elementwise(self):
        self.arity = self.pick(1, 2, 2, 2, 3)
        families = self.pick(["ints"], ["floats"], ["ints", "floats"], ["floats", "complex"])
        some = [t for f in families for t in {"ints": INTS, "floats": FLOATS, "complex": COMPLEX}[f]]
        body = self.pick(*(COMPLEX_BODIES if "complex" in families else BODIES)[self.arity])
        is_test = ">" in body and " if " not in body or "==" in body
        chosen = []
        if self.chance(0.75):
            for _ in range(self.between(1, 3)):
                types = tuple([self.pick(*some)] * self.arity) if self.chance(0.8) else tuple(self.pick(*some) for _ in range(self.arity))
                result = "bool" if is_test else types[0] if self.chance(0.8) else max(types, key=lambda t: np.dtype(t).itemsize)
                if not any(types == other for _, other in chosen) and np.result_type(*types, result) == np.result_type(result):
                    chosen.append((result, types))
            chosen.sort(key=lambda s: sum(np.dtype(t).itemsize + 100 * "uifc".index(np.dtype(t).kind) for t in s[1]))
        self.is_dynamic = not chosen
        self.types = sorted({t for _, types in chosen for t in types}) or some[:4] + some[-2:]
        named = lambda t: NAMES.get(t, t)
        signatures = ", ".join(f'"{named(r)}({", ".join(map(named, types))})"' for r, types in chosen)
        options = [f"[{signatures}]"] if chosen else []
        self.identity = None
        if self.arity == 2 and not is_test and self.chance(0.6):
            self.identity = {"x + y": "0", "x * y": "1"}.get(body)
            if self.identity is None and ("max" in body or " if " in body):
                self.identity = '"reorderable"'
            if self.identity and "complex" in families and body == "x * y":
                self.identity = None
            if self.identity:
                options.append(f"identity={self.identity}")
        self.is_fold = chosen and self.arity == 2 and not is_test and all(r == a == b for r, (a, b) in chosen)  # without signatures, what was called before matters to Numba
        self.text = f"from numba import vectorize\n\n\n@vectorize({', '.join(options)})\ndef f({', '.join('xyz'[:self.arity])}):\n    return {body}\n"

    def make_named(self):
        """Of records, which Numba judges, or of dates, which Python does: Numba's functions cannot be called with them."""
        self.is_dynamic, self.of_dates = True, self.chance(0.4)
        kinds = self.pick(*(DATE_BODIES if self.of_dates else RECORD_BODIES))
        body = self.pick(*(DATE_BODIES if self.of_dates else RECORD_BODIES)[kinds])
        record, unit = self.pick(*RECORDS), self.pick(*UNITS)
        self.parameters = [[record] if kind == "r" else ["int64", "float32", "uint8"] if kind == "n" else [np.dtype(f"{kind}8[{unit}]")] for kind in kinds]
        names = ", ".join("xyz"[:len(kinds)])
        self.text = f"from numba import vectorize\n\n\n@vectorize\ndef f({names}):\n    return {body}\n"
        self.plain = eval(f"lambda {names}: {body}")

    def make_parts(self):
        self.layout, names, body = self.pick(*PARTS)
        inputs, outputs = self.layout.split("->")
        self.inputs = [tuple(filter(None, part.split(","))) for part in inputs[1:-1].split("),(")]
        self.outputs = [tuple(filter(None, part.split(","))) for part in outputs[1:-1].split("),(")]
        self.types = self.pick(["float64"], ["float32", "float64"], ["int32", "int64"], ["int64", "float64"], ["float32"], ["int64", "complex128"] if ">" not in body else ["int64"])
        argument = lambda t, axes, is_output: f"{t}[{', '.join(':' * len(axes))}]" if axes or is_output else t
        signatures = [", ".join([argument(t, axes, False) for axes in self.inputs] + [argument(t, axes or ("one",), True) for axes in self.outputs]) for t in self.types]
        quoted = ", ".join(f'"void({s})"' for s in signatures)
        self.text = f'from numba import guvectorize\n\n\n@guvectorize([{quoted}], "{self.layout}")\ndef f({names}):\n{body}'

    # --- arrays ---
    def shape(self, most=4):
        if self.chance(0.05):  # more axes than a launch of ours has
            return tuple(self.pick(1, 2, 2) for _ in range(self.between(8, 12)))
        return tuple(self.pick(1, 2, 3, 3, 4, 5, 7) if self.chance(0.96) else 0 for _ in range(self.pick(0, 1, 1, 2, 2, 3, most)))

    def broadcastable(self, shape):
        """A shape that broadcasts to another."""
        cut = shape[self.between(0, len(shape)):] if self.chance(0.3) else shape
        return tuple(1 if self.chance(0.2) else n for n in cut)

    def filled(self, dtype, count):
        kind, dice = np.dtype(dtype).kind, self.random
        if kind == "V":
            filled = np.zeros(count, dtype)
            for name, (field, *_) in dtype.fields.items():
                filled[name] = self.filled(field.base, count * int(np.prod(field.shape, dtype=int))).reshape(count, *field.shape)
            return filled
        if kind in "mM":
            return np.array([dice.randint(-50, 50) if dice.random() < 0.9 else np.iinfo("int64").min for _ in range(count)]).view(dtype)
        number = {"b": lambda: dice.random() < 0.5, "i": lambda: dice.randint(-5, 6), "u": lambda: dice.randint(0, 9), "f": lambda: dice.randint(-20, 20) / 4,
                  "c": lambda: complex(dice.randint(-8, 8) / 4, dice.randint(-8, 8) / 4)}[kind]
        return np.array([number() for _ in range(count)], dtype)

    def array(self, dtype, shape):
        """Of any layout, in memory of its own."""
        order = list(range(len(shape)))
        if self.chance(0.3 if len(shape) < 6 else 0.7):
            self.random.shuffle(order)
        steps = [self.pick(1, 1, 1, 1, -1, *([2, -2, 3] if len(shape) < 6 else [])) for _ in shape]
        extents = [max(1, shape[k]) * abs(steps[k]) for k in order]
        memory = np.zeros(int(np.prod(extents, dtype=int)) * np.dtype(dtype).itemsize + 24, np.uint8)
        start = self.pick(0, 0, 0, 8, 16, 4, 1)
        start = start // 16 * 16 if self.aligned else start
        whole = memory[start:start + int(np.prod(extents, dtype=int)) * np.dtype(dtype).itemsize].view(dtype).reshape(extents)
        whole[...] = self.filled(dtype, whole.size).reshape(extents)
        view = whole.transpose(np.argsort(order)) if shape else whole
        for k, step in enumerate(steps):
            view = view[(slice(None),) * k + (slice(None, None, step),)]
            view = view[(slice(None),) * k + (slice(0, shape[k]),)]
        assert view.shape == tuple(shape), (view.shape, shape)
        if self.chance(0.1) and len(shape) < 4:
            view = np.broadcast_to(view, (self.between(1, 3), *shape)) if self.chance(0.5) else view
        return view

    def number(self):
        kinds = {np.dtype(t).kind for t in self.types}
        return self.pick(self.between(0, 5), 2.5, True) if kinds & set("fc") else self.between(0, 5)

    def operand(self, shape):
        if self.chance(0.12):
            return self.number()
        return self.array(self.pick(*self.types) if self.chance(0.9) else self.pick("int8", "float32", "int64", "bool", "uint8"), self.broadcastable(shape))

    def output(self, shape, like, dtype):
        """An array to store to: of its own, or one that an operand overlaps."""
        inputs = [a for a in like if isinstance(a, np.ndarray) and a.shape == shape and a.flags.writeable and 0 not in a.strides]
        if inputs and self.chance(0.35):
            a = self.pick(*inputs)
            return a if self.chance(0.5) or not a.ndim else a[::-1]
        out = self.array(dtype, shape)
        return self.array(dtype, shape) if not out.flags.writeable or out.shape != shape else out

    # --- calls ---
    def call_of_named(self):
        """Of new arrays: Numba's and NumPy's functions store no records."""
        shape, operands = self.shape(), []
        for types in self.parameters:
            array = self.array(self.pick(*types), self.broadcastable(shape))
            is_value = array.dtype.kind in "VmM" and array.size and self.chance(0.15)
            operands.append(array.ravel()[0] if is_value else array)
        return Call("call", operands) if any(isinstance(a, np.ndarray) for a in operands) else None

    def call(self):
        what = self.pick(*["call"] * 4, *["into"] * 4, *(["reduce"] * 3 + ["accumulate", "outer"] if self.is_fold else []))
        shape = self.shape()
        if what == "outer":
            a, b = self.array(self.pick(*self.types), self.shape(2)), self.array(self.pick(*self.types), self.shape(2))
            return Call(what, [a, b]) if a.ndim + b.ndim <= 6 else None
        if what in ("reduce", "accumulate"):
            a = self.array(self.pick(*self.types), shape)
            if not a.ndim:
                return None
            return Call(what, [a], self.between(-a.ndim, a.ndim - 1), what == "reduce" and self.chance(0.3), what == "reduce" and self.chance(0.3))
        operands = [self.operand(shape) for _ in range(self.arity)]
        arrays = [a.shape for a in operands if isinstance(a, np.ndarray)]
        if not arrays:
            return None
        if what == "into":
            try:
                shape = np.broadcast_shapes(*arrays)
            except ValueError:
                return None
            if self.chance(0.1):
                shape = (2, *shape)
            out = self.output(shape, operands, self.pick(*self.types))
            if not out.flags.writeable or out.shape != shape:
                return None
            operands.append(out)
        return Call(what, operands)

    def call_of_parts(self):
        extents = {name: self.pick(1, 2, 3, 4, 5, 9, 16) for part in self.inputs for name in part}
        shape = self.shape(2)
        operands = []
        dtype = self.pick(*self.types)
        for part in self.inputs:
            whole = (*self.broadcastable(shape), *(extents[name] for name in part))
            operands.append(self.array(dtype if self.chance(0.85) else self.pick("int8", *self.types), whole))
            if operands[-1].shape[-len(part):] != whole[len(whole) - len(part):] and part:
                return None
        if self.chance(0.5):
            return Call("parts", operands)
        loops = [a.shape[:a.ndim - len(part)] for a, part in zip(operands, self.inputs)]
        try:
            loop = np.broadcast_shapes(*loops)
        except ValueError:
            return None
        for part in self.outputs:
            operands.append(self.output((*loop, *(extents[name] for name in part)), operands[:len(self.inputs)], dtype))
            if not operands[-1].flags.writeable or operands[-1].shape != (*loop, *(extents[name] for name in part)):
                return None
        return Call("apply", operands, outputs=len(self.outputs))
