#!/usr/bin/env python3
"""Compares pykc with CPython and numba-cuda on random kernels whose threads work together (teams.py).

usage: judge_teams.py PYKC [--first SEED] [--count N] [--seed N] [--oracle python|cuda|stored] [--device cpu|cuda|both] [-j JOBS] [--batch N]
                      [--seconds N] [--keep FOLDER] [--races]
       judge_teams.py --store [--count N]      ask CPython and write data/teams.tsv

All values must be equal. The oracle `python` is team_machine.py, which runs a kernel's threads in several orders: where those differ the
generator has made a race. `cuda` is numba-cuda on a GPU. `stored` needs neither. Exits 1 where there is a difference, 77 where the oracle is
not installed.
"""
import os
import subprocess
import sys
import tempfile

import batches
import npy
from judge import checksum_of, in_a_child, launched, listed
from teams import Team

HERE = os.path.dirname(os.path.abspath(__file__))
STORED = os.path.join(HERE, "data", "teams.tsv")
IMPORT = "from numba import cuda, float32, float64, int32, int64\n"
PATIENCE = 60  # seconds after which a kernel is taken to hang


def by_pykc(options, team, device):
    """array -> numbers, or what pykc says"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(options.keep or folder, f"team_{team.seed}.pyk")
        with open(path, "w") as out:
            out.write(team.text())
        extents = lambda axes: ",".join(map(str, axes))
        command = [options.pykc, "run", path, f"team_{team.seed}", "--grid", extents(team.grid), "--block", extents(team.block), "--shared", str(team.dynamic),
                   "--device", device, "--no-warnings"] + (["--check=race"] if options.races else [])
        contents = team.contents()
        after = lambda name: os.path.join(folder, f"out_{name}.npy")
        for name, (type, shape, values) in contents.items():
            file = os.path.join(folder, name + ".npy")
            npy.save(file, type, shape, values)
            command += [file, "--save", f"{name}={after(name)}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return "no answer"
        if done.returncode != 0:
            return done.stderr + done.stdout
        return {name: npy.load(after(name), type) for name, (type, _, _) in contents.items()}


def numpy_arrays(team):
    import numpy as np
    return {name: np.array(values, np.dtype(npy.FORMATS[type][0])).reshape(shape) for name, (type, shape, values) in team.contents().items()}


# --- the oracles ---
def by_python(team, order=None):
    """`order`: a seed of the order in which the threads run."""
    from team_machine import Machine
    machine = Machine()
    space = {"cuda": machine.cuda, "int32": int, "int64": int, "float32": float, "float64": float}
    exec(compile(team.text().replace(IMPORT, ""), f"team_{team.seed}", "exec"), space)
    arrays = numpy_arrays(team)
    try:
        machine.launch(space[f"team_{team.seed}"], team.grid, team.block, team.dynamic, arrays.values(), order)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return listed(arrays)


def by_cuda(team):
    return launched(team.text(), f"team_{team.seed}", (team.grid, team.block, 0, team.dynamic), numpy_arrays(team))


def difference(team, got, want):
    """Where two differ first: in `out` the earliest step, else an array; or None."""
    for name in want:
        if got[name] != want[name]:
            at = next(i for i, (x, y) in enumerate(zip(got[name], want[name])) if x != y)
            where = f"thread {at % team.total}, out[{at // team.total}]" if name == "out" else f"{name}[{at}]"
            return f"{where}: {got[name][at]} instead of {want[name][at]}"
    return None


def wanted_of(options, team):
    """What the oracle gives, or why it gives nothing."""
    if options.oracle == "cuda":
        return in_a_child(by_cuda, team, PATIENCE)
    want = by_python(team)
    for order in (1, 2):
        other = by_python(team, order) if isinstance(want, dict) else want
        if isinstance(other, str) or difference(team, other, want):
            return f"the generator made a race: {other if isinstance(other, str) else difference(team, other, want)}"
    return want


def judge_batch(options, seeds):
    """(kernels judged, lines of differences, lines of kernels that the oracle cannot judge)"""
    if batches.is_late(options):
        return 0, [], []
    stored = dict(batches.read_rows(STORED)) if options.oracle == "stored" else None
    lines, unjudged = [], []
    for team in map(Team, seeds):
        want = None if stored else wanted_of(options, team)
        if isinstance(want, str):
            unjudged.append(f"seed {team.seed}: no oracle: {want[:600]}")
            continue
        for device in ["cpu", "cuda"] if options.device == "both" else [options.device]:
            got = by_pykc(options, team, device)
            if isinstance(got, str):
                lines.append(f"seed {team.seed}: REFUSED by pykc on {device}: {got[:1500]}")
            elif stored:
                if checksum_of(got) != stored[str(team.seed)]:
                    lines.append(f"seed {team.seed}: DIFFERS on {device} (--oracle python --seed {team.seed} says where)")
            elif at := difference(team, got, want):
                lines.append(f"seed {team.seed}: DIFFERS on {device}: {at}")
    return len(seeds), lines, unjudged


def stored_lines(options, seeds):
    wanted = {seed: wanted_of(options, Team(seed)) for seed in seeds}
    assert all(isinstance(want, dict) for want in wanted.values()), wanted
    return [f"{seed}\t{checksum_of(want)}" for seed, want in wanted.items()]


def store(options):
    rows = [row for part in batches.of_batches(options, stored_lines) for row in part]
    batches.write_rows(STORED, ["# written by judge_teams.py --store, with team_machine.py; do not edit", "# seed\tCRC-32 of the arrays"], rows)


def lacks_oracle(options):
    try:
        import numpy  # noqa: F401
        __import__("numba.cuda" if options.oracle == "cuda" else "greenlet")
    except ImportError as error:
        print(f"SKIPPED: {error}")
        return True
    return False


def main():
    parser = batches.options_of(__doc__, "kernel", 40, 5, ["python", "cuda"])
    parser.add_argument("--races", action="store_true", help="look for races, of which the kernels have none")
    parser.add_argument("--device", choices=["cpu", "cuda", "both"], default="cpu")
    options = batches.parsed(parser, lambda options: Team(options.seed).text())
    if options.store:
        return store(options)
    if options.oracle != "stored" and lacks_oracle(options):
        return 77
    judged, found, unjudged = 0, 0, 0
    for count, lines, open_ in batches.of_batches(options, judge_batch):
        for line in open_ + lines:
            print(line, flush=True)
        judged, found, unjudged = judged + count, found + len(lines), unjudged + len(open_)
    print(f"{judged} kernels from seed {options.first}: {unjudged} that the oracle could not judge, {found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
