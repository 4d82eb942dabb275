"""Types and values as pykc's command line and the cases of tests/run spell them."""
import re

import numba
import numpy as np
from numba.core import sigutils, types
from numba.np.numpy_support import as_dtype
from source import value_text

DTYPES = {np.dtype(n) for n in ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128").split()}
LIMIT = 200_000  # elements; larger arrays are recorded by type only


def number(value):
    if isinstance(value, (complex, np.complexfloating)):
        return [number(value.real), number(value.imag)]
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    value = float(value)
    return "nan" if value != value else "inf" if value == float("inf") else "-inf" if value == float("-inf") else value


def as_array(value):
    """The NumPy array behind a device array of the simulator, or None."""
    if isinstance(value, np.ndarray):
        return value
    inner = getattr(value, "_ary", None)
    return inner if isinstance(inner, np.ndarray) else None


def expected_array(value):
    array = as_array(value)
    return {"dtype": array.dtype.name, "shape": list(array.shape), "values": [number(v) for v in array.flatten()]}


def argument(value):
    """An argument as a case's JSON says it, or None where it cannot."""
    array = as_array(value)
    if array is not None:
        if array.dtype not in DTYPES or array.ndim == 0 or array.size > LIMIT:
            return None
        spec = expected_array(array)
        if not array.flags.c_contiguous:
            spec["layout"] = "F" if array.flags.f_contiguous else "A"
        return spec
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        items = [argument(v) for v in value]
        return None if None in items else {"tuple": items}
    if isinstance(value, bool):
        return {"dtype": "bool", "scalar": int(value)}
    if isinstance(value, int):
        return {"dtype": "int64" if value < 2**63 else "uint64", "scalar": value}
    if isinstance(value, float):
        return {"dtype": "float64", "scalar": number(value)}
    if isinstance(value, complex):
        return {"dtype": "complex128", "scalar": number(value)}
    if isinstance(value, np.generic) and value.dtype in DTYPES:
        return {"dtype": value.dtype.name, "scalar": number(value)}
    return None


class Unspellable(Exception):
    pass


def type_text(t):
    if isinstance(t, (types.Number, types.Boolean)) or str(t) == "bfloat16":
        return {"bool": "boolean"}.get(str(t), str(t))
    if isinstance(t, types.Array):
        if not t.mutable or not t.aligned:
            return f"Array({type_text(t.dtype)}, {t.ndim}, {t.layout!r}, readonly={not t.mutable})"
        axes = [":"] * t.ndim
        if t.layout == "C":
            axes[-1] = "::1"
        elif t.layout == "F":
            axes[0] = "::1"
        return f"{type_text(t.dtype)}[{', '.join(axes)}]"
    if isinstance(t, types.BaseTuple) and not isinstance(t, types.BaseNamedTuple):
        return "(" + ", ".join(map(type_text, t)) + (",)" if len(t) == 1 else ")")
    if isinstance(t, (types.NPDatetime, types.NPTimedelta)):
        return f"{type(t).__name__}({t.unit!r})"
    if isinstance(t, types.Record):
        return f"from_dtype({value_text(as_dtype(t))})"
    if isinstance(t, types.CPointer):
        return f"CPointer({type_text(t.dtype)})"
    if isinstance(t, types.NoneType):
        return "none"
    raise Unspellable(str(t))


def signature_text(name, signature):
    """`name(types)` of a signature in any of Numba's forms; None where it cannot be spelled."""
    try:
        if isinstance(signature, str) and not re.fullmatch(r"[\w\s\[\]():,.]*", signature):
            return None
        args, _ = sigutils.normalize_signature(signature)
        return f"{name}({', '.join(map(type_text, args))})"
    except Exception:
        return None


def signature_of(name, values):
    """The same of a call with these values."""
    try:
        kinds = [numba.typeof(v if as_array(v) is None else as_array(v)) for v in values]
        return f"{name}({', '.join(map(type_text, kinds))})"
    except Exception:
        return None
