"""Expressions of whole arrays in random host functions.

`Whole` is the text of an array with its element type and the names of its extents: `n`, `n-1` of a slice, `1` of a new axis, `?3` of what
only the run knows. Arrays are only put together where their extents broadcast.
"""
from host_arrays import DTYPES, rank
from host_loops import Loops
from values import BOOL, C64, C128, F32, F64, I64, TYPES, U64


class Whole:
    def __init__(self, text, type, dims):
        self.text, self.type, self.dims = text, type, tuple(dims)


def promoted(a, b):
    """NumPy's element type of two arrays."""
    if a is b or rank(b) == 0:
        return a
    if rank(a) == 0:
        return b
    if a.kind == b.kind:
        return a if a.bits >= b.bits else b
    if rank(a) > rank(b):
        a, b = b, a
    if {a.kind, b.kind} == {"int", "uint"}:
        signed, unsigned = (a, b) if a.kind == "int" else (b, a)
        return signed if signed.bits > unsigned.bits else F64 if unsigned.bits == 64 else TYPES[f"int{unsigned.bits * 2}"]
    parts = 2 if b.kind == "complex" else 1
    wide = a.bits >= 32 if a.is_int else a.bits == 64
    return (C128 if parts == 2 else F64) if wide or b.bits == 64 * parts else b


def broadcast(a, b):
    """The extents of two arrays together, or None."""
    short, long = sorted((a, b), key=len)
    short = ("1",) * (len(long) - len(short)) + tuple(short)
    out = []
    for x, y in zip(short, long):
        if x != y and "1" not in (x, y) or "?" in x + y and x != y:
            return None
        out.append(y if x == "1" else x)
    return tuple(out)


class WholeArrays(Loops):
    def __init__(self, seed):
        super().__init__(seed)
        self.made = []   # variables that hold arrays: Whole
        self.numbers = []  # and numbers, for the result
        self.least = {}  # the least sizes of extents, for what empty arrays raise
        self.lengths = 0

    def needs(self, dims):
        """These extents are not empty."""
        for d in dims:
            if d[0] in "nmp":
                self.least[d[0]] = max(self.least.get(d[0], 0), 1 if len(d) == 1 else 4)
        return not any(d[0] == "?" for d in dims)

    def unknown(self):
        self.lengths += 1
        return f"?{self.lengths}"

    # --- expressions ---
    def array(self, depth, types=None):
        """Some array, of the kinds that `types` allows."""
        for _ in range(6):
            before = len(self.lines), len(self.made)
            x = self.view(self.source()) if depth == 0 else self.operation(depth)
            if x and (types is None or x.type.kind in types):
                return x
            self.drop(*before)
        x = self.source()
        if types and x.type.kind not in types:
            x = self.as_kind(x, types)
        return x

    def drop(self, lines, made):
        """Forgets what an expression that is not taken has put into variables."""
        del self.lines[lines:], self.made[made:]

    def as_kind(self, x, kinds):
        if x.type is BOOL and "int" in kinds:
            return Whole(f"{x.text}.astype(np.int64)", I64, x.dims)
        if x.type.kind == "complex":
            x = Whole(f"np.real({x.text})", F32 if x.type is C64 else F64, x.dims)
            return x if "float" in kinds else self.as_kind(x, kinds)
        if "float" in kinds and x.type.is_int:
            return Whole(f"{x.text}.astype(np.float64)", F64, x.dims)
        if "bool" in kinds:
            return Whole(f"({x.text} > 0)", BOOL, x.dims)
        return Whole(f"({x.text} > 1).astype(np.int32)", TYPES["int32"], x.dims)

    def source(self):
        named = self.made + [Whole(a.name, a.type, a.dims) for a in self.arrays]
        return self.pick(*named)

    def view(self, x):
        """A slice or another view of a variable."""
        if self.chance(0.5):
            return x
        dims = list(x.dims)
        axis = self.between(0, len(dims) - 1)
        kind = self.between(0, 6)
        if kind == 0 and len(dims) > 1:
            return Whole(f"{x.text}.T", x.type, dims[::-1])
        if kind == 1 and len(dims) < 3:
            at = self.between(0, len(dims))
            subscripts = [":"] * len(dims)
            subscripts.insert(at, self.pick("np.newaxis", "None"))
            return Whole(f"{x.text}[{', '.join(subscripts)}]", x.type, dims[:at] + ["1"] + dims[at:])
        if kind == 2 and len(dims) > 1 and self.needs([dims[axis]]):
            at = self.pick("0", "-1")
            subscripts = [at if k == axis else ":" for k in range(len(dims))]
            return Whole(f"{x.text}[{', '.join(subscripts)}]", x.type, dims[:axis] + dims[axis + 1:])
        if len(dims[axis]) > 1:
            return x
        form, dim = self.pick(("1:", "-1"), (":-1", "-1"), ("::-1", ""), ("::2", "/2"), ("::-2", "/2"), ("1::2", "/3"), ("2:", "-2"), ("1:-1", "-2"), (":-2", "-2"), ("-3:", "<3"), (":3", "<3"))
        if dims[axis] == "1" and dim:
            return x
        subscripts = [form if k == axis else ":" for k in range(len(dims))]
        dims[axis] += dim
        return Whole(f"{x.text}[{', '.join(subscripts)}]", x.type, dims)

    def partner(self, x, depth, kinds=None):
        """Another array that broadcasts with x, or a number."""
        for _ in range(6):
            before = len(self.lines), len(self.made)
            y = self.array(depth, kinds)
            together = broadcast(x.dims, y.dims)
            if together is not None and len(together) <= 3:
                return y, together
            self.drop(*before)
        if self.chance(0.3):
            return Whole(x.text, x.type, x.dims), x.dims
        return self.number(x.type), x.dims

    def number(self, type):
        if type.kind in ("bool", "int"):
            return Whole(self.pick("1", "2", "-3", "7", "100", "np.int8(5)"), I64, ())
        if type.kind == "uint":
            return Whole(self.pick("np.uint8(3)", "np.uint64(9)"), U64, ())
        return Whole(self.pick("0.5", "2.0", "-1.25", "np.float32(0.75)"), F64, ())

    def operation(self, depth):
        kinds = [self.binary] * 6 + [self.unary] * 3 + [self.compared] * 2 + [self.chosen] * 2 + [self.along] * 2 + [self.ordered] * 2 + [self.joined] * 2 + [self.masked] * 2 + [self.shaped] * 2 + [self.product]
        return self.pick(*kinds)(depth - 1)

    def settled(self, text, type, dims, *of):
        """The value of an operation, in a variable of its own where Numba would not round or wrap it in a longer expression."""
        if not (type.is_int and type.bits in (8, 16, 32) or type is F32 and any(x.type is not F32 for x in of)):
            return Whole(text, type, dims)
        name = self.fresh("z")
        self.emit(f"{name} = {text}")
        self.made.append(Whole(name, type, dims))
        return self.made[-1]

    def type_with(self, x, y):
        """Numbers are of their own type, as all of Numba's are."""
        if y.dims:
            return promoted(x.type, y.type)
        return promoted(x.type, TYPES["int8"] if "int8" in y.text else TYPES["uint8"] if "uint8" in y.text else F32 if "float32" in y.text else y.type)

    def binary(self, depth):
        x = self.array(depth, ("int", "uint", "float", "complex"))
        y, dims = self.partner(x, depth, ("int", "uint", "float", "complex"))
        type = self.type_with(x, y)
        operator = self.pick("+", "+", "-", "*", "*", "/", "min", "&")
        if type.kind == "complex" and operator in ("min", "/"):
            operator = "+"
        if operator == "/":
            self.rounded |= x.type is F32 or y.type is F32
            return Whole(f"({x.text} / (np.abs({y.text}) + 1))", F64, dims) if y.type.kind != "complex" and x.type.kind != "complex" and F32 not in (x.type, y.type) else None
        if operator == "min":
            return self.settled(f"np.{self.pick('minimum', 'maximum', 'fmin', 'fmax')}({x.text}, {y.text})", type, dims, x, y)
        if operator == "&":
            return self.settled(f"({x.text} {self.pick('&', '|', '^')} {y.text})", type, dims) if x.type.is_int and y.type.is_int and type.is_int else None
        return self.settled(f"({x.text} {operator} {y.text})", type, dims, x, y)

    def unary(self, depth):
        x = self.array(depth, ("int", "uint", "float"))
        if x.type.kind == "float":
            form = self.pick("np.abs({})", "-{}", "np.floor({})", "np.sqrt(np.abs({}))", "np.square({})", "{} * {}", "np.sign({})", "np.rint({})")
        else:
            form = self.pick("np.abs({})", "-{}", "np.square({})", "~{}", "{} // 3", "{} % 4") if x.type.kind == "int" else self.pick("np.square({})", "~{}")
        if self.chance(0.2) and x.type.is_int:
            to = self.pick(*TYPES.values())
            return Whole(f"{x.text}.astype({DTYPES[to.name]})", to, x.dims)
        type = promoted(x.type, I64) if "//" in form or "%" in form else x.type
        return self.settled(f"({form.format(x.text, x.text)})", type, x.dims)

    def compared(self, depth):
        x = self.array(depth, ("int", "uint", "float"))
        y, dims = self.partner(x, depth, ("int", "uint", "float"))
        text = f"({x.text} {self.pick('<', '<=', '>', '>=', '==', '!=')} {y.text})"
        if self.chance(0.3):
            z = self.mask_like(dims)
            text = f"({text} {self.pick('&', '|', '^')} {z})" if self.chance(0.7) else f"np.logical_{self.pick('and', 'or')}({text}, {z})"
        return Whole(text, BOOL, dims)

    def mask_like(self, dims):
        for _ in range(4):
            x = self.source()
            if x.dims == tuple(dims) and x.type.kind != "complex":
                return x.text if x.type is BOOL else f"({x.text} {self.pick('>', '<=')} {self.pick('0', '1', '-2')})"
        return "True"

    def chosen(self, depth):
        x = self.array(depth, ("int", "uint", "float"))
        if self.chance(0.3):
            low = self.number(x.type)
            return Whole(f"np.clip({x.text}, {self.pick(-2, 0)}, {self.pick(3, 5)})", promoted(x.type, I64), x.dims) if x.type.kind == "int" else Whole(f"np.maximum({x.text}, {low.text})", self.type_with(x, low), x.dims)
        y, dims = self.partner(x, depth, ("int", "uint", "float"))
        test = self.mask_like(x.dims)
        if test == "True":
            test = f"({x.text} {self.pick('>', '<', '!=')} {self.pick('0', '1')})"
        return Whole(f"np.where({test}, {x.text}, {y.text})", self.type_with(x, y), dims)

    def along(self, depth):
        """A reduction along an axis, or a running one."""
        x = self.array(depth, ("int", "uint", "float"))
        self.rounded |= x.type.kind == "float"
        if len(x.dims) == 1:
            name = self.pick("cumsum", "cumprod")
            return Whole(f"np.{name}({x.text})", I64 if x.type.kind == "int" else U64 if x.type.kind == "uint" else x.type, x.dims)
        axis = self.between(0, len(x.dims) - 1)
        return Whole(f"np.sum({x.text}, axis={axis if self.chance(0.7) else axis - len(x.dims)})", I64 if x.type.kind == "int" else U64 if x.type.kind == "uint" else x.type,
                     x.dims[:axis] + x.dims[axis + 1:])

    def ordered(self, depth):
        x = self.array(depth, ("int", "uint", "float"))
        if len(x.dims) != 1:
            return Whole(f"np.ravel({x.text})", x.type, (self.unknown(),)) if self.chance(0.3) else None
        if x.type.kind == "float":
            x = Whole(f"np.nan_to_num({x.text})", x.type, x.dims)
        kind = self.between(0, 6)
        if kind == 0:
            return Whole(f"np.argsort({x.text}, kind='mergesort')", I64, x.dims)
        if kind == 1:
            return Whole(f"np.unique({x.text})", x.type, (self.unknown(),))
        if kind == 2:
            y = self.array(0, (x.type.kind,))
            return Whole(f"np.searchsorted(np.sort({x.text}), np.ravel({y.text}){self.pick('', ', side=' + repr('right'))})", I64, (self.unknown(),)) if y.type is x.type else None
        if kind == 3:
            return Whole(f"np.diff({x.text})", x.type, (x.dims[0] + "-1",)) if len(x.dims[0]) == 1 and x.dims[0] != "1" else None
        return Whole(f"np.sort({x.text})" + self.pick("", "[::-1]"), x.type, x.dims)

    def joined(self, depth):
        x, y = self.array(depth), self.array(depth)
        if len(x.dims) != len(y.dims):
            return None
        if len(x.dims) == 1 and (x.type is y.type or self.chance(0.3)):
            return Whole(f"np.concatenate(({x.text}, {y.text}))", promoted(x.type, y.type), (self.unknown(),))
        if x.dims == y.dims and x.type is y.type and len(x.dims) < 3:
            axis = self.between(0, len(x.dims))
            return Whole(f"np.stack(({x.text}, {y.text}), axis={axis})", x.type, x.dims[:axis] + ("=2",) + x.dims[axis:])
        return None

    def masked(self, depth):
        x = self.array(0)
        if self.chance(0.5):
            test = self.mask_like(x.dims)
            if test != "True":
                return Whole(f"{x.text}[{test}]", x.type, (self.unknown(),))
        if len(x.dims) != 1 or not self.needs(x.dims):
            return None
        index = self.array(depth, ("int",))
        if len(index.dims) != 1:
            return None
        index_text = f"(({index.text}) % {x.text}.size)"
        return Whole(f"np.take({x.text}, {index_text})" if self.chance(0.4) else f"{x.text}[{index_text}]", x.type, index.dims)

    def shaped(self, depth):
        x = self.array(depth)
        form, dims = self.pick(("np.ravel({})", None), ("{}.flatten()", None), ("np.flip({})", x.dims), ("np.roll({}, 2)", x.dims), ("np.repeat({}, 2)", None), ("np.ascontiguousarray({})", x.dims),
                               ("{}.copy()", x.dims), ("np.zeros_like({})", x.dims), ("np.atleast_2d({})", ("1",) + x.dims if len(x.dims) == 1 else x.dims), ("np.transpose({})", x.dims[::-1]),
                               ("np.expand_dims({}, 0)", ("1",) + x.dims if len(x.dims) < 3 else None))
        if dims is None and "expand" in form:
            return None
        return Whole(form.format(x.text), x.type, dims or (self.unknown(),))

    def product(self, depth):
        x, y = self.array(depth, ("float",)), self.array(depth, ("float",))
        if x.type is not y.type:
            return None
        self.rounded = True
        if len(x.dims) == 1 and len(y.dims) == 1 and self.chance(0.4):
            return Whole(f"np.outer({x.text}, {y.text})", x.type, (x.dims[0], y.dims[0]))
        if len(x.dims) == 2 and len(y.dims) in (1, 2) and x.dims[1] == y.dims[0]:
            return Whole(f"np.dot(np.ascontiguousarray({x.text}), np.ascontiguousarray({y.text}))", x.type, x.dims[:1] + y.dims[1:])
        return None

    # --- statements ---
    def whole_statement(self):
        self.pick(*[self.named] * 4 + [self.into] * 4 + [self.reduced] * 3 + [self.overlapping] * 2 + [self.out_argument] + [self.by_mask])()

    def named(self):
        x = self.array(self.between(1, 2))
        name = self.fresh("z")
        self.emit(f"{name} = {x.text}")
        self.made.append(Whole(name, x.type, x.dims))

    def target(self, kinds=None):
        targets = [Whole(a.name, a.type, a.dims) for a in self.arrays if a.type is not BOOL]
        return self.view(self.pick(*targets)) if targets else None

    def fits(self, x, target):
        """Whether x can be stored to the target: it broadcasts to it, and nothing is lost that Numba leaves undefined."""
        return rank(x.type) <= rank(target.type) and x.type is not BOOL and broadcast(x.dims, target.dims) == target.dims

    def into(self):
        target = self.target()
        for _ in range(8):
            before = len(self.lines), len(self.made)
            x = self.array(self.between(1, 2))
            if target and self.fits(x, target):
                sign = self.pick("=", "=", "=", "+=", "-=", "*=")
                place = target.text if "[" in target.text or sign != "=" else f"{target.text}[{', '.join([':'] * len(target.dims)) if self.chance(0.6) else '...'}]"
                if sign != "=" and ".T" in place:
                    place = f"{place}[:]"
                return self.emit(f"{place} {sign} {x.text}") if not place.endswith(".T") else self.emit(f"{place}[:] {sign} {x.text}")
            self.drop(*before)
        return self.reduced()

    def overlapping(self):
        """A view of an array is made of other views of it."""
        arrays = [a for a in self.arrays if a.type is not BOOL]
        if not arrays or self.parallel:  # shared by threads, Numba's reads what has just been stored
            return self.reduced()
        a = self.pick(*arrays)
        rest = ", :" * (len(a.dims) - 1)
        u, v, w = (f"{a.name}[{s}{rest}]" for s in self.pick(("1:", ":-1", "1:"), (":-1", "1:", ":-1"), ("1:-1", "2:", ":-2"), ("::-1", ":", "::-1"), (":", "::-1", ":"), ("2:", ":-2", "1:-1")))
        value = self.pick(v, f"{v} + {w}", f"{v} * {w}", f"{v} - {u}", f"-{v}" if a.type.kind != "uint" else v, f"{v} + {w} + {u}", f"np.maximum({v}, {w})" if a.type.kind != "complex" else v)
        self.emit(f"{u} {self.pick('=', '=', '+=', '-=')} {value}")

    def out_argument(self):
        target = self.target()
        if not target or target.type.kind == "complex" or "[" in target.text or ".T" in target.text:
            return self.reduced()
        x = self.array(1, (target.type.kind,))
        if x.dims != target.dims or x.type is not target.type:
            return self.reduced()
        self.emit(f"np.{self.pick('add', 'multiply', 'subtract', 'maximum')}({x.text}, {target.text}, {target.text})")

    def by_mask(self):
        a = self.pick(*self.arrays)
        if a.type.kind == "complex" or a.type is BOOL:
            return self.reduced()
        test = f"{a.name} {self.pick('>', '<', '>=')} {self.pick('0', '1', '-1')}"
        number = self.pick("1", "2") if a.type.is_int else self.pick("0.5", "2.0")
        if self.chance(0.5) and len(a.dims) == 1:
            return self.emit(f"{a.name}[{test}] {self.pick('=', '+=', '*=')} {number}" if self.chance(0.5) else f"{a.name}[{test}] = {number}")
        self.emit(f"{a.name}[{', '.join([':'] * len(a.dims))}] = np.where({test}, {a.name}, {a.name}{'' if self.chance(0.5) else ' * ' + a.name})")

    def reduced(self):
        x = self.array(self.between(0, 2), ("int", "uint", "float", "bool"))
        names = ["sum", "sum", "any", "all", "count_nonzero", "size"] if x.type is not BOOL else ["any", "all", "count_nonzero", "sum"]
        if x.type is not BOOL and self.needs(x.dims) and not any(d[1:] in ("/2", "/3", "<3") for d in x.dims):
            names += ["min", "max", "argmin", "argmax", "mean", "max", "ptp", "prod"]
        name = self.pick(*names)
        if name in ("sum", "mean", "prod", "ptp"):
            self.rounded |= x.type.kind == "float" or name == "mean"
        variable = self.fresh("r")
        if name == "size":
            self.emit(f"{variable} = ({x.text}).size")
        elif self.chance(0.3) and name in ("sum", "min", "max", "argmin", "argmax", "mean", "any", "all", "prod"):
            self.emit(f"{variable} = ({x.text}).{name}()")
        else:
            self.emit(f"{variable} = np.{name}({x.text})")
        self.numbers.append(variable)
