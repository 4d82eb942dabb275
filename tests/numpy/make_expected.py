#!/usr/bin/env python3
"""usage: make_expected.py [FUNCTION…]     (python of a venv with numba and numpy)

Writes to expected.tsv what Numba's CPU compiler gives for the functions of functions.pyk whose parameters are inputs, or for some of them.

A line per result: function, place among its results, dtype, extents (`-`: a number), values. Functions that Numba lacks here (its
np.dot and np.linalg need SciPy) or refuses are called as Python functions of NumPy's, and so are those that Numba takes minutes to compile and gives the same for; these are listed in
BY_NUMPY.
"""
import os
import sys
import warnings

import numpy as np

from inputs import INPUTS

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "expected.tsv")
BY_NUMPY = {"dots", "grids", "all_masks", "updated_numbers", "covariances", "of_lists", "equations", "equations_of_integers", "complex_equations", "factors",
            "nearest", "norms", "stencils_by_name", "eigenvalues", "polynomial_roots",
            "repeated_tuples", "folded_along_axes", "products_stay_narrow", "of_complex_numbers", "wide_medians", "integer_matrices", "parts", "moved_axes", "one_shape", "inserted", "sets_of_lists",
            "stored_over_operands", "stored_by_columns", "chosen_by_tuples", "chosen_by_lists", "along_axes", "filled_diagonals", "of_numbers_and_lists", "quotients", "more_polynomials", "comprehensions_of_more", "shared_dots"}


def flat(result):
    if isinstance(result, (tuple, list)):
        return [value for part in result for value in flat(part)]
    return [result]


def line(name, place, value):
    array = np.asarray(value)
    shape = ",".join(map(str, array.shape)) if array.shape or isinstance(value, np.ndarray) else "-"
    kind = array.dtype.name
    values = " ".join(repr(x.item()) if kind != "float32" else repr(float(x)) for x in array.ravel())
    return "\t".join([name, str(place), kind, shape or "()", values])


def main():
    warnings.simplefilter("ignore")
    space = {}
    with open(os.path.join(HERE, "functions.pyk")) as source:
        exec(compile(source.read(), "functions.pyk", "exec"), space)
    known = {}
    if os.path.exists(EXPECTED):
        with open(EXPECTED) as old:
            for text in old.read().splitlines():
                known.setdefault(text.split("\t")[0], []).append(text)
    lines = []
    for name, function in list(space.items()):
        if not hasattr(function, "py_func"):
            continue
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            lines += known.get(name, [])
            continue
        called = function.py_func if name in BY_NUMPY else function
        code = function.py_func.__code__
        parameters = code.co_varnames[: code.co_argcount]
        if any(parameter not in INPUTS for parameter in parameters):
            continue  # others call it
        arguments = [INPUTS[parameter].copy() for parameter in parameters]
        try:
            results = flat(called(*arguments))
        except Exception as error:
            print(name, type(error).__name__, [l for l in str(error).split("\n") if "rror" in l or ">>>" in l][:6])
            continue
        lines += [line(name, place, value) for place, value in enumerate(results)]
    with open(EXPECTED, "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
