"""Compiles and runs the code blocks of README.md and docs/*.md.

python blocks that begin with `# NAME.pyk` become that file; in sh blocks every line that begins with `pykc` runs beside them and must
succeed, or give the diagnostic that it announces by `# error: ID` at its end; cpp, c and rust blocks that begin with `// NAME.cpp` and so on must
compile (Rust where there is a rustc), cuda blocks are files for the commands, of which those that begin with `nvcc` run too, where there is one. A kernel block also compiles for CUDA (where NVRTC is) and the CPU.
In a table with the column `example` each row that is `done` links to sections, of this page or another, that hold such a block.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile


NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def blocks(text):
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)


def sections_of(path):
    """The anchors of the sections that hold a block, as GitHub names them; what is below a heading counts for it too."""
    found, above, in_block = set(), [], False
    for line in path.read_text().splitlines():
        if line.startswith("```"):
            in_block = not in_block
            found.update(name for _, name in above)
        elif line.startswith("#") and not in_block:
            level = len(line) - len(line.lstrip("#"))
            name = re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            above = [(n, anchor) for n, anchor in above if n < level] + [(level, name)]
    return found


class Page:
    def __init__(self, path, options, folder):
        self.path, self.options, self.folder = path, options, pathlib.Path(folder)
        self.done = self.failed = 0

    def run(self, command, what, error=None):
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                                env={**os.environ, "PYK_CACHE_DIR": str(self.folder / "cache")})
        if result.returncode == 3 and "was not found" in result.stderr:  # a tool that is not here
            return
        self.done += 1
        if error and f"[{error}]" not in result.stderr or not error and result.returncode:
            self.failed += 1
            print(f"{self.path.name}: {what}: exit code {result.returncode}\n{result.stderr[-3000:]}")

    def named(self, code, comment):
        match = re.match(re.escape(comment) + r" (\w+\.\w+)\n", code)
        if match:
            (self.folder / match[1]).write_text(code)
        return match and match[1]

    def python(self, code):
        name = self.named(code, "#")
        if name:
            self.run([self.options.pykc, name, "--emit=cpp", "-o", name + ".cpp"] if "jit(" in code and "void(" in code
                     else [self.options.pykc, name, "--list"], name)

    def sh(self, code):
        for line in code.splitlines():
            if line.startswith("pykc"):
                announced = re.search(r"# error: ([\w-]+)$", line)
                self.run([self.options.pykc, *shlex.split(line, comments=True)[1:]], line, announced and announced[1])
            elif line.startswith("nvcc") and NVCC:
                self.run([NVCC, *shlex.split(line)[1:], *(f"-I{folder}" for folder in self.options.include)], line)

    def cpp(self, code):
        name = self.named(code, "//")
        if name:
            includes = [f"-I{folder}" for folder in self.options.include]
            self.run([self.options.cxx, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *includes, name], name)

    def cuda(self, code):
        self.named(code, "//")

    def c(self, code):
        name = self.named(code, "//")
        if name:
            includes = [f"-I{folder}" for folder in self.options.include]
            self.run(["cc", "-std=c99", "-fsyntax-only", "-pedantic", "-Wall", "-Wextra", "-Werror", *includes, name], name)

    def rust(self, code):
        name = self.named(code, "//")
        if name and shutil.which("rustc"):
            self.run(["rustc", "--edition=2021", "--crate-type=lib", "--emit=metadata", name], name)

    def table(self):
        is_ours = False
        for line in self.path.read_text().splitlines():
            row = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
            is_ours = bool(row) and (is_ours or row[-1] == "example")
            if not is_ours or row[-1] == "example" or set(line) <= set("|-"):
                continue
            links = re.findall(r"\]\(([\w.]*)#([\w-]+)\)", row[2])
            missing = [name for page, name in links if name not in sections_of(self.path.with_name(page or self.path.name))]
            self.done += 1
            if row[1].startswith("done") and (missing or not links):
                self.failed += 1
                print(f"{self.path.name}: `{row[0]}` has no example: {missing}")

    def check(self):
        self.table()
        for language, code in blocks(self.path.read_text()):
            handler = getattr(self, language, None)
            if language in ("python", "sh", "cpp", "cuda", "c", "rust"):
                handler(code)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pykc", required=True)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    options.pykc = str(pathlib.Path(options.pykc).resolve())
    done = failed = 0
    for path in options.pages:
        with tempfile.TemporaryDirectory() as folder:
            page = Page(path, options, folder)
            page.check()
            if page.done:
                print(f"{path.name}: {page.done} blocks and commands, {page.failed} failed")
            done, failed = done + page.done, failed + page.failed
    sys.exit(1 if failed or not done else 0)


if __name__ == "__main__":
    main()
