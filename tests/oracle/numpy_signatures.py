#!/usr/bin/env python3
"""Whether NumPy's functions for module code have NumPy's parameters, in NumPy's order: an argument by its place is another one else.

usage: numpy_signatures.py            compares src/library/host_*.pyk and src/module/host_numpy*.cpp with data/numpy_signatures.tsv
       numpy_signatures.py --extract  writes that file, by a Python that has NumPy

A function may lack parameters behind those that it has. Exits 1 where one differs.
"""
import ast
import inspect
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent / "src"
FACTS = HERE / "data/numpy_signatures.tsv"

# What NumPy says in another way: any number of arguments, and names in `**kwargs`.
OTHERS = {"atleast_1d", "atleast_2d", "gradient", "pad"}


def written():
    """(name, parameters) of each function of ours, by its name in NumPy with `_` for dots."""
    for path in sorted((SOURCE / "library").glob("host_*.pyk")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("host_np_"):
                args = node.args
                yield node.name.removeprefix("host_np_"), [a.arg for a in args.posonlyargs + args.args]
    for path in sorted((SOURCE / "module").glob("host_numpy*.cpp")):
        for name, parameters in re.findall(r'\{"([\w.]+)", "([^"*]*)", \d+,', path.read_text()):
            yield name.replace(".", "_"), parameters.split()


def extract():
    import numpy as np

    rows = []
    for module in ("", "linalg.", "fft."):
        where = getattr(np, module.rstrip(".")) if module else np
        for name in sorted(dir(where)):
            function = getattr(where, name)
            if name.startswith("_") or isinstance(function, (np.ufunc, type)) or not callable(function):
                continue
            try:
                parameters = list(inspect.signature(function).parameters)
            except (TypeError, ValueError):
                continue
            rows.append(f"{module}{name}\t{' '.join(parameters)}\n")
    FACTS.write_text(f"# NumPy {np.__version__}: functions and their parameters; written by numpy_signatures.py --extract.\n" + "".join(rows))


def main():
    if "--extract" in sys.argv:
        return extract()
    lines = [line.rstrip("\n").split("\t") for line in FACTS.read_text().splitlines() if not line.startswith("#")]
    known = {name.replace(".", "_"): parameters.split() for name, parameters in lines}
    differing = []
    compared = 0
    for name, ours in written():
        if name not in known or name in OTHERS:
            continue
        compared += 1
        theirs = known[name]
        if ours != theirs[: len(ours)] and [p.lower() for p in ours] != [p.lower() for p in theirs[: len(ours)]]:
            differing.append(f"np.{name}({', '.join(ours)}) is np.{name}({', '.join(theirs)})")
    print(f"{compared} functions compared", *differing, sep="\n")
    return 1 if differing or compared < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
