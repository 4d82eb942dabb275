"""Arrays and views: every way to index, slice, turn, walk and write them."""
from structure_types import BOOL, FLOAT, INT, ArrayType, ElementType, TupleType, Values


def scalar_of(element):
    return BOOL if element == "boolean" else FLOAT if element[0] in "fc" else INT


class Arrays(Values):
    def arrays(self, test=lambda t: True):
        return self.known(lambda t: isinstance(t, ArrayType) and test(t))

    def some_array(self):
        """The name of one; where there is none it is made."""
        if not self.arrays():
            self.do_array_local()
        return self.pick(*self.arrays())

    # --- elements ---
    def number_of(self, text, element):
        """An element as an int64 or a float64."""
        if element[0] == "c":
            return f"float64({text}.{self.pick('real', 'imag')})"
        return f"float64({text})" if element[0] == "f" else f"int64({text})"

    def value_for(self, element, depth=1):
        """An expression that may be stored into an element."""
        if element == "boolean":
            return self.expression(BOOL, depth)
        if element[0] == "c":
            return f"complex({self.expression(FLOAT, depth)}, {self.expression(FLOAT, depth)})"
        text = self.expression(FLOAT if element[0] == "f" else INT, depth)
        return f"abs({text}) % 64" if element[0] == "u" else text

    def element_text(self, name, type):
        """An element that is there, or None where nothing says that one is."""
        if None in type.shape or 0 in type.shape:
            return None
        if type.axes == 1 and type.element[0] != "c" and self.chance(0.1):
            return f"{name}.flat[{self.between(0, type.shape[0] - 1)}]"
        indices = [self.index(extent) for extent in type.shape]
        form = self.below_one()
        if form < 0.6 or type.axes == 1:
            return f"{name}[{', '.join(indices)}]"
        if form < 0.75:
            return name + "".join(f"[{i}]" for i in indices)
        if form < 0.85:
            return f"{name}.T[{', '.join(reversed(indices))}]"
        return f"{name}[({', '.join(indices)})]"

    def guarded_element(self, name, type):
        """An element of an array that may have none: 0 then."""
        indices = ", ".join(f"{self.expression(INT, 0)} % {name}.shape[{axis}]" for axis in range(type.axes))
        return f"{name}[{indices}]", f"{name}.size {self.pick('> 0', '!= 0')}"

    def element_of(self, element):
        """An element of any array of that type."""
        found = [text for name in self.arrays(lambda t: t.element == element) if (text := self.element_text(name, self.scope[name]))]
        return self.pick(*found) if found else f"np.{element.replace('boolean', 'bool_')}({self.value_for(element, 0)})"

    def element_types(self):
        return [ElementType(self.scope[name].element) for name in self.arrays() if self.scope[name].element != "boolean"]

    def array_number(self, kind=INT):
        names = self.arrays(lambda t: (t.element[0] in "fc") == (kind is FLOAT))
        if not names:
            return None
        name = self.pick(*names)
        type = self.scope[name]
        text = self.element_text(name, type)
        if text:
            return self.number_of(text, type.element)
        text, test = self.guarded_element(name, type)
        return f"({self.number_of(text, type.element)} if {test} else {'0.5' if kind is FLOAT else '0'})"

    def shape_number(self):
        names = self.arrays()
        if not names:
            return None
        name = self.pick(*names)
        axis = self.pick(*range(-self.scope[name].axes, self.scope[name].axes))
        return self.pick(f"len({name})", f"{name}.shape[{axis}]", f"{name}.size", f"{name}.ndim", f"len({name}.shape)")

    # --- slices ---
    def bound(self, extent):
        """The start or stop of a slice."""
        n = extent if extent is not None else 4
        form = self.below_one()
        if form < 0.35:
            return "", True
        if form < 0.8:
            return str(self.between(-n - 2, n + 2)), True
        return self.expression(INT, 0 if form < 0.9 else 1), False

    def slice_text(self, extent):
        """A slice, and how many elements it has, as far as is known."""
        (start, a), (stop, b) = self.bound(extent), self.bound(extent)
        form = self.below_one()
        step, c = ("", True) if form < 0.4 else (str(self.pick(1, 2, 3, -1, -2, -3)), True) if form < 0.9 else (f"({self.expression(INT, 0)} % 2) * 2 - 1", False)
        text = f"{start}:{stop}" + (f":{step}" if step else "")
        if extent is None or not (a and b and c):
            return text, None
        try:
            return text, len(range(extent)[slice(*(eval(part) if part else None for part in (start, stop, step)))])
        except NameError:  # a bound that is a name
            return text, None

    def view(self, name, type):
        """(text, type) of a view of an array."""
        form = self.below_one()
        if form < 0.1 and type.axes > 1:
            turned = {"C": "F", "F": "C"}.get(type.order, "A")
            return f"{name}.{self.pick('T', 'transpose()')}", ArrayType(type.element, type.shape[::-1], turned)
        if form < 0.15 and type.axes == 3:
            axes = self.pick((1, 0, 2), (2, 0, 1), (0, 2, 1))
            return f"np.transpose({name}, {axes})" if self.chance(0.5) else f"{name}.transpose({axes})", ArrayType(type.element, tuple(type.shape[a] for a in axes))
        if form < 0.3 and type.order == "C" and None not in type.shape and 0 not in type.shape:
            return self.reshaped(name, type)
        parts, shape, sliced = [], [], False
        dots = self.between(0, type.axes) if self.chance(0.2) else None
        skipped = self.between(0, type.axes - (dots or 0)) if dots is not None else 0
        axis = 0
        while axis < type.axes:
            extent = type.shape[axis]
            if axis == dots and skipped:
                parts.append("...")
                shape += type.shape[axis:axis + skipped]
                axis += skipped
                sliced = True
                dots = None
                continue
            if self.chance(0.06) and len(shape) < 3:
                parts.append(self.pick("None", "np.newaxis"))
                shape.append(1)
            if extent and self.chance(0.35) and (sliced or axis < type.axes - 1):
                parts.append(self.index(extent))
            else:
                text, length = self.slice_text(extent)
                parts.append(text)
                shape.append(length)
                sliced = True
            axis += 1
            if axis < type.axes and dots is None and self.chance(0.2):
                shape += type.shape[axis:]
                break
        if not shape:
            return f"{name}[:]", type
        if len(shape) > 4:
            return f"{name}[...]", type
        whole = self.pick("slice(None)", "slice(1, None)") if len(parts) == 1 and parts[0] == ":" and self.chance(0.5) else None
        if whole:
            first = type.shape[0]
            return f"{name}[{whole}]", ArrayType(type.element, (first if whole == "slice(None)" or first is None else max(0, first - 1), *type.shape[1:]))
        return f"{name}[{', '.join(parts)}]", ArrayType(type.element, tuple(shape))

    def reshaped(self, name, type):
        size = 1
        for extent in type.shape:
            size *= extent
        if self.chance(0.3):
            return self.pick(f"{name}.ravel()", f"{name}.reshape(-1)", f"np.ravel({name})"), ArrayType(type.element, (size,), "C")
        first = self.pick(*(n for n in range(1, size + 1) if size % n == 0))
        shape = (first, size // first)
        text = self.pick(f"({first}, {size // first})", f"{first}, {size // first}", f"-1, {size // first}", f"{first}, -1")
        return f"{name}.reshape({text})", ArrayType(type.element, shape, "C")

    def some_view(self):
        name = self.some_array()
        return self.view(name, self.scope[name])

    # --- showing ---
    def add_element(self, text, element):
        self.show(self.number_of(text, element), FLOAT if element[0] in "fc" else INT)

    def show_array(self, text, type):
        """By a loop of one of the kinds."""
        name = text
        if not text.isidentifier():
            name = self.fresh()
            self.emit(f"{name} = {text}")
        self.add(f"{name}.size * 7 + {name}.shape[{self.pick(0, -1)}]")
        if self.chance(0.2) and type.axes < 4:
            contiguous = type.element[0] != "c" and type.order != "A"  # of others np.nditer has an order of its own in Numba
            walk, item = self.pick((f"{name}.flat", "e"), (f"np.nditer({name})", "e.item()")) if contiguous else (f"{name}.flat", "e")
            self.loop(f"for e in {walk}:", lambda: self.add_element(item, type.element))
        elif self.chance(0.3):
            names = [f"i{axis}" for axis in range(type.axes)]
            if self.chance(0.5):
                self.loop(f"for {', '.join(names)} in np.ndindex({name}.shape):" if type.axes > 1 else f"for i0 in range(len({name}) - 1, -1, -1):",
                          lambda: self.add_element(f"{name}[{', '.join(names)}]", type.element))
            else:
                self.loop(f"for at, e in np.ndenumerate({name}):", lambda: (self.add("at[0]"), self.add_element("e", type.element)))
        else:
            self.walk(name, type)

    def walk(self, name, type):
        if type.axes == 1:
            form = self.below(4)
            if form == 0:
                return self.loop(f"for i, e in enumerate({name}{self.pick('', ', 3')}):", lambda: (self.add("i"), self.add_element("e", type.element)))
            if form == 1:
                return self.loop(f"for e, d in zip({name}, {name}[{self.pick('1:', '::-1', '::2')}]):", lambda: (self.add_element("e", type.element), self.add_element("d", type.element)))
            return self.loop(f"for e in {name}:", lambda: self.add_element("e", type.element))
        row = self.fresh("r")
        self.loop(f"for {row} in {name}:", lambda: self.walk(row, ArrayType(type.element, type.shape[1:])))

    def below(self, n):
        return self.random.randrange(n)

    def loop(self, head, body):
        self.emit(head)
        self.indent += 1
        body()
        self.indent -= 1

    # --- statements ---
    def do_array_view(self):
        """A view, and a view of that."""
        text, type = self.some_view()
        name = self.assign_new(type, text)
        if self.chance(0.5):
            text, type = self.view(name, type)
            name = self.assign_new(type, text)
        self.show(name, type)

    def do_array_store(self):
        name = self.some_array()
        type = self.scope[name]
        text = self.element_text(name, type)
        if text is None:
            text, test = self.guarded_element(name, type)
            self.emit(f"if {test}:")
            self.indent += 1
        if self.chance(0.5) or type.element == "boolean":
            self.emit(f"{text} = {self.value_for(type.element, 2)}")
        else:
            self.update(text, type.element)
        self.add_element(text, type.element)
        if None in type.shape or 0 in type.shape:
            self.indent -= 1

    def update(self, text, element):
        """An augmented assignment, and what brings the value back to where it has to lie."""
        self.emit(f"{text} += {self.value_for(element)}")
        if element[0] == "c":
            self.emit(f"{text} = complex({text}.real % 64.0, {text}.imag % 32.0)")
        else:
            self.emit(f"{text} {self.pick('%= 64.0', '%= 5.0') if element[0] == 'f' else self.pick('//= 2', '>>= 1', '%= 7')}")

    def do_array_swap(self):
        names = self.arrays(lambda t: None not in t.shape and 0 not in t.shape)
        if not names:
            return self.do_array_view()
        name = self.pick(*names)
        type = self.scope[name]
        a, b = (f"{name}[{', '.join(str(self.between(-n, n - 1)) for n in type.shape)}]" for _ in range(2))
        self.emit(f"{a}, {b} = {b}, {a}")
        self.show(name, type)

    def do_array_fill(self):
        """A store to a whole view."""
        name = self.some_array()
        type = self.scope[name]
        text, part = self.view(name, type)
        if "(" in text.split("[")[0]:
            text, part = f"{name}[...]", type
        if "[" not in text:
            text = f"{text}[:]"
        self.emit(f"{text} = {self.value_for(type.element)}")
        if type.element in ("int64", "float64") and self.chance(0.5):
            v = self.assign_new(part, text)
            self.emit(f"{v} += {self.value_for(type.element)}")
            self.emit(f"{v} %= {'8.0' if type.element[0] == 'f' else '9'}")
        self.show(name, type)

    def do_array_rows(self):
        """Rows that are walked and written to."""
        names = self.arrays(lambda t: t.axes > 1)
        if not names:
            return self.do_array_store()
        name = self.pick(*names)
        type = self.scope[name]
        row, inner = self.fresh("r"), ArrayType(type.element, type.shape[1:])
        head = self.pick(f"for {row} in {name}:", f"for i, {row} in enumerate({name}):", f"for {row} in {name}[::-1]:")
        def body():
            self.scope[row] = inner
            if inner.axes == 1 and self.chance(0.5) and inner.shape[0]:
                self.emit(f"{row}[{self.index(inner.shape[0])}] = {self.value_for(type.element)}")
            else:
                self.emit(f"{row}[:] = {self.value_for(type.element)}")
            del self.scope[row]
        self.loop(head, body)
        self.show(name, type)

    def do_array_local(self):
        """An array of the thread, of one to three axes."""
        axes = self.pick(1, 1, 2, 2, 3)
        shape = tuple(self.between(1, 4) for _ in range(axes))
        element = self.pick("int8", "int16", "int32", "int64", "uint8", "uint32", "float32", "float64", "complex128", "boolean")
        name = self.fresh("l")
        dtype = "np.bool_" if element == "boolean" else f"np.{element}"
        shape_text = str(shape[0]) if axes == 1 and self.chance(0.7) else str(shape)
        self.emit(f"{name} = cuda.local.array({shape_text}, {self.pick('', 'dtype=')}{dtype})")
        if self.chance(0.4):
            self.emit(f"{name}[{self.pick(':', '...')}] = {self.value_for(element)}")
        elif axes == 1:
            self.loop(f"for i in range({name}.size):", lambda: self.emit(f"{name}[i] = {self.value_for(element)}"))
        else:
            names = [f"i{axis}" for axis in range(axes)]
            self.loop(f"for {', '.join(names)} in np.ndindex({name}.shape):", lambda: self.emit(f"{name}[{', '.join(names)}] = {self.value_for(element)}"))
        self.scope[name] = ArrayType(element, shape, "C")
        self.show(name, self.scope[name])

    def do_array_unpack(self):
        names = self.arrays(lambda t: t.shape[0] in (2, 3) and t.axes == 1 and t.element[0] != "c")
        if not names:
            return self.do_array_view()
        name = self.pick(*names)
        type = self.scope[name]
        parts = [self.fresh("p") for _ in range(type.shape[0])]
        self.emit(f"{', '.join(parts)} = {name}")
        for part in parts:
            self.add_element(part, type.element)

    def do_array_table(self):
        """Arrays of the module."""
        form = self.below(3)
        if form == 0:
            self.add(f"int64(TABLE[{self.index(2)}, {self.index(3)}])")
        elif form == 1:
            self.show(f"STEEP[{self.slice_text(6)[0]}]", ArrayType("float64", (None,)))
        else:
            text, type = self.view("TABLE", ArrayType("int32", (2, 3)))
            self.show(text, type)

    def do_array_choice(self):
        """One of two arrays of one type by a condition."""
        text, type = self.some_view()
        names = self.arrays(lambda t: t.element == type.element and t.axes == type.axes and t.axes)
        if not names:
            return self.do_array_view()
        other = self.pick(*names)
        where = self.assign_new(ArrayType(type.element, (None,) * type.axes), f"{text} if {self.boolean(1)} else {other}[{', '.join([self.slice_text(None)[0]] * 1)}]")
        self.show(where, self.scope[where])

    def do_array_reduced(self):
        names = self.arrays(lambda t: t.element[0] in "iuf")
        if not names:
            return self.do_array_view()
        name = self.pick(*names)
        type = self.scope[name]
        if type.axes == 1 and type.element in ("int64", "float64") and self.chance(0.5):
            self.show(f"float64(sum({name}))", FLOAT)
        else:
            self.show(f"float64(np.sum({name}))", FLOAT)
        if None not in type.shape and 0 not in type.shape:
            self.show(f"float64({name}.{self.pick('max()', 'min()')})", FLOAT)

    def do_array_element(self):
        """Elements kept as they are."""
        kinds = self.element_types()
        if kinds:
            kind = self.pick(*kinds)
            self.show(self.assign_new(kind, self.expression(kind)), kind)

    def do_array_rebound(self):
        """A name of another view in each round of a loop."""
        name, array = self.fresh(), self.some_array()
        type = self.scope[array]
        self.emit(f"{name} = {array}")
        step = self.pick("[1:]", "[:-1]", "[::-1]", "[::2]")
        def body():
            if self.chance(0.3):
                self.emit(f"if {self.boolean(1)}:")
                self.emit(f"    {name} = {name}{step}")
            else:
                self.emit(f"{name} = {name}{step}")
            self.add(f"len({name})")
        if self.chance(0.3):
            self.loop(f"while len({name}) > {self.between(1, 3)}:", lambda: self.emit(f"{name} = {name}[{self.pick('1:', ':-1')}]"))
        else:
            self.loop(f"for _ in range({self.between(1, 3)}):", body)
        self.show(name, ArrayType(type.element, (None, *type.shape[1:])))

    def do_array_exchanged(self):
        """Two names of arrays that change places in a loop, as the buffers of a stencil do."""
        array = self.some_array()
        type = self.scope[array]
        alike = self.arrays(lambda t: t.element == type.element and t.axes == type.axes)
        a, b = self.fresh(), self.fresh()
        self.emit(f"{a}, {b} = {array}, {self.pick(*alike)}{self.pick('', '[::-1]')}")
        def body():
            if type.axes == 1:
                self.emit(f"if len({a}) > 1 and len({b}) > 0:")
                self.emit(f"    {a}[{self.pick(0, -1)}], {b}[0] = {b}[-1], {a}[1]")
            self.emit(f"{a}, {b} = {b}, {a}")
        self.loop(f"for _ in range({self.between(1, 3)}):", body)
        self.show(a, ArrayType(type.element, (None,) * type.axes))
        self.show(array, type)

    def do_array_several(self):
        """A loop over arrays: of one type, or of several by literal_unroll."""
        array = self.some_array()
        type = self.scope[array]
        item = self.fresh("e")
        if self.chance(0.5):
            others = self.arrays(lambda t: t.axes == type.axes)
            self.loop(f"for {item} in literal_unroll(({array}, {self.pick(*others)})):", lambda: self.add(f"{item}.size + len({item})"))
        else:
            others = self.arrays(lambda t: t == type)
            self.loop(f"for {item} in ({array}, {self.pick(*others)}):", lambda: self.walk(item, type))

    def do_array_chained(self):
        """One value to several places, and places that the assignment itself moves."""
        name = self.fresh("l")
        self.emit(f"{name} = cuda.local.array(4, np.int64)")
        self.emit(f"{name}[:] = {self.expression(INT, 1)}")
        i = self.assign_new(INT, f"{self.expression(INT, 1)} % 4")
        self.scope[name] = ArrayType("int64", (4,), "C")
        value = lambda: f"{self.expression(INT, 1)} % 4"
        self.emit(self.pick(f"{i}, {name}[{i}] = {value()}, {value()}", f"{name}[{i}], {i} = {i}, {value()}", f"{i} = {name}[{i}] = {value()}",
                            f"{name}[{i}] = {i} = {value()}", f"{name}[0], ({name}[1], {i}) = {value()}, ({i}, {value()})",
                            f"{name}[{i}], {name}[{i} - 1] = {name}[{i} - 1], {name}[{i}]", f"{i}, {name}[1:3] = {value()}, {i}",
                            f"{name}[1:] = {name}[:-1]", f"{name}[::-1][{i}] += {i}", f"{name}[{i}:][0] -= {value()}"))
        self.show(i, INT)
        self.show(name, self.scope[name])
        self.emit(f"{name}[:] %= 64" if self.chance(0.5) else f"{name} %= 61")
