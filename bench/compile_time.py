#!/usr/bin/env python3
"""How long compiling takes: our part, and NVRTC's, of kernels of 50 to 5,000 statements and of 1 to 500 device functions.

usage: compile_time.py PYKC [--quick] [--no-nvrtc] [--repeat N]

Both are CPU time of this machine, the least of several runs: ours that of `pykc FILE -o FILE.cu`, NVRTC's what `-o FILE.ptx` takes beyond
it. The start of the program (a kernel of one statement) is told apart. Goals: at most 1 ms per 100 statements, at most 20 % of NVRTC's,
linear growth: the time per statement of the longest at most twice that of the middle. Exits 1 where one is missed.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

HEAD = "import math\nfrom numba import cuda, float32\n\n\n"
SIGNATURE = "void(float32[::1], float32[:, ::1], int32[::1], float32, int32)"


def statements(count, k):
    """`count` statements on a, m, n (arrays), s, j (scalars), i (the index), as lines."""
    lines, made = [], 0
    while made < count:
        k += 1
        block = [f"x{k} = a[i] * s + float32({k}.5)", f"y{k} = (i + {k}) % 32", f"a[i] += x{k} * x{k} - m[i % 8, y{k}]", f"if x{k} > y{k} and y{k} != 3:",
                 f"    a[i] = min(max(x{k}, s), a[i] / 2)", "else:", f"    n[i] = n[i] // 3 + j % {k % 7 + 2}", f"for t{k} in range(1, j, 2):",
                 f"    a[i] += math.sqrt(abs(x{k})) * t{k}", f"x{k}, y{k} = x{k} + 1, i - y{k}", f"n[y{k} % 4] ^= i << 2"]
        made += sum(not line.startswith("else") for line in block)
        lines += block
    return lines


def kernel_of(count):
    body = "".join(f"    {line}\n" for line in ["i = cuda.grid(1)"] + statements(count, 0))
    return HEAD + f'@cuda.jit("{SIGNATURE}")\ndef k(a, m, n, s, j):\n{body}'


def functions_of(count):
    """Each calls the one before it; ten statements in each."""
    text = HEAD
    for f in range(count):
        body = "".join(f"    {line}\n" for line in statements(10, f * 10))
        called = f"f{f - 1}(s, i + 1)" if f % 10 else "s"
        text += f"@cuda.jit(device=True, inline=\"never\")\ndef g{f}(a, m, n, s, j, i):\n{body}    return x{f * 10 + 1} * s\n\n\n".replace("f{f - 1}", called)
    calls = "".join(f"    s = g{f}(a, m, n, s, j, i)\n" for f in range(count))
    return text + f'@cuda.jit("{SIGNATURE}")\ndef k(a, m, n, s, j):\n    i = cuda.grid(1)\n{calls}    a[i] = s\n'


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stderr[:2000]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(options, folder, text):
    """(ours, NVRTC's or None) in seconds."""
    path = os.path.join(folder, "k.pyk")
    with open(path, "w") as out:
        out.write(text)
    ours = min(cpu_seconds([options.pykc, path, "--no-warnings", "-o", os.path.join(folder, "k.cu")]) for _ in range(options.repeat))
    if options.no_nvrtc:
        return ours, None
    return ours, cpu_seconds([options.pykc, path, "--no-warnings", "--arch", "sm_90", "-o", os.path.join(folder, "k.ptx")]) - ours


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pykc")
    parser.add_argument("--quick", action="store_true", help="small ones only")
    parser.add_argument("--no-nvrtc", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    sizes = [50, 100, 200, 500] if options.quick else [50, 100, 200, 500, 1000, 2000, 5000]
    counts = [1, 10, 50] if options.quick else [1, 10, 50, 100, 200, 500]
    good = True
    with tempfile.TemporaryDirectory() as folder:
        start, _ = measure(options, folder, kernel_of(1))
        print(f"start: {start * 1e3:.1f} ms\n{'':>24} {'ours, ms':>9} {'per 100 statements':>19} {'NVRTC, ms':>10} {'share':>7}")
        for title, make, numbers, each in (("statements", kernel_of, sizes, 1), ("device functions", functions_of, counts, 11)):
            rates = []
            for n in numbers:
                ours, nvrtc = measure(options, folder, make(n))
                rate = (ours - start) * 1e3 / (n * each) * 100
                rates.append(rate)
                share = ours / nvrtc if nvrtc else 0.0
                print(f"{n:7} {title:16} {ours * 1e3:9.1f} {rate:19.2f} " + (f"{nvrtc * 1e3:10.0f} {share:7.1%}" if nvrtc else ""), flush=True)
                good &= (n * each < 500 or rate <= 1.0) and share <= 0.2
            good &= rates[-1] <= 2 * rates[len(rates) // 2]
    print("within the goals" if good else "a goal is missed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
