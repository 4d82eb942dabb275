"""Random host functions that raise and handle errors.

`Handling(seed)` is as a `Function` with loops, whose statements may fail as well: `raise`, `assert`, integer division by zero, functions that
raise, arrays that do not fit. `try` stands around statements, in loops and around them. What its body assigns is defined in front of it, so that
handlers read it. The caller takes what is left uncaught, and the function `bare_<seed>` does not: it tells of the error.
"""
import re

from host_functions import Function, POOLS
from values import F64, I64

ERRORS = ["ValueError", "RuntimeError", "IndexError", "TypeError", "OverflowError", "KeyError"]
FIRST = {"i": ("i", ["-1"]), "j": ("i", ["0", "7"]), "v": ("f", ["0.0", "1", "np.float32(0.5)"]), "c": ("b", ["False"])}  # what temporaries are at first, by their letter


class Handling(Function):
    raises = True

    def write(self):
        self.kind, self.attempts, self.depth, self.caught, self.raising = "errors", 0, 0, 0, []
        self.parallel, self.small = self.chance(0.08), self.chance(0.3)
        self.parameters()
        self.extents()
        self.helper_texts = [self.helper(k) for k in range(self.pick(0, 0, 1))] + [self.raising_helper(k) for k in range(self.pick(0, 1, 1, 2))]
        self.declare()
        self.traced()
        for _ in range(self.pick(1, 1, 2)):
            self.part()
        self.lines.append(f"    return {self.results()}")

    def traced(self):
        """An integer that tells which ways were taken, and a variable that may be None."""
        name = self.fresh("s")
        self.emit(f"{name} = 0")
        self.accumulators.append((name, I64, False))
        self.names["i"].append(name)
        self.trace = name
        self.optional = self.fresh("o") if self.chance(0.25) and not self.parallel else None
        self.sets_optional = False
        if self.optional:
            self.emit(f"{self.optional} = None")

    def part(self):
        kind = self.between(0, 9)
        if kind == 0:  # what always raises has no result
            self.emit(f"if {self.pick(*self.far)} {self.pick('< 1', '> 1', '== 1')}:")
            return self.emit(f"    raise {self.error()}")
        if kind <= 3 or self.parallel and kind <= 6:
            return self.shared_loop() if self.parallel else self.loop(1 if self.small else 2)
        self.attempt(2, top=True)
        if self.sets_optional and self.chance(0.7):
            self.emit(f"if {self.optional} is not None:")
            self.emit(f"    {self.trace} += {self.optional}")

    def raising_helper(self, k):
        """A function of two integers that may raise."""
        text = self.helper(5 + k).split("\n")
        name = self.helpers.pop()
        self.raising.append(name)
        kept = self.names, self.arrays, self.helpers
        self.names, self.arrays, self.helpers = {"i": ["x", "y"], "u": [], "f": [], "c": [], "b": []}, [], []
        lines = [f"    if {self.condition(1)}:", f"        raise {self.error()}"] if self.chance(0.7) else [f"    x = {self.quotient('x', 'y')}"]
        self.names, self.arrays, self.helpers = kept
        return "\n".join(text[:4] + lines + text[4:])

    # --- what raises ---
    def error(self):
        name = self.pick(*ERRORS)
        return self.pick(name, f"{name}()", f'{name}("e{self.between(0, 9)}")')

    def quotient(self, x, y):
        return f"({x} {self.pick('//', '%')} ({y} & {self.pick(1, 3, 7, 31, 127)}))"

    def risky(self):
        """An integer whose evaluation may raise."""
        if self.raising and self.chance(0.5):
            return f"{self.pick(*self.raising)}({self.integer(1)}, {self.integer(1)})"
        return self.quotient(self.integer(1), self.integer(1))

    def fail(self, depth):
        if self.owned and not self.caught:  # how far other iterations are by then is not known
            return self.accumulate(depth)
        own = [a[0] for a in self.accumulators if a[1] is I64 and not a[2] and a[0] not in self.frozen]
        kinds = [self.fail_by_raise] * 4 + [self.fail_by_assert] * 2 + [self.fail_by_store] * 2
        if not self.owned:
            kinds += [self.fail_by_number] * 4 * bool(own) + [self.fail_by_swap] * 2 * (len(own) > 1) + [self.fail_by_test] + [self.fail_of_whole] * 2
        self.pick(*kinds)(own)

    def fail_by_raise(self, own):
        self.emit(f"if {self.condition(1)}:")
        if own and not self.owned and self.chance(0.4):
            self.emit(f"    {self.pick(*own)} {self.pick('=', '+=')} {self.integer(1)}")
        self.emit(f"    raise {self.error()}")

    def fail_by_assert(self, own):
        self.emit(f"assert {self.condition(1)}" + self.pick("", ', "stated"'))

    def fail_by_number(self, own):
        self.emit(f"{self.pick(*own)} {self.pick('=', '+=', '-=', '^=')} {self.risky()}")

    def fail_by_swap(self, own):
        a, b = self.dice.sample(own, 2)
        self.emit(f"{a}, {b} = {self.pick(b, self.risky())}, {self.pick(a, self.risky())}")

    def fail_by_test(self, own):
        self.emit(f"if {self.risky()} {self.pick('<', '>', '==')} {self.integer(0)}:")
        self.nested(1, 0)

    def fail_by_store(self, own):
        inside = {i.dim for i in self.indices}
        arrays = [a for a in self.arrays if a.type.is_int and a.type.bits > 1 and set(a.dims) <= inside and a.name not in self.frozen]
        arrays = [a for a in arrays if not self.owned or a.dims[0] == self.owned.dim]
        if not arrays:
            return self.fail_by_raise(own)
        array = self.pick(*arrays)
        place = f"{array.name}[{', '.join([self.owned.text] + [self.places(d) for d in array.dims[1:]])}]" if self.owned else self.element(array)
        self.emit(f"{place} {self.pick('=', '=', '+=')} {self.risky()}")

    def fail_of_whole(self, own):
        """Arrays of which some are too short."""
        flat = [a for a in self.arrays if len(a.dims) == 1 and a.type.kind in ("int", "uint", "float")]
        if not flat:
            return self.fail_by_raise(own)
        a, b = self.pick(*flat), self.pick(*flat)
        k = f"max(0, {self.pick(*[i.text for i in self.indices], *self.far, '1')})"
        if self.chance(0.5) or a.type is not b.type or a.shares or b.shares:
            name = self.fresh("r")
            self.emit(f"{name} = {a.name}[{k}:].{self.pick('max', 'min', 'argmax')}()")
            return own and self.emit(f"{self.pick(*own)} += int({name} > 1)")
        self.emit(self.pick(f"{a.name}[:] = {a.name} + {b.name}[{k}:]", f"{a.name}[{k}:] = {a.name}[{k}:] * {b.name}"))

    # --- try ---
    def statement(self, depth):
        if self.attempts < 3 and self.depth < 2 and self.chance(0.25):
            return self.attempt(depth)
        if self.chance(0.25):
            return self.fail(depth)
        if self.optional and not self.owned and self.chance(0.15):
            self.sets_optional = True
            return self.emit(f"{self.optional} = {self.integer(1)}")
        super().statement(depth)

    def attempt(self, depth, top=False):
        self.attempts += 1
        self.depth += 1  # Numba takes minutes for many in each other
        start, made = len(self.lines), len(self.made)
        known = {category: list(names) for category, names in self.names.items()}
        self.emit("try:")
        self.caught += bool(self.owned)
        self.guarded_part(depth, top)
        self.caught -= bool(self.owned)
        self.defined_before(start, known)
        self.depth -= 1
        del self.made[made:]
        self.emit(self.pick("except Exception:", "except Exception:", "except:"))
        self.nested(0, 0, self.handler)
        if self.chance(0.25):
            self.emit("else:")
            self.nested(0, 0, lambda: self.way() or self.chance(0.5) and self.either(depth))
        if self.chance(0.15):
            self.emit("finally:")
            self.nested(0, 0, lambda: self.way() or self.chance(0.5) and self.last(depth))
        del self.made[made:]

    def guarded_part(self, depth, top):
        def body():
            for _ in range(self.between(0, 2)):
                self.pick(self.way, lambda: self.either(depth))()
            if top and self.parallel:
                return self.shared_loop()
            if top or depth > 0 and not self.owned and self.chance(0.4):
                return self.whole_statement() if self.chance(0.2) and not self.parallel else self.loop(max(depth - 1, 1))
            self.fail(depth)
            if self.chance(0.7):
                self.either(depth)
            if self.chance(0.3):
                self.fail(depth)
        self.nested(0, 0, body)

    def nested(self, count, depth, of=None):
        if of is None:
            return super().nested(count, depth)
        known = {category: list(names) for category, names in self.names.items()}
        self.indent += 1
        of()
        if self.lines[-1].rstrip().endswith(":"):
            self.emit("pass")
        self.indent -= 1
        self.names = known

    def either(self, depth):
        self.fail(depth) if self.chance(0.4) else self.statement(max(depth - 1, 0))

    def last(self, depth):
        self.pick(self.accumulate, self.store)(0)

    def way(self):
        """Tells that this was reached."""
        if self.owned:
            return
        self.emit(f"{self.trace} {self.pick('=', '= 3 *', '= 7 -')} {self.trace} + {self.between(1, 99)}" if self.chance(0.8) else f"{self.trace} += {self.integer(1)}")

    def handler(self):
        self.way()
        for _ in range(self.between(0, 2)):
            self.pick(self.accumulate, self.store, self.accumulate, self.fail if self.chance(0.2) else self.store)(0)
        if self.in_loops and not self.owned and self.chance(0.3):
            self.leave(0) if self.chance(0.6) else self.emit(self.pick("break", "continue"))
        elif not self.owned and self.chance(0.1):
            self.emit(f"return {self.results()}")

    def defined_before(self, start, known):
        """What the body assigned has a value in front of it, and may be read from here on."""
        names = {}
        for line in self.lines[start:]:
            for name in re.findall(r"^ *(?:for )?([ijvc]\d+)\b(?: =| in)", line):
                names[name] = FIRST[name[0]]
        taken = {x for some in known.values() for x in some} | {i.text for i in self.indices}
        names = {name: of for name, of in names.items() if name not in taken and not self.owned and self.chance(0.7)}
        self.lines[start:start] = ["    " * self.indent + f"{name} = {self.pick(*values)}" for name, (_, values) in names.items()]
        for name, (category, _) in names.items():
            self.names[category].append(name)

    # --- the caller ---
    def results_of_a_call(self):
        return super().results_of_a_call() + 1

    def call(self):
        bare = super().call().replace(f"def call_{self.seed}(", f"def bare_{self.seed}(")
        lines = bare.replace(f"def bare_{self.seed}(", f"def call_{self.seed}(").split("\n")
        last = lines.pop()
        call, given = re.match(r" *return (f_\d+\(.*\)), (.*)", last).groups()
        zeros = {a[0]: f"{self.cast(a[1], 0)}" if a[2] else {I64: "0", F64: "0.0"}.get(a[1], "0j") for a in self.accumulators}
        lines += [f"    {name} = {zero}" for name, zero in zeros.items()] + ["    raised = True", "    try:", f"        given = {call}", "        raised = False"]
        lines += [f"        {name} = given[{k}]" for k, name in enumerate(zeros)] + ["    except Exception:", "        pass"]
        lines.append(f"    return ({', '.join(zeros)}, raised), {given}")
        return bare + "\n" + "\n".join(lines)
