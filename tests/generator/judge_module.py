#!/usr/bin/env python3
"""Compares what pykc knows of module code with CPython and NumPy, which run it: of random code (module_code.py), or of every change of
an object by every kind of statement (--objects, module_objects.py).

usage: judge_module.py PYKC [--first SEED] [--count N] [--seed N] [-j JOBS] [--seconds N] [--keep FOLDER] [--objects]

pykc may say that a constant is not known. Exits 1 where it knows another value than Python's, or is not there to know any.
"""
import os
import re
import subprocess
import sys
import tempfile
import warnings

import batches
import module_code
import module_objects

LEAST_KNOWN = 0.25  # of the programs, so that the comparison does not become empty


def judged(options, seeds):
    """Of each seed: "refused" by Python, "unknown", "equal", or what is wrong."""
    import numpy as np
    warnings.simplefilter("ignore")
    if options.objects:
        return [(seed, judge_objects(options, module_objects.Program(seed), np)) for seed in seeds]
    return [(seed, judge(options, module_code.Program(seed), np)) for seed in seeds]


def run(options, program, text, count, folder):
    """The file of what the kernel stores, None where pykc refuses the program, and how pykc ran."""
    path = os.path.join(options.keep or folder, f"module_{program.seed}.pyk")
    with open(path, "w") as out:
        out.write(text)
    given = os.path.join(folder, "out.npy")
    command = [options.pykc, "run", path, "--grid", "1", "--block", "1", "--device", "cpu", "--save", f"out={given}", "kernel",
               f"zeros:f64:{count}"]
    ran = subprocess.run(command, capture_output=True, text=True)
    return given if ran.returncode == 0 else None, ran


def judge_objects(options, program, np):
    values = program.expected()
    if values is None:
        return "refused"
    with tempfile.TemporaryDirectory() as folder:
        asked = range(len(values))
        given, ran = run(options, program, program.text(asked), len(values), folder)
        if not given:
            unknown = {int(one) for one in re.findall(r"`N(\d+)` is not a compile-time constant", ran.stderr)}
            if not unknown:
                return f"pykc: exit {ran.returncode}: {ran.stderr[:500]}"
            asked = [i for i in asked if i not in unknown]
            if not asked:
                return "unknown"
            given, ran = run(options, program, program.text(asked), len(asked), folder)
        if not given:
            return f"pykc: exit {ran.returncode}: {ran.stderr[:500]}"
        wrong = [f"{module_objects.ASKED[i]} is {got:.0f} instead of {values[i]}" for i, got in zip(asked, np.load(given))
                 if values[i] != got]
    return ", ".join(wrong) or "equal"


def judge(options, program, np):
    values = program.expected()
    if values is None:
        return "refused"
    with tempfile.TemporaryDirectory() as folder:
        given, ran = run(options, program, program.text(values), len(values) + 1, folder)
        if not given:
            return "unknown" if "[not-a-constant]" in ran.stderr else f"pykc: exit {ran.returncode}: {ran.stderr[:500]}"
        got = np.load(given)
    if got[0] == len(values) and np.allclose(got[1:], values):
        return "equal"
    return f"{list(got[1:])} ({got[0]:.0f} elements) instead of {list(values)}"


def main():
    parser = batches.options_of(__doc__, "module", 100, 10, ["python"])
    parser.add_argument("--objects", action="store_true")
    options = batches.parsed(parser, lambda o: (module_objects if o.objects else module_code).Program(o.seed).code)
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("SKIPPED: no numpy here")
        return 77
    counts = {"refused": 0, "unknown": 0, "equal": 0}
    wrong = 0
    for results in batches.of_batches(options, judged):
        for seed, said in results:
            if said in counts:
                counts[said] += 1
                continue
            wrong += 1
            print(f"seed {seed}: {said}")
    few = options.count >= 50 and counts["equal"] < LEAST_KNOWN * options.count
    print(f"{options.count} modules: {counts['refused']} refused by Python, {counts['unknown']} not known to pykc, {counts['equal']} equal, "
          f"{wrong} differences" + ("; too few are known" if few else ""))
    return 1 if wrong or few else 0


if __name__ == "__main__":
    sys.exit(main())
