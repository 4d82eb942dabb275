#!/usr/bin/env python3
"""Times algorithms over arrays against plain CUB, on a GPU: compiles cub.cu, then runs bench_algorithms."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

from bench import nvcc, run  # noqa: E402
from driver import CudaError, Driver  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "build", "release", "bin", "bench_algorithms"))
    parser.add_argument("--megabytes", type=int, default=256, help="of an array")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    try:
        arch = Driver().arch()
    except (OSError, CudaError) as error:
        raise SystemExit(f"algorithms: there is no GPU to time on ({error})") from None
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "libcub.so")
        run([nvcc(), "-O3", f"-arch=sm_{arch}", "-shared", "-Xcompiler", "-fPIC", os.path.join(HERE, "cub.cu"), "-o", library])
        command = [options.program, library, os.path.join(HERE, "operators.pyk"), str(options.megabytes), str(options.rounds)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            lines = []
            for line in program.stdout:
                print(line, end="", flush=True)
                lines.append(line)
    rows = [re.fullmatch(r"(.{22}) *(\d+) *(\d+) *[\d.]+%\n", line) for line in lines]
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"rows": [{"case": row[1].strip(), "gb_s": {"cub": float(row[2]), "pyk": float(row[3])}} for row in rows if row]},
                      file, indent=1)
    return program.returncode


if __name__ == "__main__":
    sys.exit(main())
