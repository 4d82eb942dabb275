"""Random typed kernels, as text that pykc, numba-cuda and Numba's CPU compiler take.

`Kernel(seed)` is the device function `body_<seed>`: it gets a thread's own rows of the arrays, and does what its share of the cells of
cells.py asks for, in nested statements. `module(seeds)` is a .pyk of many, and a kernel that calls them all. What a kernel leaves in
`out_f` and `out_c` may be off by `tolerances`, the rest is exact.
"""
import random

from cells import ARITHMETIC, cells, impossible
from expressions import Expressions, invariant
from values import BOOL, C128, COMPLEX, F32, F64, FLOATS, I64, INTS, TYPES, U64, Value, result_of

THREADS, LENGTH, SLOTS, WISHES = 8, 8, 8, 8
CODES = {"boolean": "b1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
         "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16"}
INPUTS = {f"a_{code}": (TYPES[name], (LENGTH,)) for name, code in CODES.items()}
INPUTS |= {"m_i4": (TYPES["int32"], (3, 4)), "m_f8": (F64, (3, 4))}
ATOMICS = {f"t_{CODES[name]}": (TYPES[name], (LENGTH,)) for name in ("int32", "int64", "uint32", "uint64", "float32", "float64")}
OUTPUTS = {"out_i": (I64, (SLOTS,)), "out_u": (U64, (SLOTS,)), "out_f": (F64, (SLOTS,)), "out_c": (C128, (SLOTS,))}
ARRAYS = INPUTS | ATOMICS | OUTPUTS
HEADER = """import cmath
import math
from numba import boolean, cuda, complex64, complex128, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64


"""
POSSIBLE = [cell for cell in cells() if impossible(*cell) is None]
random.Random(7).shuffle(POSSIBLE)


class Kernel(Expressions):
    def __init__(self, seed):
        super().__init__(seed)
        self.seed = seed
        first = seed * WISHES % len(POSSIBLE)
        self.wishes = (POSSIBLE + POSSIBLE)[first:first + WISHES]
        self.lines, self.indent, self.count, self.loops, self.depth = [], 1, 0, 0, 0
        self.functions, self.used = [], set()
        self.variables = []  # those that may be assigned again: Value with what always holds
        self.frozen = set()
        self.tolerances = {"out_f": [0.0] * SLOTS, "out_c": [0.0] * SLOTS}
        self.atoms = [Value("t", I64, 0, THREADS - 1)]
        for name, (type, _) in INPUTS.items():
            if name[0] == "a" and self.chance(0.6):
                self.variable_from(type, f"{name}[{self.below(LENGTH)}]", name)
        while self.wishes:
            self.statement_of(*self.wishes.pop())
        self.results()

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def fresh(self, type, prefix=""):
        self.count += 1
        return f"{prefix}{CODES[type.name]}_{self.count}"

    def variable_from(self, type, text, array):
        """A parameter-like variable, loaded from an array."""
        self.used.add(array)
        name = self.fresh(type)
        self.emit(f"{name} = {text}")
        self.define(name, type)

    def define(self, name, type, rounded=False):
        low, high, grid, error = invariant(type, rounded)
        value = Value(name, type, low, high, grid, error)
        self.variables.append(value)
        self.atoms.append(value)
        return value

    def keep(self, value, prefix="w_"):
        """A variable that is assigned once, of the type that the expression has."""
        name = self.fresh(value.type, prefix)
        self.emit(f"{name} = {value.text}")
        kept = Value(name, value.type, value.low, value.high, value.grid, value.error)
        if value.type.is_int or value.size <= 1 << 14 and (value.exact and value.grid <= 4 or not value.exact and value.error <= invariant(value.type, True)[3]):
            if not value.type.is_int or value.size <= 1 << 42:
                self.atoms.append(kept)
        return kept

    def settle(self, value):
        """A new or an older variable that holds the value, as far as its kind of variable can."""
        rounded = not value.exact and not value.type.is_int
        known = [v for v in self.variables if v.text not in self.frozen and v.type.is_real >= value.type.is_real and v.exact != rounded and not (rounded and v.type.is_int)
                 and (rounded or not (v.type in COMPLEX and value.type not in COMPLEX and self.chance(0.7)))]
        if known and self.chance(0.4):
            target = self.pick(*known)
            return target.text, self.fit(value, target.type, rounded), target.type, rounded, False
        types = [t for t in TYPES.values() if t.is_real >= value.type.is_real and (not rounded or not t.is_int)]
        type = value.type if self.chance(0.5) else self.pick(*types)
        if value.type in COMPLEX and type not in COMPLEX:
            type = value.type
        return self.fresh(type, "y_" if rounded else ""), self.fit(value, type, rounded), type, rounded, True

    def assign(self, value):
        if self.chance(0.3):
            return self.keep(value)
        name, fitted, type, rounded, new = self.settle(value)
        self.emit(f"{name} = {fitted.text}")
        if new:
            self.define(name, type, rounded)

    # --- statements ---
    def statement_of(self, operator, type, statement):
        self.statement = statement
        getattr(self, "do_" + statement)(operator, type)
        self.statement = "assign"

    def wished(self, operator, type):
        return self.operation(operator, type, self.pick(1, 1, 2))

    def do_assign(self, operator, type):
        self.assign(self.wished(operator, type))

    def do_augmented(self, operator, type):
        own = [v for v in self.atoms if v.type is type and v.exact]
        left = self.pick(*own) if own and self.chance(0.8) else self.operand(type, 1, exact=True)
        if operator in ARITHMETIC:
            self.covered.add((operator, type, "augmented"))
            if operator in ("**", "<<") or operator == "*" and left.size > 1 << 30 or operator == "-" and type.kind == "uint":
                left = self.positive(type, 1) if not type.is_int else self.operand(type, 1, *((type.high // 2, type.high // 2 + 8) if operator == "-" else (1, min(8, type.high))))
            kept = self.keep(left)
            value = self.arithmetic(operator, type, 1, left=kept)
            prefix = f"({kept.text} {operator} "
            self.emit(f"{kept.text} {operator}= {value.text[len(prefix):-1]}")
            self.atoms = [v for v in self.atoms if v.text != kept.text]
            return self.assign(Value(kept.text, value.type, value.low, value.high, value.grid, value.error))
        value = self.wished(operator, type)
        array, place, element = self.place()
        if element.type.is_int:
            value = self.to_integer(value, element.type if element.type.kind == "uint" else I64, 0 if element.type.kind == "uint" else -100, 100)
            self.emit(f"{place} {self.pick('+=', '^=', '|=', '*=') if element.type is not BOOL else '|='} {value.text if element.type is not BOOL else self.truth(value).text}")
            if element.type in (I64, U64):
                self.emit(f"{place} %= {1 << self.between(8, 39)}")
        else:
            value = self.fit(value, element.type)
            self.emit(f"{place} {self.pick('+=', '-=')} {value.text}")
            self.emit(f"{place} *= {self.pick(0, 0.0, 'False')}" if not element.type.is_real else f"{place} %= {self.number(self.pick(64, 256), element.type)}")

    def do_unpack(self, operator, type):
        value = self.wished(operator, type)
        form = self.below(3)
        if form == 0:
            names = [self.settle(v) for v in (value, self.any_value(1))]
            if names[0][0] != names[1][0]:
                self.emit(f"{names[0][0]}, {names[1][0]} = {names[0][1].text}, {names[1][1].text}")
                for name, _, t, rounded, new in names:
                    if new:
                        self.define(name, t, rounded)
                return
        if form == 1:
            a, b, c = self.fresh(value.type, "p_"), self.fresh(I64, "p_"), self.fresh(F64, "p_")
            self.emit(f"{a}, ({b}, {c}) = {value.text}, ({self.operand(I64, 1).text}, {self.operand(F64, 1, exact=True).text})")
            self.define(b, I64)
            self.define(c, F64)
            return self.assign(Value(a, value.type, value.low, value.high, value.grid, value.error))
        pairs = [(a, b) for a in self.variables for b in self.variables if a.text < b.text and a.type is b.type and a.exact == b.exact
                 and not {a.text, b.text} & self.frozen]
        kept = self.keep(value)
        if pairs:
            a, b = self.pick(*pairs)
            self.emit(f"{a.text}, {b.text} = {b.text}, {a.text}")
        x, y = self.fresh(value.type, "p_"), self.fresh(value.type, "p_")
        self.emit(f"{x}, {y} = pair_{self.seed}_{self.count} = {kept.text}, {kept.text}")
        self.assign(Value(f"pair_{self.seed}_{self.count}[{self.pick(0, 1, -1)}]", value.type, value.low, value.high, value.grid, value.error))

    def block(self, indent=1):
        """Some of the wishes, in an inner block: what it defines is gone behind it."""
        atoms, variables, frozen = list(self.atoms), list(self.variables), set(self.frozen)
        self.indent += indent
        self.depth += 1
        before = len(self.lines)
        for _ in range(self.pick(1, 1, 2)):
            if self.wishes and self.depth < 4:
                self.statement_of(*self.wishes.pop())
        if len(self.lines) == before:
            self.assign(self.any_value(1))
        self.indent -= indent
        self.depth -= 1
        self.atoms, self.variables, self.frozen = atoms, variables, frozen

    def do_if(self, operator, type):
        value = self.wished(operator, type)
        test = self.truth(value)
        other = self.truth(self.any_value(1))
        if self.chance(0.3):  # a variable whose types meet
            first, second = self.fit_for_merge(value), self.fit_for_merge(self.any_value(1))
            joined = result_of("unify", first.type, second.type)
            if joined is not None and (joined.digits == 0 or max(first.size, second.size) <= 1 << 14) and joined.is_real == (first.type.is_real and second.type.is_real):
                name = self.fresh(joined, "j_")
                self.emit(f"if {test.text}:")
                self.emit(f"    {name} = {first.text}")
                self.emit("else:")
                self.emit(f"    {name} = {second.text}")
                low, high = min(first.low, second.low), max(first.high, second.high)
                grid = None if joined.digits and not (first.exact and second.exact) else max(first.grid or 0, second.grid or 0)
                error = max(first.error, second.error) + (max(abs(low), abs(high)) * joined.unit if grid is None else 0)
                return self.assign(Value(name, joined, low, high, grid, error))
        self.emit(f"if {test.text}:")
        self.block()
        if self.chance(0.3):
            self.emit(f"elif {other.text}:")
            self.block()
        if self.chance(0.5):
            self.emit("else:")
            self.block()

    def fit_for_merge(self, value):
        return self.fit(value, value.type, not value.exact and not value.type.is_int)

    def do_while(self, operator, type):
        test = self.truth(self.wished(operator, type))
        counter = self.fresh(I64, "n_")
        limit = self.pick(2, 3)
        self.emit(f"{counter} = 0")
        self.emit(f"while {counter} < {limit} and {test.text}:")
        self.indent += 1
        self.emit(f"{counter} += 1")
        self.indent -= 1
        self.loop_body(Value(counter, I64, 1, limit))

    def loop_body(self, item):
        """The body knows the loop's item; maybe an `else`."""
        atoms = list(self.atoms)
        self.atoms.append(item)
        self.loops += 1
        self.block()
        self.loops -= 1
        self.atoms = atoms
        if self.chance(0.2):
            self.emit("else:")
            self.block()

    def do_for(self, operator, type):
        value = self.wished(operator, type)
        natural = value.type if value.type.is_int and value.type is not BOOL and self.chance(0.5) else I64
        small = lambda low, high: self.to_integer(value, natural, low, high).text
        number = lambda n: self.number(n, natural) if natural.kind == "uint" else str(n)
        unsigned = natural.kind == "uint"
        low, high, arguments = self.pick(
            (0, 3, small(0, 3)), (1, 4, f"{number(1)}, {small(0, 4)}"), (0, 6, f"{small(0, 3)}, {number(6)}, {number(2)}"),
            *([] if unsigned else [(-3, 3, f"{small(-3, 3)}, 3, 2"), (-1, 4, f"{small(-1, 4)}, -2, -2"), (-2, 5, f"5, {small(-3, 3)}, -3")]),
            *([(1, 5, f"1, 6, {small(1, 4)}")]))
        types = [t for t in (natural,) for _ in range(arguments.count(", ") + 1)]
        raw = self.fresh(I64, "k_")
        form = self.below(5)
        if form == 0:
            item = self.fresh(value.type, "x_")
            fitted = self.fit_for_merge(value)
            self.emit(f"for {item} in ({fitted.text}, {fitted.text}):")
            known = Value(item, fitted.type, fitted.low, fitted.high, fitted.grid, fitted.error)
        elif form == 1 and value.type.is_real and not value.type.digits:
            array = self.pick("a_i4", "a_f8", "a_u1")
            self.used.add(array)
            item = self.fresh(INPUTS[array][0], "x_")
            self.emit(f"for {raw}, {item} in enumerate({array}[{small(0, 4) if natural is I64 else 2}:]):" if self.chance(0.5) else f"for {item} in {array}[::{small(1, 4) if natural is I64 else 2}]:")
            known = Value(item, INPUTS[array][0], *invariant(INPUTS[array][0]))
        else:
            self.emit(f"for {raw} in range({arguments}):")
            known = Value(f"int64({raw})", I64, low - 1, high)
        self.loop_body(known)

    def do_exit(self, operator, type):
        """A loop that ends early."""
        counter = self.fresh(I64, "k_")
        atoms, variables = list(self.atoms), list(self.variables)
        self.emit(f"for {counter} in range({self.pick('5', '1, 9, 3', '4, 0, -1')}):")
        self.indent += 1
        self.atoms.append(Value(counter, I64, 0, 9))
        test = self.truth(self.wished(operator, type))
        self.emit(f"if {test.text} and {counter} {self.pick('>', '!=', '<')} {self.pick(1, 2)}:")
        self.emit(f"    {self.pick('break', 'continue')}")
        self.assign(self.any_value(1))
        self.loops += 1
        self.block(0)
        self.loops -= 1
        self.indent -= 1
        self.atoms, self.variables = atoms, variables

    def do_ternary(self, operator, type):
        value = self.wished(operator, type)
        form = self.below(3)
        if form == 0:
            other = self.any_value(1)
            return self.assign_choice(self.fit_for_merge(value), self.truth(other), self.operand(value.type, 1, exact=value.exact and not value.type.is_int))
        if form == 1:
            return self.assign_choice(self.operand(I64, 1), self.truth(value), self.operand(self.pick(I64, TYPES["int16"], BOOL), 1))
        return self.assign_choice(self.operand(value.type, 1, exact=not value.type.is_int), self.truth(self.any_value(1)), self.fit_for_merge(value))

    def assign_choice(self, a, test, b):
        joined = result_of("unify", a.type, b.type)
        grid = max(a.grid, b.grid) if a.exact and b.exact else None
        low, high = min(a.low, b.low), max(a.high, b.high)
        name = self.fresh(joined, "j_")
        self.emit(f"{name} = {a.text} if {test.text} else {b.text}")
        self.assign(Value(name, joined, low, high, grid, max(a.error, b.error)))

    def do_chain(self, operator, type):
        value = self.real(self.wished(operator, type))
        if not value.exact:
            bound = self.number(2 * int(value.size) + 2, value.type)
            text = f"-{bound} {self.pick('<', '<=')} {value.text} {self.pick('<', '!=')} {bound}"
        else:
            compare = lambda: self.pick("<", "<=", ">", ">=", "==", "!=")
            kept = self.keep(value)
            sides = [self.part(self.pick(kept.type, I64, F64), 1, True) for _ in range(self.pick(2, 3))]
            text = f"{sides[0].text} {compare()} {kept.text}" + "".join(f" {compare()} {side.text}" for side in sides[1:])
        name = self.fresh(BOOL, "c_")
        self.emit(f"{name} = {text}")
        self.assign(Value(name, BOOL, 0, 1))

    # --- arrays ---
    def place(self, index=None, type=None):
        """(array, text of an element, its invariant)"""
        names = [n for n, (t, _) in INPUTS.items() if type is None or t is type]
        array = self.pick(*names)
        element, shape = INPUTS[array]
        self.used.add(array)
        def at(extent):
            nonlocal index
            if index is not None:
                value, index = index, None
                kind = value.type if value.type.is_int and value.type is not BOOL and self.chance(0.6) else I64
                return self.to_integer(value, kind, -extent if kind.kind != "uint" else 0, extent - 1).text
            return str(self.between(-extent, extent - 1))
        if len(shape) == 1:
            form = self.below(4)
            text = f"{array}[{at(shape[0])}]" if form < 2 else f"{array}[::2][{at(4)}]" if form == 2 else f"{array}[{self.pick('2:', ':6', '1:7')}][{at(6)}]"
        else:
            form = self.below(4)
            text = f"{array}[{at(3)}, {at(4)}]" if form < 2 else f"{array}.T[{at(4)}, {at(3)}]" if form == 2 else f"{array}[{at(3)}][{at(4)}]"
        return array, text, Value(text, element, *invariant(element))

    def do_index(self, operator, type):
        _, text, element = self.place(self.wished(operator, type))
        self.assign(element)

    def do_store(self, operator, type):
        value = self.wished(operator, type)
        if not value.exact and not value.type.is_int:
            value = self.floating(value, F64, -SMALLEST, SMALLEST) if value.type.is_real else self.real(value)
            value = self.to_integer(value, I64, -9, 9)
        known = [t for t in TYPES.values() if t.is_real >= value.type.is_real]
        element = value.type if self.chance(0.4) else self.pick(*known)
        if value.type in COMPLEX and element not in COMPLEX:
            element = value.type
        array, text, place = self.place(type=element)
        self.emit(f"{text} = {self.fit(value, place.type).text}")

    def scratch(self, kind, operator, type):
        value = self.wished(operator, type)
        rounded = not value.exact and not value.type.is_int
        element = value.type
        fitted = self.fit(value, element, rounded)
        name = self.fresh(element, kind[0] + "_")
        at = "cuda.threadIdx.x" if kind == "shared" else "1"
        self.lines.insert(0, f"    {name} = cuda.{kind}.array({THREADS if kind == 'shared' else 3}, {element.name})")
        self.emit(f"{name}[{at}] = {fitted.text}")
        if kind == "shared" and self.indent == 1 and self.chance(0.5):
            self.emit("cuda.syncthreads()")
        self.assign(Value(f"{name}[{at if kind == 'shared' else self.pick('1', '-2')}]", element, fitted.low, fitted.high, fitted.grid, fitted.error))

    def do_shared(self, operator, type):
        self.scratch("shared", operator, type)

    def do_local(self, operator, type):
        self.scratch("local", operator, type)

    def do_atomic(self, operator, type):
        value = self.wished(operator, type)
        array = self.pick(*ATOMICS)
        element = ATOMICS[array][0]
        self.used.add(array)
        unsigned = element.kind == "uint"
        if element.digits:
            value = self.wrapped(self.fit(value, element), -64, 64)
        else:
            value = self.to_integer(value, element, 0 if unsigned else -500, 500)
        function = self.pick("add", "max", "min") if element.digits else self.pick("add", "max", "min", "exch", "cas", "and_", "or_", "xor", *([] if unsigned else ["sub"]))
        before = self.literal(element, 0, 9).text + ", " if function == "cas" else ""
        old = self.fresh(element, "w_")
        self.emit(f"{old} = cuda.atomic.{function}({array}, {self.below(LENGTH)}, {before}{value.text})")
        self.assign(Value(old, element, 0 if unsigned else -(1 << 17), 1 << 17, 4 if element.digits else 0))

    # --- functions ---
    def function(self, arguments, result):
        """A device function of these values: its name, and what it returns."""
        self.count += 1
        name = f"call_{self.seed}_{self.count}"
        outer = self.lines, self.indent, self.atoms, self.variables, self.frozen, self.wishes, self.used
        self.lines, self.indent, self.variables, self.frozen, self.wishes, self.used = [], 1, [], set(), [], set()
        self.atoms = [Value(f"x{i}", v.type, v.low, v.high, v.grid, v.error) for i, v in enumerate(arguments)]
        statement, self.statement = self.statement, "assign"
        if self.chance(0.5):
            self.do_if(self.pick("<", "+", "not"), self.pick(I64, F64))
        if self.chance(0.3):
            self.assign(self.any_value(1))
        self.statement = statement
        value = result()
        self.emit(f"return {value.text}")
        arrays = sorted(self.used)
        parameters = [f"x{i}" for i in range(len(arguments))] + arrays
        text = "\n".join([f"def {name}({', '.join(parameters)}):"] + self.lines)
        self.lines, self.indent, self.atoms, self.variables, self.frozen, self.wishes, self.used = outer
        self.used |= set(arrays)
        self.functions.append("@cuda.jit(device=True)\n" + text + "\n")
        call = f"{name}({', '.join([v.text for v in arguments] + arrays)})"
        return Value(call, value.type, value.low, value.high, value.grid, value.error)

    def do_call(self, operator, type):
        value = self.fit_for_merge(self.wished(operator, type))
        other = self.operand(self.pick(I64, F64, TYPES["int16"]), 0, exact=True)
        self.statement = "assign"
        self.assign(self.function([value, other], lambda: self.bounded(self.any_value(1))))

    def do_return(self, operator, type):
        known = [v for v in self.atoms if v.type is type]
        arguments = [self.pick(*known) if known else self.operand(type, 1, exact=True), self.operand(self.pick(I64, F64, TYPES["uint8"]), 0, exact=True)]
        arguments = [self.fit_for_merge(a) for a in arguments]
        value = self.function(arguments, lambda: self.bounded(self.wished(operator, type)))
        self.statement = "assign"
        self.assign(value)

    def bounded(self, value):
        return value if value.size <= 1 << 14 or value.type.is_int else self.fit_for_merge(value)

    # --- what is left ---
    def results(self):
        slots = {"out_i": 0, "out_u": 0, "out_f": 0, "out_c": 0}
        shown = [v for v in self.atoms if v.text not in ("t",)]
        for value in reversed(shown):
            out = "out_u" if value.type is U64 else "out_i" if value.type.is_int else "out_f" if value.type.is_real else "out_c"
            slot = slots[out]
            if slot == SLOTS:
                continue
            slots[out] += 1
            self.used.add(out)
            self.emit(f"{out}[{slot}] = {value.text}")
            if not value.type.is_int and not value.exact:
                self.tolerances[out][slot] = 2 * value.error

    @property
    def parameters(self):
        return ["t"] + sorted(self.used)

    def text(self):
        head = f"@cuda.jit(device=True)\ndef body_{self.seed}({', '.join(self.parameters)}):\n"
        return "\n\n".join(self.functions + [head + "\n".join(self.lines) + "\n"])


SMALLEST = 512


def module(kernels):
    calls = [f"    body_{k.seed}(" + ", ".join(p if p == "t" else f"{p}[{row}, t]" for p in k.parameters) + ")" for row, k in enumerate(kernels)]
    text = "\n\n".join(k.text() for k in kernels)
    return HEADER + text + f"\n\n@cuda.jit\ndef all_bodies({', '.join(ARRAYS)}):\n    t = cuda.grid(1)\n" + "\n".join(calls) + "\n"


def inputs(type, count, seed):
    """Values that keep to the invariant of a type, the extreme ones among them."""
    source = random.Random(seed)
    low, high, _, _ = invariant(type)
    out = []
    for _ in range(count):
        x = source.random()
        if type.is_int:
            n = low + int(source.random() * (high - low + 1))
            out.append(low if x < 0.06 else high if x < 0.12 else 0 if x < 0.2 and low <= 0 else n if x < 0.6 else max(low, min(high, int((source.random() - 0.5) * 40))))
        elif type.is_real:
            out.append(int((source.random() - 0.5) * (16384 if x < 0.5 else 256)) / 16)
        else:
            out.append(complex(int((source.random() - 0.5) * 2048) / 16, int((source.random() - 0.5) * 2048) / 16))
    return out


if __name__ == "__main__":
    import sys
    print(module([Kernel(int(s)) for s in sys.argv[1:]]))
