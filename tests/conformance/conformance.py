#!/usr/bin/env python3
"""numba-cuda's own test suite as a judge: its kernels as .pyk files, compiled and run by pykc.

    conformance.py record DIR [--modules test_math,…]
                                            run the suite in Numba's simulator, write each kernel as DIR/NAME.pyk + NAME.json
    conformance.py expect DIR               on a machine with a GPU: what numba-cuda gives for each case, as NAME.numba.json
    conformance.py judge DIR RUN_CASES      compile all for CUDA and the CPU, run those whose result is known (--gpu: there too);
                                            writes results.tsv beside this script with --write; --suites Nvrtc,Cpu: these only
    conformance.py sample RUN_CASES         records some modules and judges them on the CPU (ctest)

Needs a Python with numba, numba-cuda, pytest, cffi, psutil and ml_dtypes. Nothing of the suite is kept in this repository but the list of results.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def modules():
    import importlib.util

    folder = pathlib.Path(importlib.util.find_spec("numba_cuda").origin).parent / "numba/cuda/tests/cudapy"
    return sorted(p.stem for p in folder.glob("test_*.py"))


def in_parallel(jobs, work, items):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, items))


# Those that record fast, of many topics.
SAMPLE = ["test_alignment", "test_array_methods", "test_casting", "test_complex_kernel", "test_idiv", "test_lang", "test_minmax", "test_optimization", "test_powi", "test_sm_creation",
          "test_slicing", "test_userexc"]


def record(folder, jobs, names):
    """False: of some module there is nothing."""

    def one(module):
        try:
            done = subprocess.run([sys.executable, HERE / "record.py", module, folder], capture_output=True, text=True, timeout=1500)
            said = done.stderr.strip().splitlines()
        except subprocess.TimeoutExpired:
            said = ["timed out"]
        if not (folder / f"{module}.index").exists():
            print(f"{module}: not recorded: {said[-1] if said else 'no reason'}")
            return False
        return True

    return all(in_parallel(jobs, one, names or modules()))


def index(folder):
    entries = {}
    for file in sorted(folder.glob("*.index")):
        for entry in json.loads(file.read_text()):
            entries[entry["name"]] = entry
    return entries


def expect(folder, jobs):
    names = [n for n, e in index(folder).items() if "unportable" not in e and json.loads((folder / f"{n}.json").read_text())["args"] is not None]
    chunks = [names[i::jobs * 4] for i in range(jobs * 4)]

    def one(chunk):
        left = list(chunk)
        while left:  # a case that takes the process down ends alone
            subprocess.run([sys.executable, HERE / "launch_numba.py", folder, *left], timeout=900, capture_output=True)
            undone = [n for n in left if not (folder / f"{n}.numba.json").exists()]
            if undone:
                (folder / f"{undone[0]}.numba.json").write_text('{"error": "the process ended"}')
            left = undone[1:]

    in_parallel(jobs, one, chunks)
    outcomes = collections.Counter("error" in json.loads(p.read_text()) for p in folder.glob("*.numba.json"))
    print(f"numba-cuda: {outcomes[False]} cases ran, {outcomes[True]} did not")


def run(folder, program, suite, names, jobs):
    """What each case says, "" where all is well; a case that ends the program is tried alone."""

    def one(chunk):
        with tempfile.NamedTemporaryFile(suffix=".json") as report:
            cases = ":".join(f"{suite}.*/{name}" for name in chunk)
            command = [program, f"--gtest_filter={cases}", f"--gtest_output=json:{report.name}", "--gtest_brief=1"]
            done = subprocess.run(command, env=os.environ | {"PYK_RUN_CASES": str(folder)}, capture_output=True, text=True)
            written = pathlib.Path(report.name).read_text()
        if not written:
            if len(chunk) == 1:
                return {chunk[0]: f"the program ended with {done.returncode}"}
            return one(chunk[::2]) | one(chunk[1::2])
        outcomes = {}
        for test in json.loads(written)["testsuites"][0]["testsuite"]:
            texts = [f["failure"] for f in test.get("failures", [])]
            outcomes[test["value_param"].strip('"')] = "skipped" if test["result"] == "SKIPPED" else "\n".join(texts)
        return outcomes

    return {name: said for outcomes in in_parallel(jobs, one, [names[i:i + 25] for i in range(0, len(names), 25)]) for name, said in outcomes.items()}


def reason(text):
    found = re.search(r"error: (.*)", text)
    if found:
        return re.sub(r"\s+", " ", found[1])[:160]
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("/")]
    return re.sub(r"\s+", " ", " ".join(lines))[:160]


REFUSALS = ("TypingError", "LoweringError", "UnsupportedError", "NumbaTypeError", "TypeError", "ValueError", "NumbaValueError", "NotImplementedError")


def judge(folder, program, suites, jobs, write):
    entries = index(folder)
    exceptions = {}
    for line in (HERE / "exceptions.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, why = line.split("\t")
            exceptions[name] = why
    names = sorted(name for name, entry in entries.items() if "unportable" not in entry)
    outcomes = {suite: run(folder, program, suite, names, jobs) for suite in suites}
    rows, counts = [], collections.Counter()
    for name, entry in sorted(entries.items()):
        if "unportable" in entry:
            status, why = "unportable", entry["unportable"]
        else:
            texts = {s: outcomes[s].get(name, "") for s in suites}
            failed = {s: t for s, t in texts.items() if t and t != "skipped"}
            refused = suites[0] in failed and re.search(r"error: .*\[[a-z-]+\]", failed[suites[0]])
            why = ""
            numba = folder / f"{name}.numba.json"
            known = next((w for pattern, w in exceptions.items() if fnmatch.fnmatch(name, pattern)), None)
            negative = entry["refused"] and any(e in entry["refused"] for e in REFUSALS)
            if negative and refused:
                status, why = "refused", entry["refused"]
            elif not negative and not failed:
                status = "pass"
            elif known:
                status, why = "exception", known
            elif negative:
                status, why = "accepted", entry["refused"]
            elif refused and numba.exists() and "error" in json.loads(numba.read_text()):
                status, why = "refused", "numba-cuda refuses it too"
            else:
                suite, text = next(iter(failed.items()))
                status, why = ("values" if "differ" in text or "expected" in text.lower() and "error:" not in text else "compile"), f"{suite}: {reason(text)}"
        counts[status] += 1
        rows.append((name, status, why))
    portable = sum(n for status, n in counts.items() if status not in ("unportable", "exception"))
    good = counts["pass"] + counts["refused"]
    print(f"negative tests: {sum(bool(row[1] == 'refused') for row in rows)} refused with a diagnostic, {counts['accepted']} accepted")
    summary = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
    print(f"{good} of {portable} portable cases ({100 * good / max(portable, 1):.1f} %): {summary}")
    if write:
        lines = ["# kernel\tresult\treason; made by conformance.py judge --write"] + ["\t".join(row) for row in rows]
        (HERE / "results.tsv").write_text("\n".join(lines) + "\n")
    for name, status, why in rows:
        if status in ("compile", "values", "accepted"):
            print(f"{status:9} {name}: {why}")
    return 0 if good == portable else 1


def sample(program, jobs):
    import importlib.util

    if importlib.util.find_spec("numba_cuda") is None:
        print("SKIPPED: no numba-cuda here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        is_recorded = record(pathlib.Path(folder), jobs, SAMPLE)
        return judge(pathlib.Path(folder), program, ["Cpu"], jobs, False) or not is_recorded


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "expect", "judge", "sample"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("run_cases", nargs="?")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--modules", type=lambda text: text.split(","))
    parser.add_argument("--suites", type=lambda text: text.split(","), default=["Nvrtc", "Cpu"])
    args = parser.parse_args()
    if args.what == "sample":
        return sample(args.folder, args.jobs)
    args.folder.mkdir(parents=True, exist_ok=True)
    folder = args.folder.resolve()
    if args.what == "record":
        return 0 if record(folder, args.jobs, args.modules) else 1
    if args.what == "expect":
        return expect(folder, args.jobs)
    return judge(folder, args.run_cases, args.suites + (['Gpu'] if args.gpu else []), args.jobs, args.write)


if __name__ == "__main__":
    sys.exit(main())
