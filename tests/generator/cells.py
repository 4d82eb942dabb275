"""The cells that the generator covers: operator × type of an operand × statement, and why some cannot be."""
from values import COMPLEX, TYPES, result_of

STATEMENTS = ["assign", "augmented", "unpack", "if", "while", "for", "ternary", "chain", "index", "store", "call", "return", "shared",
              "local", "atomic", "exit"]
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "<<": "lshift",
              ">>": "rshift", "&": "and_", "|": "or_", "^": "xor"}
COMPARED = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
UNARY = {"neg": "-", "pos": "+", "invert": "~", "not": "not "}
CASTS = [name + "()" for name in TYPES] + ["int()", "float()", "bool()", "complex()"]
BUILTINS = ["abs", "min", "max", "round", "round2", "divmod", "pow", "in", "and", "or"]
# name: (least, greatest argument, greatest slope there, greatest result)
SMOOTH = {"sin": (-1024, 1024, 1, 1), "cos": (-1024, 1024, 1, 1), "tan": (-1, 1, 3.5, 1.6), "tanh": (-1024, 1024, 1, 1),
          "atan": (-1024, 1024, 1, 1.6), "erf": (-64, 64, 1.2, 1), "erfc": (-2, 2, 1.2, 2), "exp": (-8, 8, 2981, 2981), "exp2": (-8, 8, 178, 256),
          "expm1": (-8, 8, 2981, 2981), "sinh": (-8, 8, 1491, 1491), "cosh": (-8, 8, 1491, 1491), "log": (1, 1025, 1, 7),
          "log2": (1, 1025, 1.5, 11), "log10": (1, 1025, 0.5, 4), "log1p": (0, 1024, 1, 7), "sqrt": (1, 1025, 0.5, 33), "asin": (-0.5, 0.5, 1.2, 1),
          "acos": (-0.5, 0.5, 1.2, 2.2), "atanh": (-0.5, 0.5, 1.4, 1), "asinh": (-1024, 1024, 1, 8), "acosh": (2, 1026, 0.6, 8),
          "gamma": (1, 5, 40, 24), "lgamma": (3, 9, 2.2, 11), "degrees": (-8, 8, 58, 460), "radians": (-1024, 1024, 0.02, 18)}
STEPPED = ["floor", "ceil", "trunc"]
MATH = ["math." + name for name in list(SMOOTH) + STEPPED + ["fabs", "isnan", "isinf", "isfinite", "copysign", "fmod", "remainder", "hypot", "atan2",
                                                            "pow", "ldexp", "frexp", "modf"]]
# name: (real part from, to, size of the imaginary part, slope, size)
CMATH = {"sqrt": (1, 9, 8, 0.5, 4), "exp": (-4, 4, 4, 55, 55), "sin": (-2, 2, 2, 3.8, 3.8), "cos": (-2, 2, 2, 3.8, 3.8), "log": (1, 9, 8, 1, 4),
         "sinh": (-2, 2, 2, 3.8, 3.8), "cosh": (-2, 2, 2, 3.8, 3.8), "tanh": (-0.5, 0.5, 0.5, 1.7, 1), "phase": (1, 9, 8, 1, 1.6)}
PARTS = [".real", ".imag", ".conjugate()"]
OPERATORS = list(ARITHMETIC) + list(COMPARED) + list(UNARY) + CASTS + BUILTINS + MATH + ["cmath." + name for name in CMATH] + PARTS


def impossible(operator, type, statement):
    """Why no kernel can have this cell, or None."""
    name = type.name
    is_complex = type in COMPLEX
    if operator in ARITHMETIC and result_of(ARITHMETIC[operator], type, type) is None:
        return "numba-cuda has no such operator"
    if operator in COMPARED and result_of(COMPARED[operator], type, type) is None:
        return "complex numbers have no order"
    if operator in UNARY and result_of({"not": "not_"}.get(operator, operator), type) is None:
        return "numba-cuda has no such operator"
    if operator in CASTS:
        if is_complex and operator not in ("complex64()", "complex128()", "bool()", "complex()"):
            return "Python converts no complex number to a real one"
        if operator in ("int()", "float()") and result_of(operator[:-2], type) is None:
            return "numba-cuda refuses the conversion"
    if operator == "complex()" and name == "boolean":
        return "Numba's CPU compiler refuses booleans"
    if operator in ("min", "max", "in", "and", "or") and is_complex:
        return "complex numbers have no order" if operator in ("min", "max") else "generated for real numbers alone"
    if operator in ("round", "round2", "divmod") and is_complex:
        return "complex numbers are not rounded"
    if operator in ("and", "or") and statement not in ("assign", "if", "while", "return", "exit"):
        return "Numba's CPU compiler cannot type a branch within such an expression"
    if operator == "round2" and not type.digits:
        return "numba-cuda refuses integers"
    if operator == "pow" and result_of("pow", type, type) is None:
        return "numba-cuda has no such operator"
    if operator.startswith("math.") and is_complex:
        return "math is about real numbers"
    if operator in ("math.frexp", "math.modf", "math.ldexp", "math.nextafter") and not type.digits:
        return "generated for floating numbers alone"
    if operator.startswith("cmath.") and not is_complex:
        return "cmath is about complex numbers"
    if operator in PARTS and not is_complex:
        return "generated for complex numbers alone"
    return None


def cells():
    return [(op, type, s) for op in OPERATORS for type in TYPES.values() for s in STATEMENTS]
