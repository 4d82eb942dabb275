"""Functions: parameters of every kind, nested ones and lambdas, recursion, functions as values, factories, None."""
from structure_types import BOOL, FLOAT, INT, ArrayType, TupleType, Values


class Functions(Values):
    def function(self, parameters, result, head=None, body=None):
        """A device function: parameters are names with types, the result a type, or None for one that gives nothing."""
        name = self.fresh(f"call_{self.seed}_")
        outer = self.lines, self.indent, self.scope, self.fixed, self.depth, self.loops, self.inside, self.result
        self.lines, self.indent, self.scope, self.fixed = [], 1, dict(parameters), set(parameters)
        self.depth, self.loops, self.inside, self.result = 2, 0, True, result
        self.emit("h = 5")
        for _ in range(self.pick(0, 1, 1, 2)):
            self.step()
        if body:
            body()
        if result is not None:
            self.emit(f"return {self.returned(result)}")
        text = f"@cuda.jit(device=True)\ndef {name}({head or ', '.join(parameters)}):\n" + "\n".join(self.lines) + "\n"
        self.lines, self.indent, self.scope, self.fixed, self.depth, self.loops, self.inside, self.result = outer
        self.functions.append(text)
        return name

    def returned(self, result):
        if result == INT and self.chance(0.5):
            return "h % 61"
        return self.expression(result, 1)

    def argument_types(self, count):
        return [self.pick(INT, INT, FLOAT, BOOL, self.tuple_type(1)) for _ in range(count)]

    # --- statements ---
    def do_function_call(self):
        if self.inside and self.chance(0.7):
            return self.do_scalar_assign()
        types = self.argument_types(self.between(1, 3))
        result = self.pick(INT, FLOAT, self.tuple_type())
        name = self.function({f"q{i}": t for i, t in enumerate(types)}, result)
        for _ in range(self.pick(1, 1, 2)):
            self.show(self.assign_new(result, f"{name}({', '.join(self.expression(t, 1) for t in types)})"), result)

    def do_function_views(self):
        """A function that gets a view and writes to it, also with arrays of other types and layouts."""
        if self.inside:
            return self.do_array_store()
        text, type = self.some_view()
        open_type = ArrayType(type.element, (None,) * type.axes)
        result = self.pick(None, INT, INT, FLOAT)
        name = self.function({"q0": open_type, "q1": INT}, result, body=lambda: self.write_to("q0", open_type))
        calls = [text]
        alike = self.arrays(lambda t: t.axes == type.axes and (t.element[0] in "iu") == (type.element[0] in "iu") == True)
        if alike and type.element[0] == "u":
            calls.append(self.pick(*alike))
        elif (same := self.arrays(lambda t: t.axes == type.axes and t.element == type.element)):
            calls.append(self.pick(*same))
        for argument in calls:
            call = f"{name}({argument}, {self.expression(INT, 1)})"
            if result is None:
                self.emit(call)
            else:
                self.show(self.assign_new(result, call), result)
        for array in self.arrays(lambda t: t.element == type.element)[:2]:
            self.show(array, self.scope[array])

    def write_to(self, name, type):
        index = ", ".join(f"q1 % {name}.shape[{axis}]" for axis in range(type.axes))
        self.emit(f"if {name}.size > 0:")
        self.indent += 1
        self.emit(f"{name}[{index}] = {self.value_for(type.element)}")
        self.indent -= 1

    def do_function_returns_view(self):
        """A function that gives back a view of its array."""
        if self.inside:
            return self.do_array_view()
        array = self.some_array()
        type = self.scope[array]
        function = self.fresh(f"part_{self.seed}_")
        outer, self.scope = self.scope, {"k": INT}
        text, part = self.view("q", ArrayType(type.element, (None,) * type.axes))
        self.scope = outer
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(q, k):\n    return {text}\n")
        part = ArrayType(part.element, (None,) * part.axes)
        self.show(self.assign_new(part, f"{function}({array}, {self.expression(INT, 1)})"), part)

    def do_function_defaults(self):
        """Default and keyword arguments, in any order of the keywords."""
        function = self.fresh(f"given_{self.seed}_")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(a, b=3, c=0.5, d=(1, 2)):\n    return (a * 3 + b * 5 + int64(c * 2) + d[0] - d[-1]) % 64\n")
        arguments = [self.expression(INT, 1)]
        given = self.between(0, 2)
        values = [self.expression(INT, 1), self.expression(FLOAT, 1), self.tuple_text(TupleType((INT, INT)), 1)]
        arguments += values[:given]
        named = [(n, v) for n, v in list(zip("bcd", values))[given:] if self.chance(0.5)]
        self.random.shuffle(named)
        arguments += [f"{n}={v}" for n, v in named]
        self.show(self.assign_new(INT, f"{function}({', '.join(arguments)})"), INT)

    def do_function_starred(self):
        function = self.fresh(f"rest_{self.seed}_")
        kind = self.pick(INT, FLOAT)
        body = self.pick("    s = 0\n    for x in rest:\n        s += int64(x)\n    return (a + s + len(rest)) % 64\n",
                         "    if len(rest) > 1:\n        return (a + int64(rest[1])) % 64\n    return a\n",
                         "    return (a * 2 + len(rest)) % 64\n")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(a, *rest):\n{body}")
        arguments = [self.expression(INT, 1)]
        arguments += [self.expression(kind, 1) for _ in range(self.between(0, 3))]
        names = self.tuples(lambda t: t.items == (kind,) * len(t.items))
        if names and self.chance(0.6):
            arguments.append("*" + self.pick(*names))
        self.show(self.assign_new(INT, f"{function}({', '.join(arguments)})"), INT)

    def do_function_nested(self):
        """A def inside, which sees the variables around it."""
        if self.loops or self.inside:
            return self.do_function_lambda()
        name = self.fresh("inner")
        kind = self.pick(INT, FLOAT)
        self.emit(f"def {name}(z, by={self.between(1, 5)}):")
        self.indent += 1
        outer, before = self.scope, self.depth
        self.scope, self.depth = dict(outer) | {"z": kind}, 3
        if self.chance(0.5):
            self.emit(f"y = {self.expression(INT, 1)}")
            self.scope["y"] = INT
        if self.chance(0.4):
            self.emit(f"for k in range({self.between(1, 3)}):")
            self.emit("    by += k")
        self.emit(f"if {self.boolean(1)}:")
        self.emit(f"    return {self.expression(INT, 1)}")
        self.emit(f"return ({self.expression(INT, 2)} + by) % 64")
        self.scope, self.depth = outer, before
        self.indent -= 1
        for _ in range(self.pick(1, 2)):
            self.show(self.assign_new(INT, f"{name}({self.expression(kind, 1)}{self.pick('', ', 4', ', ' + self.expression(INT, 1))})"), INT)

    def do_function_lambda(self):
        name = self.fresh("f")
        outer, self.scope = self.scope, dict(self.scope) | {"z": INT}
        body = self.expression(INT, 2)
        self.scope = outer
        self.emit(f"{name} = lambda z{self.pick('', f', by={self.between(0, 9)}')}: {body}")
        self.show(self.assign_new(INT, f"{name}({self.expression(INT, 1)})"), INT)

    def do_function_recursive(self):
        function = self.fresh(f"again_{self.seed}_")
        form = self.below_one()
        if form < 0.4:
            body = f"    if n <= 0:\n        return {self.between(0, 5)}\n    return ({function}(n - {self.between(1, 2)}, k) * 3 + k) % 64\n"
        elif form < 0.7:
            body = f"    return k % 64 if n < 2 else ({function}(n - 1, k + 1) + {function}(n - 2, k)) % 64\n"
        else:
            body = f"    if n < 1:\n        return (k, n)\n    a, b = {function}(n // 2, k)\n    return ((a + n) % 64, (b + 1) % 64)\n"
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(n, k):\n{body}")
        result = TupleType((INT, INT)) if form >= 0.7 else INT
        self.show(self.assign_new(result, f"{function}({self.expression(INT, 1)} % {self.between(2, 7)}, {self.expression(INT, 1)})"), result)

    def do_function_passed(self):
        """Functions as arguments and in tuples."""
        one, two = self.fresh(f"one_{self.seed}_"), self.fresh(f"two_{self.seed}_")
        apply = self.fresh(f"apply_{self.seed}_")
        jit = "@cuda.jit(device=True)\n"
        self.functions += [f"{jit}def {one}(x):\n    return (x * {self.between(2, 5)} + 1) % 64\n", f"{jit}def {two}(x, y=2):\n    return (x - y) % {self.between(9, 60)}\n",
                           f"{jit}def {apply}(f, x, times):\n    for _ in range(times):\n        x = f(x)\n    return x\n"]
        argument = self.pick(one, two, "(lambda x: (x + 7) % 32)")
        if self.chance(0.3):
            argument = self.pick(one, two)
            kept = self.fresh("f")
            self.emit(f"{kept} = {argument}")
            argument = kept
        self.show(self.assign_new(INT, f"{apply}({argument}, {self.expression(INT, 1)}, {self.between(0, 3)})"), INT)
        if self.chance(0.3):
            self.show(self.assign_new(INT, f"({one}, {two})[{self.pick(0, 1, -1)}]({self.expression(INT, 1)})"), INT)

    def do_function_factory(self):
        make, made = self.fresh(f"make_{self.seed}_"), self.fresh(f"made_{self.seed}_")
        values = self.pick("3", "(2, 5)", "WEIGHTS")
        use = {"3": "n", "(2, 5)": "n[0] + n[1]", "WEIGHTS": "n[-1] + len(n)"}[values]
        self.functions.append(f"def {make}(n, shift={self.between(0, 4)}):\n    @cuda.jit(device=True)\n    def inner(x):\n        return (x + {use} * shift) % 64\n    return inner\n\n\n"
                              f"{made} = {make}({values}{self.pick('', ', shift=2')})\n")
        self.show(self.assign_new(INT, f"{made}({self.expression(INT, 1)})"), INT)

    def do_function_optional(self):
        """A function that gives a number or None."""
        function = self.fresh(f"found_{self.seed}_")
        names = self.arrays(lambda t: t.axes == 1 and t.element[0] in "iuf")
        if names and self.chance(0.6):
            self.functions.append(f"@cuda.jit(device=True)\ndef {function}(a, limit):\n    for i in range(len(a)):\n"
                                  f"        if a[i] {self.pick('>', '<', '==')} limit:\n            return i\n{self.pick('', '    return None', '')}\n")
            call = f"{function}({self.pick(*names)}, {self.expression(INT, 1)})"
        else:
            self.functions.append(f"@cuda.jit(device=True)\ndef {function}(a, b):\n    return a if a > b else None\n")
            call = f"{function}({self.expression(INT, 1)}, {self.expression(INT, 1)})"
        name = self.fresh("o")
        self.emit(f"{name} = {call}")
        test = self.pick(("is not None", True), ("is None", False))
        self.emit(f"if {name} {test[0]}:")
        then, other = (lambda: self.add(name)), (lambda: self.add("3"))
        self.indent += 1
        (then if test[1] else other)()
        self.indent -= 1
        self.emit("else:")
        self.indent += 1
        (other if test[1] else then)()
        self.indent -= 1

    def do_function_none(self):
        """Parameters that may be None: known when compiling."""
        function = self.fresh(f"maybe_{self.seed}_")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(x, y=None, flag=True):\n    if y is None:\n        return x\n"
                              f"    if flag {self.pick('and', 'or')} y {self.pick('>', '<')} x:\n        return (x + y) % 64\n    return x {self.pick('& 15', '// 2')}\n")
        second = self.pick("", ", None", f", {self.expression(INT, 1)}", f", y={self.expression(INT, 1)}, flag={self.expression(BOOL, 0)}", ", flag=False")
        self.show(self.assign_new(INT, f"{function}({self.expression(INT, 1)}{second})"), INT)

    def do_function_enum(self):
        """Members of enumerations as arguments and in variables."""
        function = self.fresh(f"mode_{self.seed}_")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(m, x):\n    if m == Mode.SUM:\n        return x\n    return (x * 2 + m.value) % 64\n")
        form = self.below_one()
        if form < 0.5:
            mode = self.fresh("m")
            self.emit(f"{mode} = Mode.SUM if {self.boolean(1)} else Mode.LAST")
            self.add(f"int64({mode} {self.pick('is', '==', '!=')} Mode.LAST)")
            self.show(self.assign_new(INT, f"{function}({mode}, {self.expression(INT, 1)})"), INT)
        else:
            self.add(f"int64({self.expression(INT, 1)} {self.pick('==', '<', '>')} Colour.{self.pick('RED', 'GREEN', 'BLUE')})")
            self.show(self.assign_new(INT, f"{function}(Mode.{self.pick('SUM', 'LAST')}, {self.expression(INT, 1)}) % 60 + Colour.RED"), INT)

    def do_function_text(self):
        """Texts and None that are known when compiling choose what a function does."""
        function = self.fresh(f"by_{self.seed}_")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(mode, x):\n    if mode == \"fast\":\n        return x\n"
                              f"    if mode in (\"sum\", \"last\"):\n        return (x + len(mode)) % 64\n    return 1\n")
        mode = self.pick('"fast"', '"sum"', '"none"', 'NAME')
        self.show(self.assign_new(INT, f"{function}({mode}, {self.expression(INT, 1)})"), INT)

    def do_function_spread(self):
        """Stars in any place of a call."""
        function = self.fresh(f"spread_{self.seed}_")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(a, b, c, *rest):\n    return (a * 2 + b * 3 + c * 5 + len(rest)) % 64\n")
        pair = self.assign_new(TupleType((INT, INT)), self.tuple_text(TupleType((INT, INT)), 1))
        e = lambda: self.expression(INT, 1)
        call = self.pick(f"*{pair}, {e()}", f"{e()}, *{pair}", f"*{pair}, *{pair}", f"{e()}, *{pair}, {e()}, {e()}", f"*({e()}, {e()}, {e()})", f"{e()}, *{pair}[:1], {e()}")
        self.show(self.assign_new(INT, f"{function}({call})"), INT)

    def do_function_unified(self):
        """Returns of several types."""
        function = self.fresh(f"either_{self.seed}_")
        one, two, three = self.pick(("n", "x", "n * 2"), ("x", "n", "0"), ("(n, x)", "(x, x)", "(n, n)"), ("Pair(n, n)", "Pair(n, n + 1)", "Pair(y=n, x=2)"), ("n > 3", "n", "True"))
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(n, x):\n    if n > {self.between(0, 9)}:\n        return {one}\n"
                              f"    for i in range(n + 20):\n        if i > x:\n            return {two}\n    return {three}\n")
        call = f"{function}({self.expression(INT, 1)}, {self.expression(FLOAT, 1)})"
        name = self.fresh()
        self.emit(f"{name} = {call}")
        for text in ([f"{name}[0]", f"{name}[1]"] if "(" in one else [name]):
            self.show(f"float64({text})", FLOAT)

    def do_function_capturing(self):
        """A lambda or def made in a loop or a branch, which sees what its names hold when it is called."""
        if self.inside:
            return self.do_function_lambda()
        k, f = self.fresh("k"), self.fresh("f")
        n = self.assign_new(INT, self.expression(INT, 1))
        self.fixed.add(n)
        self.emit(f"{f} = lambda z: (z * 2 + {n}) % 64")
        self.emit(f"for {k} in range({self.between(1, 3)}):")
        self.emit(f"    {n} = ({n} + {f}({k})) % 50")
        self.emit(f"    h = (h * 31 + {f}({n})) % 65521")
        self.show(f"{f}({self.expression(INT, 1)})", INT)

    def do_function_array_or_none(self):
        """An array that may be left out."""
        function = self.fresh(f"with_{self.seed}_")
        array = self.some_array()
        element = self.scope[array].element
        if element == "boolean" or self.inside:
            return self.do_function_none()
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(n, a=None, by=1):\n    if a is not None:\n        return (n + len(a)) * by % 64\n    return n % 64\n")
        self.show(self.assign_new(INT, f"{function}({self.expression(INT, 1)}{self.pick('', ', None', f', {array}', f', a={array}, by=2', ', by=3')})"), INT)
