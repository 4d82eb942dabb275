#!/usr/bin/env python3
"""Makes one row of the builtins table wrong, and sees whether a test fails; then the next row.

usage: corrupt.py FOLDER_OF_PROGRAMS [--rows N] [--seed S] [--gpu] [-j JOBS] [NAME...]

The folder has `corrupt` and `table_rows` (ninja corrupt table_rows). Rows are drawn at random from all that have a text: half get the
text of another row of the same rule, or swapped arguments (a wrong spelling; `--gpu`: in CUDA's column, else in the CPU's), half
another result type. The tests are the run cases that call the row, and those of tests/unit/builtins. Exits 1 where no test fails.
"""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys

OTHER = {"float64": "float32", "float32": "float64", "int64": "int32", "int32": "int64", "uint64": "int64", "uint32": "int32", "boolean": "int32", "float16": "float32",
         "bfloat16": "float32", "int16": "int32", "uint16": "int32", "int8": "int32", "uint8": "int32", "complex64": "complex128", "complex128": "complex64",
         "none": "int32", "T": "float16"}


# Fences and cache hints leave no value; constants are folded, their text is never emitted; minus NaT is NaT.
UNSEEN = re.compile(r"time\.np\.isnat$|cuda\.threadfence|cuda\.nanosleep|cuda\.(ld|st)[a-z]+$|c?math\.(pi|e|tau|inf|nan)$")


def read_rows(folder):
    listed = subprocess.run([os.path.join(folder, "table_rows"), "--list"], capture_output=True, text=True, check=True).stdout
    return [line.split("\t") for line in listed.splitlines()]


SAME = [{"std::fma", "pyk::libdevice::fma_rn"}, {"std::ldexp", "std::scalbn"}, {"std::rint", "std::nearbyint"}]  # functions that mean the same


def differs(text, other):
    a, b = text.split("(")[0], other.split("(")[0]
    return a != b and not any({a, b} <= same for same in SAME)


def wrong_spelling(row, rows, column):
    """A text that compiles but means something else, if the table has one."""
    text = row[column]
    for other in rows:
        if other[1] == row[1] and other[column] and differs(text, other[column]) and other[0].rpartition(".")[0] == row[0].rpartition(".")[0]:
            return other[column]
    if "{0}, {1}" in text:
        return text.replace("{0}, {1}", "{1}, {0}")
    return text.replace("{0}", "-{0}") if "{0}" in text else text + " + 1"


def wrong_type(rule):
    """Every result of the rule as another type."""
    if rule.startswith("->"):
        return "-> " + OTHER[rule[3:].strip()]
    return re.sub(r"-> \(?(\w+)", lambda found: found[0][:-len(found[1])] + OTHER[found[1]], rule)


def try_row(options, name, column, value, cases):
    """Which test fails, or None."""
    env = os.environ | {"PYK_CHANGED_ROW": f"{name}\t{column}\t{value}"}
    program = os.path.join(options.folder, "corrupt")
    suite = "Gpu" if options.gpu else "Cpu"
    filters = [":".join(f"{suite}.*/{case.replace('/', '_')}" for case in cases[:40])] if cases else []
    for chosen in filters + ["Numba.*:Numpy.*:NumPy*", "Builtins.*", "Spellings.CompileForTheCpu"]:
        done = subprocess.run([program, f"--gtest_filter={chosen}", "--gtest_brief=1"], env=env, capture_output=True, text=True)
        if done.returncode != 0:
            failed = re.search(r"\[  FAILED  \] (\S+)", done.stdout)
            return failed[1].rstrip(",") if failed else "the program ended: " + (done.stderr.strip().splitlines() or [str(done.returncode)])[-1][:80]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    rows = read_rows(options.folder)
    column = 2 if options.gpu else 3
    known = [row for row in rows if row[column] and row[4] and not UNSEEN.match(row[0])]
    source = random.Random(options.seed)
    chosen = [row for row in known if row[0] in options.names] if options.names else source.sample(known, options.rows)
    changes = []
    for at, row in enumerate(chosen):
        if at % 2 and not options.names and wrong_type(row[1]) != row[1]:
            changes.append((row, "rule", wrong_type(row[1])))
        else:
            changes.append((row, "cuda" if options.gpu else "cpu", wrong_spelling(row, rows, column)))
    survived = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda c: try_row(options, c[0][0], c[1], c[2], c[0][4].split()), changes)
        for (row, what, value), caught in zip(changes, results):
            survived += caught is None
            print(f"{'caught  ' if caught else 'SURVIVED'} {row[0]}: {what} {value}" + (f"  by {caught}" if caught else ""), flush=True)
    print(f"{len(changes)} wrong rows, {len(changes) - survived} caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
