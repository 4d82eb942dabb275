#!/usr/bin/env python3
"""Run cases of tests/run under Numba's CUDA simulator and compare with their expected values.

usage: check_sim.py FILE.pyk CASE.json...        one .pyk, its cases
       check_sim.py --all [TOPIC[/NAME]]...      every pair of tests/run in one process (the simulator starts slowly)

Exit code: 0 all agree, 1 one differs, 77 nothing could be run (the reason is printed).  A case with "sim": false is
where simulator and Numba part (types, overflow, what it lacks); it is skipped with a printed reason, and is a failure
when it agrees after all.
"""
import glob
import os
import sys

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run")
sys.path.insert(0, RUN)
sys.dont_write_bytecode = True

try:
    import warnings
    warnings.simplefilter("ignore")
    import numpy
    import numba
    from numba import cuda
    import oracle
    if not hasattr(cuda, "simulator") and not numba.cuda.config.ENABLE_CUDASIM:
        raise ImportError("numba.cuda has no simulator here")
except ImportError as e:
    print(f"SKIP: numba with numba-cuda and numpy is needed for the simulator: {e}")
    sys.exit(77)


def check(pyk, path):
    """'ok', 'skip' or 'fail'."""
    case = oracle.load_case(path)
    try:
        said = oracle.compare(case, oracle.launch_numba(pyk, case))
    except Exception as e:  # noqa: BLE001  whatever the kernel raises
        said = [f"{type(e).__name__}: {(str(e).strip().splitlines() or [''])[-1]}"]
    if case["sim"]:
        for s in said:
            print(f"FAIL {path}: {s}")
        return "fail" if said else "ok"
    if not said:
        print(f"FAIL {path}: marked \"sim\": false, but the simulator agrees")
        return "fail"
    print(f"SKIP {path}: the simulator differs from Numba: {said[0][:160]}")
    return "skip"


def pairs(argv):
    if argv[:1] != ["--all"]:
        return [(argv[0], p) for p in argv[1:]]
    names = sorted(os.path.relpath(p, RUN)[:-5] for p in glob.glob(os.path.join(RUN, "*", "*.json")))
    wanted = argv[1:]
    names = [n for n in names if not wanted or any(n == w or n.startswith(w + "/") for w in wanted)]
    return [(os.path.join(RUN, n + ".pyk"), os.path.join(RUN, n + ".json")) for n in names]


def main(argv):
    if len(argv) < 2 and argv[:1] != ["--all"]:
        print(__doc__)
        return 2
    results = [check(*pair) for pair in pairs(argv)]
    print(f"{results.count('ok')} agree, {results.count('skip')} skipped, {results.count('fail')} fail")
    return 1 if "fail" in results else 0 if "ok" in results else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
