"""What `#include <pyk/pyk.hpp>` adds to a translation unit: CPU time of `c++ -std=c++17 -fsyntax-only`, beside the standard headers that
nobody does without. The cases take turns; the least and the median of the rounds are shown."""
import argparse
import pathlib
import resource
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent / "runtime"
CASES = {
    "<string>, <vector>": "#include <string>\n#include <vector>\n",
    "<pyk/runtime.h>": "#include <pyk/runtime.h>\n",
    "<pyk/pyk.hpp>": "#include <pyk/pyk.hpp>\n",
}


def seconds(compiler, file):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    subprocess.run([compiler, "-std=c++17", "-fsyntax-only", f"-I{ROOT / 'host'}", f"-I{ROOT / 'jit'}", file], check=True)
    return used() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, text in {"": "", **CASES}.items():
            files[name] = pathlib.Path(folder) / f"case{len(files)}.cpp"
            files[name].write_text(text)
        times = {name: [] for name in files}
        for _ in range(arguments.rounds):
            for name, file in files.items():
                times[name].append(seconds(arguments.cxx, file))
    for name in CASES:
        added = [value - empty for value, empty in zip(times[name], times[""])]
        print(f"{name:20} adds {min(added):.2f} s at least, {statistics.median(added):.2f} s in the median")


main()
