#!/usr/bin/env python3
"""What `./dev bench` runs: every benchmark of kernels and arrays on this machine, one after the other; then a table of the
array functions' goals, and a roofline picture of them. Exit code 1: one of them failed.
"""
import argparse
import json
import os
import subprocess
import sys

import roofline

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = [  # name, script, what says where our build is
    ("kernels", "bench.py", "--pykc", "bin/pykc"),
    ("elementwise", "elementwise/elementwise.py", "--library", "lib/libbench_elementwise.so"),
    ("parts", "parts/parts.py", "--library", "lib/libbench_elementwise.so"),
    ("algorithms", "algorithms/algorithms.py", "--program", "bin/bench_algorithms"),
    ("cpu", "elementwise/on_cpu.py", "--library", "lib/libbench_elementwise.so"),
    ("whole", "whole_arrays/whole_arrays.py", "--library", "lib/libbench_whole_arrays.so"),
    ("loops", "loops/loops.py", "--library", "lib/libbench_loops.so"),
    ("first", "first_result/first_result.py", "--program", "bin/bench_first_result"),
]
OTHERS = {"elementwise": ("copy", "naive", "numba", "cupy"), "parts": ("copy", "by hand", "numba"), "algorithms": ("cub",),
          "cpu": ("copy", "numba", "numexpr")}


def table_of_first(rows):
    """Markdown: milliseconds from the GPU's context to the first result, and of a second kernel."""
    lines = ["| first | first result, ms | a second kernel, ms |", "|---|---|---|"]
    return "\n".join(lines + [f"| {row['case']} | {row['first_ms']:.2f} | {row['second_ms']:.2f} |" for row in rows])


def table_of_whole(rows):
    """Markdown: microseconds of a call, and how many times ours the others' are."""
    others = [arm for arm in ("numba", "numexpr") if any(arm in row["us"] for row in rows)]
    lines = ["| whole arrays | pyk, µs | " + " | ".join(f"{arm} / pyk" for arm in others) + " |", "|---" * (len(others) + 2) + "|"]
    for row in rows:
        cells = [f"{row['us'][arm] / row['us']['pyk']:.2f}" if arm in row["us"] else "" for arm in others]
        lines.append(f"| {row['case']} | {row['us']['pyk']:.0f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_of_loops(rows):
    """Markdown: microseconds of a call, and how many times ours Numba's are."""
    lines = ["| loops | pyk, µs | numba / pyk |", "|---|---|---|"]
    return "\n".join(lines + [f"| {row['case']} | {row['us']:.0f} | {row['numba']:.2f} |" for row in rows])


TABLES = {"first": table_of_first, "whole": table_of_whole, "loops": table_of_loops}


def table_of(name, rows):
    """Markdown: our GB/s, and how many times the others' that is."""
    if name in TABLES:
        return TABLES[name](rows)
    others = [other for other in OTHERS[name] if any(other in row.get("gb_s", {}) for row in rows)]
    lines = [f"| {name} | pyk, GB/s | " + " | ".join(f"of {other}" for other in others) + " | |", "|---" * (len(others) + 3) + "|"]
    for row in rows:
        if "host_us" in row:
            lines.append(f"| {row['case']} | " + ", ".join(f"{arm} {us:.2f} µs" for arm, us in row["host_us"].items()) + " |" + " |" * (len(others) + 1))
            continue
        rates = row["gb_s"]
        cells = [f"{rates['pyk'] / rates[other]:.2f}" if other in rates else "" for other in others]
        missed = ", ".join(row.get("missed", []))
        lines.append(f"| {row['case']} | {rates['pyk']:.{1 if name == 'cpu' else 0}f} | " + " | ".join(cells) + f" | {missed} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build", "release"), metavar="FOLDER")
    parser.add_argument("--out", default=os.path.join(HERE, "..", "build", "bench"), metavar="FOLDER", help="for numbers, tables and the picture")
    parser.add_argument("--only", action="append", choices=[part[0] for part in PARTS])
    parser.add_argument("--megabytes", type=int, default=256, help="of an array")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    failed, tables, results = [], [], {}
    for name, script, flag, ours in PARTS:
        if options.only and name not in options.only:
            continue
        numbers = os.path.join(options.out, f"{name}.json")
        command = [sys.executable, "-B", os.path.join(HERE, script), flag, os.path.join(options.build, ours), "--json", numbers]
        if name not in ("whole", "loops"):
            command += ["--rounds", str(options.rounds)]
        if name not in ("kernels", *TABLES):
            command += ["--megabytes", str(options.megabytes)]
        print(f"\n{name}", flush=True)
        if subprocess.call(command):
            failed.append(name)
        if name != "kernels" and os.path.exists(numbers):
            with open(numbers) as file:
                results[name] = json.load(file)
            tables.append(table_of(name, results[name]["rows"]))
    with open(os.path.join(options.out, "tables.md"), "w") as file:
        file.write("\n\n".join(tables) + "\n")
    if "elementwise" in results:
        picture = os.path.join(options.out, "roofline.svg")
        with open(picture, "w") as file:
            file.write(roofline.picture(results["elementwise"]))
        print(f"\n{picture}")
    print("\n".join(["", *tables]))
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
