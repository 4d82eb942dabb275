#!/usr/bin/env python3
"""Run the benchmarks' kernels on the CPU target, in small, and check them as bench.py does: so that they are right before a
GPU is there. usage: on_cpu.py PYKC"""
import os
import subprocess
import sys
import tempfile

import numpy as np

import cases

HERE = os.path.dirname(os.path.abspath(__file__))


def spelled(value):
    names = {"float32": "f32", "float64": "f64", "int32": "i32"}
    return f"{names[str(value.dtype)]}:{value.item()!r}"


def run(case, pykc, folder):
    command = [pykc, "run", os.path.join(HERE, "kernels", case.name + ".pyk"), case.name, "--device", "cpu"]
    command += ["--grid", ",".join(map(str, case.grid)), "--block", ",".join(map(str, case.block))]
    with open(command[2]) as file:
        header = next(line for line in file if line.startswith("def " + case.name))
    params = header[header.index("(") + 1 : header.index(")")].split(", ")
    for position, value in enumerate(case.args):
        if not value.ndim:
            command.append(spelled(value))
            continue
        if position in case.outputs:
            value.view(np.uint8).fill(0 if case.accumulates else 0xFF)
        name = os.path.join(folder, f"{position}.npy")
        np.save(name, value)
        command.append(name)
        if position in case.outputs:
            command += ["--save", f"{params[position]}={name}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"exit code {done.returncode}\n{' '.join(command)}\n{done.stdout}{done.stderr}"
    return case.check([np.load(os.path.join(folder, f"{position}.npy")) for position in case.outputs])


def main(pykc):
    rng, good = np.random.default_rng(1), True
    for make in cases.ALL:
        case = make(rng, True)
        with tempfile.TemporaryDirectory() as folder:
            fault = run(case, pykc, folder)
        print(f"{case.name} {case.sizes}: {fault or 'right'}", flush=True)
        good &= not fault
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
