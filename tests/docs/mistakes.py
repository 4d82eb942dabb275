"""Typical mistakes in kernels: what Numba prints, and what pykc prints. Writes the table of docs/mistakes.md.

    /path/to/python/with/numba tests/docs/mistakes.py --pykc build/release/bin/pykc docs/mistakes.md     # writes it
    … --check                                                                                           # compares

Numba compiles for sm_90 as far as it gets without a GPU; paths of this machine are taken out of its messages. Without Numba (any
Python) `--check` compares our half alone.
"""
import argparse
import linecache
import pathlib
import re
import subprocess
import sys
import tempfile

# Title, signature, and the kernel `k` with what stands above it.
MISTAKES = [
    ("a misspelt variable", "float32[::1]", """
def k(values):
    total = float32(0)
    for i in range(values.size):
        total += value[i]
    values[0] = total"""),
    ("a misspelt function of cuda", "float32[::1]", """
def k(x):
    cuda.syncthread()
    x[0] = 1"""),
    ("a misspelt function of math", "float32[::1]", """
def k(x):
    x[0] = math.squirt(x[0])"""),
    ("a misspelt attribute of an array", "float32[::1]", """
def k(x):
    i = cuda.grid(1)
    if i < x.lenght:
        x[i] = 0"""),
    ("too few indices used as a number", "float32[:, ::1]", """
def k(x):
    x[0, 0] = x[1] + 1"""),
    ("too many indices", "float32[::1]", """
def k(x):
    i, j = cuda.grid(2)
    x[i, j] = 0"""),
    ("a float as an index", "float32[::1]", """
def k(x):
    x[x.size / 2] = 0"""),
    ("a scalar that is indexed", "float32, float32[::1]", """
def k(a, x):
    x[0] = a[0]"""),
    ("a kernel that returns a value", "float32[::1]", """
def k(x):
    return x[0] + 1"""),
    ("a list comprehension", "float32[::1]", """
def k(x):
    squares = [v * v for v in x]
    x[0] = squares[0]"""),
    ("a list that grows", "float32[::1]", """
def k(x):
    found = []
    found.append(x[0])
    x[1] = found[0]"""),
    ("a dictionary", "float32[::1]", """
def k(x):
    names = {"a": 1}
    x[0] = names["a"]"""),
    ("a set", "float32[::1]", """
def k(x):
    seen = {1, 2}
    x[0] = len(seen)"""),
    ("try and except", "float32[::1]", """
def k(x):
    try:
        x[0] = 1 / x[1]
    except ZeroDivisionError:
        x[0] = 0"""),
    ("with", "float32[::1]", """
def k(x):
    with open("log") as log:
        x[0] = 1"""),
    ("an import in a kernel", "float32[::1]", """
def k(x):
    import math
    x[0] = math.sqrt(x[0])"""),
    ("a generator", "float32[::1]", """
def k(x):
    yield x[0]"""),
    ("a class in a kernel", "float32[::1]", """
def k(x):
    class Point:
        pass
    x[0] = 1"""),
    ("a function that is not compiled", "float32[::1]", """
def helper(v):
    return open(v)

@cuda.jit
def k(x):
    x[0] = helper(x[0])"""),
    ("an argument too few", "float32[::1]", """
@cuda.jit(device=True)
def scaled(v, factor):
    return v * factor

@cuda.jit
def k(x):
    x[0] = scaled(x[0])"""),
    ("a number, then an array", "float32[::1]", """
def k(x):
    best = 0
    for i in range(4):
        best = x
    x[0] = best[0]"""),
    ("a shared array without a type", "float32[::1]", """
def k(x):
    part = cuda.shared.array(32)
    part[0] = x[0]"""),
    ("a shape with another number of axes", "float32[:, :, ::1]", """
def k(x):
    rows, columns = x.shape
    x[0, 0, 0] = rows * columns"""),
    ("an atomic on a number", "float32[::1]", """
def k(x):
    total = 0
    cuda.atomic.add(total, 0, x[0])"""),
    ("an atomic with an index too few", "float32[:, ::1]", """
def k(x):
    cuda.atomic.add(x, 0, 1.0)"""),
    ("a text and a number", "float32[::1]", """
def k(x):
    x[0] = "1" + 1"""),
    ("None in arithmetic", "float32[::1]", """
def k(x):
    factor = None
    x[0] = x[0] * factor"""),
    ("shifting a float", "float32[::1]", """
def k(x):
    x[0] = x[0] << 2"""),
    ("a number that is unpacked", "float32[::1]", """
def k(x):
    a, b = x[0]
    x[1] = a + b"""),
    ("an unknown argument by name", "float32[::1]", """
def k(x):
    i = cuda.grid(axes=1)
    x[i] = 0"""),
    ("a global variable that is changed", "float32[::1]", """
calls = 0

@cuda.jit
def k(x):
    global calls
    calls += 1
    x[0] = calls"""),
    ("cuda.grid of four axes", "float32[::1]", """
def k(x):
    i = cuda.grid(4)
    x[i] = 0"""),
]

HEAD = "from numba import cuda, float32\nimport math\nimport numpy as np\n\n"


def source_of(body):
    text = body.strip("\n")
    if "@cuda.jit\ndef k" not in text:
        text = text.replace("def k(", "@cuda.jit\ndef k(")
    return HEAD + "\n" + text + "\n"


def by_numba(text, signature, folder):
    """What it raises, without where this machine keeps things."""
    from numba import cuda
    path = folder / "kernel.py"
    path.write_text(text)
    linecache.clearcache()
    space = {"__name__": "kernel"}
    try:
        exec(compile(text, str(path), "exec"), space)
        types = tuple(eval(f"({signature},)", dict(vars(__import__("numba")))))
        cuda.compile(space["k"].py_func, types, cc=(9, 0))
        return "(compiles)"
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    said = re.sub(r"\x1b\[[0-9;]*m", "", said)
    said = said.replace(str(folder) + "/", "")
    said = re.sub(r"/\S*/site-packages/", "", said)
    said = re.sub(r'"[./]*kernel\.py"', '"kernel.py"', said)
    said = re.sub(r" at 0x[0-9a-f]+", "", said)
    return "\n".join(line.rstrip() for line in said.strip().splitlines() if line.strip())


def by_pykc(pykc, text, signature, folder):
    (folder / "kernel.pyk").write_text(text)
    result = subprocess.run([pykc, "kernel.pyk", "--check", "--sig", f"k({signature})"], cwd=folder, capture_output=True, text=True)
    return result.stderr.rstrip() or "(compiles)"


def excerpt(text):
    return text[len(HEAD):].strip("\n")


def page(pykc, theirs):
    parts = ["# Typical mistakes, and what is said of them\n",
             "What Numba (numba-cuda, compiling for sm_90) prints and what pykc prints, each in full, of the same kernels. Made by",
             "`tests/docs/mistakes.py`, which also checks that this page is up to date. The kernels follow `from numba import cuda, float32`,",
             "`import math` and `import numpy as np`; their line numbers count from there.\n"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, (title, signature, body) in enumerate(MISTAKES, 1):
            text = source_of(body)
            parts += [f"## {number}. {title}\n", "```", excerpt(text), "```\n", f"Types: `{signature}`. Numba:\n", "```",
                      theirs(title, text, signature, folder), "```\n", "pykc:\n", "```", by_pykc(pykc, text, signature, folder), "```\n"]
    return "\n".join(parts)


def kept(path):
    """Numba's half of the page as it stands."""
    found = re.findall(r"^## \d+\. (.*?)\n.*?Numba:\n\n```\n(.*?)\n```$", path.read_text(), re.M | re.S)
    return dict(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pykc", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("page", type=pathlib.Path)
    options = parser.parse_args()
    pykc = str(pathlib.Path(options.pykc).resolve())
    try:
        import numba.cuda  # noqa: F401
        theirs = lambda title, text, signature, folder: by_numba(text, signature, folder)
    except ImportError:
        if not options.check:
            sys.exit("this Python has no Numba")
        old = kept(options.page)
        theirs = lambda title, text, signature, folder: old.get(title, "")
    made = page(pykc, theirs)
    if not options.check:
        options.page.write_text(made)
    elif made != options.page.read_text():
        print(f"{options.page} is out of date: run {pathlib.Path(__file__).name} with a Python that has Numba")
        sys.exit(1)


if __name__ == "__main__":
    main()
