"""Records: aligned and packed, nested, with fields that are arrays; references kept in variables and written through."""
import re

from structure_types import FLOAT, INT, ArrayType, RecordType, TupleType, Values

# path of names, element type, shape
FIELDS = {
    "point": [(("x",), "float32", ()), (("n",), "int16", ())],
    "particle": [(("id",), "int32", ()), (("at", "x"), "float32", ()), (("at", "n"), "int16", ()), (("path",), "float32", (3,)), (("mass",), "float64", ())],
    "packed": [(("flag",), "uint8", ()), (("mass",), "float64", ()), (("id",), "int32", ()), (("at", "x"), "float32", ()), (("at", "n"), "int16", ()),
               (("grid",), "int16", (2, 2))],
}


class Records(Values):
    def record_names(self):
        return self.known(lambda t: isinstance(t, RecordType))

    def record_arrays(self):
        return self.known(lambda t: isinstance(t, tuple) and t[0] == "records")

    def record_place(self):
        """(text of a record, its dtype): a variable, or an element of an array of them."""
        names, arrays = self.record_names(), self.record_arrays()
        if names and (not arrays or self.chance(0.4)):
            name = self.pick(*names)
            return name, self.scope[name].name
        if not arrays:
            return None
        name = self.pick(*arrays)
        _, dtype, shape = self.scope[name]
        return f"{name}[{', '.join(self.index(n) for n in shape)}]", dtype

    def field(self, kind=None):
        """(text, element) of a field's number."""
        place = self.record_place()
        if place is None:
            return None
        text, dtype = place
        fields = [f for f in FIELDS[dtype] if kind is None or (f[1][0] == "f") == (kind is FLOAT)]
        path, element, shape = self.pick(*fields)
        if "[" in text and len(path) == 1 and not shape and self.chance(0.2):
            array, index = text.split("[", 1)
            return self.pick(f"{array}.{path[0]}[{index}", f"{array}['{path[0]}'][{index}"), element
        for name in path:
            text += f".{name}" if self.chance(0.7) else f"['{name}']"
        if shape:
            text += f"[{', '.join(self.index(n) for n in shape)}]"
        return text, element

    def record_number(self, kind=INT):
        found = self.field(kind)
        return found and self.number_of(*found)

    def show_record(self, text, type):
        for path, element, shape in FIELDS[type.name]:
            at = text + "".join(f".{name}" if self.chance(0.7) else f"['{name}']" for name in path)
            if shape:
                self.show_array(at, ArrayType(element, shape))
            else:
                self.add_element(at, element)

    # --- statements ---
    def do_record_local(self):
        """An array of records, filled field by field."""
        dtype = self.pick(*FIELDS)
        shape = self.pick((2,), (3,), (2, 2))
        name = self.fresh("s")
        self.emit(f"{name} = cuda.local.array({shape if len(shape) > 1 else shape[0]}, {self.pick('', 'dtype=')}{dtype})")
        index = [f"i{axis}" for axis in range(len(shape))]
        def body():
            for path, element, extents in FIELDS[dtype]:
                at = f"{name}[{', '.join(index)}]" + "".join(f".{p}" for p in path)
                if extents and self.chance(0.5):
                    self.emit(f"for j in range({extents[0]}):")
                    self.emit(f"    {at}[j{', ' + self.pick('j', '1 - j') if len(extents) > 1 else ''}] = {self.value_for(element)}")
                    if len(extents) > 1:
                        self.emit(f"{at}[0, 1] = {at}[1, 0] = {at}[0, 0] = {at}[1, 1] = 5")
                elif extents:
                    self.emit(f"{at}[:] = {self.value_for(element)}")
                else:
                    self.emit(f"{at} = {self.value_for(element)}")
        self.loop(f"for {', '.join(index)} in np.ndindex({name}.shape):" if len(shape) > 1 else f"for i0 in range(len({name})):", body)
        self.scope[name] = ("records", dtype, shape)
        self.show_records(name)

    def show_records(self, name):
        _, dtype, shape = self.scope[name]
        if len(shape) == 1 and self.chance(0.5):
            item = self.fresh("r")
            self.loop(f"for {item} in {name}:", lambda: self.show_record(item, RecordType(dtype)))
        else:
            self.show_record(f"{name}[{', '.join(self.index(n) for n in shape)}]", RecordType(dtype))

    def need_records(self):
        if not self.record_arrays():
            self.do_record_local()
        return self.pick(*self.record_arrays())

    def do_record_store(self):
        self.need_records()
        text, element = self.field()
        if self.chance(0.5):
            self.emit(f"{text} = {self.value_for(element, 2)}")
        else:
            self.update(text, element)
        self.add_element(text, element)

    def do_record_variable(self):
        """A reference to an element: what is written to it is written to the array."""
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        kept = self.assign_new(RecordType(dtype), f"{name}[{', '.join(self.index(n) for n in shape)}]", "r")
        path, element, extents = self.pick(*FIELDS[dtype])
        at = kept + "".join(f".{p}" for p in path) + (f"[{', '.join(self.index(n) for n in extents)}]" if extents else "")
        self.emit(f"{at} = {self.value_for(element)}")
        self.show_record(kept, RecordType(dtype))
        self.show_records(name)

    def do_record_copy(self):
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        a, b = (f"{name}[{', '.join(self.index(n) for n in shape)}]" for _ in range(2))
        self.emit(f"{a} = {b}")
        self.show_records(name)

    def do_record_field_view(self):
        """The field of all elements is an array."""
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        path, element, extents = self.pick(*(f for f in FIELDS[dtype]))
        text = name + "".join(f".{p}" if self.chance(0.6) else f"['{p}']" for p in path)
        type = ArrayType(element, shape + extents)
        kept = self.assign_new(type, text)
        self.show(kept, type)
        if type.axes == 1:
            self.emit(f"{kept}[{self.index(shape[0])}] = {self.value_for(element)}")
            self.show_records(name)

    def do_record_part(self):
        """A view of the array, and one of an inner record."""
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        if len(shape) == 1 and self.chance(0.6):
            view = self.fresh("s")
            self.emit(f"{view} = {name}[::-1]")
            self.scope[view] = ("records", dtype, shape)
            return self.show_records(view)
        if dtype != "point":
            inner = self.fresh("r")
            self.emit(f"{inner} = {name}[{', '.join(self.index(n) for n in shape)}].at")
            self.emit(f"{inner}.n += {self.expression(INT, 1)}")
            self.emit(f"{inner}.n //= 2")
            self.show_record(inner, RecordType("point"))
        self.show_records(name)

    def do_record_call(self):
        """A function that gets a record, writes to it, and maybe gives it back."""
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        path, element, extents = self.pick(*FIELDS[dtype])
        at = "r" + "".join(f".{p}" for p in path) + (f"[{', '.join(self.index(n) for n in extents)}]" if extents else "")
        function = self.fresh(f"push_{self.seed}_")
        value = f"abs(k) % 64" if element[0] == "u" else "k"
        first = next(f for f in FIELDS[dtype] if not f[2])
        result = self.pick("k", "r" + "".join(f".{p}" for p in first[0]))
        at = at if self.closed(at) else at.split("[")[0] + ("[" + ", ".join("0" for _ in extents) + "]" if extents else "")
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(r, k):\n    {at} = {value}\n    return {result}\n")
        call = f"{function}({name}[{', '.join(self.index(n) for n in shape)}], {self.expression(INT, 1)})"
        self.show(f"float64({call})", FLOAT)
        self.show_records(name)

    def do_record_rebound(self):
        """A name of another element in each round of a loop."""
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        kept = self.fresh("r")
        first = f"{name}[{', '.join('0' for _ in shape)}]"
        self.emit(f"{kept} = {first}")
        path, element, extents = self.pick(*(f for f in FIELDS[dtype] if not f[2]))
        at = kept + "".join(f".{p}" for p in path)
        def body():
            self.emit(f"{at} = {self.value_for(element)}")
            if self.chance(0.6):
                self.emit(f"{kept} = {name}[{', '.join(f'k % {n}' for n in shape)}]")
            else:
                self.emit(f"if {self.boolean(1)}:")
                self.emit(f"    {kept} = {name}[{', '.join('-1' for _ in shape)}]")
            self.add_element(at, element)
        self.loop(f"for k in range({self.between(1, 4)}):", body)
        self.show_record(kept, RecordType(dtype))
        self.show_records(name)

    def do_record_tuple(self):
        """References in a tuple, and one of two by a condition."""
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        a, b = (f"{name}[{', '.join(self.index(n) for n in shape)}]" for _ in range(2))
        kept = self.fresh("r")
        if self.chance(0.5):
            self.emit(f"{kept} = {a} if {self.boolean(1)} else {b}")
        else:
            pair = self.fresh()
            self.emit(f"{pair} = ({a}, {self.expression(INT, 0)}, {b})")
            self.emit(f"{kept} = {pair}[{self.pick(0, -1, 2)}]")
        self.scope[kept] = RecordType(dtype)
        path, element, extents = self.pick(*(f for f in FIELDS[dtype] if not f[2]))
        self.emit(f"{kept}{''.join(f'.{p}' for p in path)} = {self.value_for(element)}")
        self.show_record(kept, RecordType(dtype))
        self.show_records(name)

    def do_record_returned(self):
        """A function that gives one of an array's records, as a reference."""
        if self.inside:
            return self.do_record_copy()
        name = self.need_records()
        _, dtype, shape = self.scope[name]
        function = self.fresh(f"best_{self.seed}_")
        path, element, _ = self.pick(*(f for f in FIELDS[dtype] if not f[2]))
        field = "".join(f".{p}" for p in path)
        rows = name if len(shape) == 1 else f"{name}[{self.index(shape[0])}]"
        self.functions.append(f"@cuda.jit(device=True)\ndef {function}(s):\n    best = s[0]\n    for i in range(1, len(s)):\n"
                              f"        if s[i]{field} {self.pick('>', '<')} best{field}:\n            best = s[i]\n    return best\n")
        kept = self.fresh("r")
        self.emit(f"{kept} = {function}({rows})")
        self.scope[kept] = RecordType(dtype)
        self.emit(f"{kept}{field} = {self.value_for(element)}")
        self.show_record(kept, RecordType(dtype))
        self.show_records(name)

    def do_record_row(self):
        """Records of the module, and rows of two axes."""
        self.emit(f"h += int64(POINTS[{self.index(3)}].n) + int64(POINTS.n[{self.index(3)}])")
        item = self.fresh("r")
        self.loop(f"for {item} in POINTS:", lambda: self.add(f"int64(float64({item}.x) * 16.0)"))

    def closed(self, text):
        """Whether an expression has no names but the parameters of a function that it is put into."""
        import re
        return not re.search(r"\b(?!r\b|k\b)[A-Za-z_]\w*", re.sub(r"\.\w+", "", text))
