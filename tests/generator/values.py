"""Types, what Numba makes of them, and values: the text of an expression with its type and what is known about it."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))


class Type:
    def __init__(self, name, kind, bits):
        self.name, self.kind, self.bits = name, kind, bits
        self.is_int = kind in ("bool", "int", "uint")
        self.is_real = kind != "complex"
        if kind == "int":
            self.low, self.high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        elif self.is_int:
            self.low, self.high = 0, (1 << bits) - 1 if kind == "uint" else 1
        else:
            self.low, self.high = float("-inf"), float("inf")
        self.digits = {"float32": 24, "complex64": 24, "float64": 53, "complex128": 53}.get(name, 0)
        self.unit = 2.0 ** -self.digits if self.digits else 0.0  # relative error of one rounding

    def __repr__(self):
        return self.name

    def __reduce__(self):  # one object for each type, in every process
        return type_of_name, (self.name,)


def type_of_name(name):
    return TYPES[name]


TYPES = {t.name: t for t in [Type("boolean", "bool", 1)] + [Type(f"int{n}", "int", n) for n in (8, 16, 32, 64)] +
         [Type(f"uint{n}", "uint", n) for n in (8, 16, 32, 64)] + [Type("float32", "float", 32), Type("float64", "float", 64),
                                                                  Type("complex64", "complex", 64), Type("complex128", "complex", 128)]}
BOOL, I64, U64 = TYPES["boolean"], TYPES["int64"], TYPES["uint64"]
F32, F64, C64, C128 = TYPES["float32"], TYPES["float64"], TYPES["complex64"], TYPES["complex128"]
INTS = [t for t in TYPES.values() if t.is_int]
FLOATS, COMPLEX = [F32, F64], [C64, C128]


def read_facts():
    """(function, argument types) -> (numba-cuda's result, whether Numba's CPU compiler says the same or None where it refuses)."""
    facts = {}

    def read(path, columns):
        with open(os.path.join(HERE, path), encoding="utf-8") as lines:
            for line in lines:
                if not line.startswith("#"):
                    columns(*line.rstrip("\n").split("\t"))

    data = "../oracle/data/"
    read(data + "binary.tsv", lambda op, a, b, result, _: facts.__setitem__((op, a, b), (result, True)))
    read(data + "unary.tsv", lambda op, a, result, _: facts.__setitem__((op, a), (result, True)))
    for name in ("builtins.tsv", "math.tsv"):
        read(data + name, lambda f, args, result, _: facts.__setitem__((f, *args.split(",")), (result, True)))
    read(data + "unify.tsv", lambda a, b, result: facts.__setitem__(("unify", a, b), (result, True)))
    read(data + "range.tsv", lambda args, result, _: facts.__setitem__(("range", *args.split(",")), (result, True)))
    read("data/cpu_types.tsv", lambda f, args, cuda, cpu: facts.__setitem__((f, *args.split(",")), (cuda, None if cpu == "-" else False)))
    return facts


FACTS = read_facts()


def result_of(function, *types):
    """The type that numba-cuda gives a call or an operator, or None."""
    name = FACTS.get((function, *(t.name for t in types)), ("-", True))[0]
    return TYPES.get(name)


def same_on_cpu(function, *types):
    return FACTS[(function, *(t.name for t in types))][1] is True


class Value:
    """The text of an expression, its type, and what is known of its value.

    low, high: the interval that it lies in; of a complex number, that of both parts
    grid:      a floating value is a multiple of 2**-grid, computed without rounding; None: it is rounded
    error:     how far a rounded value may be from that of another compiler
    """

    def __init__(self, text, type, low, high, grid=0, error=0.0):
        self.text, self.type, self.low, self.high, self.grid, self.error = text, type, low, high, grid, error
        if not type.is_int and grid is not None and self.size * 2.0 ** grid > 2.0 ** type.digits:
            self.grid, self.error = None, error + self.size * type.unit

    @property
    def size(self):
        return max(abs(self.low), abs(self.high))

    @property
    def exact(self):
        return self.grid is not None
