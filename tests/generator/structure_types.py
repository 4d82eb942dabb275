"""Types of the values in the programs of structures.py, and the expressions and statements that make and show values of any type."""
from dataclasses import dataclass

from dice import Dice
from npy import FORMATS

CODES = {"boolean": "b1", "int8": "i1", "int16": "i2", "int32": "i4", "int64": "i8", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8",
         "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16"}
assert CODES.keys() == FORMATS.keys()


@dataclass(frozen=True)
class Scalar:
    name: str


@dataclass(frozen=True)
class TupleType:
    items: tuple
    name: str = ""     # of a named tuple
    fields: tuple = ()


@dataclass(frozen=True)
class ArrayType:
    """shape: extents, None where only the run knows one. order: what Numba calls the layout."""
    element: str
    shape: tuple
    order: str = "A"

    @property
    def axes(self):
        return len(self.shape)


@dataclass(frozen=True)
class ElementType:
    """A number of an array's type as it is."""
    element: str


@dataclass(frozen=True)
class RecordType:
    name: str


INT, FLOAT, BOOL = Scalar("int"), Scalar("float"), Scalar("bool")
SCALARS = (INT, FLOAT, BOOL)
PAIR = ("Pair", ("x", "y"))
TRIPLE = ("Triple", ("n", "at", "f"))


class Values(Dice):
    """The scope, random choices, and what every type needs: an expression that makes a value, and the lines that add one to the checksum."""

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def fresh(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def known(self, test):
        return [name for name, type in self.scope.items() if test(type)]

    def of_type(self, type):
        return self.known(lambda t: t == type)

    def assign_new(self, type, text, prefix=None):
        name = self.fresh(prefix or {INT: "n", FLOAT: "x", BOOL: "c"}.get(type, "v"))
        self.emit(f"{name} = {text}")
        self.scope[name] = type
        return name

    # --- expressions ---
    def expression(self, type, depth=2):
        if isinstance(type, TupleType):
            return self.tuple_text(type, depth)
        names = self.of_type(type)
        if isinstance(type, ElementType):
            return self.pick(*names) if names and self.chance(0.4) else self.element_of(type.element)
        if depth > 0 and self.chance(0.12):
            test = self.boolean(depth - 1)
            return f"({self.expression(type, depth - 1)} if {test} else {self.expression(type, depth - 1)})"
        if names and self.chance(0.35 if depth else 0.75):
            return self.pick(*names)
        return {INT: self.integer, FLOAT: self.floating, BOOL: self.boolean}[type](depth)

    def integer(self, depth=2):
        """In -64 to 63."""
        if depth <= 0:
            return str(self.between(-9, 20)) if self.chance(0.8) else self.pick("WEIGHTS[1]", "LIMITS['high']", "Colour.BLUE.value", "MIXED[3][0]", "WEIGHTS[-1]", "SQUARES[1]", "TABLE.shape[1]")
        a = lambda: self.expression(INT, depth - 1)
        forms = [lambda: f"(({a()} {self.pick('+', '-', '*')} {a()}) % {self.between(2, 64)})",
                 lambda: f"({a()} // {self.pick(2, 3, -4, -7)})", lambda: f"({a()} >> {self.between(0, 3)})", lambda: f"({a()} & {self.between(0, 63)})",
                 lambda: f"min({a()}, {a()})", lambda: f"max({a()}, {a()})", lambda: f"(abs({a()}) % {self.between(5, 60)})",
                 lambda: f"int64({self.expression(BOOL, depth - 1)})", lambda: f"(int64({self.expression(FLOAT, depth - 1)}) % 16)"]
        forms += [self.array_number] * 3 + [self.tuple_item_of] * 3 + [self.record_number] * 2 + [self.shape_number]
        return self.pick(*forms)() or a()

    def floating(self, depth=2):
        """A multiple of 1/16, in -64 to 64."""
        if depth <= 0:
            return self.pick("0.5", "-2.25", "3.0625", "1.0", "-0.0625", "7.5", "MIXED[1]", "LIMITS['scale']", "MIXED[-1][1]")
        a = lambda: self.expression(FLOAT, depth - 1)
        forms = [lambda: f"(({a()} {self.pick('+', '-')} {a()}) % {self.pick('8.0', '64.0', '2.5')})", lambda: f"(-{a()})",
                 lambda: f"(({a()} * {self.pick(2, 3, -2)}) % 64.0)", lambda: f"min({a()}, {a()})", lambda: f"max({a()}, {a()})",
                 lambda: f"float64({self.expression(INT, depth - 1)})", lambda: f"({self.expression(INT, depth - 1)} / 16)"]
        forms += [lambda: self.array_number(FLOAT)] * 3 + [lambda: self.tuple_item_of(FLOAT)] * 3 + [lambda: self.record_number(FLOAT)] * 2
        return self.pick(*forms)() or a()

    def boolean(self, depth=2):
        if depth <= 0:
            names = self.of_type(INT)
            return f"{self.pick(*names)} {self.pick('<', '>=', '!=')} {self.between(-9, 30)}" if names else self.pick("True", "False")
        a = lambda type=INT: self.expression(type, depth - 1)
        compare = lambda: self.pick("<", "<=", ">", ">=", "==", "!=")
        forms = [lambda: f"({a()} {compare()} {a()})", lambda: f"({a(FLOAT)} {compare()} {a(FLOAT)})", lambda: f"({a()} {compare()} {a()} {compare()} {a()})",
                 lambda: f"(not {a(BOOL)})", lambda: f"({a(BOOL)} {self.pick('and', 'or')} {a(BOOL)})", lambda: f"({a()} {self.pick('in', 'not in')} ({a()}, {a()}, 3))",
                 lambda: f"({a()} {self.pick('in', 'not in')} WEIGHTS)", lambda: f"({a()} {compare()} {a(FLOAT)})", self.tuple_comparison]
        return self.pick(*forms)() or a(BOOL)

    def index(self, extent):
        """An index that is inside, of either sign."""
        form = self.below_one()
        if form < 0.4:
            return str(self.between(-extent, extent - 1))
        number = f"{self.expression(INT, 1)} % {extent}"
        return number if form < 0.8 else f"{number} - {extent}" if form < 0.9 else f"-1 - {number}"

    def below_one(self):
        return self.random.random()

    # --- the checksum ---
    def add(self, text):
        self.emit(f"h = (h * 31 + {text}) % 65521")

    def show(self, text, type):
        """Lines that add a value to the checksum."""
        if type == FLOAT:
            self.add(f"int64({text} * 16.0)")
        elif type in SCALARS:
            self.add(f"int64({text})")
        elif isinstance(type, TupleType):
            for i, item in enumerate(type.items):
                at = f".{type.fields[i]}" if type.fields and self.chance(0.6) else f"[{i if self.chance(0.7) else i - len(type.items)}]"
                self.show(text + at, item)
        elif isinstance(type, ArrayType):
            self.show_array(text, type)
        elif isinstance(type, ElementType):
            self.add_element(text, type.element)
        else:
            self.show_record(text, type)
