#!/usr/bin/env python3
"""Where Numba's CPU compiler types an operation otherwise than numba-cuda does: data/cpu_types.tsv.

usage: cpu_types.py      (a Python with Numba)

The generator writes a cast around such an operation, so that both compilers can judge the kernel. Read beside ../oracle/data, which
has what numba-cuda says.
"""
import math
import operator
import os

import numba
from numba import types
from numba.core.registry import cpu_target

HERE = os.path.dirname(os.path.abspath(__file__))
CONTEXT = cpu_target.typing_context
CONTEXT.refresh()
SKIPPED = ("float16", "bfloat16", "(", "literal")


def spell(t):
    if isinstance(t, types.BaseTuple):
        return "Tuple(" + ",".join(map(spell, t)) + ")"
    return "boolean" if t == types.boolean else str(t)


def typed(function, names):
    arguments = tuple(getattr(types, name) for name in names)
    try:
        if isinstance(function, types.Type):
            function = CONTEXT.resolve_value_type(function)
            signature = CONTEXT.resolve_function_type(function, arguments, {})
        else:
            signature = CONTEXT.resolve_function_type(CONTEXT.resolve_value_type(function), arguments, {})
        result = signature.return_type if signature else None
    except Exception:
        result = None
    if result is None:
        return "-"
    if isinstance(result, types.RangeType):
        return spell(result.dtype)
    return spell(result)


def facts(file):
    with open(os.path.join(HERE, "..", "oracle", "data", file), encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def rows():
    builtins = dict(abs=abs, int=int, float=float, bool=bool, round=round, min=min, max=max, divmod=divmod, pow=pow)
    for op, lhs, rhs, result, _ in facts("binary.tsv"):
        if hasattr(operator, op) and not op.startswith("i"):
            yield op, f"{lhs},{rhs}", result, typed(getattr(operator, op), (lhs, rhs))
    for op, operand, result, _ in facts("unary.tsv"):
        function = builtins.get(op) or getattr(operator, op)
        yield op, operand, result, typed(function, (operand,))
    for name, arguments, result, _ in facts("builtins.tsv"):
        if name in builtins and "(" not in arguments and arguments.count(",") == 1:
            yield name, arguments, result, typed(builtins[name], arguments.split(","))
    for name, arguments, result, _ in facts("math.tsv"):
        if result != "-":
            function = getattr(math, name[5:], None)
            yield name, arguments, result, typed(function, arguments.split(",")) if function else "-"
    for arguments, result, _ in facts("range.tsv"):
        if result != "-":
            yield "range", arguments, result, typed(range, arguments.split(","))


def main():
    lines = [f"# written by cpu_types.py with numba {numba.__version__}; do not edit",
             "# function\targuments\tnumba-cuda\tNumba's CPU compiler; '-': refused"]
    for name, arguments, cuda, cpu in rows():
        if cuda != cpu and not any(s in arguments for s in SKIPPED):
            lines.append("\t".join((name, arguments, cuda, cpu)))
    with open(os.path.join(HERE, "data", "cpu_types.tsv"), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
