#!/usr/bin/env python3
"""Compares what pykc knows of random module code (module_code.py) with CPython and NumPy, which run it.

usage: judge_module.py PYKC [--first SEED] [--count N] [--seed N] [-j JOBS] [--seconds N] [--keep FOLDER]

pykc may say that a constant is not known. Exits 1 where it knows another value than Python's, or is not there to know any.
"""
import os
import subprocess
import sys
import tempfile
import warnings

import batches
from module_code import Program

LEAST_KNOWN = 0.25  # of the programs, so that the comparison does not become empty


def judged(options, seeds):
    """Of each seed: "refused" by Python, "unknown", "equal", or what is wrong."""
    import numpy as np
    warnings.simplefilter("ignore")
    return [(seed, judge(options, Program(seed), np)) for seed in seeds]


def judge(options, program, np):
    values = program.expected()
    if values is None:
        return "refused"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(options.keep or folder, f"module_{program.seed}.pyk")
        with open(path, "w") as out:
            out.write(program.text(values))
        given = os.path.join(folder, "out.npy")
        command = [options.pykc, "run", path, "k", f"zeros:f64:{len(values) + 1}", "--grid", "1", "--block", "1", "--device", "cpu",
                   "--save", f"out={given}"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode != 0:
            return "unknown" if "[not-a-constant]" in ran.stderr else f"pykc: exit {ran.returncode}: {ran.stderr[:500]}"
        got = np.load(given)
    if got[0] == len(values) and np.allclose(got[1:], values):
        return "equal"
    return f"{list(got[1:])} ({got[0]:.0f} elements) instead of {list(values)}"


def main():
    parser = batches.options_of(__doc__, "module", 100, 10, ["python"])
    options = batches.parsed(parser, lambda o: Program(o.seed).code)
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
