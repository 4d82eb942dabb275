"""Loops over arrays in random host functions.

`Index` says which index of which extent a variable is, and how far its neighbours are still inside. An array is only read where each of its
axes has such an index (so that it has elements), by one of the forms of `places`, or where a condition has looked.
"""
from host_arrays import DTYPES, FAR
from host_scalars import CATEGORIES, Scalars
from values import C128, F64, I64


class Index:
    def __init__(self, text, dim, below=0, above=0):
        self.text, self.dim, self.below, self.above = text, dim, below, above


class Loops(Scalars):
    """Needs `arrays` and `far`, the names of integer parameters that are 0, 1, 2 or far away; `low` may be far below 0. Loops that are
    `small` have one statement: passes look for these."""

    low, small = "l0", False

    def __init__(self, seed):
        super().__init__(seed)
        self.lines, self.indent, self.count = [], 1, 0
        self.indices, self.accumulators, self.frozen = [], [], set()  # frozen: arrays that a shared loop only reads
        self.owned = None  # the index of the shared loop, by which alone it stores
        self.deep, self.rounded, self.in_loops = 0, False, 0

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def extent(self, dim):
        having = [(a, k) for a in self.arrays for k, d in enumerate(a.dims) if d == dim]
        array, axis = self.pick(*having)
        forms = [f"{array.name}.shape[{axis}]"] * 2 + [f"n_{dim}"] * 3
        forms += [f"len({array.name})"] if axis == 0 else []
        return self.pick(*forms, *([f"{array.name}.size"] if len(array.dims) == 1 else []))

    # --- elements ---
    def places(self, dim):
        """An index that is inside of an extent: there is a variable that is."""
        index = self.pick(*[i for i in self.indices if i.dim == dim])
        i, n = index.text, self.extent(dim)
        forms = [i] * 8 + [f"({i} + {self.pick(1, 1, 2, -1, 7)}) % {n}", f"({i} - 1) % {n}", f"max(0, {i} - {self.pick(1, 1, 2)})", f"min({n} - 1, {i} + {self.pick(1, 1, 3)})", f"{n} - 1 - {i}",
                           f"-1 - {i}", f"{i} - {n}", f"(({i} + 1) % {n} + {self.pick(1, 3, -1)}) % {n}", f"({i} + 1) % {n} - {self.pick(0, 1)}", "0", "-1", f"{i} // 2", f"({i} * 3) % {n}", f"min(max({i} + {self.pick(*self.far)}, 0), {n} - 1)", f"{i} % min({n}, 8)",
                           f"({self.pick(*self.names['i'])}) % {n}" if self.names["i"] else i]
        for k in range(1, index.below + 1):
            forms += [f"{i} - {k}"] * 5
        for k in range(1, index.above + 1):
            forms += [f"{i} + {k}"] * 5
        return self.pick(*forms)

    def readable(self, category):
        inside = {i.dim for i in self.indices}
        return [a for a in self.arrays if CATEGORIES[a.type.kind] == category and set(a.dims) <= inside]

    def element(self, array):
        places = [self.places(d) for d in array.dims]
        if len(places) > 1 and self.chance(0.1):
            return array.name + "".join(f"[{p}]" for p in places)
        return f"{array.name}[{', '.join(places)}]"

    def load(self, category):
        arrays = self.readable(category)
        if self.owned:
            arrays = [a for a in arrays if a.name in self.frozen]
        return self.element(self.pick(*arrays)) if arrays else None

    def guarded(self):
        """A condition and the place that it makes safe: (condition, array, place)."""
        flat = [a for a in self.arrays if len(a.dims) == 1 and (not self.owned or a.name in self.frozen)]
        if not flat or not self.indices:
            return None
        array, index = self.pick(*flat), self.pick(*self.indices)
        i = index.text
        n = self.pick(f"{array.name}.size", f"len({array.name})", f"{array.name}.shape[0]", f"n_{array.dims[0]}")
        far, low = self.pick(*self.far), self.low
        forms = [(f"{i} + {far} < {n}", f"{i} + {far}"), (f"{i} >= {far} and {i} - {far} < {n}", f"{i} - {far}"), (f"0 <= {i} + {far} < {n}", f"{i} + {far}"), (f"{i} > 0 and {i} <= {n}", f"{i} - 1"),
                 (f"{i} + 1 < {n}", f"{i} + 1"), (f"{far} < {n}", far), (f"not ({i} + {far} >= {n})", f"{i} + {far}"), (f"{low} >= 0 and {low} < {n}", low), (f"0 <= {low} < {n}", low),
                 (f"{i} + {low} >= 0 and {i} + {low} < {n}", f"{i} + {low}")]
        if array.dims == (index.dim,):
            back = self.pick(1, 2, 5, 5000000, FAR)
            forms += [(f"{i} >= {back}", f"{i} - {back}")] * 5 + [(f"{i} < {n} - {back}", f"{i} + {back}")] * 2
        return self.pick(*((condition, array, place) for condition, place in forms))

    def guarded_condition(self):
        """A load in a condition whose first part protects it."""
        found = self.guarded()
        if not found or found[1].type.kind == "complex":
            return None
        condition, array, place = found
        element, category = f"{array.name}[{place}]", CATEGORIES[array.type.kind]
        test = element if category == "b" else f"{element} {self.pick('<', '>', '!=', '<=')} {self.expression(category, 1)}"
        return f"({condition} and {test})" if self.chance(0.8) else f"(not ({condition}) or {test})"

    # --- statements ---
    def body(self, count, depth):
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth):
        kinds = [self.accumulate] * 5 + [self.store] * 4 + [self.choose] * 2 + [self.protect] * 2 + [self.extreme] + [self.temporary] * 2 + [self.clamped] + [self.tally] * 2
        if depth > 0:
            kinds += [self.loop] * 3
        if self.in_loops and not self.owned:
            kinds += [self.leave]
        self.pick(*kinds)(depth)

    def accumulate(self, depth):
        free = [a for a in self.accumulators if a[0] not in self.frozen]
        if not free:
            return self.emit("pass")
        name, type, narrow = self.pick(*free)
        category = CATEGORIES[type.kind]
        if self.owned:
            return self.reduce(name, type)
        value = self.integer(2) if narrow and type.is_int else self.expression(category)
        if narrow:
            text = f"{name} = {self.cast(type, self.pick(f'{name} + {value}', f'{name} * 3 - {value}', f'{name} ^ {value}', value)) if type.is_int else self.cast(type, f'{name} + {value}')}"
        elif category in "if":
            text = self.pick(f"{name} += {value}", f"{name} += {value}", f"{name} = {name} + {value}", f"{name} -= {value}", f"{name} = {self.pick('max', 'min')}({name}, {value})",
                             f"{name} = {self.pick('max', 'min')}({value}, {name})", f"{name} = {value}", f"{name} {'*=' if category == 'f' else self.pick('*=', '^=', '|=')} {value}")
        else:
            text = f"{name} {self.pick('+=', '-=')} {value}"
        if self.chance(0.3):
            self.emit(f"if {self.condition(2)}:")
            text = "    " + text
        self.emit(text)

    def reduce(self, name, type):
        """An update that a shared loop builds up in parts: of each variable always the same."""
        value = self.expression(CATEGORIES[type.kind])
        self.rounded |= not type.is_int
        if name.startswith("s"):
            self.emit(f"{name} += {value}")
        else:
            self.emit(f"{name} = {'max' if int(name[1:]) % 2 else 'min'}({name}, {value})")

    def store(self, depth):
        inside = {i.dim for i in self.indices}
        arrays = [a for a in self.arrays if set(a.dims) <= inside and a.name not in self.frozen]
        if self.owned:
            arrays = [a for a in arrays if a.dims[0] == self.owned.dim]
        if not arrays:
            return self.accumulate(depth) if self.accumulators and not self.owned else self.emit("pass")
        array = self.pick(*arrays)
        place = self.element(array)
        if self.owned:
            place = f"{array.name}[{', '.join([self.owned.text] + [self.places(d) for d in array.dims[1:]])}]"
        sign = "=" if self.chance(0.6) or array.type.kind == "bool" else self.pick("+=", "-=", "*=") if not array.type.is_int else self.pick("+=", "-=", "^=", "|=", "*=")
        value = self.converted(array.type) if sign == "=" else self.expression(CATEGORIES[array.type.kind])
        self.emit(f"{place} {sign} {value}")

    def choose(self, depth):
        self.emit(f"if {self.condition(2)}:")
        self.nested(self.between(1, 2), depth - 1)
        if self.chance(0.3):
            self.emit(f"elif {self.condition(1)}:")
            self.nested(1, depth - 1)
        if self.chance(0.4):
            self.emit("else:")
            self.nested(1, depth - 1)

    def nested(self, count, depth):
        known = {category: list(names) for category, names in self.names.items()}
        self.indent += 1
        self.body(count, depth)
        self.indent -= 1
        self.names = known

    def protect(self, depth):
        """A load that faults where its condition is false."""
        found = self.guarded()
        if not found:
            return self.accumulate(depth)
        condition, array, place = found
        category = CATEGORIES[array.type.kind]
        element = f"{array.name}[{place}]"
        targets = [a for a in self.accumulators if CATEGORIES[a[1].kind] == category and not a[2] and a[0] not in self.frozen]
        if category not in "ifc" or not targets or self.owned:
            element = f"int({element} != {'False' if category == 'b' else '0'})"
            name = self.fresh("t")
            self.emit(f"{name} = {element} if {condition} else 5")
            for total in [a[0] for a in self.accumulators if a[1] is I64 and not a[2] and not self.owned][:1]:
                self.emit(f"{total} += {name}")
            return self.names["i"].append(name)
        name = self.pick(*targets)[0]
        other = "2" if category == "i" else "1.5"
        if self.chance(0.4):
            return self.emit(f"{name} += {element} if {condition} else {other}")
        if self.chance(0.4) and category != "c":
            self.emit(f"if {condition} and {element} {self.pick('<', '>', '!=')} {self.expression(category, 1)}:")
        else:
            self.emit(f"if {condition}:")
        self.emit(f"    {name} += {element}")

    def extreme(self, depth):
        """The greatest or least, and where it was."""
        own = [a for a in self.accumulators if a[1].kind in ("int", "float") and not a[2] and a[0] not in self.frozen]
        at = [a for a in own if a[1] is I64]
        if self.owned or len(own) < 2 or not at or not self.indices:
            return self.accumulate(depth)
        best, where = self.pick(*own), self.pick(*at)
        if best is where:
            return self.accumulate(depth)
        value = self.expression(CATEGORIES[best[1].kind], 1)
        self.emit(f"if {value} {self.pick('<', '>', '>=', '<=')} {best[0]}:")
        self.emit(f"    {best[0]} = {value}")
        self.emit(f"    {where[0]} = {self.pick(*self.indices).text}")

    def small_element(self):
        """An element of 8 or 16 bits, as an integer that counts in int64."""
        arrays = [a for a in self.readable("i") + self.readable("u") if a.type.bits <= 16 and (not self.owned or a.name in self.frozen)]
        return f"np.int64({self.element(self.pick(*arrays))})" if arrays else None

    def clamped(self, depth):
        """A small integer and a number that the loop leaves alone, between two bounds."""
        inside = {i.dim for i in self.indices}
        targets = [a for a in self.arrays if a.type.is_int and a.type.bits > 1 and set(a.dims) <= inside]
        small = self.small_element()
        if self.owned or not small or not targets:
            return self.accumulate(depth)
        value = self.pick(f"{small} + {self.low}", f"{small} - {self.low}", f"{self.low} - {small}", f"{small} * 2 + {self.far[0]}")
        low, high = self.pick(0, -100), self.pick(255, 100)
        self.emit(f"{self.element(self.pick(*targets))} = {self.pick(f'min({high}, max({low}, {value}))', f'max({low}, min({value}, {high}))')}")

    def tally(self, depth):
        """A sum or a count of small integers, the least or the greatest of them."""
        own = [a for a in self.accumulators if a[1] is I64 and not a[2]]
        small = self.small_element()
        if self.owned or not small or not own:
            return self.accumulate(depth)
        name, limit = self.pick(*own)[0], self.pick("3", "-1", self.low, self.far[0])
        self.emit(self.pick(f"{name} += {small}", f"{name} -= {small} * {small}", f"{name} += {small} {self.pick('<', '>', '==', '!=')} {limit}", f"{name} = {self.pick('min', 'max')}({name}, {small})",
                            f"{name} += {small} if {small} {self.pick('<', '>=')} {limit} else 0", f"{name} += abs({small} - {self.small_element()})"))

    def temporary(self, depth):
        category = self.pick("i", "i", "f", "f", "u", "b")
        name = self.fresh({"i": "j", "f": "v", "u": "q", "b": "c"}[category])
        self.emit(f"{name} = {self.expression(category)}")
        self.names[category].append(name)

    def leave(self, depth):
        kind = self.pick("break", "break", "continue", "return")
        self.emit(f"if {self.condition(1)}:")
        self.emit("    " + (f"return {self.results()}" if kind == "return" else kind))

    # --- loops ---
    def loop(self, depth, shared=False, dim=None):
        dim = dim or self.pick(*[d for a in self.arrays for d in a.dims])
        n, outer = self.extent(dim), [i for i in self.indices if i.dim == dim]
        i = self.fresh("i")
        near = self.between(1, 2)
        forms = [(f"for {i} in range({n}):", 0, 0)] * 4 + [(f"for {i} in range({near}, {n}):", near, 0)] * 2 + [(f"for {i} in range({near}, {n} - {near}):", near, near)] * 3
        forms += [(f"for {i} in range({n} - {near}):", 0, near)] * 2
        if not shared:
            forms += [(f"for {i} in range({n} - 1, -1, -1):", 0, 0), (f"for {i} in range({n} - 2, 0, -1):", 1, 1), (f"for {i} in range(1, {n}, 2):", 1, 0),
                      (f"for {i} in range(0, {n} - 1, 3):", 0, 1), (f"for {i} in range({n} - 1, 0, -2):", 1, 0)]
            forms += [(f"for {i} in range({o.text} + 1, {n}):", 1, 0) for o in outer] + [(f"for {i} in range({o.text}):", 0, 1) for o in outer]
            forms += [(f"for {i} in range({o.text}, {n} - 1):", 0, 1) for o in outer] + [(f"for {i} in range({o.text}, -1, -1):", 0, 0) for o in outer]
            forms += [(f"for {i} in range(max(0, {o.text} - 2), min({n}, {o.text} + 3)):", 0, 0) for o in outer]
        head, below, above = self.pick(*forms)
        kind = "prange" if shared else self.pick("for", "for", "for", "for", "for", "for", "while", "guarded", "each")
        if kind == "while":
            return self.walk(i, n, dim, depth)
        index, element = Index(i, dim, below, above), None
        if kind == "guarded":
            low, high = self.pick("-2", *self.far), self.pick(f"{n} + 2", f"{n} * 2", "6")
            head = f"for {i} in range(min({low}, 4), {high}):"
            index.below = index.above = 0
        elif kind == "each":
            flat = [a for a in self.arrays if a.dims == (dim,) and a.name not in self.frozen]
            if flat:
                array = self.pick(*flat)
                element = (self.fresh("x"), CATEGORIES[array.type.kind])
                head = f"for {i}, {element[0]} in enumerate({array.name}):"
                index.below = index.above = 0
        self.emit(head.replace("range(", "prange(", 1) if shared else head)
        self.indent += 1
        if kind == "guarded":
            self.emit(self.pick(f"if {i} < 0 or {i} >= {n}:", f"if not (0 <= {i} < {n}):"))
            self.emit("    continue")
        self.inside(index, depth, shared, element)
        self.indent -= 1
        if not shared and self.chance(0.12):
            self.emit("else:")
            self.nested(1, 0)

    def inside(self, index, depth, shared=False, element=None):
        self.indices.append(index)
        walked = sum(i.dim == index.dim for i in self.indices)
        self.deep = max(self.deep, walked, len(self.indices))
        known = {category: list(names) for category, names in self.names.items()}
        if element:
            self.names[element[1]].append(element[0])
        before, self.owned = self.owned, index if shared else self.owned
        self.in_loops += not shared
        inner = [d for a in self.arrays if index.dim in a.dims for d in a.dims if d not in [i.dim for i in self.indices]]
        self.body(self.pick(0, 0, 1) if inner else 1 if self.small else self.pick(1, 2, 2, 3), depth - 1)
        if inner:
            self.loop(depth - 1, dim=self.pick(*inner))
        self.in_loops -= not shared
        self.owned, self.names = before, known
        self.indices.pop()

    def walk(self, i, n, dim, depth):
        """while: the variable is counted first, so that `continue` is not endless."""
        down = self.chance(0.3)
        self.emit(f"{i} = {n}" if down else f"{i} = -1")
        self.emit(f"while {i} > 0:" if down else f"while {i} < {n} - 1:")
        self.indent += 1
        self.emit(f"{i} -= 1" if down else f"{i} += {self.pick(1, 1, 1)}")
        self.inside(Index(i, dim), depth)
        self.indent -= 1

    def shared_loop(self):
        """A loop of prange: it stores to rows of its own, and reads other arrays."""
        names = [a.name for a in self.arrays]
        shares = {x for a in self.arrays if a.shares for x in (a.name, a.shares[0])}
        self.frozen = set(names[:(len(names) + 1) // 2]) | shares | {a[0] for a in self.accumulators if a[2] or a[1].kind not in ("int", "float")}
        self.names, known = {c: [x for x in v if x in self.far] for c, v in self.names.items()}, self.names
        self.loop(1, shared=True)
        self.names, self.frozen = known, set()

    def declare(self):
        """The variables that loops build up."""
        for _ in range(self.between(1, 3)):
            kind = self.pick("i", "i", "f", "f", "narrow", "c" if self.chance(0.3) else "i")
            if kind == "narrow":
                type = self.narrow()
                name = self.fresh("w")
                self.emit(f"{name} = {DTYPES[type.name]}({self.between(0, 3)})")
                self.accumulators.append((name, type, True))
                self.names[CATEGORIES[type.kind]].append(name)
                continue
            type = {"i": I64, "f": F64, "c": C128}[kind]
            name = self.fresh(self.pick("s", "m"))
            self.emit(f"{name} = {dict(i=self.pick('0', '1', '-7'), f=self.pick('0.0', '1.0', 'np.inf', '-1e30'), c='0j')[kind]}")
            self.accumulators.append((name, type, False))
            self.names[kind].append(name)

    def far_value(self):
        return self.pick(0, 1, 1, 2, FAR)

    def low_value(self):
        return self.pick(0, 1, -1, 3, -5000000, -FAR)
