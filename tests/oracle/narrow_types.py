"""The result types of NumPy 2 for operators on scalars, with weak Python numbers (NEP 50): what narrow typing is held to.

    python narrow_types.py > data/narrow.tsv        (numpy 2.4)

Columns: operator, left, right, result. An operand is a type, or the Python number 1, 0.5 or 1j; `-`: refused, or an operand that a
unary operator lacks.
"""

import operator
import warnings

import numpy as np

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
OPERANDS = {name: getattr(np, name)(1) for name in NAMES} | {"1": 1, "0.5": 0.5, "1j": 1j}
BINARY = {
    "Add": operator.add, "Sub": operator.sub, "Mul": operator.mul, "TrueDiv": operator.truediv, "FloorDiv": operator.floordiv,
    "Mod": operator.mod, "Pow": operator.pow, "Shl": operator.lshift, "Shr": operator.rshift, "BitAnd": operator.and_,
    "BitOr": operator.or_, "BitXor": operator.xor, "Lt": operator.lt, "Eq": operator.eq,
}
UNARY = {"Neg": operator.neg, "Pos": operator.pos, "Invert": operator.invert}


def result(function, *operands):
    try:
        return np.asarray(function(*operands)).dtype.name
    except TypeError:
        return "-"


warnings.simplefilter("ignore")
print(f"# numpy {np.__version__}")
for op, function in BINARY.items():
    for left, x in OPERANDS.items():
        for right, y in OPERANDS.items():
            if isinstance(x, np.generic) or isinstance(y, np.generic):
                print(op, left, right, result(function, x, y), sep="\t")
for op, function in UNARY.items():
    for name in NAMES:
        print(op, name, "-", result(function, OPERANDS[name]), sep="\t")
