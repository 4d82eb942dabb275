"""Expressions of numbers in loops of random host functions.

An expression has a category: `i` signed integers that compute in int64, `u` uint64, `f` floats, `c` complex numbers, `b` truth values.
Nothing is undefined for Numba: divisors are positive, shifts are small, and floats become no integers.
"""
import random

from host_arrays import DTYPES
from values import TYPES

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
CATEGORIES = {"bool": "b", "int": "i", "uint": "u", "float": "f", "complex": "c"}


class Dice:
    def __init__(self, seed):
        self.dice = random.Random(seed)

    def chance(self, p):
        return self.dice.random() < p

    def pick(self, *of):
        return self.dice.choice(of)

    def between(self, low, high):
        return self.dice.randint(low, high)


class Scalars(Dice):
    """What a function in the making has of numbers. `names` are the variables of each category, `loads(category)` elements of arrays."""

    def __init__(self, seed):
        super().__init__(seed)
        self.names = {category: [] for category in "iufcb"}
        self.helpers = []

    def expression(self, category, depth=2):
        return {"i": self.integer, "u": self.unsigned, "f": self.floating, "c": self.complex, "b": self.condition}[category](depth)

    def leaf(self, category):
        """A variable or an element, or None."""
        load = self.load(category) if self.chance(0.65) else None
        return load or (self.pick(*self.names[category]) if self.names[category] else self.load(category))

    def integer(self, depth):
        if depth == 0 or self.chance(0.15):
            return self.chance(0.9) and (self.leaf("i") or self.as_integer()) or str(self.pick(0, 1, 2, 3, 7, -1, -5, 100, 255, 1 << 31))
        x = self.integer(depth - 1)
        kind = self.between(0, 13)
        if kind <= 4:
            return f"({x} {self.pick('+', '+', '-', '*')} {self.integer(depth - 1)})"
        if kind == 5:
            return f"({x} {self.pick('&', '|', '^')} {self.integer(depth - 1)})"
        if kind == 6:
            return f"({x} {self.pick('>> 1', '>> 3', '<< 2', '// 3', '% 5', '// 8', '% 8', '% 256')})"
        if kind == 7:
            return f"({x} {self.pick('//', '%')} (({self.integer(depth - 1)} & 15) + 1))"
        if kind == 8:
            return f"{self.pick('min', 'max')}({x}, {self.integer(depth - 1)})"
        if kind == 9:
            return f"abs({x})" if self.chance(0.5) else f"(-{x})"
        if kind == 10:
            return f"({x} if {self.condition(depth - 1)} else {self.integer(depth - 1)})"
        if kind == 11:
            name = self.pick(*SIGNED, *UNSIGNED[:3])
            return f"np.{name}({x})" if name in SIGNED else f"np.int64(np.{name}({x}))"
        if kind == 12 and self.helpers:
            return f"{self.pick(*self.helpers)}({x}, {self.integer(depth - 1)})"
        return f"min(max({x}, {self.between(-9, 0)}), {self.between(1, 300)})"

    def as_integer(self):
        category = self.pick("u", "b")
        value = self.leaf(category)
        return value and f"{self.pick('np.int64', 'int') if category == 'b' else 'np.int64'}({value})"

    def unsigned(self, depth):
        if depth == 0 or self.chance(0.2):
            return self.leaf("u") or f"np.uint64({self.pick(0, 1, 3, 255, 1 << 40)})"
        x, y = self.unsigned(depth - 1), self.unsigned(depth - 1)
        return self.pick(f"({x} {self.pick('+', '-', '*', '&', '|', '^')} {y})", f"{self.pick('min', 'max')}({x}, {y})", f"({x} if {self.condition(depth - 1)} else {y})",
                         f"({x} >> np.uint64({self.between(0, 7)}))", f"np.uint64({self.integer(depth - 1)})", f"({x} // (({y} & np.uint64(7)) + np.uint64(1)))")

    def floating(self, depth):
        if depth == 0 or self.chance(0.15):
            return self.chance(0.9) and self.leaf("f") or self.pick("0.5", "1.0", "-2.0", "3.25", "np.float32(1.5)", "0.0")
        x = self.floating(depth - 1)
        kind = self.between(0, 11)
        if kind <= 4:
            return f"({x} {self.pick('+', '-', '*')} {self.floating(depth - 1)})"
        if kind == 5:
            return f"({x} / (abs({self.floating(depth - 1)}) + 1.0))"
        if kind == 6:
            return f"{self.pick('min', 'max')}({x}, {self.floating(depth - 1)})"
        if kind == 7:
            return self.pick(f"abs({x})", f"(-{x})", f"math.sqrt(abs({x}))", f"np.floor({x})")
        if kind == 8:
            return f"({x} if {self.condition(depth - 1)} else {self.floating(depth - 1)})"
        if kind == 9:
            return f"({x} {self.pick('+', '*')} {self.integer(depth - 1)})"
        if kind == 10:
            return f"{self.pick('np.float32', 'np.float64')}({x})"
        return f"np.float64({self.integer(depth - 1)})"

    def complex(self, depth):
        if depth == 0:
            return self.leaf("c") or self.pick("1j", "(0.5-2j)")
        x = self.complex(depth - 1)
        return self.pick(f"({x} {self.pick('+', '-')} {self.complex(depth - 1)})", f"({x} * {self.floating(0)})", f"({x} + {self.floating(depth - 1)})", f"np.conj({x})")

    def condition(self, depth):
        kind = self.between(0, 10)
        guarded = self.guarded_condition() if kind == 10 and depth > 0 else None
        if guarded:
            return guarded
        if depth > 0 and kind == 0:
            return f"({self.condition(depth - 1)} {self.pick('and', 'or')} {self.condition(depth - 1)})"
        if kind == 1:
            return f"(not {self.condition(max(depth - 1, 0))})" if depth else self.leaf("b") or "True"
        if kind == 2 and self.leaf("b"):
            return self.leaf("b")
        if kind == 3:
            return f"({self.between(-4, 0)} <= {self.integer(0)} < {self.between(1, 9)})"
        category = self.pick(*[c for c in "iiffu" if self.leaf(c)] or "i")
        sign = self.pick("<", "<=", ">", ">=", "==", "!=")
        depth = max(depth - 1, 0)
        return f"({self.expression(category, depth)} {sign} {self.expression(category, depth)})"

    def narrow(self):
        """A type that wraps, as a variable of it is assigned."""
        return TYPES[self.pick(*SIGNED[:3], *UNSIGNED[:3])]

    def converted(self, type, depth=2):
        """An expression that an element or a variable of the type can hold."""
        category = CATEGORIES[type.kind]
        if category in "iu":
            return self.expression(self.pick("i", "i", category), depth)
        if category == "f" and self.chance(0.2):
            return self.integer(depth)
        if category == "c" and self.chance(0.3):
            return self.floating(depth)
        return self.expression(category, depth)

    def cast(self, type, text):
        return f"{DTYPES[type.name]}({text})"
