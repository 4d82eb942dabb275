"""Tuples and named tuples: made, nested, unpacked, indexed, compared, joined, walked."""
from structure_types import BOOL, FLOAT, INT, PAIR, SCALARS, TRIPLE, ArrayType, TupleType, Values


class Tuples(Values):
    def tuples(self, test=lambda t: True):
        return self.known(lambda t: isinstance(t, TupleType) and test(t))

    def tuple_type(self, depth=2):
        if self.chance(0.2):
            name, fields = self.pick(PAIR, TRIPLE)
            return TupleType(tuple(self.item_type(depth - 1) for _ in fields), name, fields)
        count = self.pick(1, 2, 2, 3, 3, 4)
        if self.chance(0.4):
            return TupleType((self.pick(INT, INT, FLOAT),) * count)
        return TupleType(tuple(self.item_type(depth - 1) for _ in range(count)))

    def item_type(self, depth):
        if depth > 0 and self.chance(0.25):
            return self.tuple_type(depth)
        return self.pick(INT, INT, FLOAT, BOOL, *self.element_types()[:1])

    def tuple_text(self, type, depth):
        names = self.of_type(type)
        if names and self.chance(0.3):
            return self.pick(*names)
        items = [self.expression(item, min(1, depth - 1)) for item in type.items]
        if type.name:
            if self.chance(0.3):
                return f"{type.name}({items[0]}, " + ", ".join(f"{f}={text}" for f, text in list(zip(type.fields, items))[1:]) + ")"
            return f"{type.name}({', '.join(items)})"
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"

    def paths(self, text, type, kind):
        """Texts of the items of a kind, at any depth."""
        if type == kind:
            return [text]
        if not isinstance(type, TupleType):
            return []
        out = []
        for i, item in enumerate(type.items):
            at = f"{text}.{type.fields[i]}" if type.fields and self.chance(0.5) else f"{text}[{self.pick(i, i - len(type.items))}]"
            out += self.paths(at, item, kind)
        return out

    def tuple_item_of(self, kind=INT):
        found = [path for name in self.tuples() for path in self.paths(name, self.scope[name], kind)]
        if not found:
            return None
        uniform = self.tuples(lambda t: t.items == (kind,) * len(t.items) and not t.name)
        if uniform and self.chance(0.4):
            name = self.pick(*uniform)
            return f"{name}[{self.index(len(self.scope[name].items))}]"
        return self.pick(*found)

    def tuple_comparison(self):
        name = self.pick(*(self.tuples(lambda t: all(i in (INT, FLOAT) for i in t.items)) or [None]))
        if name is None:
            return None
        type = self.scope[name]
        if self.chance(0.3) and type.items == (INT,) * len(type.items):
            return f"({self.expression(INT, 0)} {self.pick('in', 'not in')} {name})"
        return f"({name} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.tuple_text(type, 1)})"

    # --- statements ---
    def do_tuple_new(self):
        type = self.tuple_type()
        name = self.assign_new(type, self.tuple_text(type, 2))
        self.show(name, type)

    def targets(self, type):
        """Names for the items of a tuple as the left side of an assignment, and the names' types."""
        parts, known = [], {}
        for item in type.items:
            if isinstance(item, TupleType) and self.chance(0.6):
                text, inner = self.targets(item)
                parts.append(f"({text})")
                known |= inner
            else:
                name = self.fresh("u")
                parts.append(name)
                known[name] = item
        return ", ".join(parts) + ("," if len(parts) == 1 else ""), known

    def do_tuple_unpack(self):
        type = self.tuple_type()
        text, known = self.targets(type)
        self.emit(f"{text} = {self.tuple_text(type, 2)}")
        for name, item in known.items():
            self.scope[name] = item
            self.show(name, item)

    def do_tuple_star(self):
        """The items of a tuple among those of a longer one."""
        type = self.tuple_type()
        name = self.assign_new(type, self.tuple_text(type, 2))
        more = self.item_type(1)
        long, text = self.pick((TupleType((more, *type.items)), f"({self.expression(more, 1)}, *{name})"), (TupleType((*type.items, more)), f"(*{name}, {self.expression(more, 1)})"))
        self.show(self.assign_new(long, text), long)

    def do_tuple_join(self):
        a, b = self.tuple_type(1), self.tuple_type(1)
        a, b = TupleType(a.items), TupleType(b.items)
        joined = TupleType(a.items + b.items)
        if self.chance(0.2):
            name = self.assign_new(a, self.tuple_text(a, 1))
            self.emit(f"{name} += {self.tuple_text(b, 1)}")
            self.scope[name] = joined
        else:
            name = self.assign_new(joined, f"{self.tuple_text(a, 1)} + {self.tuple_text(b, 1)}")
        self.show(name, joined)

    def do_tuple_part(self):
        names = self.tuples(lambda t: len(t.items) > 1)
        if not names:
            return self.do_tuple_new()
        name = self.pick(*names)
        type = self.scope[name]
        n = len(type.items)
        bounds = [self.pick("", str(self.between(-n, n))) for _ in range(2)]
        step = self.pick("", "", ":2", ":-1")
        items = type.items[slice(*(int(b) if b else None for b in bounds), int(step[1:]) if step else None)]
        if not items:
            return self.add(f"len({name}[{':'.join(bounds)}{step}])")
        self.show(self.assign_new(TupleType(items), f"{name}[{':'.join(bounds)}{step}]"), TupleType(items))

    def do_tuple_swap(self):
        for kind in (INT, FLOAT):
            names = [n for n in self.of_type(kind) if n not in self.fixed]
            if len(names) > 1:
                a, b = self.random.sample(names, 2)
                self.emit(f"{a}, {b} = {b}, {self.expression(kind, 1)}" if self.chance(0.3) else f"{a}, {b} = {b}, {a}")
                self.show(a, kind)
                self.show(b, kind)

    def do_tuple_walk(self):
        """A loop over a tuple of one type."""
        uniform = self.tuples(lambda t: t.items == (t.items[0],) * len(t.items))
        item = self.fresh("e")
        if uniform and self.chance(0.6):
            name = self.pick(*uniform)
            kind = self.scope[name].items[0]
        else:
            kind = self.pick(INT, FLOAT)
            name = self.tuple_text(TupleType((kind,) * self.between(1, 4)), 1)
        form = self.below_one()
        if form < 0.5:
            head = f"for {item} in {name}:"
        elif form < 0.75:
            head = f"for i, {item} in enumerate({name}):"
        else:
            head = f"for {item}, i in zip({name}, {self.pick('WEIGHTS', 'range(3)')}):"
        def body():
            if "i" in head.split(" in ")[0].replace("in", "").replace(item, ""):
                self.add("i")
            self.show(item, kind)
        self.loop(head, body)

    def do_tuple_unroll(self):
        """literal_unroll of a tuple of several types."""
        items = tuple(self.pick(INT, FLOAT, BOOL) for _ in range(self.between(2, 4)))
        name = self.assign_new(TupleType(items), self.tuple_text(TupleType(items), 1))
        item = self.fresh("e")
        head = self.pick(f"for {item} in literal_unroll({name}):", f"for {item} in literal_unroll({name}):", f"for {item} in literal_unroll((1, 2.5, True, 4)):")
        self.loop(head, lambda: self.add(f"int64({item} * 16)"))

    def do_tuple_rebound(self):
        """A tuple that a loop makes anew of itself."""
        type = self.pick(TupleType((INT, INT)), TupleType((INT, FLOAT)), TupleType((INT, INT), *PAIR), TupleType((INT, TupleType((FLOAT, INT)))))
        name = self.assign_new(type, self.tuple_text(type, 1))
        self.scope.pop(name)
        paths = {kind: self.paths(name, type, kind) for kind in SCALARS}
        def body():
            new = lambda item: (f"({', '.join(new(i) for i in item.items)})" if not item.name else f"{item.name}({', '.join(new(i) for i in item.items)})") if isinstance(item, TupleType) else \
                f"({self.pick(*paths[INT])} + {self.between(1, 9)}) % 50" if item is INT else f"({self.pick(*paths[FLOAT])} + 0.5) % 16.0"
            if self.chance(0.3):
                self.emit(f"if {self.boolean(1)}:")
                self.emit(f"    {name} = {new(type)}")
            else:
                self.emit(f"{name} = {new(type)}")
        self.loop(f"for _ in range({self.between(1, 4)}):", body)
        self.scope[name] = type
        self.show(name, type)

    def do_tuple_of_views(self):
        """A tuple with arrays in it."""
        text, type = self.some_view()
        first = self.item_type(0)
        whole = TupleType((first, type))
        name = self.fresh("v")
        self.emit(f"{name} = ({self.expression(first, 1)}, {text})")
        if self.chance(0.5):
            a, b = self.fresh("u"), self.fresh("u")
            self.emit(f"{a}, {b} = {name}")
            self.show(a, first)
            self.show(b, type)
        else:
            self.show(name, whole)

    def do_tuple_length(self):
        names = self.tuples()
        if not names:
            return self.do_tuple_new()
        name = self.pick(*names)
        type = self.scope[name]
        if type.items == (INT,) * len(type.items):
            return self.add(self.pick(f"len({name})", f"sum({name})", f"min({name})", f"max({name})") if len(type.items) > 1 else f"sum({name})")
        self.add(f"len({name})")

    def do_tuple_choice(self):
        type = self.tuple_type()
        name = self.fresh("v")
        self.emit(f"{name} = {self.tuple_text(type, 1)} if {self.boolean(1)} else {self.tuple_text(type, 1)}")
        self.scope[name] = type
        self.show(name, type)

    def do_tuple_constants(self):
        """Tuples of the module."""
        text, type = self.pick(("MIXED", TupleType((INT, FLOAT, BOOL, TupleType((INT, FLOAT))))), ("WEIGHTS[1:]", TupleType((INT,) * 3)), (f"WEIGHTS[{self.index(4)}]", INT))
        self.show(text, type)

    def do_tuple_shape(self):
        """The shape of an array is a tuple."""
        name = self.some_array()
        type = self.scope[name]
        parts = [self.fresh("n") for _ in type.shape]
        self.emit(f"{', '.join(parts)}{',' if len(parts) == 1 else ''} = {name}.shape")
        for part in parts:
            self.scope[part] = INT
            self.show(part, INT)
        if len(parts) > 1:
            self.add(f"int64({name}.shape {self.pick('==', '<', '!=')} {tuple(self.between(1, 4) for _ in parts)})")

    def do_tuple_meet(self):
        """A tuple whose items have other types on another path."""
        name = self.fresh()
        one, two = self.pick(((INT, FLOAT), (FLOAT, FLOAT)), ((INT, INT), (FLOAT, INT)), ((BOOL, INT), (INT, INT)))
        self.emit(f"if {self.boolean(1)}:")
        self.emit(f"    {name} = {self.tuple_text(TupleType(one), 1)}")
        self.emit("else:")
        self.emit(f"    {name} = {self.tuple_text(TupleType(two), 1)}")
        for i in range(2):
            self.show(f"float64({name}[{i}])", FLOAT)

    def do_tuple_targets(self):
        """Items that are stored to elements and fields as they are unpacked."""
        name = self.some_array()
        type = self.scope[name]
        text = self.element_text(name, type)
        if text and type.element != "boolean":
            item = self.fresh("u")
            self.emit(f"{text}, {item} = {self.value_for(type.element)}, {self.expression(INT, 1)}")
            self.show(item, INT)
            self.show(name, type)

    def do_tuple_repeated(self):
        """Loops over several tuples at once, one inside of the other."""
        a, b = self.fresh("e"), self.fresh("e")
        first, second = (self.tuple_text(TupleType((INT,) * self.between(1, 3)), 1) for _ in range(2))
        head = self.pick(f"for {a}, {b} in zip({first}, {second}):", f"for {a}, ({b}, _) in enumerate(zip({first}, {second})):",
                         f"for {a}, {b} in (({self.expression(INT, 1)}, 2), (3, {self.expression(INT, 0)})):")
        self.loop(head, lambda: (self.add(f"{a} * 3 + {b}"), self.emit(f"if {a} {self.pick('>', '<')} {b}:"), self.emit(f"    {self.pick('break', 'continue')}"), self.emit("h += 1")))

    def do_tuple_of_functions(self):
        name = self.fresh("f")
        function = self.fresh(f"turn_{self.seed}_")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(p):\n    x, y = p\n    return y, x\n")
        type = TupleType((self.item_type(0), self.item_type(0)))
        turned = TupleType(type.items[::-1])
        if self.chance(0.5):
            return self.show(self.assign_new(turned, f"{function}({self.tuple_text(type, 1)})"), turned)
        self.emit(f"{name} = ({function}, {self.expression(INT, 0)})")
        self.show(self.assign_new(turned, f"{name}[0]({self.tuple_text(type, 1)})"), turned)
