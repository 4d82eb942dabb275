#!/usr/bin/env python3
"""The claim our resolver rests on: operators_cases.tsv + convert.tsv alone give binary, unary, builtins, math and range.

Needs no numba.  Prints each disagreement, exits 1 if there is one.
"""
import collections
import os
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def rows(name):
    with open(os.path.join(DATA, name + ".tsv"), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]


CONVERT = {(a, b): c for a, b, c in rows("convert")}
CASES = collections.defaultdict(lambda: collections.defaultdict(list))
for fn, template, case, casting, result, operands in rows("operators_cases"):
    if case != "-":
        CASES[fn][int(template)].append((casting == "unsafe", result, operands.split(",")))


def resolve(fn, args):
    for template in sorted(CASES[fn]):
        best = None
        for unsafe_ok, result, operands in CASES[fn][template]:
            if len(operands) != len(args):
                continue
            kinds = [CONVERT[pair] for pair in zip(args, operands)]
            if "none" in kinds or (not unsafe_ok and "unsafe" in kinds):
                continue
            rate = tuple(kinds.count(k) for k in ("unsafe", "safe", "promote"))
            if best is None or rate < best[0]:
                best = (rate, result, ",".join(operands))
        if best:
            return best[1:]
    return "-", "-"


def main():
    facts = [(op, [a, b], r, o) for op, a, b, r, o in rows("binary")]
    facts += [(op, [a], r, o) for op, a, r, o in rows("unary")]
    facts += [("pow()" if f == "pow" else f, a.split(","), r, o) for f, a, r, o in rows("builtins") + rows("math")]
    facts += [("range", a.split(","), r, o) for a, r, o in rows("range")]
    # The operators of float16 have a template of their own, which computes its answer.
    facts = [f for f in facts if f[0] in CASES and "float16" not in f[1]]
    bad = [(f, resolve(f[0], f[1])) for f in facts if resolve(f[0], f[1]) != (f[2], f[3])]
    for (fn, args, result, operands), got in bad:
        print(f"{fn}({', '.join(args)}): cases give {got}, numba gives {(result, operands)}")
    print(f"{len(facts)} facts, {len(bad)} disagreements")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
