"""Random expressions whose values are known within bounds, so that nothing overflows and no comparison hangs on a rounding."""
import random

from cells import ARITHMETIC, CMATH, COMPARED, SMOOTH, STEPPED, UNARY, impossible
from values import BOOL, C64, C128, COMPLEX, F32, F64, FLOATS, I64, INTS, TYPES, U64, Value, result_of, same_on_cpu

SMALL = 512  # bound of exact floating variables, which are multiples of 1/16
GRID = 4
WIDE = 1024  # bound of rounded floating variables
SLACK = {F32: 2.0 ** -8, F64: 2.0 ** -36, C64: 2.0 ** -8, C128: 2.0 ** -36}  # and how far they may be off
ULPS = 16  # what a function of the libraries may be off


def invariant(type, rounded=False):
    """What every variable and array element of a type keeps to: low, high, grid, error."""
    if type.is_int:
        if type.bits < 64:
            return type.low, type.high, 0, 0.0
        return (-(1 << 40), 1 << 40, 0, 0.0) if type.kind == "int" else (0, 1 << 41, 0, 0.0)
    return (-WIDE, WIDE, None, SLACK[type]) if rounded else (-SMALL, SMALL, GRID, 0.0)


class Expressions:
    def __init__(self, seed):
        self.source = random.Random(seed)
        self.atoms = []      # values of variables and parameters
        self.covered = set() # operator, type, statement
        self.statement = "assign"
        self.powers = {}     # text of a power -> its operands

    # --- choices: only of random(), whose stream Python promises to keep ---
    def below(self, n):
        return int(self.source.random() * n)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, *choices):
        return choices[self.below(len(choices))]

    def chance(self, probability):
        return self.source.random() < probability

    # --- values of a type and an interval ---
    def number(self, x, type):
        """A literal."""
        if type.is_int:
            if type is BOOL:
                return "True" if x else "False"
            return f"{x}" if type is I64 and x >= 0 else f"{type.name}({x})"
        if type is F64:
            return repr(float(x))
        return f"{type.name}({float(x)!r})"

    def literal(self, type, low, high):
        if type.is_int:
            low, high = max(low, type.low), min(high, type.high)
            x = self.between(max(low, -99), min(high, 99)) if low <= 99 and high >= -99 else self.between(low, high)
            return Value(self.number(x, type), type, x, x)
        x = self.between(int(max(low, -9) * 4), int(min(high, 9) * 4)) / 4
        return Value(self.number(x, type), type, x, x, 2)

    def cast(self, value, type):
        if value.type is type:
            return value
        low, high, grid, error = value.low, value.high, value.grid, value.error
        if type is BOOL:
            return Value(f"bool({value.text})", BOOL, 0, 1)
        if type.is_int:
            if low < type.low or high > type.high:  # the low bits of an integer
                low, high = type.low, type.high
            return Value(f"{type.name}({value.text})", type, int(low), int(high))
        if grid is None and type.unit > value.type.unit:
            error += value.size * type.unit
        return Value(f"{type.name}({value.text})", type, low, high, 0 if value.type.is_int else grid, error)

    def masked(self, value, low, high):
        """An integer brought into an interval."""
        if low <= value.low and value.high <= high:
            return value
        span = high - low
        if span == 0:
            return Value(f"({value.text} * 0 + {low})" if value.size < 1 << 50 else self.number(low, I64), I64, low, low)
        bits = (span + 1).bit_length() - 1
        offset = low if low > 0 or high < (1 << bits) - 1 else max(low, -self.below(1 << bits))
        if self.chance(0.6) or (value.type is U64 and value.high >= 1 << 62):
            self.covered.add(("&", value.type, self.statement))
            text = f"({value.text} & {(1 << bits) - 1})"
        else:
            self.covered.add(("%", value.type, self.statement))
            text = f"({value.text} % {1 << bits})"
        type = result_of("and_", value.type, I64)
        if offset:
            text = f"({text} {'+' if offset > 0 else '-'} {abs(offset)})"
        return Value(text, type, offset, offset + (1 << bits) - 1)

    def real(self, value):
        if value.type.is_real:
            return value
        part = self.pick("real", "imag")
        if not value.low <= 0 <= value.high:  # the imaginary part of what was a real number is 0
            part = "real"
        return Value(f"{value.text}.{part}", F32 if value.type is C64 else F64, value.low, value.high, value.grid, value.error)

    def to_integer(self, value, type, low, high):
        value = self.real(value)
        low, high = max(low, type.low), min(high, type.high)
        if type is BOOL:
            if low == high:
                return Value(f"({self.truth(value).text} {'or' if low else 'and not'} True)", BOOL, low, low) if self.chance(0) else self.literal(BOOL, low, low)
            return self.truth(value)
        if value.type.digits:
            if not value.exact:  # far from any rounding: always 0
                value = Value(f"int64({value.text} / {self.number(2 * int(value.size) + 2, value.type)})", I64, 0, 0)
            else:
                value = Value(f"int64({value.text})", I64, int(value.low), int(value.high))
        value = self.masked(value, low, high)
        return self.cast(value, type)

    def floating(self, value, type, low, high, exact=False):
        """A float32 or float64 in an interval."""
        value = self.real(value)
        if value.type.is_int:
            return self.floating_of_int(value, type, low, high)
        if exact and not value.exact:
            return self.floating_of_int(self.to_integer(value, I64, -64, 64), type, low, high)
        if exact and type.bits < value.type.bits:
            value = self.coarse(value)
            if value.size * 2.0 ** value.grid > 2.0 ** type.digits:
                value = self.wrapped(value, -SMALL, SMALL)
        value = self.cast(value, type)
        return self.wrapped(value, low, high)

    def wrapped(self, value, low, high):
        if low <= value.low and value.high <= high:
            return value
        type, span = value.type, high - low
        if value.exact and span >= 1:
            size = 2.0 ** int(span).bit_length() / 2
            offset = low if low > 0 else max(low, -size / 2)
            self.covered.add(("%", type, self.statement))
            text = f"({value.text} % {self.number(size, type)})"
            if offset:
                text = f"({text} + {self.number(offset, type)})"
            return Value(text, type, offset, offset + size, value.grid)
        scale, middle = 1.0, (low + high) / 2
        while value.size * scale > span / 2:
            scale /= 2
        text = f"({value.text} * {self.number(scale, type)})"
        if middle:
            text = f"({text} + {self.number(middle, type)})"
        error = value.error * scale + (abs(middle) + span) * type.unit
        return Value(text, type, middle - value.size * scale, middle + value.size * scale, None, error)

    def floating_of_int(self, value, type, low, high):
        if low > int(low) or int(high) - low < 1:  # a narrow interval: a quarter of an integer, or so
            inner = self.cast(self.masked(value, 0, 63), type)
            scale = (high - low) / 64
            return Value(f"({inner.text} * {self.number(scale, type)} + {self.number(low, type)})", type, low, high, None, 2 * max(abs(low), abs(high)) * type.unit)
        limit = 1 << 14
        return self.cast(self.masked(value, max(int(low), -limit), min(int(high), limit)), type)

    def coarse(self, value):
        """An exact value as a multiple of 1/16, in the range of variables."""
        if value.grid > GRID:
            self.covered.add(("math.floor", value.type, self.statement))
            type = value.type
            value = Value(f"({type.name}(math.floor({value.text} * {self.number(1 << GRID, type)})) * {self.number(2.0 ** -GRID, type)})", type,
                          value.low - 1, value.high, GRID)
        return value

    def truth(self, value):
        """A condition on a value."""
        if value.type is BOOL:
            return value
        value = self.real(value)
        if value.exact:
            other = self.literal(value.type, max(value.low, -9), min(value.high, 9)) if value.high > -9 and value.low < 9 else self.literal(value.type, value.low, value.high)
            compare = self.pick(*COMPARED)
            self.covered.add((compare, value.type, self.statement))
            return Value(f"({value.text} {compare} {other.text})", BOOL, 0, 1)
        return Value(f"({value.text} {self.pick('<', '<=')} {self.number(2 * int(value.size) + 2, value.type)})", BOOL, 1, 1)

    def fit(self, value, type, rounded=False):
        """The value as a variable of this type may hold it."""
        low, high, _, slack = invariant(type, rounded)
        if type is BOOL:
            return self.truth(value)
        if type.is_int:
            return self.to_integer(value, type, low, high)
        if not type.is_real:
            return self.to_complex(value, type, low, high, not rounded)
        if not rounded:
            value = self.floating(value, type, low, high, exact=True)
            value = self.coarse(value)
            return self.wrapped(value, low, high)
        value = self.floating(value, type, low, high)
        return self.settled(value, slack)

    def settled(self, value, slack):
        """A rounded value, damped until its error is below the slack."""
        if value.exact or value.error <= slack:
            return value
        scale = 1.0
        while value.error * scale + value.size * scale * value.type.unit > slack:
            scale /= 2
        return Value(f"({value.text} * {self.number(scale, value.type)})", value.type, value.low * scale, value.high * scale, None, slack)

    def to_complex(self, value, type, low, high, exact):
        part = F32 if type is C64 else F64
        _, _, _, slack = invariant(type, True)
        if value.type.is_real:
            real = self.fit_part(value, part, low, high, exact, slack)
            return Value(f"{type.name}({real.text})", type, min(real.low, 0), max(real.high, 0), real.grid, real.error)
        if value.type is type and low <= value.low and value.high <= high and (not exact or value.exact and value.grid <= GRID) and value.error <= slack:
            return value
        here = F32 if value.type is C64 else F64
        parts = [self.fit_part(Value(f"{value.text}.{name}", here, value.low, value.high, value.grid, value.error), part, low, high, exact, slack)
                 for name in ("real", "imag")]
        return self.complex_of(*parts, type)

    def fit_part(self, value, type, low, high, exact, slack):
        value = self.floating(value, type, low, high, exact)
        if exact:
            return self.wrapped(self.coarse(value), low, high)
        return self.settled(value, slack)

    def complex_of(self, real, imag, type):
        grid = max(real.grid, imag.grid) if real.exact and imag.exact else None
        return Value(f"{type.name}(complex({real.text}, {imag.text}))", type, min(real.low, imag.low), max(real.high, imag.high), grid,
                     max(real.error, imag.error))

    # --- expressions ---
    def any_value(self, depth):
        """A value of any type."""
        if depth <= 0 or self.chance(0.3):
            if self.chance(0.15):
                return self.literal(self.pick(I64, F64, *TYPES.values()), -9, 9) if self.chance(0.8) else self.literal(self.pick(U64, I64, BOOL), 0, 1)
            return self.pick(*self.atoms)
        from cells import OPERATORS
        while True:
            operator, type = self.pick(*OPERATORS), self.pick(*TYPES.values())
            if impossible(operator, type, self.statement) is None and operator not in ("and", "or"):
                return self.operation(operator, type, depth)

    def operand(self, type, depth, low=None, high=None, exact=False):
        """A value of a type within an interval (of exact floats, on the grid of variables)."""
        known = [v for v in self.atoms if v.type is type and (not exact or v.exact)]
        value = self.pick(*known) if known and (depth <= 0 or self.chance(0.6)) else self.any_value(depth - 1)
        if type.is_int:
            a, b = (type.low, type.high) if type.bits < 64 else invariant(type)[:2]
            return self.to_integer(value, type, a if low is None else low, b if high is None else high)
        if type.is_real:
            bound = SMALL if exact else WIDE
            value = self.floating(value, type, -bound if low is None else low, bound if high is None else high, exact)
            return self.coarse(value) if exact else value
        bound = SMALL if exact else WIDE
        return self.to_complex(value, type, -bound if low is None else low, bound if high is None else high, exact)

    def other(self, operator, type):
        """A type for the second operand."""
        if self.chance(0.4):
            return type
        return self.pick(*[t for t in TYPES.values() if result_of(operator, type, t) is not None])

    def typed(self, function, types, text):
        """The text with a cast, where Numba's CPU compiler gives another type."""
        if same_on_cpu(function, *types):
            return text
        return f"{result_of(function, *types).name}({text})"

    def operation(self, operator, type, depth):
        """An operator on an operand of a type."""
        self.covered.add((operator, type, self.statement))
        if operator in ARITHMETIC:
            return self.arithmetic(operator, type, depth)
        if operator in COMPARED:
            return self.comparison(operator, type, depth)
        if operator in UNARY:
            return self.unary(operator, type, depth)
        if operator.endswith("()") and operator[0] != ".":
            return self.conversion(operator[:-2], type, depth)
        if operator.startswith("math."):
            return self.math(operator[5:], type, depth)
        if operator.startswith("cmath."):
            return self.cmath(operator[6:], type, depth)
        if operator[0] == ".":
            z = self.operand(type, depth)
            part = F32 if type is C64 else F64
            return Value(f"{z.text}{operator}", type if operator.endswith(")") else part, -z.size, z.size, z.grid, z.error)
        return getattr(self, "builtin_" + operator)(type, depth)

    def arithmetic(self, operator, type, depth, left=None):
        function = ARITHMETIC[operator]
        second = self.other(function, type)
        result = result_of(function, type, second)
        if type.is_int and second.is_int:
            return self.of_integers(operator, function, type, second, result, depth, left)
        if not result.is_real:
            return self.of_complex(operator, type, second, result, depth, left)
        return self.of_floats(operator, type, second, result, depth, left)

    def of_integers(self, operator, function, t1, t2, result, depth, left):
        unsigned = result.kind == "uint"
        least = lambda t, n: max(t.low, -n)
        most = lambda t, n: min(t.high, n)
        operand = lambda t, low, high: self.operand(t, depth, low, high)
        big = 1 << 41
        a_range, b_range = (least(t1, big), most(t1, big)), (least(t2, big), most(t2, big))
        if operator == "-" and unsigned:
            half = min(most(t1, big) // 2, most(t2, big))
            a_range, b_range = (half, 2 * half), (0, half)
        elif operator == "*":
            a_range, b_range = (least(t1, 1 << 30), most(t1, 1 << 30)), (least(t2, 1 << 30), most(t2, 1 << 30))
        elif operator in ("//", "%", "/"):
            low, high = (1, most(t2, big)) if t2.low == 0 or self.chance(0.6) else (least(t2, 1 << 20), -1)
            b_range = low, high
        elif operator == "**":
            a_range, b_range = (least(t1, 8), most(t1, 8)), (0, most(t2, 5))
        elif operator == "<<":
            a_range, b_range = (least(t1, 1 << 20), most(t1, 1 << 20)), (0, most(t2, 20))
        elif operator == ">>":
            b_range = 0, most(t2, 62)
        a = operand(t1, *a_range) if left is None else left
        if left is not None:
            b_range = self.beside(operator, left, b_range, unsigned)
        b = operand(t2, *b_range)
        text = self.infix(operator, a, b)
        if operator == "/":
            size = a.size
            return Value(text, result, -size, size, None, 4 * size * result.unit)
        low, high = self.interval(operator, a, b, result)
        return Value(text, result, low, high)

    def beside(self, operator, left, b_range, unsigned):
        """The interval of the right operand, where the left one is given."""
        low, high = b_range
        if operator == "-" and unsigned:
            return 0, min(high, left.low)
        if operator == "*" and left.size >= 1 << 30:
            return max(low, -(1 << 20)), min(high, 1 << 20)
        if operator == "**" and left.size > 8:
            return 0, 1
        return b_range

    def infix(self, operator, a, b):
        text = f"({a.text} {operator} {b.text})"
        if operator == "**":
            self.powers[text] = f"{a.text}, {b.text}"
        return text

    def interval(self, operator, a, b, result):
        if operator == "+":
            return a.low + b.low, a.high + b.high
        if operator == "-":
            return a.low - b.high, a.high - b.low
        if operator == "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return min(corners), max(corners)
        if operator == "//":
            return (0 if a.low >= 0 and b.low > 0 else -a.size - 1), a.size + 1
        if operator == "%":
            return (0, b.high - 1) if b.low > 0 else (b.low + 1, 0)
        if operator == "**":
            size = max(a.size, 1) ** b.high
            return (0 if a.low >= 0 else -size), size
        if operator == "<<":
            return (a.low << b.high if a.low < 0 else 0), max(a.high << b.high, 0)
        if operator == ">>":
            return (a.low if a.low < 0 else 0), max(a.high, 0)
        if result is BOOL:
            return 0, 1
        bits = max(x.bit_length() for v in (a, b) for x in (v.low, v.high))
        return (0 if a.low >= 0 and b.low >= 0 else -(1 << bits)), (1 << bits) - 1

    def of_floats(self, operator, t1, t2, result, depth, left):
        exact = operator in ("//", "%") or self.chance(0.5)
        part = lambda t, low=None, high=None: self.part(t, depth, exact, low, high)
        if operator == "**":
            if t2.is_int:
                a = part(t1, -8, 8) if left is None else left
                b = part(t2, 0, 4 if left is None else 1)
                size = max(a.size, 1) ** 4
                return Value(self.infix("**", a, b), result, -size, size, None, 4 * size * (a.error + ULPS * result.unit))
            a, b = part(t1, 1, 8) if left is None or left.low < 1 else left, part(t2, -3, 3)
            size = max(a.size, 1) ** 3
            return Value(self.infix("**", a, b), result, 0, size, None, 4 * size * (a.error + 3 * b.error + ULPS * result.unit))
        a = part(t1) if left is None else left
        b = part(t2, 1, SMALL if exact else WIDE) if operator in ("/", "//", "%") else part(t2)
        if operator in ("//", "%") and not a.exact:
            a = self.floating(a, a.type, -SMALL, SMALL, exact=True)
        text = f"({a.text} {operator} {b.text})"
        rounding = result.unit
        grid = max(a.grid, b.grid) if a.exact and b.exact else None
        if operator in ("+", "-"):
            size = a.size + b.size
            return Value(text, result, -size, size, grid, 0.0 if grid is not None else a.error + b.error + 2 * size * rounding)
        if operator == "*":
            size = a.size * b.size
            error = a.error * b.size + b.error * a.size + a.error * b.error + 2 * size * rounding
            return Value(text, result, -size, size, a.grid + b.grid if grid is not None else None, 0.0 if grid is not None else error)
        if operator == "/":
            return Value(text, result, -a.size, a.size, None, a.error + a.size * (b.error + 4 * rounding))
        if operator == "//":
            return Value(text, result, -a.size - 1, a.size, 0)
        return Value(text, result, 0, b.high, grid)

    def part(self, type, depth, exact, low=None, high=None):
        """An operand of real arithmetic: an integer that every floating type holds, or a float."""
        if type.is_int:
            return self.operand(type, depth, max(type.low, -(1 << 12) if low is None else int(low)), min(type.high, 1 << 12 if high is None else int(high)))
        return self.operand(type, depth, low, high, exact)

    def of_complex(self, operator, t1, t2, result, depth, left):
        exact = self.chance(0.5) and operator != "**"
        operand = lambda t: self.part(t, depth, exact) if t.is_real else self.operand(t, depth, exact=exact)
        a = operand(t1) if left is None else left
        if operator == "**":
            if left is None:
                a = self.positive(t1, depth)
            b = self.literal(I64, 2, 2) if result_of("pow", t1, I64) is result and self.chance(0.3) else self.literal(t2, 1, 2 if left is None else 1) if t2.is_int or t2.digits else self.literal(t2, 1, 1)
            size = max(a.size, 1) ** 2 * 2
            return Value(self.infix("**", a, b), result, -size, size, None, 4 * (a.size + 1) * a.error + 8 * size * ULPS * result.unit)
        b = self.positive(t2, depth) if operator == "/" else operand(t2)
        text, rounding = f"({a.text} {operator} {b.text})", result.unit
        grid = max(a.grid, b.grid) if a.exact and b.exact else None
        if operator in ("+", "-"):
            size = a.size + b.size
            return Value(text, result, -size, size, grid, 0.0 if grid is not None else a.error + b.error + 2 * size * rounding)
        size = 2 * a.size * b.size
        if operator == "*":
            error = 2 * (a.error * b.size + b.error * a.size + a.error * b.error) + 4 * size * rounding
            return Value(text, result, -size, size, a.grid + b.grid if grid is not None else None, 0.0 if grid is not None else error)
        return Value(text, result, -2 * a.size, 2 * a.size, None, 2 * (a.error + a.size * (2 * b.error + ULPS * rounding)))

    def positive(self, type, depth):
        """A number whose real part is at least 1."""
        if type.is_int:
            return self.operand(type, depth, 1, min(type.high, 8))
        if type.is_real:
            return self.operand(type, depth, 1, 9)
        return self.shaped(type, depth, 1, 9, 8)

    def shaped(self, type, depth, low, high, size):
        """A complex number whose parts lie in the given intervals."""
        part = F32 if type is C64 else F64
        real, imag = self.operand(part, depth, low, high), self.operand(part, depth, -size, size)
        return self.complex_of(real, imag, type)

    def comparison(self, operator, type, depth):
        function = COMPARED[operator]
        second = self.other(function, type)
        if self.statement == "chain":
            second = type
        def side(t):
            if t.is_real:
                return self.part(t, depth, True) if t.digits or type.digits or second.digits else self.operand(t, depth)
            return self.operand(t, depth, exact=True)
        return Value(f"({side(type).text} {operator} {side(second).text})", BOOL, 0, 1)

    def unary(self, operator, type, depth):
        result = result_of({"not": "not_"}.get(operator, operator), type)
        if operator == "not":
            value = self.part(type, depth, True) if type.is_real else self.operand(type, depth, exact=True)
            return Value(f"(not {value.text})", BOOL, 0, 1)
        value = self.operand(type, depth, type.low + 1 if type.kind == "int" and type.bits < 64 else None)
        text = f"({UNARY[operator]}{value.text})"
        if result is BOOL or operator == "pos":
            return Value(text, result, value.low, value.high, value.grid, value.error)
        if type.kind == "uint":  # compilers differ on where it wraps; the low bits are the same
            bits = min(type.bits, 40)
            return Value(f"({text} & {(1 << bits) - 1})", I64, 0, (1 << bits) - 1)
        return Value(text, result, -value.high - (operator == "invert"), -value.low, value.grid, value.error)

    def conversion(self, name, type, depth):
        if name == "complex":
            part = self.part(type, depth, True) if type.is_real else self.operand(type, depth, exact=True)
            if not type.is_real:
                return Value(f"complex128(complex({part.text}.imag, {part.text}.real))", C128, part.low, part.high, part.grid, part.error)
            result = C128
            return Value(f"complex128(complex({part.text}, {part.text}))", result, part.low, part.high, 0 if type.is_int else part.grid, part.error)
        target = {"int": type if type.is_int and type is not BOOL else I64, "float": type if type.digits else F64, "bool": BOOL}.get(name) or TYPES[name]
        exact = target.is_int and type.digits > 0
        if exact and type.is_real:
            low, high = max(target.low, -SMALL), min(target.high, SMALL)
            value = self.operand(type, depth, low, high, exact=True) if target is not BOOL else self.operand(type, depth, exact=True)
        elif type.is_int and target.digits:
            value = self.part(type, depth, True)
        else:
            value = self.operand(type, depth, exact=exact)
        result = self.cast(value, target) if value.type is not target else Value(value.text, target, value.low, value.high, value.grid, value.error)
        result.text = f"{name}({value.text})"
        return result

    # --- builtins ---
    def builtin_abs(self, type, depth):
        value = self.operand(type, depth, -type.high if type.kind == "int" and type.bits < 64 else None)
        if not type.is_real:
            part = F32 if type is C64 else F64
            return Value(f"abs({value.text})", part, 0, 1.5 * value.size, None, 2 * value.error + ULPS * 2 * value.size * part.unit)
        return Value(f"abs({value.text})", result_of("abs", type), 0, value.size, value.grid, value.error)

    def minmax(self, name, type, depth):
        second = self.pick(*[t for t in TYPES.values() if t.is_real])
        result = result_of(name, type, second)
        if result is None or self.chance(0.4):
            second = type
            result = result_of(name, type, type)
        a, b = (self.part(t, depth, True) if result.digits else self.operand(t, depth) for t in (type, second))
        text = self.typed(name, (type, second), f"{name}({a.text}, {b.text})")
        return Value(text, result, min(a.low, b.low), max(a.high, b.high), max(a.grid, b.grid) if result.digits else 0)

    def builtin_min(self, type, depth):
        return self.minmax("min", type, depth)

    def builtin_max(self, type, depth):
        return self.minmax("max", type, depth)

    def builtin_round(self, type, depth):
        value = self.part(type, depth, True)
        return Value(f"round({value.text})", I64, int(value.low) - 1, int(value.high) + 1)

    def builtin_round2(self, type, depth):
        self.covered.add(("round2", type, self.statement))
        value = self.operand(type, depth, exact=True)
        return Value(f"round({value.text}, {self.pick(1, 2, 3)})", type, value.low - 1, value.high + 1, None, (value.size + 1) * 4 * type.unit)

    def builtin_divmod(self, type, depth):
        if type.is_int:
            divisor = self.operand(type, depth, 1, min(type.high, 1 << 20))
            value = self.operand(type, depth)
            result = I64 if type is BOOL else TYPES["uint64" if type.kind == "uint" else "int64"]
            item, low, high = self.pick((0, value.low, max(value.high, 0)), (1, 0, divisor.high - 1))
            return Value(f"divmod({value.text}, {divisor.text})[{item}]", result, min(low, 0), high)
        divisor, value = self.operand(type, depth, 1, 32, exact=True), self.operand(type, depth, exact=True)
        item, low, high, grid = self.pick((0, -value.size - 1, value.size, 0), (1, 0, divisor.high, max(value.grid, divisor.grid)))
        return Value(f"divmod({value.text}, {divisor.text})[{item}]", type, low, high, grid)

    def builtin_pow(self, type, depth):
        value = self.arithmetic("**", type, depth)
        value.text = f"pow({self.powers[value.text]})"
        return value

    def builtin_in(self, type, depth):
        items = [self.part(type, depth, True) for _ in range(3)]
        return Value(f"({items[0].text} {self.pick('in', 'not in')} ({items[1].text}, {items[2].text}))", BOOL, 0, 1)

    def logical(self, word, type, depth):
        a, b = self.part(type, depth, True), self.part(type, depth, True)
        return Value(f"({a.text} {word} {b.text})", type, min(a.low, b.low), max(a.high, b.high), max(a.grid, b.grid))

    def builtin_and(self, type, depth):
        return self.logical("and", type, depth)

    def builtin_or(self, type, depth):
        return self.logical("or", type, depth)

    # --- math ---
    def math(self, name, type, depth):
        if name in SMOOTH:
            low, high, slope, size = SMOOTH[name]
            x = self.within(type, depth, low, high)
            result = result_of("math." + name, type)
            size = max(size, 1)
            return Value(f"math.{name}({x.text})", result, -size, size, None, slope * (x.error + 2 * max(abs(low), abs(high), 1) * (F32.unit if type is F32 or result is F32 else 0)) * 1.5 + ULPS * size * result.unit)
        if name in STEPPED:
            x = self.part(type, depth, True)
            result = result_of("math." + name, type)
            return Value(f"{result.name}(math.{name}({x.text}))", result, x.low - 1, x.high + 1, 0)
        if name == "fabs":
            x = self.part(type, depth, self.chance(0.5))
            return Value(f"math.fabs({x.text})", result_of("math.fabs", type), 0, x.size, x.grid, x.error)
        if name.startswith("is"):
            x = self.part(type, depth, False)
            return Value(f"math.{name}({x.text})", BOOL, 0, 1)
        if name in ("frexp", "modf"):
            x = self.operand(type, depth, exact=True)
            item, result, low, high, grid = (1, TYPES["int32"], -8, 12, 0) if name == "frexp" else self.pick((0, type, -1, 1, x.grid), (1, type, x.low, x.high, 0))
            return Value(f"math.{name}({x.text})[{item}]", result, low, high, grid)
        if name == "ldexp":
            x, n = self.operand(type, depth, exact=True), self.operand(TYPES["int32"], depth, -4, 4)
            text = self.typed("math.ldexp", (type, TYPES["int32"]), f"math.ldexp({x.text}, {n.text})")
            return Value(text, type, -16 * x.size, 16 * x.size, x.grid + 4)
        return self.math_of_two(name, type, depth)

    def within(self, type, depth, low, high):
        if type.is_int:
            if low > int(low) or high < 1 or int(high) == int(low):
                low, high = 0, 0
            if type is BOOL and low > 1:  # `acosh`, `lgamma`: fine at 1, not at 0
                low = high = 1
            return self.operand(type, depth, max(type.low, int(low)), min(type.high, int(high)))
        return self.operand(type, depth, low, high)

    def math_of_two(self, name, type, depth):
        second = self.pick(type, *[t for t in TYPES.values() if t.is_real])
        result = result_of("math." + name, type, second)
        if result is None:
            second, result = type, result_of("math." + name, type, type)
        exact = name in ("fmod", "remainder", "copysign")
        positive = {"fmod": (1, 64), "remainder": (1, 64), "copysign": (1, 64), "atan2": (1, 64), "pow": (0, 3)}.get(name)
        x = self.within(type, depth, 1, 8) if name == "pow" else self.part(type, depth, exact)
        y = self.part(second, depth, exact, *positive) if positive and not second.is_int else \
            self.operand(second, depth, max(second.low, positive[0] if positive else -4096), min(second.high, positive[1] if positive else 4096))
        if name == "copysign" and self.chance(0.5) and second.digits:
            y = Value(f"(-{y.text})", second, -y.high, -y.low, y.grid, y.error)
        text = self.typed("math." + name, (type, second), f"math.{name}({x.text}, {y.text})")
        if exact:
            size = x.size if name == "copysign" else max(y.size, x.size)
            return Value(text, result, -size, size, max(x.grid, y.grid))
        rounding = F32.unit if F32 in (type, second, result) else result.unit
        size = {"hypot": 1.5 * (x.size + y.size), "atan2": 1.6, "pow": 512}[name]
        slope = {"hypot": 1, "atan2": 1, "pow": 4 * 512}[name]
        return Value(text, result, -size, size, None, slope * (x.error + y.error) + ULPS * 4 * size * rounding)

    def cmath(self, name, type, depth):
        low, high, imaginary, slope, size = CMATH[name]
        z = self.shaped(type, depth, low, high, imaginary)
        result = (F32 if type is C64 else F64) if name == "phase" else type
        return Value(f"cmath.{name}({z.text})", result, -size, size, None, 2 * slope * z.error + 4 * ULPS * size * type.unit)
