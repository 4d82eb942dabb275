#!/usr/bin/env python3
"""The front end's speed beside CPython's: bench.py PROGRAM [COUNT], over COUNT files of the standard library (200)."""

import ast
import random
import subprocess
import sys
import sysconfig
import time
import warnings
from pathlib import Path


def main(argv):
    warnings.simplefilter("ignore")
    root = Path(sysconfig.get_paths()["stdlib"])
    files = [p for p in sorted(root.rglob("*.py")) if "site-packages" not in p.parts and "lib2to3/tests" not in str(p)]
    chosen = random.Random(1).sample(files, int(argv[2]) if len(argv) > 2 else 200)
    texts = []
    for path in chosen:
        try:
            ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        texts.append(path)
    subprocess.run([argv[1], *map(str, texts)], check=True)

    sources = [p.read_bytes() for p in texts]
    lines = sum(s.count(b"\n") for s in sources)
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for source in sources:
            ast.parse(source)
        best = min(best, time.perf_counter() - start)
    print(f"ast.parse: {lines} lines in {best * 1000:.1f} ms: {lines / best:.0f} lines/s")

    start = time.perf_counter()
    for _ in range(20):
        subprocess.run([argv[1]], stdout=subprocess.DEVNULL, check=True)
    print(f"a process that parses the kernel 201 times: {(time.perf_counter() - start) / 20 * 1000:.1f} ms")


if __name__ == "__main__":
    main(sys.argv)
