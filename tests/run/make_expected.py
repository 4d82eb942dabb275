#!/usr/bin/env python3
"""Write NAME.json beside every NAME.pyk of tests/run/<topic>/, from the lists in <topic>/cases.py.

usage: make_expected.py [-v] [TOPIC[/NAME]]...

The expected values come from outside pykc: Numba's CPU compiler where it can run the kernel (its typing and integer
semantics are those of numba-cuda), else Numba's CUDA simulator, or a closed form written with NumPy in cases.py.  Every
case is also run in the simulator, and "sim" says whether it agrees.  See README.md for the format.
"""
import glob
import os
import sys

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
os.environ.setdefault("NUMBA_DISABLE_PERFORMANCE_WARNINGS", "1")
import json
import warnings

import numpy as np

import oracle

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {}


class NoOracle(Exception):
    pass


def array(values, dtype, layout="C"):
    a = np.array(values, dtype=dtype)
    spec = oracle.array_to_json(a)
    if layout != "C":
        spec["layout"] = layout
    return spec


def zeros(shape, dtype="float64", layout="C"):
    return array(np.zeros(shape), dtype, layout)


def full(shape, value, dtype, layout="C"):
    return array(np.full(shape, value, dtype), dtype, layout)


def record(value, dtype):
    """A scalar record."""
    return {"dtype": oracle.dtype_to_json(dtype), "scalar": oracle.to_json_value(np.array(value, dtype), dtype)}


def none():
    return {"none": True}


def scalar(value, dtype="int64"):
    return {"dtype": dtype, "scalar": oracle.to_json_number(np.dtype(dtype).type(value))}


def states(n, seed, subsequence_start=0):
    return {"xoroshiro": {"n": n, "seed": seed, "subsequence_start": subsequence_start}}


def case_adder(topic):
    def case(name, args, kernel="k", grid=1, block=1, shared=0, rtol=0.0, atol=0.0, expect=None, oracles="cpu sim",
             note=None, numba=True):
        CASES[f"{topic}/{name}"] = dict(
            topic=topic, name=name, args=args, kernel=kernel, grid=list(oracle.dims(grid)),
            block=list(oracle.dims(block)), shared=shared, tolerance={"rtol": rtol, "atol": atol}, expect=expect,
            oracles=oracles.split(), note=note, numba=numba)
    return case


def attempt(run, path, case):
    try:
        return oracle.arrays_of(run(path, case)), None
    except oracle.Unsupported as e:
        return None, f"not possible: {e}"
    except BaseException as e:  # noqa: BLE001  the simulator raises whatever the kernel raises
        return None, f"{type(e).__name__}: {str(e).strip().splitlines()[-1][:160] if str(e).strip() else ''}"


def agree(case, a, b):
    return a.keys() == b.keys() and not any(oracle.difference(a[i], b[i], case["tolerance"]) for i in a)


def expected_of(case, spec, path, say):
    cpu, cpu_why = attempt(oracle.launch_cpu, path, case) if "cpu" in spec["oracles"] else (None, "told not to")
    # "no sim": the simulator runs block after block, and would wait there for ever.
    sim, sim_why = attempt(oracle.launch_numba, path, case) if "no sim" != " ".join(spec["oracles"]) else (None, "told not to")
    before = oracle.arrays_of(oracle.make_args(case))
    if spec["expect"] is not None:
        want = dict(before)
        for i, a in spec["expect"].items():
            want[i] = np.array(a, dtype=before[i].dtype).reshape(before[i].shape)
        source = "closed form"
        if cpu is not None and not agree(case, cpu, want):
            say(f"note: the CPU compiler differs from the closed form: "
                + "; ".join(f"{i}: {oracle.difference(cpu[i], want[i], case['tolerance'])}" for i in want
                            if oracle.difference(cpu[i], want[i], case['tolerance'])))
    elif cpu is not None:
        want, source = cpu, "numba CPU compiler"
    elif sim is not None and "sim" in spec["oracles"]:
        want, source = sim, "numba CUDA simulator"
        if not cpu_why.startswith(("not possible", "told")):
            say(f"note: the CPU compiler failed: {cpu_why}")
    else:
        raise NoOracle(f"no oracle could run it\n  cpu: {cpu_why}\n  sim: {sim_why}")
    same = sim is not None and agree(case, sim, want)
    if not same:
        say("sim differs: " + (sim_why or "; ".join(
            f"{i}: {oracle.difference(sim[i], want[i], case['tolerance'])}" for i in want
            if oracle.difference(sim[i], want[i], case["tolerance"]))))
    changed = {i: a for i, a in want.items() if "same_as" not in case["args"][i]
               and oracle.difference(a, before[i], {"rtol": 0, "atol": 0})}
    if not changed:
        raise NoOracle("the kernel changes nothing")
    return changed, same, source


def dump(case):
    """One line per argument, so that a changed value is a readable diff."""
    lines = ["{"]
    for key, value in case.items():
        if key == "args":
            body = ",\n".join("    " + json.dumps(a, ensure_ascii=False) for a in value)
            lines.append(f'  "args": [\n{body}\n  ],')
        elif key == "expected":
            body = ",\n".join(f'    "{i}": ' + json.dumps(a) for i, a in value.items())
            lines.append(f'  "expected": {{\n{body}\n  }},')
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},")
    lines[-1] = lines[-1].rstrip(",")
    return "\n".join(lines + ["}"]) + "\n"


def make(spec, verbose):
    path = os.path.join(HERE, spec["topic"], spec["name"])
    case = {k: spec[k] for k in ("kernel", "grid", "block", "shared", "args")}
    case["tolerance"] = spec["tolerance"]
    said = []
    changed, sim, source = expected_of(case, spec, path + ".pyk", said.append)
    out = {k: case[k] for k in ("kernel", "grid", "block", "shared", "args")}
    out["expected"] = {str(i): oracle.array_to_json(a) for i, a in sorted(changed.items())}
    out["tolerance"] = case["tolerance"]
    out["sim"] = sim
    out["source"] = source
    out["numba"] = spec["numba"] is True
    note = spec["note"] if spec["numba"] is True else spec["numba"]
    if note:
        out["note"] = note
    with open(path + ".json", "w", encoding="utf-8") as f:
        f.write(dump(out))
    for s in said:
        print(f"{spec['topic']}/{spec['name']}: {s}")
    if verbose:
        for i, a in changed.items():
            print(f"{spec['topic']}/{spec['name']} [{source}] {i}: {np.array2string(a, threshold=40)}")


def main(argv):
    verbose, wanted = "-v" in argv, [a for a in argv if a != "-v"]
    for file in sorted(glob.glob(os.path.join(HERE, "*", "cases.py"))):
        topic = os.path.basename(os.path.dirname(file))
        names = dict(case=case_adder(topic), array=array, zeros=zeros, full=full, scalar=scalar, record=record, none=none, states=states, np=np)
        with open(file, encoding="utf-8") as f:
            exec(compile(f.read(), file, "exec"), names)
    failed = []
    have = {os.path.relpath(p, HERE)[:-4] for p in glob.glob(os.path.join(HERE, "*", "*.pyk"))}
    for missing in sorted(have - CASES.keys()):
        print(f"{missing}.pyk has no case in cases.py")
    for name, spec in CASES.items():
        if not wanted or any(name == w or name.startswith(w + "/") for w in wanted):
            try:
                make(spec, verbose)
            except NoOracle as e:
                failed.append(name)
                print(f"{name}: {e}")
    return 1 if have != CASES.keys() or failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
