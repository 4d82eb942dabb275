#!/usr/bin/env python3
"""Run the cases with Numba on a real GPU: the judge of the expected values themselves.

usage: check_numba.py [-j N] [TOPIC | TOPIC/NAME]...       exits 77 without numba-cuda or a GPU
"""
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def prepare():
    import warnings
    warnings.simplefilter("ignore")
    import numpy as np
    for name in ("row_stack", "in1d", "trapz"):          # numba-cuda 0.30 looks up names that NumPy 2.5 dropped
        if not hasattr(np, name):
            setattr(np, name, lambda *a, **k: None)
    os.environ["NUMBA_CUDA_WARN_ON_IMPLICIT_COPY"] = "0"
    os.environ["NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"] = "0"


def check(names):
    prepare()
    sys.path.insert(0, HERE)
    import oracle
    bad = 0
    for name in names:
        case = oracle.load_case(os.path.join(HERE, name + ".json"))
        try:
            said = oracle.compare(case, oracle.launch_numba(os.path.join(HERE, name + ".pyk"), case))
        except BaseException as e:  # noqa: BLE001
            lines = [x for x in str(e).splitlines() if x.strip()]
            said = [f"{type(e).__name__}: " + " | ".join(lines)[:400]]
        if not case["numba"]:
            print(f"{name}: known to differ, {case['note']}: {said[0][:200] if said else 'NO LONGER DIFFERS'}", flush=True)
            bad += not said
            continue
        bad += bool(said)
        for s in said:
            print(f"{name}: {s}", flush=True)
    return bad


def main(argv):
    jobs = 1
    if argv[:1] == ["-j"]:
        jobs, argv = int(argv[1]), argv[2:]
    names = sorted(os.path.relpath(p, HERE)[:-5] for p in glob.glob(os.path.join(HERE, "*", "*.json")))
    if argv:
        names = [n for n in names if any(n == a or n.startswith(a + "/") for a in argv)]
    if jobs > 1:
        parts = [subprocess.Popen([sys.executable, __file__, *names[k::jobs]]) for k in range(jobs)]
        return max(p.wait() for p in parts)
    prepare()
    try:
        from numba import cuda
        if not cuda.is_available():
            raise ImportError("no CUDA GPU")
    except ImportError as e:
        print("SKIP:", e)
        return 77
    bad = check(names)
    print(f"{len(names)} cases, {bad} differ from Numba on the GPU", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
