#!/usr/bin/env python3
"""numba-cuda's own test suite as a judge: its kernels as .pyk files, compiled and run by pykc.

    conformance.py record DIR               run the suite in Numba's simulator, write each kernel as DIR/NAME.pyk + NAME.json
    conformance.py expect DIR               on a machine with a GPU: what numba-cuda gives for each case, as NAME.numba.json
    conformance.py judge DIR RUN_CASES      compile all for CUDA and the CPU, run those whose result is known (--gpu: there too);
                                            writes results.tsv beside this script with --write

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

HERE = pathlib.Path(__file__).resolve().parent


def modules():
    import importlib.util

    folder = pathlib.Path(importlib.util.find_spec("numba_cuda").origin).parent / "numba/cuda/tests/cudapy"
    return sorted(p.stem for p in folder.glob("test_*.py"))


def in_parallel(jobs, work, items):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, items))


def record(folder, jobs):
    def one(module):
        try:
            done = subprocess.run([sys.executable, HERE / "record.py", module, folder], capture_output=True, text=True, timeout=400)
            said = done.stderr.strip().splitlines()
        except subprocess.TimeoutExpired:
            said = ["timed out"]
        if not (folder / f"{module}.index").exists():
            print(f"{module}: not recorded: {said[-1] if said else 'no reason'}")

    in_parallel(jobs, one, modules())


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


def run(folder, program, suite):
    report = folder / f"{suite}.report.json"
    env = os.environ | {"PYK_RUN_CASES": str(folder)}
    command = [program, f"--gtest_filter={suite}.*", f"--gtest_output=json:{report}", "--gtest_brief=1"]
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    outcomes = {}
    for test in json.loads(report.read_text())["testsuites"][0]["testsuite"]:
        name = test["name"].split("/")[-1] if "/" in test["name"] else test["name"]
        texts = [f["failure"] for f in test.get("failures", [])]
        outcomes[test["value_param"].strip('"')] = "skipped" if test["result"] == "SKIPPED" else "\n".join(texts)
    return outcomes


def reason(text):
    found = re.search(r"error: (.*)", text)
    if found:
        return re.sub(r"\s+", " ", found[1])[:160]
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("/")]
    return re.sub(r"\s+", " ", " ".join(lines))[:160]


REFUSALS = ("TypingError", "LoweringError", "UnsupportedError", "NumbaTypeError", "TypeError", "ValueError", "NumbaValueError", "NotImplementedError")


def judge(folder, program, gpu, write):
    entries = index(folder)
    exceptions = {}
    for line in (HERE / "exceptions.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            name, why = line.split("\t")
            exceptions[name] = why
    suites = ["Nvrtc", "Cpu"] + (["Gpu"] if gpu else [])
    outcomes = {suite: run(folder, program, suite) for suite in suites}
    rows, counts = [], collections.Counter()
    for name, entry in sorted(entries.items()):
        if "unportable" in entry:
            status, why = "unportable", entry["unportable"]
        else:
            texts = {s: outcomes[s].get(name, "") for s in suites}
            failed = {s: t for s, t in texts.items() if t and t != "skipped"}
            refused = "Nvrtc" in failed and re.search(r"error: .*\[[a-z-]+\]", failed["Nvrtc"])
            why = ""
            numba = folder / f"{name}.numba.json"
            if entry["refused"] and any(e in entry["refused"] for e in REFUSALS):
                status, why = ("refused" if refused else "accepted"), entry["refused"]
            elif not failed:
                status = "ok"
            elif known := next((w for pattern, w in exceptions.items() if fnmatch.fnmatch(name, pattern)), None):
                status, why = "exception", known
            elif refused and numba.exists() and "error" in json.loads(numba.read_text()):
                status, why = "refused", "numba-cuda refuses it too"
            else:
                suite, text = next(iter(failed.items()))
                status, why = ("values" if "differ" in text or "expected" in text.lower() and "error:" not in text else "compile"), f"{suite}: {reason(text)}"
        counts[status] += 1
        rows.append((name, status, why))
    portable = sum(n for status, n in counts.items() if status not in ("unportable", "exception"))
    good = counts["ok"] + counts["refused"]
    summary = ", ".join(f"{n} {status}" for status, n in sorted(counts.items()))
    print(f"{good} of {portable} portable cases ({100 * good / max(portable, 1):.1f} %): {summary}")
    if write:
        lines = ["# kernel\tresult\treason; made by conformance.py judge --write"] + ["\t".join(row) for row in rows]
        (HERE / "results.tsv").write_text("\n".join(lines) + "\n")
    for name, status, why in rows:
        if status in ("compile", "values", "accepted"):
            print(f"{status:9} {name}: {why}")
    return 0 if good == portable else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "expect", "judge"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("run_cases", nargs="?")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    folder = args.folder.resolve()
    if args.what == "record":
        return record(folder, args.jobs)
    if args.what == "expect":
        return expect(folder, args.jobs)
    return judge(folder, args.run_cases, args.gpu, args.write)


if __name__ == "__main__":
    sys.exit(main())
