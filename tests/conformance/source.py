"""A function object as a .pyk file: its source, with everything that it captures."""
import ast
import builtins
import enum
import inspect
import sys
import textwrap
import types as python

import numpy as np
from numba.core import types as numba_types
from numba.np.numpy_support import as_dtype


class Unportable(Exception):
    pass


def function_of(value):
    while hasattr(value, "py_func") or isinstance(getattr(value, "fn", None), python.FunctionType):
        value = getattr(value, "py_func", None) or value.fn
    return value if isinstance(value, python.FunctionType) else None


def value_text(value):
    if isinstance(value, (bool, int, str, bytes, type(None))):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if np.isfinite(value) else f"float('{value}')"
    if isinstance(value, complex):
        return repr(value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "(" + ", ".join(map(value_text, value)) + (",)" if len(value) == 1 else ")")
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        flat = ", ".join(value_text(v) for v in value.flatten().tolist())
        text = f"np.array([{flat}], dtype=np.{value.dtype.name})"
        return text if value.ndim == 1 else f"{text}.reshape({value.shape})"
    if isinstance(value, np.ndarray):
        return f"np.array({value.tolist()!r}, dtype={value_text(value.dtype)})"
    if isinstance(value, np.generic) and value.dtype.names is None:
        return f"np.{value.dtype.name}({value_text(value.item())})"
    if isinstance(value, type) and issubclass(value, np.generic):
        return f"np.{value.__name__}"
    if isinstance(value, type) and value.__module__ == "numba.cuda.simulator.vector_types":
        return f"cuda.{value.__name__}"
    if isinstance(value, (python.BuiltinFunctionType, np.ufunc)):
        module = "np" if isinstance(value, np.ufunc) else value.__module__.lstrip("_")
        return f"{module}.{value.__name__}"
    if isinstance(value, np.dtype):
        return record_text(value) if value.names else f"np.{value.name}"
    if isinstance(value, numba_types.Record):
        return f"from_dtype({value_text(as_dtype(value))})"
    if isinstance(value, (numba_types.Number, numba_types.Boolean)):
        return f"types.{value}"
    if hasattr(value, "spelled"):
        return value.spelled
    if type(value).__module__ == "cffi.api":
        return "cffi.FFI()"
    raise Unportable(getattr(value, "unportable", f"captures a {type(value).__name__}"))


def record_text(dtype):
    if not any(name == "" for name, *_ in dtype.descr):
        return f"np.dtype({dtype.descr!r}, align={dtype.isalignedstruct})"

    def format_text(field):
        if field.subdtype:
            return f"({format_text(field.subdtype[0])}, {field.subdtype[1]})"
        return record_text(field) if field.names else repr(field.str)

    formats = ", ".join(format_text(dtype.fields[name][0]) for name in dtype.names)
    offsets = [dtype.fields[name][1] for name in dtype.names]
    return (f"np.dtype({{'names': {list(dtype.names)!r}, 'formats': [{formats}], 'offsets': {offsets}, 'itemsize': {dtype.itemsize}}}, "
            f"align={dtype.isalignedstruct})")


class Source:
    def __init__(self, fn, options, signature):
        """`signature`: `name(types)` of a kernel that declares its types, or None."""
        self.fn, self.options = fn, options
        self.declared = ""
        if signature:
            self.declared = "void" + signature[signature.index("("):]
            if "from_dtype" not in signature:
                self.declared = repr(self.declared)
        self.module = sys.modules.get(fn.__globals__.get("__name__"))
        self.tree = ast.parse(inspect.getsource(self.module)) if self.module else None
        self.name = fn.__name__
        self.imports, self.parts, self.done = [], [], {}

    def text(self):
        device = self.options.get("device", False)
        self.function(self.fn, self.fn.__name__, device, self.options)
        if device:
            names = ", ".join(f"a{i}" for i in range(len(inspect.signature(self.fn).parameters)))
            self.parts.append(f"@cuda.jit({self.declared})\ndef {self.kernel()}({names}):\n    {self.name}({names})")
        head = dict.fromkeys(["from numba import cuda", "from numba import types", "from numba import from_dtype", "import numpy as np",
                              *self.imports])
        if any("cffi.FFI()" in part for part in self.parts):
            head["import cffi"] = None
        if "from_dtype" in self.declared:
            head["from numba.types import *"] = None
        return "\n".join(head) + "\n\n\n" + "\n\n\n".join(self.parts) + "\n"

    def kernel(self):
        """The name of the kernel: of a device function, one that calls it."""
        return f"call_{self.name}" if self.options.get("device") else self.name

    # The definition of `fn` under `name`, behind all that it needs.
    def function(self, fn, name, device, options):
        if id(fn) in self.done:
            if self.done[id(fn)] != name:
                self.parts.append(f"{name} = {self.done[id(fn)]}")
            return
        self.done[id(fn)] = name
        try:
            text = textwrap.dedent(inspect.getsource(fn))
            tree = ast.parse(text)
        except (OSError, SyntaxError) as why:
            raise Unportable(f"no source: {why}")
        self.captured(fn)
        if fn.__name__ == "<lambda>":
            found = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda)]
            if len(found) != 1:
                raise Unportable("a lambda among others")
            self.parts.append(f"{name} = cuda.jit(device=True)({ast.get_source_segment(text, found[0])})")
            return
        definition = tree.body[0]
        if fn is self.fn:
            self.name = definition.name
        if not isinstance(definition, ast.FunctionDef):
            raise Unportable("not a def")
        lines = text.splitlines()[definition.lineno - 1:definition.end_lineno]
        self.parts.append("\n".join([self.decorator(fn, device, options), *lines]))
        if definition.name != name and fn is not self.fn:
            self.parts.append(f"{name} = {definition.name}")

    def decorator(self, fn, device, options):
        args = ["device=True"] if device else [self.declared] if fn is self.fn and self.declared else []
        args += [f"{k}={v!r}" for k, v in options.items() if k in ("fastmath", "debug", "opt", "inline", "max_registers", "launch_bounds") and v]
        if options.get("linked"):
            args.append(f"link=[{', '.join(options['linked'])}]")
        return f"@cuda.jit({', '.join(args)})" if args else "@cuda.jit"

    def captured(self, fn):
        names = {}

        def visit(code):
            for name in code.co_names:
                if name in fn.__globals__:
                    names.setdefault(name, fn.__globals__[name])
            for const in code.co_consts:
                if isinstance(const, python.CodeType):
                    visit(const)

        visit(fn.__code__)
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
            try:
                names[name] = cell.cell_contents
            except ValueError:
                raise Unportable(f"{name} is not bound")
        for default in (fn.__defaults__ or ()):
            if inspect.isclass(default):
                raise Unportable("a class as default")
        for name, value in names.items():
            self.capture(name, value)

    def capture(self, name, value):
        if name in self.done:
            return
        inner = function_of(value)
        if inner is not None and inner.__module__ and inner.__module__.startswith("numba.") and ".tests." not in inner.__module__:
            inner = None
        if hasattr(value, "spelled"):
            inner = None
        if inner is self.fn and name == self.fn.__name__:
            return
        if inner is not None:
            options = getattr(value, "options", {})
            self.function(inner, name, True, options)
            self.done[name] = name
            return
        self.done[name] = name
        if inspect.isclass(value) and issubclass(value, enum.Enum):
            self.imports.append(f"from enum import {', '.join(b.__name__ for b in value.__mro__ if b.__module__ == 'enum' and b.__name__ != 'ReprEnum')}")
            self.parts.append(textwrap.dedent(inspect.getsource(value)))
            return
        if inspect.isclass(value) and issubclass(value, tuple) and hasattr(value, "_fields"):
            self.imports.append("from collections import namedtuple")
            self.parts.append(f"{name} = namedtuple({value.__name__!r}, {list(value._fields)!r})")
            return
        line = self.import_of(name)
        if line:
            self.imports.append(line)
        elif isinstance(value, python.ModuleType):
            self.imports.append(f"import {value.__name__} as {name}".replace("numba.cuda.simulator", "numba.cuda"))
        elif getattr(builtins, name, None) is value:
            pass
        else:
            if isinstance(value, python.BuiltinFunctionType):
                self.imports.append(f"import {value.__module__.lstrip('_')}")
            self.parts.append(f"{name} = {self.assigned(name) or value_text(value)}")

    # The import statement of the test module that binds a name.
    def import_of(self, name):
        for node in ast.walk(self.tree) if self.tree else ():
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    if (alias.asname or alias.name.split(".")[0]) == name:
                        if isinstance(node, ast.ImportFrom):
                            if node.module and ".tests." in node.module or node.level:
                                return None
                            as_name = f" as {alias.asname}" if alias.asname else ""
                            return f"from {node.module} import {alias.name}{as_name}"
                        return f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
        return None

    # How the test module itself makes a constant, where that says more than its value.
    def assigned(self, name):
        for node in self.tree.body if self.tree else ():
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and getattr(node.targets[0], "id", None) == name:
                used = [n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)]
                for other in used:
                    if other in self.module.__dict__:
                        self.capture(other, self.module.__dict__[other])
                return ast.unparse(node.value)
        return None
