"""Compiles and runs the code blocks of README.md and docs/*.md.

python blocks that begin with `# NAME.pyk` become that file; in sh blocks every line that begins with `pykc` runs beside them and must
succeed; cpp blocks that begin with `// NAME.cpp` must compile. A kernel block also compiles for CUDA (where NVRTC is) and the CPU.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


def blocks(text):
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)


class Page:
    def __init__(self, path, options, folder):
        self.path, self.options, self.folder = path, options, pathlib.Path(folder)
        self.done = self.failed = 0

    def run(self, command, what):
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.done += 1
        if result.returncode:
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
                self.run([self.options.pykc, *shlex.split(line)[1:]], line)

    def cpp(self, code):
        name = self.named(code, "//")
        if name:
            includes = [f"-I{folder}" for folder in self.options.include]
            self.run([self.options.cxx, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", *includes, name], name)

    def check(self):
        for language, code in blocks(self.path.read_text()):
            handler = getattr(self, language, None)
            if language in ("python", "sh", "cpp"):
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
            print(f"{path.name}: {page.done} blocks and commands, {page.failed} failed")
            done, failed = done + page.done, failed + page.failed
    sys.exit(1 if failed or not done else 0)


if __name__ == "__main__":
    main()
