#!/usr/bin/env python3
"""Compares pykc's front end with CPython 3.11's `ast.parse` and `compile`.

    judge.py JUDGE stdlib             every .py of the standard library: the same files accepted and refused
    judge.py JUDGE dump [COUNT]       COUNT of them (50): the same tree, by `ast.dump`
    judge.py JUDGE mutate [COUNT]     COUNT seeded token mutations (20,000): at least 99.5 % agreement on accept or refuse
    judge.py JUDGE formatted [COUNT]  COUNT random f-strings (10,000): accepted alike, and the same trees

JUDGE is the program pyk_frontend_judge. Exit code 77: CPython 3.11 is not there to compare with.
"""

import ast
import io
import random
import subprocess
import sys
import sysconfig
import tokenize
import warnings
from pathlib import Path

SKIP = 77
SEED = 20260101
WANTED_AGREEMENT = 0.995


class Judge:
    """pyk_frontend_judge as a function from text to (accepted, dump or diagnostics)."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, text: bytes, mode="check"):
        self.process.stdin.write(b"%d %s\n" % (len(text), mode.encode()) + text)
        self.process.stdin.flush()
        header = self.process.stdout.readline().split()
        if not header:
            raise SystemExit(f"the judge died of:\n{text!r}")
        answer = self.process.stdout.read(int(header[0]))
        accepted = header[1] == b"ok"
        return accepted, answer.decode("utf-8", "surrogatepass" if accepted else "replace")


def cpython(text: bytes):
    """The tree, or what CPython said against it."""
    try:
        tree = ast.parse(text)
        compile(tree, "text", "exec", dont_inherit=True)  # what the grammar takes may still be no Python
        return tree
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        return f"{type(e).__name__}: {e}"


def library():
    root = Path(sysconfig.get_paths()["stdlib"])
    return [p for p in sorted(root.rglob("*.py")) if "site-packages" not in p.parts]


def judge_stdlib(judge):
    agreed, refused, differ = 0, 0, []
    for path in library():
        text = path.read_bytes()
        expected = cpython(text)
        accepted, said = judge(text)
        if accepted == isinstance(expected, ast.AST):
            agreed += 1
            refused += not accepted
        else:
            differ.append((path, expected if isinstance(expected, str) else said))
    for path, why in differ:
        print(f"differs: {path}: {why}")
    print(f"standard library: {agreed} of {agreed + len(differ)} files judged as by ast.parse ({refused} of them refused by both)")
    return not differ


def judge_dump(judge, count):
    files = [p for p in library() if 2_000 < p.stat().st_size < 200_000]
    chosen = sorted(random.Random(SEED).sample(files, min(len(files), count * 2)))
    equal, compared, differ = 0, 0, []
    for path in chosen:
        text = path.read_bytes()
        tree = cpython(text)
        if isinstance(tree, str) or b"\\N{" in text or compared == count:
            continue
        compared += 1
        accepted, dump = judge(text, "dump")
        expected = ast.dump(tree)
        if accepted and dump == expected:
            equal += 1
        else:
            differ.append(path)
            at = next((i for i, (a, b) in enumerate(zip(expected, dump)) if a != b), min(len(expected), len(dump)))
            print(f"differs: {path} at {at}:\n  ast.dump: …{expected[max(0, at - 60):at + 60]}…\n  pykc:     …{dump[max(0, at - 60):at + 60]}…")
    print(f"dump: {equal} of {compared} files equal to ast.dump")
    return not differ and compared >= min(count, 50)


# --- mutations -------------------------------------------------------------------------------------------------------
def pieces(text):
    """Top-level statements of a file, as text, short enough that a mutation is quick to judge."""
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
        if node.end_lineno - first < 60:
            piece = "".join(lines[first - 1 : node.end_lineno])
            if 10 < len(piece) < 2500:
                yield piece


def tokens_of(text):
    """(start, end) offsets of the tokens, line ends and layout left alone."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    layout = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.COMMENT)
    return [
        (starts[t.start[0] - 1] + t.start[1], starts[t.end[0] - 1] + t.end[1])
        for t in tokenize.generate_tokens(io.StringIO(text).readline)
        if t.type not in layout
    ]


def mutate(text, rng):
    spans = tokens_of(text)
    if len(spans) < 3:
        return None
    i = rng.randrange(len(spans) - 1)
    (a, b), (c, d) = spans[i], spans[i + 1]
    kind = rng.choice(("delete", "duplicate", "swap"))
    if kind == "delete":
        return text[:a] + text[b:]
    if kind == "duplicate":
        return text[:b] + " " + text[a:b] + text[b:]
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def sample_pieces(rng, wanted):
    out = []
    files = library()
    rng.shuffle(files)
    for path in files:
        try:
            text = path.read_bytes().decode("utf-8")
            found = [p for p in pieces(text) if "\f" not in p]
        except (SyntaxError, ValueError, RecursionError):
            continue
        out += rng.sample(found, min(len(found), 12))
        if len(out) >= wanted:
            break
    return out


def judge_mutations(judge, count):
    rng = random.Random(SEED)
    texts = sample_pieces(rng, count // 5)
    agreed, refused, done, shown = 0, 0, 0, 0
    while done < count:
        mutated = mutate(rng.choice(texts), rng)
        if mutated is None:
            continue
        done += 1
        raw = mutated.encode()
        expected = cpython(raw)
        accepted, said = judge(raw)
        if accepted == isinstance(expected, ast.AST):
            agreed += 1
            refused += not accepted
        elif shown < 20:
            shown += 1
            print(f"differs: CPython: {expected if isinstance(expected, str) else 'accepts'}; pykc: {said or 'accepts'}\n{mutated[:600]}\n---")
    print(f"mutations: {agreed} of {done} judged as by ast.parse, {100 * agreed / done:.3f} % ({refused} refused by both)")
    return agreed >= WANTED_AGREEMENT * done


# --- f-strings -------------------------------------------------------------------------------------------------------
VALUES = ("x", "x + 1", "a[1:2]", "d['k']", "(lambda q: q)(1)", "(y := 3)", "f(a=1, *b)", "x != y", "x == y", "x <= y", "x if y else z", "*a, b",
          "'s'", '"s"', "{1: 2}[1]", " {1}", "[i for i in a if i]", "not x", "x\n", "-1", "1.5e3", "x or y", "a, b", "yield", "await x", "f'n{m}'",
          "lambda: 1", "x!=y", "é", "None", "...", "x = 1", "1_", "x y", "{", "print (x)", "x:=1", "(x)", "\tx")
SPECIFICATIONS = (">8", ".3f", "{w}", "{p!r}", "%H:%M", "{{", "}}", " ", "\\n", "=", "!", "'a'", "{}")
TEXTS = ("text", "{{", "}}", "\\n", "\\", "\\{{", "é", "'", "\\'", "%", "{", "}", "{{}}", "}}{{")


def field_of(rng):
    text = "{" + rng.choice(("", "", " ")) + rng.choice(VALUES) + rng.choice(("", "", " "))
    if rng.random() < 0.25:
        text += rng.choice(("=", " = ", "= ", "=="))
    if rng.random() < 0.25:
        text += rng.choice(("!r", "!s", "!a", "!x", "! r", "!r ", "!"))
    if rng.random() < 0.35:
        text += ":" + "".join(rng.choice(SPECIFICATIONS) for _ in range(rng.randrange(3)))
    return text + "}"


def judge_formatted(judge, count):
    """f-strings of random pieces: accepted alike, and the same trees."""
    rng = random.Random(SEED)
    accepted, differ = 0, 0
    for _ in range(count):
        body = "".join(field_of(rng) if rng.random() < 0.4 else rng.choice(TEXTS) for _ in range(rng.randrange(4)))
        text = rng.choice(("f", "rf", "fR", "F")) + '"""' + body + rng.choice(('"""', '""" "b"', '""" f"{c}"', '""" u"d"')) + "\n"
        expected = cpython(text.encode())
        takes, dump = judge(text.encode(), "dump")
        is_tree = isinstance(expected, ast.AST)
        accepted += is_tree
        if takes != is_tree or (takes and dump != ast.dump(expected)):
            differ += 1
            print(f"differs: {text!r}\n  CPython: {ast.dump(expected) if is_tree else expected}\n  pykc:    {dump}")
    print(f"f-strings: {count - differ} of {count} as ast.parse has them ({accepted} accepted)")
    return not differ


def main(argv):
    if sys.version_info[:2] != (3, 11):
        print(f"skipped: CPython 3.11 is needed to compare with, this is {sys.version.split()[0]}")
        return SKIP
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20_000)
    judge = Judge(argv[1])
    what, count = argv[2], int(argv[3]) if len(argv) > 3 else 0
    passed = {
        "stdlib": lambda: judge_stdlib(judge),
        "dump": lambda: judge_dump(judge, count or 50),
        "mutate": lambda: judge_mutations(judge, count or 20_000),
        "formatted": lambda: judge_formatted(judge, count or 10_000),
    }[what]()
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
