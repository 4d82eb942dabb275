"""Control flow and scalars: loops that end early, else clauses, changed bounds, types that meet, walrus, side effects in conditions."""
from structure_types import BOOL, FLOAT, INT, TupleType, Values


class Flow(Values):
    def block(self, loop=False, known=None):
        """Some statements inside of what was just opened; what it defines is gone behind it."""
        scope, fixed = dict(self.scope), set(self.fixed)
        if known:
            self.scope |= known
            self.fixed |= set(known)
        self.indent += 1
        self.depth += 1
        self.loops += loop
        for _ in range(self.pick(1, 1, 2)):
            self.step()
        if loop and self.chance(0.3):
            self.emit(f"if {self.boolean(1)}:")
            self.emit(f"    {self.pick('break', 'continue')}")
            self.add("2")
        if self.inside and self.result is not None and self.chance(0.15):
            self.emit(f"if {self.boolean(1)}:")
            self.emit(f"    return {self.returned(self.result)}")
        self.loops -= loop
        self.depth -= 1
        self.indent -= 1
        self.scope, self.fixed = scope, fixed

    def otherwise(self):
        if self.chance(0.25):
            self.emit("else:")
            self.block()

    # --- statements ---
    def do_flow_if(self):
        self.emit(f"if {self.boolean(2)}:")
        self.block()
        if self.chance(0.3):
            self.emit(f"elif {self.boolean(1)}:")
            self.block()
        if self.chance(0.5):
            self.emit("else:")
            self.block()

    def do_flow_range(self):
        name = self.fresh("k")
        n = lambda: f"{self.expression(INT, 1)} % {self.between(2, 4)}"
        arguments = self.pick(n(), f"{self.between(-3, 1)}, {n()}", f"{n()}, {self.between(3, 6)}, 2", f"{n()}, -3, -2", f"{self.between(0, 5)}, {n()}, -1",
                              f"{n()}, {n()}, ({n()}) * 2 - 1", "len(WEIGHTS)")
        self.emit(f"for {name} in range({arguments}):" if self.chance(0.93) else f"for {name} in reversed(range({arguments})):")
        self.block(True, {name: INT})
        self.otherwise()

    def do_flow_while(self):
        name = self.fresh("w")
        self.emit(f"{name} = {self.between(0, 4)}")
        if self.chance(0.6):
            self.emit(f"while {name} {self.pick('<', '!=', '<=')} 5{self.pick('', f' and {self.boolean(1)}', f' and not {self.boolean(0)}')}:")
            self.emit(f"    {name} += 1")
        else:
            self.emit(f"while ({name} := {name} + 1) < 6:")
        self.block(True, {name: INT})
        self.otherwise()

    def do_flow_bound(self):
        """A loop whose bound changes inside."""
        n, k = self.fresh("n"), self.fresh("k")
        self.emit(f"{n} = {self.between(3, 8)}")
        if self.chance(0.5):
            self.emit(f"for {k} in range({n}):")
            self.indent += 1
            self.emit(f"{n} {self.pick('-=', '+=')} {self.pick(1, 2, k)}")
        else:
            self.emit(f"{k} = 0")
            self.emit(f"while {k} < {n}:")
            self.indent += 1
            self.emit(f"{k}, {n} = {k} + 1, {n} - {self.pick('0', '1', f'{k} % 2')}")
        self.add(f"{n} * 3 + {k}")
        self.indent -= 1
        self.add(f"{n} + {k}")

    def do_flow_search(self):
        """Nested loops that end early, with else."""
        a, b = self.fresh("k"), self.fresh("k")
        self.emit(f"for {a} in range({self.between(1, 4)}):")
        self.indent += 1
        self.emit(f"for {b} in {self.pick('range(4)', 'WEIGHTS', 'range(3, -1, -1)', '(5, 1, 2)')}:")
        self.indent += 1
        outer = dict(self.scope)
        self.scope |= {a: INT, b: INT}
        self.emit(f"if {self.boolean(1)}:")
        self.emit(f"    {self.pick('break', 'continue')}")
        self.add(f"{a} * 5 + {b}")
        if self.chance(0.5):
            self.emit(f"if {b} {self.pick('==', '>')} {self.between(0, 3)}:")
            self.emit(f"    {self.pick('break', 'continue')}")
            self.add("9")
        self.indent -= 1
        if self.chance(0.7):
            self.emit("else:")
            self.emit("    h += 1" if self.chance(0.4) else f"    {self.pick('break', 'continue')}")
        self.add("11")
        self.scope = outer
        self.indent -= 1
        if self.chance(0.5):
            self.emit("else:")
            self.emit("    h += 2")

    def do_scalar_assign(self):
        kind = self.pick(INT, INT, FLOAT, BOOL)
        names = [n for n in self.of_type(kind) if n not in self.fixed]
        if names and self.chance(0.6):
            name = self.pick(*names)
            self.emit(f"{name} = {self.expression(kind, 2)}")
        else:
            name = self.assign_new(kind, self.expression(kind, 2))
        self.show(name, kind)

    def do_scalar_augmented(self):
        names = [n for n in self.of_type(INT) if n not in self.fixed]
        if not names:
            return self.do_scalar_assign()
        name = self.pick(*names)
        self.emit(f"{name} {self.pick('+=', '-=', '*=', '^=', '|=', '&=')} {self.expression(INT, 1)}")
        self.emit(f"{name} %= {self.between(2, 64)}")
        self.show(name, INT)

    def do_scalar_meet(self):
        """A variable of several types on the branches, or of one type after the other."""
        name = self.fresh("y")
        kinds = self.pick((INT, FLOAT), (FLOAT, INT), (BOOL, INT), (BOOL, FLOAT))
        if self.chance(0.5):
            self.emit(f"if {self.boolean(1)}:")
            self.emit(f"    {name} = {self.expression(kinds[0], 1)}")
            self.emit("else:")
            self.emit(f"    {name} = {self.expression(kinds[1], 1)}")
        else:
            self.emit(f"{name} = {self.expression(kinds[0], 1)}")
            self.show(name, kinds[0])
            self.emit(f"for _ in range({self.between(0, 2)}):")
            self.emit(f"    {name} = {self.expression(kinds[1], 1)}")
        self.show(f"float64({name})", FLOAT)

    def do_scalar_walrus(self):
        name = self.fresh("n")
        self.emit(f"if ({name} := {self.expression(INT, 1)}) {self.pick('>', '<', '!=')} {self.between(-3, 20)} {self.pick('and', 'or')} {name} {self.pick('<', '>')} {self.between(0, 40)}:")
        self.emit(f"    h += {name}")
        self.scope[name] = INT
        self.show(name, INT)

    def do_scalar_effects(self):
        """Chained comparisons and short circuits whose operands write to memory."""
        function, count = self.fresh(f"touch_{self.seed}_"), self.fresh("l")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(a, i, x):\n    a[i] = (a[i] + x + 1) % 50\n    return a[i]\n")
        self.emit(f"{count} = cuda.local.array(2, np.int64)")
        self.emit(f"{count}[0] = {count}[1] = {self.between(0, 9)}")
        call = lambda: f"{function}({count}, {self.pick(0, 1)}, {self.expression(INT, 0)})"
        test = self.pick(lambda: f"{call()} {self.pick('<', '>=')} {call()} {self.pick('<', '!=')} {call()}", lambda: f"{call()} > 20 {self.pick('and', 'or')} {call()} < 30",
                         lambda: f"not {call()} < {call()}", lambda: f"{call()} in ({call()}, {call()})")()
        form = self.below_one()
        if form < 0.4:
            self.emit(f"if {test}:")
            self.emit("    h += 1")
        elif form < 0.7:
            self.add(f"int64({test})")
        else:
            self.add(f"({call()} if {test} else {call()})")
        if self.chance(0.4):
            self.emit(f"{count}[{call()} % 2], {count}[{call()} % 2] = {call()}, {call()}")
        if self.chance(0.4):
            self.emit(f"{count}[{call()} % 2] += {call()}")
        self.add(f"{count}[0] * 64 + {count}[1]")

    def do_scalar_shadowed(self):
        """A name of a builtin as a variable, in a function of its own."""
        function = self.fresh(f"shadow_{self.seed}_")
        builtin = self.pick("max", "len", "sum", "abs", "range", "min", "id", "list")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}({self.pick(builtin, 'x')}):\n    {builtin} = {self.between(1, 9)}\n"
                              f"    for i in (1, 2):\n        {builtin} = ({builtin} + i) % 13\n    return {builtin}\n")
        self.show(self.assign_new(INT, f"{function}({self.expression(INT, 1)})"), INT)

    def do_scalar_complex(self):
        name = self.fresh("z")
        self.emit(f"{name} = complex({self.expression(FLOAT, 1)}, {self.expression(FLOAT, 1)})")
        if self.chance(0.5):
            self.emit(f"{name} {self.pick('+=', '-=')} {self.pick('1.5', '2j', '3', self.expression(FLOAT, 1))}")
        self.show(f"{name}.real", FLOAT)
        self.show(f"{name}.imag", FLOAT)
        self.show(f"{name}.conjugate().imag", FLOAT)
        self.add(f"int64({name} {self.pick('==', '!=')} {name}.real)")

    def do_flow_forever(self):
        """`while True` that ends by a break, and a loop variable that its body changes."""
        k = self.fresh("k")
        if self.chance(0.5):
            self.emit(f"{k} = 0")
            self.emit("while True:")
            self.indent += 1
            self.emit(f"{k} += 1")
            self.emit(f"if {k} > {self.between(1, 4)}{self.pick('', f' or {self.boolean(1)}')}:")
            self.emit("    break")
        else:
            self.emit(f"for {k} in range({self.between(1, 5)}):")
            self.indent += 1
            self.emit(f"{k} = {k} * 2 {self.pick('+', '-')} 1")
        self.indent -= 1
        self.block(True, {k: INT})
        self.add(k)

    def do_flow_match(self):
        self.emit(f"match {self.expression(INT, 1)} % 5:")
        self.indent += 1
        for pattern in self.random.sample(["0", "1 | 2", "-1 | 4", "Colour.RED", f"n if n > {self.between(0, 3)}"], self.between(1, 3)) + ["_"]:
            self.emit(f"case {pattern}:")
            self.indent += 1
            self.add(f"{self.between(1, 60)}{' + n' if pattern[0] == 'n' else ''}")
            self.indent -= 1
        self.indent -= 1

    def do_scalar_none(self):
        """A variable that is None at first."""
        best = self.fresh("b")
        self.emit(f"{best} = None")
        item = self.fresh("e")
        self.emit(f"for {item} in {self.tuple_text(TupleType((INT,) * 3), 1)}:")
        self.emit(f"    if {best} is None or {item} {self.pick('>', '<')} {best}:")
        self.emit(f"        {best} = {item}")
        self.emit(f"if {best} is not None:")
        self.emit(f"    h = (h * 31 + {best}) % 65521")
