"""Module code over lists, dicts and objects that have several names, each change of them in a statement that runs, runs several times, may
not run, or is passed over by `try`.

`Program(seed).text(asked)` is a .pyk whose constants `N0`, `N1`, ... are numbers of these objects in the end; the statements are the module's
own or those of a function that it calls. pykc may not know them, but where it does, they are Python's; where Python's answer depends on
what a missing module says (`unknown()`), pykc may not know.
"""
import contextlib
import io
import signal

ASKED = ("len(c)", "c[-1] if c else 0", "len(w)", "w[0] if w else 0", "w[-1] if w else 0", "len(s.v)", "s.v[-1]", "s.k", "len(t.v)", "t.k",
         "S.n", "len(u.v)", "u.k", "k[0]", "k[1]", "g", "len(d)", "len(d['a']) if 'a' in d else -1", "len(e)", "step()")
HEADS = ("if unknown():", "for q in unknown():", "for q in [S(), S()]:", "while unknown():", "if True:", "for q in range(2):",
         "for q in [c, w]:", "for q in (s, t):", "while len(c) < 4:", "try:", "with open('/dev/null') as f:")
STATEMENTS = ("a = add(c, 3)", "x = c.pop()", "y = add(c, 3), 1", "x, *z = add(c, 3)", "a = b = add(c, 3)", "a: list = add(c, 3)",
              "a = c.append(4)", "w[0] = c.pop()", "w += [c.pop()]", "w.append(c.pop())", "w.extend(add(c, 3))", "c = add(c, 3)",
              "d = {1: c.pop()}", "add(c, 4)", "a = [add(c, i) for i in (1, 2)]", "w[0], w[1] = c.pop(), 1", "assert c.pop() == 3", "del c[0]",
              "a = total()", "w[total() - 6] = 1", "(lambda: c.append(2))()", "s.push(4)", "a = s.push(4)", "a = s.push(4), 1",
              "s.v.append(3)", "s.v = c; s.push(8)", "s.k += 1", "s.v += [2]", "a = s.get(); a.append(4)", "s.get().append(5)",
              "a = s.more(c)", "s.more(c)", "S.n += 1", "a = S.up()", "S.up()", "setattr(s, 'k', 9)", "make(s, 3)", "a = make(s, 3)",
              "make(s, 4).v.append(9)", "t = s; t.push(2)", "s, t = t, s; s.push(7)", "u += 3", "u(3)", "a = u(3)", "u[0] = 4",
              "m = s.push; m(4)", "h = c.append; h(4)", "step()", "a = step()", "w[0] = step()", "k[0] = 7", "k += 1", "a = k[:2]; a[0] = 9",
              "a = fill(k)", "fill(w)", "np.add(k, 1, out=k)", "a = np.add(k, 1, out=k)", "k.fill(3)", "a = k.reshape(3, 1); a += 2",
              "d['a'].append(4)", "d.setdefault('b', c).append(3)", "a = d.setdefault('b', c); a.append(3)", "a = d.pop('a'); a.append(4)",
              "d.update(z=c); d['z'].append(2)", "for v in d.values(): v.append(3)", "for v in (c, w): v.append(1)",
              "[v.append(1) for v in (c, w)]", "a = [v.pop() for v in (c, w)]", "list(map(c.append, w))", "a = list(gen(c))",
              "a = sum(gen(c))", "a = max(gen(c), key=lambda v: v)", "next(it)", "a = next(it)", "a = sorted(c, key=lambda v: add(w, v)[0])",
              "c.sort(reverse=True)", "c[0:1] = w", "c[0:0] = [1, 2]", "c, w = w, c", "(c if len(w) > 1 else w).append(4)",
              "(a := c).append(5)", "if add(c, 4): w.append(1)", "while c.pop() > 5: w.append(1)", "x = 1 if c.pop() > 5 else w.append(1)",
              "x = c.pop() > 5 and w.append(1)", "print(c.pop())", "g = g + 1", "g, a = 9, g", "e.append(s); e[0].push(3)",
              "e.append(c); e[-1].append(3)", "for o in (s, t): o.push(2)", "for o in (s, t): o.k = 7",
              "for i, o in enumerate([c, w]): o.append(i)", "for o in map(lambda z: z, [c, w]): o.append(7)",
              "for o, p in zip([c, w], [1, 2]): o.append(p)", "for o in c[:]: c.append(o)", "for c[0] in (4, 5): pass",
              "for s.k in (4, 5): pass", "*c, x = w", "[c[0], x] = w[:2]", "c.__setitem__(0, 9)", "c.__iadd__([3])", "S.push(s, 4)",
              "type(s).n = 3", "s.__class__.n = 3", "s.__dict__['k'] = 11", "vars(s)['k'] = 11", "object.__setattr__(s, 'k', 12)",
              "operator.iadd(c, [4])", "functools.partial(c.append, 4)()", "a = functools.reduce(lambda x, y: x.append(y) or x, [1], c)",
              "random.shuffle(c)", "match c:\n    case [x, *y]: c.append(3)")
HEADER = """import functools
import operator
import random
import numpy as np
{unknown}


class S:
    n = 0

    def __init__(self):
        self.v = [1]
        self.k = 2

    def push(self, x):
        self.v.append(x)
        self.k += 1
        return self.k

    def get(self):
        return self.v

    def more(self, x):
        x.append(self.k)
        return x

    @classmethod
    def up(cls):
        cls.n += 1
        return cls.n


class B(S):
    def __iadd__(self, x):
        self.v.append(x)
        return self

    def __call__(self, x):
        self.v.append(x)
        return x

    def __setitem__(self, i, x):
        self.v.append(x)

    def __getitem__(self, i):
        return self.v[i]


def add(x, k):
    x.append(k)
    return x


def make(s, k):
    s.push(k)
    return s


def fill(x, y=[]):
    y.append(1)
    x[0] = len(y)
    return x


def total():
    global g
    g += 1
    return g


def counter():
    n = 0

    def step():
        nonlocal n
        n += 1
        return n
    return step


def gen(x):
    for i in x:
        x.append(1) if len(x) < 4 else None
        yield i


g = 5
"""
BEFORE = """c = [3, 3]
w = [7, 8, 9]
s = S()
t = S()
u = B()
k = np.array([1., 2., 3.])
d = {'a': c, 'y': w}
e = [t]
step = counter()
it = iter(w)
"""
MISSING = "from nowhere import unknown"
# What the missing module may say: nothing, and something once.
SAID = ("def unknown():\n    return []", "answers = [[1], []]\n\n\ndef unknown():\n    return answers.pop(0) if answers else []")
LONGEST = 1  # second, for a program
COUNT = len(HEADS) * len(STATEMENTS) * 2


def too_long(signum, frame):
    raise TimeoutError


signal.signal(signal.SIGALRM, too_long)


class Program:
    def __init__(self, seed):
        self.seed = seed
        at = seed * 7919 % COUNT  # neighbours have nothing in common
        self.in_function = at % 2 == 1
        self.head = HEADS[at // 2 % len(HEADS)]
        statement = STATEMENTS[at // 2 // len(HEADS)]
        lines = [self.head, *("    " + line for line in statement.split("\n"))]
        self.body = BEFORE + "\n".join(lines) + ("\nexcept ValueError:\n    pass" if self.head == "try:" else "") + "\n"
        sets = ("g = ", "g, ")
        self.more_globals = ", g" if any(one in statement for one in sets) else ""

    @property
    def code(self):
        return self.text(range(len(ASKED)))

    def module(self, unknown):
        asked = "".join(f"N{i} = {one}\n" for i, one in enumerate(ASKED))
        lines = self.body + asked
        if self.in_function:
            assigned = ", ".join(f"N{i}" for i in range(len(ASKED)))
            inner = "".join(f"    {line}\n" for line in lines.split("\n") if line)
            lines = f"def main():\n    global {assigned}{self.more_globals}\n{inner}\n\nmain()\n"
        return HEADER.replace("{unknown}", unknown) + lines

    def text(self, asked):
        """With a kernel that stores the constants of these places among ASKED."""
        stores = "".join(f"    out[{place}] = N{i}\n" for place, i in enumerate(asked))
        module = self.module(MISSING if "unknown" in self.head else "")
        return f"{module}\n\nfrom numba import cuda\n\n\n@cuda.jit('void(float64[::1])')\ndef kernel(out):\n{stores}"

    def expected(self):
        """Python's numbers; None for one that depends on what is missing. None: Python refuses the program."""
        answers = []
        for said in SAID if "unknown" in self.head else ("",):
            names = {}
            signal.setitimer(signal.ITIMER_REAL, LONGEST)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(self.module(said), "module", "exec"), names)  # noqa: S102: the program of this file
            except Exception:  # whatever the statement raises there, or does without end
                return None
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            answers.append([names[f"N{i}"] for i in range(len(ASKED))])
        return [values[0] if all(one == values[0] for one in values) else None for values in zip(*answers)]
