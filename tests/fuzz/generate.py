"""Random typed kernels, as text that both pykc and Numba's CPU compiler take.

`module(seeds)` gives a .pyk: per seed a device function `body_<seed>`, perhaps with functions that it calls, and one kernel that calls
them all, each with its own copies of the arrays. Nothing in them overflows, leaves an array, or depends on what a target may
choose: integers are kept small by `%`, what is not exact in floating point goes only into `inexact`.

Names say what a variable holds, whatever path was taken: i… signed integers and booleans of any width, u… unsigned ones, f… any
numbers, b… booleans, t… tuples. So names change their types on the way, but every program is well typed.
"""
import random

PARAMETERS = "i8, i16, i32, i64, u8, u32, f32, f64, ai, al, af, ad, exact_i, exact_f, inexact"
ARRAYS = ["ai", "al", "af", "ad", "exact_i", "exact_f", "inexact"]
RESULTS = 16
IMPORTS = """import math
from numba import cuda, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64
"""
LIMIT = 1000  # of what variables hold, in absolute value


class Body:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.lines = []
        self.indent = 1
        self.functions = []
        self.counter = 0
        # Names that hold a value on every path to here, by kind.
        self.names = {"i": ["i8", "i16", "i32", "i64"], "u": ["u8", "u32"], "f": ["f32", "f64"], "b": [], "t": []}
        self.loops = 0
        self.in_loop = False
        self.depth = 0
        self.may_hoist = True

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def hoisted(self, kind, text):
        """Most of what branches goes into a name of its own: within calls Numba's CPU compiler often cannot type it."""
        if not self.may_hoist or self.chance(0.05):
            return text
        self.counter += 1
        self.emit(f"{kind}_{self.counter} = {text}")
        return f"{kind}_{self.counter}"

    # --- expressions: (text, bound of the absolute value) ---------------------------------------------------------------
    def int_atom(self):
        kind = self.random.randrange(10)
        if kind < 5:
            return self.random.choice(self.names["i"]), LIMIT
        if kind < 7:
            value = self.random.randrange(-9, 100)
            return (str(value) if value >= 0 else f"({value})"), 100
        if kind == 7:
            return f"ai[{self.index('ai')}]", LIMIT
        if kind == 8:
            return f"al[{self.index('al', 0)}, {self.index('al', 1)}]", LIMIT
        return self.pick("ai.size", "al.shape[0]", "al.shape[1]", "al.ndim", "len(af)", "af.shape[0]"), 20

    def index(self, array, axis=0):
        extent = {"ai": (8,), "al": (4, 5), "af": (8,), "ad": (5, 3)}[array][axis]
        kind = self.random.randrange(6)
        if kind == 0:
            return str(self.random.randrange(-extent, extent))
        if kind == 1:
            return f"{self.random.choice(self.names['u'])} % uint32({extent})"
        if kind == 2:
            return f"-1 - {self.random.choice(self.names['i'])} % {extent}"
        return f"{self.random.choice(self.names['i'])} % {extent}"

    def small(self, text, bound, limit=LIMIT):
        if bound <= limit:
            return text
        return f"({text}) % {self.pick(limit - 1, limit // 2, 7, 97) if limit > 100 else limit}"

    def int_expr(self, depth=3):
        if depth == 0 or self.chance(0.15):
            return self.int_atom()
        kind = self.random.randrange(16)
        a, ba = self.int_expr(depth - 1)
        if kind < 4:
            b, bb = self.int_expr(depth - 1)
            op = self.pick("+", "-", "*")
            bound = ba * bb if op == "*" else ba + bb
            text = f"({a} {op} {b})"
            return (text, bound) if bound < 2 ** 40 else (f"({text} % 991)", 991) if bound < 2 ** 62 else (f"({a} + 1)", ba + 1)
        if kind == 4:
            b, bb = self.int_expr(depth - 1)
            return f"({a} {self.pick('//', '%')} {b})", max(ba, bb)
        if kind == 5:
            b, bb = self.int_expr(depth - 1)
            return f"({a} {self.pick('&', '|', '^')} {b})", 2 * max(ba, bb, 1)
        if kind == 6:
            b, _ = self.int_atom()
            op = self.pick("<<", ">>")
            return f"({a} {op} (({b}) & 7))", ba * 128 if op == "<<" else ba + 1
        if kind == 7:
            return f"({self.pick('-', '+', '~')}{a})", ba + 1
        if kind == 8:
            return f"{self.pick('int8', 'int16', 'int32', 'int64', 'int')}({a})", max(ba, 2 ** 31 if ba >= 2 ** 31 else ba)
        if kind == 9:
            b, bb = self.int_expr(depth - 1)
            return f"{self.pick('min', 'max')}({a}, {b})", max(ba, bb)
        if kind == 10:
            return f"abs({a})", ba + 1
        if kind == 11:
            b, bb = self.int_expr(depth - 1)
            return self.hoisted("i", f"({a} if {self.condition(depth - 1)} else {b})"), max(ba, bb)
        if kind == 12:
            b, bb = self.int_expr(depth - 1)
            return self.hoisted("i", f"({a} {self.pick('and', 'or')} {b})"), max(ba, bb)
        if kind == 13:
            return f"int({self.float_expr(depth - 1, 10 ** 6)[0]})", 10 ** 6
        if kind == 14:
            return f"int64({self.unsigned_expr(depth - 1)})", 2 ** 33
        return f"({self.small(a, ba, 50)}) ** {self.pick(0, 1, 2, 3)}", 50 ** 3

    def unsigned_expr(self, depth=2):
        kind = self.random.randrange(6)
        name = self.random.choice(self.names["u"])
        if depth == 0 or kind < 2:
            return name
        a = self.unsigned_expr(depth - 1)
        if kind == 2:
            return f"{self.pick('uint8', 'uint16', 'uint32')}({a} {self.pick('+', '*', '-')} {name})"
        if kind == 3:
            return f"{self.pick('uint8', 'uint16', 'uint32')}(abs({self.int_expr(depth - 1)[0]}))"
        if kind == 4:
            return f"uint32({a} {self.pick('&', '|', '^', '//', '%')} {name})"
        return f"uint32({a} >> ({name} & {name}) % uint8(8))"

    # Exact on every target: +, -, *, /, sqrt and conversions round once.
    def float_expr(self, depth=3, limit=10 ** 9):
        text, bound = self.float_term(depth)
        if bound > limit:
            return f"({text} % {self.pick('997.0', '17.5', '250.25')})", 1000
        return text, bound

    def float_term(self, depth):
        if depth == 0 or self.chance(0.15):
            kind = self.random.randrange(6)
            if kind < 2:
                return self.random.choice(self.names["f"]), LIMIT
            if kind == 2:
                return f"{self.random.randrange(0, 800) / 16}", 50
            if kind == 3:
                return f"af[{self.index('af')}]", LIMIT
            if kind == 4:
                return f"ad[{self.index('ad', 0)}, {self.index('ad', 1)}]", LIMIT
            return self.int_atom()
        kind = self.random.randrange(14)
        a, ba = self.float_expr(depth - 1)
        if kind < 4:
            b, bb = self.float_expr(depth - 1) if self.chance(0.7) else self.int_expr(depth - 1)
            op = self.pick("+", "-", "*")
            if self.chance(0.5):
                a, ba, b, bb = b, bb, a, ba
            return f"({a} {op} {b})", ba * bb + 1 if op == "*" else ba + bb
        if kind == 4:
            b, _ = self.float_expr(depth - 1) if self.chance(0.5) else self.int_expr(depth - 1)
            return f"({a} / (abs({b}) + {self.pick('1', '0.5', '2')}))", 2 * ba
        if kind == 5:
            b, _ = self.int_expr(depth - 1)
            return f"({self.int_expr(depth - 1)[0]} / (abs({b}) + 1))", 10 ** 9
        if kind == 6:
            return f"{self.pick('float32', 'float64', 'float')}({a})", ba
        if kind == 7:
            b, bb = self.float_expr(depth - 1)
            return f"{self.pick('min', 'max')}({a}, {b})", max(ba, bb)
        if kind == 8:
            return f"math.sqrt(abs({a}))", ba + 1
        if kind == 9:
            return f"float64(math.{self.pick('floor', 'ceil', 'trunc')}({a}))", ba + 1
        if kind == 10:
            b, bb = self.float_expr(depth - 1)
            return self.hoisted("f", f"({a} if {self.condition(depth - 1)} else {b})"), max(ba, bb)
        if kind == 11:
            return f"({a} {self.pick('%', '//')} {self.pick('2.5', '-7.0', '3', '0.75')})", 2 * ba + 8
        if kind == 12:
            return f"{self.pick('math.fabs', 'abs', '-', '+')}({a})", ba
        return f"math.copysign({a}, {self.float_expr(depth - 1)[0]})", ba

    def condition(self, depth=2):
        kind = self.random.randrange(9)
        compare = self.pick("<", "<=", ">", ">=", "==", "!=")
        if depth <= 0 or kind < 2:
            return f"{self.int_atom()[0]} {compare} {self.int_atom()[0]}"
        if kind == 2:
            return f"{self.float_expr(depth - 1)[0]} {compare} {self.float_expr(depth - 1)[0]}"
        if kind == 3:
            return self.hoisted("b", f"({self.condition(depth - 1)} {self.pick('and', 'or')} {self.condition(depth - 1)})")
        if kind == 4:
            return f"(not {self.condition(depth - 1)})"
        if kind == 5:
            return self.hoisted("b", f"({self.int_expr(depth - 1)[0]} {self.pick('<', '<=')} {self.int_expr(depth - 1)[0]} "
                                     f"{self.pick('<', '>=', '!=')} {self.int_expr(depth - 1)[0]})")
        if kind == 6 and self.names["b"]:
            return self.random.choice(self.names["b"])
        if kind == 7:
            # Numba's CPU compiler wants one type.
            return f"int64({self.random.choice(self.names['i'])}) {self.pick('in', 'not in')} (int64({self.int_atom()[0]}), int64({self.int_atom()[0]}))"
        return f"bool({self.int_expr(depth - 1)[0]})"

    # --- statements ---------------------------------------------------------------------------------------------------
    def target(self, kind):
        known = [name for name in self.names[kind] if not name[1:].isdigit() or name not in PARAMETERS]
        if known and self.chance(0.7):
            return self.random.choice(known)
        # A parameter of the kernel may be assigned like any name.
        if self.chance(0.15) and kind in "if":
            return self.random.choice(self.names[kind])
        self.counter += 1
        return f"{kind}_{self.counter}"

    def define(self, name, kind):
        if name not in self.names[kind]:
            self.names[kind].append(name)

    def value(self, kind):
        if kind == "i":
            return self.small(*self.int_expr())
        if kind == "u":
            return self.unsigned_expr()
        if kind == "b":
            return self.condition()
        return self.float_expr(3, LIMIT)[0] if self.chance(0.7) else self.small(*self.int_expr())

    def statement(self):
        kind = self.random.randrange(24)
        nested = self.depth < 3
        if kind < 7:
            self.assign()
        elif kind == 7:
            self.unpack()
        elif kind == 8:
            self.store()
        elif kind == 9 and not self.in_loop:
            self.call()
        elif kind == 10:
            self.augment()
        elif kind == 11:
            self.divmod()
        elif kind == 12:
            self.view()
        elif kind == 13:
            self.walrus()
        elif kind < 18 and nested:
            self.branch()
        elif kind < 23 and nested and self.loops < 3:
            self.loop()
        elif self.in_loop and self.chance(0.5):
            self.emit(f"if {self.condition()}:")
            self.emit(f"    {self.pick('break', 'continue')}")
        else:
            self.assign()

    def assign(self):
        kind = self.pick("i", "i", "f", "f", "u", "b")
        value = self.value(kind)
        name = self.target(kind)
        if self.chance(0.1):
            other = self.target(kind)
            self.emit(f"{name} = {other} = {value}")
            self.define(other, kind)
        else:
            self.emit(f"{name} = {value}")
        self.define(name, kind)

    def unpack(self):
        kinds = [self.pick("i", "f") for _ in range(self.pick(2, 2, 3))]
        if self.chance(0.4):
            kind = self.pick("i", "f")
            a, b = self.random.choice(self.names[kind]), self.random.choice(self.names[kind])
            if a != b:
                self.emit(f"{a}, {b} = {b}, {a}")
                return
        values = [self.value(kind) for kind in kinds]
        names = []
        for kind in kinds:
            name = self.target(kind)
            while name in names:
                self.counter += 1
                name = f"{kind}_{self.counter}"
            names.append(name)
        if len(names) == 3 and self.chance(0.5):
            self.emit(f"{names[0]}, ({names[1]}, {names[2]}) = {values[0]}, ({values[1]}, {values[2]})")
        else:
            self.emit(f"{', '.join(names)} = {', '.join(values)}")
        for name, kind in zip(names, kinds):
            self.define(name, kind)

    def store(self):
        kind = self.random.randrange(4)
        if kind == 0:
            self.emit(f"ai[{self.index('ai')}] = {self.value('i')}")
        elif kind == 1:
            self.emit(f"al[{self.index('al', 0)}, {self.index('al', 1)}] = {self.value('i')}")
        elif kind == 2:
            self.emit(f"af[{self.index('af')}] = {self.value('f')}")
        else:
            self.emit(f"ad[{self.index('ad', 0)}, {self.index('ad', 1)}] = {self.value('f')}")

    def augment(self):
        if self.chance(0.4):
            place = self.pick(f"ai[{self.index('ai')}]", f"al[{self.index('al', 0)}, {self.index('al', 1)}]")
            self.emit(f"{place} {self.pick('+=', '-=', '^=', '|=')} {self.small(*self.int_expr(2))}")
            self.emit(f"{place} %= 97")
            return
        kind = self.pick("i", "f")
        name = self.random.choice(self.names[kind])
        if kind == "i":
            self.emit(f"{name} {self.pick('+=', '-=', '*=', '//=', '&=', '|=', '^=')} {self.small(*self.int_expr(2))}")
            self.emit(f"{name} %= {self.pick(997, 101, 13)}")
        else:
            self.emit(f"{name} {self.pick('+=', '-=', '*=')} {self.float_expr(2, LIMIT)[0]}")
            self.emit(f"{name} %= {self.pick('997', '101.5', '13.0')}")

    def divmod(self):
        a, b = self.target("i"), self.target("i")
        if a == b:
            return self.assign()
        self.emit(f"{a}, {b} = divmod({self.value('i')}, {self.value('i')})")
        self.define(a, "i")
        self.define(b, "i")

    def view(self):
        self.counter += 1
        view = f"v_{self.counter}"
        start, stop, step = self.random.randrange(-6, 6), self.random.randrange(-6, 12), self.pick(1, 2, -1, -2)
        bounds = f"{start}:{stop}" if step == 1 else f"{self.pick(start, '')}:{self.pick(stop, '')}:{step}"
        array, index = self.pick(("ai", f"[{bounds}]"), ("al", f"[{self.index('al', 0)}]"), ("al", f"[:, {self.index('al', 1)}]"),
                                 ("al", f"[{self.random.randrange(3)}:, 1]"), ("al", f".T[{self.random.randrange(5)}]"))
        self.emit(f"{view} = {array}{index}")
        name = self.target("i")
        self.emit(f"{name} = {view}.size")
        self.define(name, "i")
        item = self.target("i")
        self.emit(f"{item} = {self.value('i')}")
        self.define(item, "i")
        if self.chance(0.5):
            self.emit(f"for x_{self.counter} in {view}:")
            self.emit(f"    {item} = ({item} * 3 + x_{self.counter}) % 991")
        else:
            self.emit(f"for k_{self.counter} in range({view}.shape[0]):")
            self.emit(f"    {item} = ({item} * 5 + {view}[k_{self.counter}]) % 991")
            if self.chance(0.5):
                self.emit(f"    {view}[k_{self.counter}] = {item} % 100")

    def walrus(self):
        kind = self.pick("i", "f")
        name = self.target(kind)
        known = name in self.names[kind]
        # Numba's CPU compiler takes a walrus of a name only.
        self.counter += 1
        value = f"{kind}_{self.counter}"
        self.emit(f"{value} = {self.value(kind)}")
        other = self.target("i")
        form = self.random.randrange(3)
        if form == 0:
            before = f"{name} + " if known else ""
            result = f"int({before}({name} := {value}) + {name}) % 997"
        elif form == 1:
            result = f"int({name} := {value}) % 97 + int({name}) % 7"
        elif known:
            result = f"(int({name} := {value}) if {self.condition()} else int({name})) % 31 + int({name}) % 7"
        else:
            return self.assign()
        self.emit(f"{other} = {result}")
        self.define(name, kind)
        self.define(other, "i")

    def block(self, statements):
        self.indent += 1
        self.depth += 1
        for _ in range(statements):
            self.statement()
        self.indent -= 1
        self.depth -= 1

    def snapshot(self):
        return {kind: list(names) for kind, names in self.names.items()}

    def branch(self):
        self.emit(f"if {self.condition()}:")
        before = self.snapshot()
        self.block(self.pick(1, 2, 3))
        ends = [self.snapshot()]
        while self.chance(0.3):
            self.names = {kind: list(names) for kind, names in before.items()}
            self.may_hoist = False
            test = self.condition(1)
            self.may_hoist = True
            self.emit(f"elif {test}:")
            self.block(self.pick(1, 2))
            ends.append(self.snapshot())
        self.names = {kind: list(names) for kind, names in before.items()}
        if self.chance(0.5):
            self.emit("else:")
            self.block(self.pick(1, 2))
        ends.append(self.snapshot())
        self.names = {kind: [n for n in ends[0][kind] if all(n in end[kind] for end in ends)] for kind in before}

    def loop(self):
        before = self.snapshot()
        was_in_loop, self.in_loop = self.in_loop, True
        self.loops += 1
        self.counter += 1
        variable = f"i_{self.counter}"
        kind = self.random.randrange(7)
        if kind < 3:
            start, stop, step = self.pick(
                ("", self.pick("3", "i32 % 4", "len(ai)", "int8(3)"), ""), (self.pick("1, ", "-2, "), self.pick("3", "i16 % 5"), ""),
                ("5, ", "-1", ", -2"), ("0, ", "9", ", 3"), ("i8 % 3, ", "i32 % 7", ", int32(2)"))
            self.emit(f"for {variable} in range({start}{stop}{step}):")
            self.define(variable, "i")
        elif kind == 3:
            self.emit(f"for {variable} in (int64({self.small(*self.int_expr(2))}), int64({self.small(*self.int_expr(2))})):")
            self.define(variable, "i")
        elif kind == 4:
            item = f"f_{self.counter}"
            form, names = self.pick((f"enumerate({self.pick('af', 'ai', 'ad[1]')})", (variable, item)),
                                    (f"zip({self.pick('range(9)', 'ai', 'al[2]')}, {self.pick('af', 'ad[:, 1]')})", (variable, item)))
            self.emit(f"for {', '.join(names)} in {form}:")
            self.define(variable, "i")
            self.define(item, "f")
        elif kind == 5:
            self.emit(f"i_{self.counter} = 0")
            self.define(variable, "i")
            before = self.snapshot()
            self.emit(f"while {variable} < {self.pick(2, 3, 5)} {self.pick('and', 'and', 'and not')} {self.condition()}:")
            self.emit(f"    {variable} += 1")
            self.names["i"].remove(variable)
        else:
            item = f"f_{self.counter}"
            self.emit(f"for {item} in {self.pick('af', 'ad[2]', 'af[::2]')}:")
            self.define(item, "f")
        self.block(self.pick(1, 2, 3))
        self.in_loop = was_in_loop
        self.names = {kind: list(names) for kind, names in before.items()}
        if self.chance(0.3):
            self.emit("else:")
            self.block(self.pick(1, 2))
            self.names = before
        self.loops -= 1

    def call(self):
        self.counter += 1
        name = f"call_{self.seed}_{self.counter}"
        text = self.pick(
            f"def {name}(x, y=3):\n    if x > y:\n        return x % 100\n    return y * 0.5\n",
            f"def {name}(x, y):\n    s = 0\n    for k in range(x % 6):\n        s += k * y\n        if s > 500:\n            break\n    else:\n        s -= 1\n    return s % 500\n",
            f"def {name}(x, y):\n    if y == 0:\n        return x % 50\n    return {name}(x, abs(y) % 7 - 1 if y < 0 or y > 6 else y - 1) + 1\n",
            f"def {name}(x, y):\n    x, y = y, x\n    while x > 10:\n        x = x // 2\n        y += 1\n    return x - y if x < y else y * 2 - x\n",
            f"def {name}(x, y):\n    z = x and y\n    return (z or 5) % 77\n")
        self.functions.append("@cuda.jit(device=True)\n" + text)
        x, y = self.pick((self.value("i"), self.value("i")), (self.value("i"), f"int8({self.value('i')})"), (self.value("i"), f"int32({self.value('i')})"))
        result = self.target("f")
        arguments = self.pick(f"{x}, {y}", f"{x}, y={y}", f"y={y}, x={x}")
        self.emit(f"{result} = {name}({arguments})")
        self.emit(f"{result} %= 500")
        self.define(result, "f")

    def results(self):
        used = 0
        for name in self.names["i"] + self.names["b"] + self.names["u"]:
            if used < RESULTS:
                self.emit(f"exact_i[{used}] = {name}")
                used += 1
        for slot, name in enumerate(self.names["f"][:RESULTS]):
            self.emit(f"exact_f[{slot}] = {name}")
        for slot in range(4):
            a, b = self.random.choice(self.names["f"]), self.random.choice(self.names["f"])
            self.emit(f"inexact[{slot}] = " + self.pick(f"math.sin({a}) * {b}", f"math.exp({a} / 1000)", f"math.log(abs({a}) + 1) + {b}",
                                                        f"(abs({a}) + 0.5) ** 0.75", f"math.atan2({a}, {b})", f"math.hypot({a}, {b})"))

    def text(self):
        for _ in range(self.random.randrange(4, 11)):
            self.statement()
        self.results()
        body = "\n".join(self.lines)
        return "".join(function + "\n\n" for function in self.functions) + f"@cuda.jit(device=True)\ndef body_{self.seed}({PARAMETERS}):\n{body}\n"


def module(seeds):
    text = IMPORTS + "\n\n"
    for seed in seeds:
        text += Body(seed).text() + "\n\n"
    text += f"@cuda.jit\ndef all_bodies({PARAMETERS}):\n"
    for row, seed in enumerate(seeds):
        arguments = [f"{name}[{row}]" if name in ARRAYS else name for name in PARAMETERS.split(", ")]
        text += f"    body_{seed}({', '.join(arguments)})\n"
    return text
