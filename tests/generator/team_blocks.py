"""Blocks of threads: shared memory and barriers, and what a thread does alone."""
from math import gcd

from structure_types import BOOL, FLOAT, INT

ELEMENTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32", "float64", "boolean")
DTYPES = {name: f"np.{name}" for name in ELEMENTS} | {"boolean": "np.bool_", "int32": "int32", "int64": "int64", "float32": "float32", "float64": "float64"}
DYNAMIC = 4096


class Blocks:
    # --- shared memory ---
    def shared(self, element, extent):
        """A new array of one axis."""
        name = self.fresh("s")
        self.emit(f"{name} = cuda.shared.array({self.pick(str(extent), f'({extent},)')}, {DTYPES[element]})")
        self.touched.pop(name, None)
        return name

    def barrier(self):
        form = self.below_one()
        if form < 0.7:
            self.emit("cuda.syncthreads()")
        elif form < 0.85:
            name = self.fresh("n")
            self.emit(f"{name} = cuda.syncthreads_count(int32({self.boolean(1)}))")
            self.uniform.append(name)
            self.add(name)
        else:
            self.emit(f"if cuda.syncthreads_{self.pick('and', 'or')}(int32({self.boolean(1)})):")
            self.emit("    h += 1")
        self.touched.clear()

    def to_write(self, *names):
        if any(name in self.touched for name in names):
            self.barrier()
        for name in names:
            self.touched[name] = "written"

    def to_read(self, *names):
        if any(self.touched.get(name) == "written" for name in names):
            self.barrier()
        for name in names:
            self.touched.setdefault(name, "read")

    def settled(self, kind=INT):
        """An element that any thread may read without a barrier."""
        names = [name for name, (element, _) in self.arrays.items() if element.startswith("float") == (kind == FLOAT) and self.touched.get(name) != "written"]
        if not names:
            return self.expression(kind, 0)
        name = self.pick(*names)
        element, extent = self.arrays[name]
        self.touched[name] = "read"
        return self.loaded(f"{name}[{self.anywhere(extent)}]", element)

    def anywhere(self, extent):
        return self.pick(f"t % {extent}", f"(t + {self.between(1, 40)}) % {extent}", f"{self.expression(INT, 0)} % {extent}", f"-1 - t % {extent}", str(self.between(-extent, extent - 1)))

    def permuted(self):
        """An index that each thread has to itself."""
        n = self.threads
        factor = self.pick(*(k for k in (1, 1, 3, 5, 7, 11, 13) if gcd(k, n) == 1))
        forms = ["t", "t", f"{n - 1} - t", f"(t * {factor} + {self.between(0, n)}) % {n}", f"-1 - t"]
        if n & (n - 1) == 0:
            forms.append(f"t ^ {self.between(0, n - 1)}")
        return self.pick(*forms)

    def keep(self, name, element, extent):
        """The array stays for later statements, with values in their range."""
        self.arrays[name] = (element, extent)

    # --- statements of whole blocks ---
    def do_block_exchange(self):
        """Each thread gives an element and takes another's."""
        element = self.pick(*ELEMENTS)
        s = self.pick(*self.arrays) if self.arrays and self.chance(0.4) else None
        if s and self.arrays[s][1] == self.threads:
            element = self.arrays[s][0]
        else:
            s = self.shared(element, self.threads)
        self.to_write(s)
        self.emit(f"{s}[{self.permuted()}] = {self.stored(element, 2)}")
        self.keep(s, element, self.threads)
        if self.chance(0.8):
            self.to_read(s)
            kind = FLOAT if element.startswith("float") else INT
            self.show(self.assign_new(kind, self.loaded(f"{s}[{self.anywhere(self.threads)}]", element)), kind)

    def do_block_reduce(self):
        """A tree over shared memory, of any number of threads."""
        element = self.pick("int32", "int64", "float32", "float64", "uint32")
        s, k = self.shared(element, self.threads), self.fresh("k")
        self.to_write(s)
        self.emit(f"{s}[t] = {self.stored(element)}")
        self.barrier()
        combine = lambda a, b: self.pick(f"{a} += {b}", f"{a} = {a} + {b}", f"{a} = max({a}, {b})", f"{a} = min({b}, {a})",
                                         f"{a} += {b}" if element.startswith("float") else f"{a} ^= {b}")
        form = self.between(0, 2)
        n = self.threads
        if form == 0:
            self.emit(f"{k} = {1 << (n - 1).bit_length() >> 1}")
            self.emit(f"while {k} > 0:")
            self.emit(f"    if t < {k} and t + {k} < {n}:")
            self.emit("        " + combine(f"{s}[t]", f"{s}[t + {k}]"))
            self.emit("    cuda.syncthreads()")
            self.emit(f"    {k} {self.pick('//= 2', '>>= 1')}")
        elif form == 1:
            self.emit(f"{k} = 1")
            self.emit(f"while {k} < {n}:")
            self.emit(f"    if t % (2 * {k}) == 0 and t + {k} < {n}:")
            self.emit("        " + combine(f"{s}[t]", f"{s}[t + {k}]"))
            self.emit(f"    {k} *= 2")
            self.emit("    cuda.syncthreads()")
        else:
            self.emit(f"for {k} in range({(n - 1).bit_length()}):")
            self.emit(f"    if t & ((2 << {k}) - 1) == 0:")
            self.emit(f"        if t + (1 << {k}) < {n}:")
            self.emit("            " + combine(f"{s}[t]", f"{s}[t + (1 << {k})]"))
            self.emit("    cuda.syncthreads()")
        self.touched = {s: "read"}
        whole = self.loaded(f"{s}[0]", element)
        if element.startswith("float"):
            self.show(whole, FLOAT)
        else:
            name = self.fresh("n")
            self.emit(f"{name} = {whole} % 50")
            self.uniform.append(name)
            self.add(name)

    def do_block_scan(self):
        """Sums of all threads up to this one."""
        element = self.pick("int32", "int64", "float64")
        s, k, v = self.shared(element, self.threads), self.fresh("k"), self.fresh("v")
        self.to_write(s)
        self.emit(f"{s}[t] = {self.stored(element)}")
        self.emit(f"{k} = 1")
        self.emit(f"while {k} < {self.threads}:")
        self.emit("    cuda.syncthreads()")
        zero = "0.0" if element.startswith("float") else "0"
        if self.chance(0.5):
            self.emit(f"    {v} = {s}[t - {k}] if t >= {k} else {DTYPES[element]}({zero})")
        else:
            self.emit(f"    {v} = {DTYPES[element]}({zero})")
            self.emit(f"    if t >= {k}:")
            self.emit(f"        {v} = {s}[t - {k}]")
        self.emit("    cuda.syncthreads()")
        self.emit(f"    {s}[t] += {v}")
        self.emit(f"    {k} *= 2")
        self.touched = {s: "written"}
        self.to_read(s)
        self.show(self.loaded(f"{s}[{self.pick('t', self.threads - 1)}]", element), FLOAT if element.startswith("float") else INT)

    def do_block_histogram(self):
        """Bins in shared memory, changed by atomics, some of them by many threads at once."""
        element, bins = self.pick("int32", "uint32", "int64", "uint64", "float32", "float64"), self.between(1, 40)
        s, i = self.fresh("s"), self.fresh("j")
        dtype = "np.uint64" if element == "uint64" else DTYPES[element]
        self.emit(f"{s} = cuda.shared.array({bins}, {dtype})")
        self.emit(f"for {i} in range(t, {bins}, {self.pick(self.threads, 'THREADS')}):")
        self.emit(f"    {s}[{i}] = {self.between(0, 9)}")
        self.touched[s] = "written"
        self.barrier()
        function = self.pick("add", "max", "min") if element.startswith("float") else self.pick("add", "add", "max", "min", "and_", "or_", "xor", "sub" if element[0] == "i" else "add")
        call = f"cuda.atomic.{function}({s}, {self.expression(INT, 1)} % {bins}, {self.stored(element)})"
        if self.chance(0.3):
            self.emit(f"if {self.boolean(1)}:")
            self.emit(f"    {call}")
        else:
            self.emit(call)
        self.touched[s] = "written"
        self.to_read(s)
        text = self.loaded(f"{s}[{self.anywhere(bins)}]", element)
        self.show(text, FLOAT if element.startswith("float") else INT)

    def do_block_tile(self):
        """A tile of two or three axes, stored one way and read another."""
        x, y, z = self.block
        element = self.pick("int16", "int32", "float32", "float64", "int64")
        s, pad = self.fresh("s"), self.pick(0, 0, 1)
        kind = FLOAT if element.startswith("float") else INT
        if y * z == 1:
            x, y = next((n, self.threads // n) for n in (8, 6, 5, 4, 3, 7, 11, 2, 1) if self.threads % n == 0)
            column, row = f"t % {x}", f"t // {x}"
        else:
            column, row, y = "cuda.threadIdx.x", "cuda.threadIdx.y" if z == 1 else f"cuda.threadIdx.y + {y} * cuda.threadIdx.z", y * z
        value = self.stored(element)
        if z > 1 and self.chance(0.6):
            self.emit(f"{s} = cuda.shared.array(({z}, {self.block[1]}, {x + pad}), {DTYPES[element]})")
            self.emit(f"{s}[cuda.threadIdx.z, cuda.threadIdx.y, cuda.threadIdx.x] = {value}")
            self.touched[s] = "written"
            self.to_read(s)
            other = lambda n, at: self.pick(at, f"({at} + 1) % {n}", f"{n - 1} - {at}")
            at = f"{other(z, 'cuda.threadIdx.z')}, {other(self.block[1], 'cuda.threadIdx.y')}, {other(x, 'cuda.threadIdx.x')}"
        else:
            self.emit(f"{s} = cuda.shared.array(({y}, {x + pad}), {DTYPES[element]})")
            self.emit(f"{s}[{row}, {column}] = {value}")
            self.touched[s] = "written"
            self.to_read(s)
            at = self.pick(f"t % {y}, t // {y}", f"({row} + 1) % {y}, {column}", f"{y - 1} - ({row}), {x - 1} - {column}", f"{row}, {self.between(0, x - 1)}")
        self.show(self.assign_new(kind, self.loaded(f"{s}[{at}]", element)), kind)

    def do_block_dynamic(self):
        """Dynamic shared memory, in parts."""
        if self.dynamic or self.in_function:
            return self.do_block_exchange()
        self.dynamic = DYNAMIC
        element = self.pick("int32", "float32", "int64", "uint8")
        whole, n = self.fresh("s"), self.threads
        self.emit(f"{whole} = cuda.shared.array({self.pick('0, ', '0, dtype=', 'shape=0, dtype=')}{DTYPES[element]})")
        parts = [f"{whole}[:{n}]", f"{whole}[{n}:{2 * n}]"][:self.pick(1, 2, 2)]
        names = []
        for part in parts:
            name = self.fresh("s")
            self.emit(f"{name} = {part}")
            self.emit(f"{name}[{self.permuted()}] = {self.stored(element)}")
            names.append(name)
            self.touched[name] = "written"
        self.to_read(*names)
        for name in names:
            self.keep(name, element, n)
            self.show(self.loaded(f"{name}[{self.anywhere(n)}]", element), FLOAT if element.startswith("float") else INT)

    def do_block_broadcast(self):
        """One thread says something to all."""
        s, name = self.shared("int64", self.pick(1, 1, 2)), self.fresh("n")
        leader = self.between(0, self.threads - 1)
        self.to_write(s)
        self.emit(f"if t == {leader}:")
        self.emit(f"    {s}[0] = {self.expression(INT, 2)}")
        self.to_read(s)
        self.emit(f"{name} = {s}[0]")
        self.uniform.append(name)
        self.scope[name] = INT
        self.fixed.add(name)
        self.add(name)

    def do_block_pairs(self):
        """Structures or complex numbers in shared memory."""
        s, n = self.fresh("s"), self.threads
        at = self.permuted()
        if self.chance(0.5):
            self.emit(f"{s} = cuda.shared.array({n}, {self.pick('np.complex64', 'np.complex128')})")
            self.emit(f"{s}[{at}] = complex({self.expression(FLOAT, 1)}, {self.expression(FLOAT, 1)})")
            first, second = f"{s}[{self.anywhere(n)}].real", f"({s}[{self.anywhere(n)}] + {s}[t]).imag"
        else:
            self.emit(f"{s} = cuda.shared.array({n}, {self.pick('point', 'packed')})")
            x, number = self.pick(".x", '["x"]'), self.pick(".n", '["n"]')
            self.emit(f"{s}[{at}]{x} = {self.expression(FLOAT, 1)}")
            self.emit(f"{s}[{at}].n = {self.expression(INT, 1)}")
            first, second = f"{s}[{self.anywhere(n)}].x", f"{s}[{self.anywhere(n)}]{number} * 2"
        self.touched[s] = "written"
        self.to_read(s)
        self.show(f"float64({first})", FLOAT)
        self.show(f"float64({second})", FLOAT)

    def do_block_turns(self):
        """Two halves of shared memory that change places in each round, until all agree to end."""
        if self.depth > 1:
            return self.do_block_exchange()
        n, s, old, new, k = self.threads, self.fresh("s"), self.fresh("v"), self.fresh("v"), self.fresh("k")
        self.emit(f"{s} = cuda.shared.array((2, {n}), int32)")
        self.emit(f"{s}[0, t] = {self.expression(INT, 1)}")
        self.barrier()
        self.emit(f"{old}, {new}, {k} = 0, 1, 0")
        self.emit("while True:")
        self.indent += 1
        step = self.pick(f"{s}[{old}, (t + 1) % {n}]", f"max({s}[{old}, t], {s}[{old}, t - 1])", f"({s}[{old}, t] + {s}[{old}, ({n - 1} - t)]) % 64")
        self.emit(f"{s}[{new}, t] = {step}")
        self.emit(f"{old}, {new} = {new}, {old}")
        self.emit(f"{k} += 1")
        self.emit(self.pick(f"if cuda.syncthreads_or(int32({s}[{old}, t] > {self.between(0, 60)})) or {k} > 3:", f"if cuda.syncthreads_count(int32({s}[{old}, t] % 2 == 0)) < {n} // 2 or {k} >= 4:"))
        self.emit("    break")
        self.emit("cuda.syncthreads()")
        self.indent -= 1
        self.touched = {s: "read"}
        self.add(f"{s}[{old}, t] * 4 + {k}")

    def do_block_end(self):
        """Whole blocks end."""
        if self.depth or self.in_function or self.chance(0.6):
            return self.do_block_exchange()
        self.emit(f"if {self.pick('cuda.blockIdx.x == 1', 'cuda.blockIdx.y > 0', 'cuda.blockIdx.z == 1')}:")
        self.emit(f"    out[{self.between(0, 5)}, g] = -h")
        self.emit("    return")
        self.have_blocks_ended = True

    def do_block_if(self):
        """Barriers in a branch that all threads take or none."""
        before = dict(self.touched)
        self.inside(f"if {self.uniform_test()}:", self.between(1, 2))
        if self.chance(0.5):
            then, self.touched = self.touched, dict(before)
            self.inside("else:")
            before = then
        self.touched = {name: max(self.touched.get(name, ""), before.get(name, "")) for name in {**self.touched, **before}}

    def do_block_loop(self):
        """Barriers in a loop that all threads go round as often."""
        if self.depth > 2:
            return self.do_block_exchange()
        if self.touched:
            self.barrier()
        k = self.fresh("k")
        count = self.pick(str(self.between(1, 4)), f"{self.pick(*self.uniform)} % 4" if self.uniform else "cuda.blockDim.x % 3 + 1", "cuda.gridDim.x")
        if self.chance(0.7):
            head = f"for {k} in range({self.pick('', '', '1, ')}{count}):"
        else:
            self.emit(f"{k} = {count}")
            head = f"while {k} > 0:"
        self.inside(head, self.between(1, 2), {k: INT})
        self.indent += 1
        uniform = list(self.uniform)
        if self.touched:
            self.barrier()
        if head.startswith("while"):
            self.emit(f"{k} -= 1")
        elif self.chance(0.2):
            self.emit(f"if {self.uniform_test()}:")
            self.emit("    break")
        self.indent -= 1
        self.uniform = uniform

    def do_block_call(self):
        """A function with barriers of its own, which may work on the caller's shared memory."""
        if self.in_function:
            return self.do_block_exchange()
        name = self.fresh(f"part_{self.seed}_")
        given = self.pick(*self.arrays) if self.arrays and self.chance(0.7) else None
        arguments = f"t, {self.expression(INT, 1)}, {self.expression(FLOAT, 0)}{', ' + given if given else ''}"
        outside = (self.lines, self.indent, self.scope, self.fixed, self.uniform, self.arrays, self.touched, self.depth)
        self.lines, self.indent, self.scope, self.fixed, self.uniform = [], 1, {"x": INT, "y": FLOAT}, {"x", "y"}, []
        self.arrays, self.touched, self.in_function = {"s": outside[5][given]} if given else {}, {"s": outside[6][given]} if given in outside[6] else {}, True
        self.emit("h = 1")
        for _ in range(self.between(1, 2)):
            self.step()
        if self.touched:
            self.barrier()
        result = self.pick("h % 60", "(h % 60, y)", f"{self.expression(INT, 1)}")
        self.emit(f"return {result}")
        self.functions.append(f"@cuda.jit(device=True)\ndef {name}(t, x, y{', s' if given else ''}):\n" + "\n".join(self.lines) + "\n")
        self.lines, self.indent, self.scope, self.fixed, self.uniform, self.arrays, self.touched, self.depth = outside
        self.in_function = False
        self.touched.pop(given, None)
        call = f"{name}({arguments})"
        if result.endswith("y)"):
            a, b = self.fresh("n"), self.fresh("x")
            self.emit(f"{a}, {b} = {call}")
            self.scope |= {a: INT, b: FLOAT}
            self.show(b, FLOAT)
            self.show(a, INT)
        else:
            self.show(self.assign_new(INT, call), INT)

    def do_left_meeting(self):
        """A barrier of those that have not ended."""
        self.barrier()
        self.show(self.assign_new(INT, self.settled()), INT)

    # --- statements of a thread ---
    def do_thread_assign(self):
        kind = self.pick(INT, INT, FLOAT, BOOL)
        names = [n for n in self.of_type(kind) if n not in self.fixed]
        name = self.pick(*names) if names and self.chance(0.5) else None
        text = self.expression(kind, 2)
        if name:
            self.emit(f"{name} = {text}")
        else:
            name = self.assign_new(kind, text)
        self.show(name, kind)

    def do_thread_if(self):
        if self.depth > 2:
            return self.do_thread_assign()
        before = dict(self.touched)
        self.inside(f"if {self.boolean(1)}:", self.between(1, 2), converged=False)
        if self.chance(0.5):
            self.inside("else:", converged=False)
        self.touched = before | self.touched

    def do_thread_loop(self):
        if self.depth > 2:
            return self.do_thread_assign()
        k = self.fresh("k")
        self.inside(f"for {k} in range({self.pick(f't % {self.between(2, 5)}', f'{self.expression(INT, 1)} % 4', '3')}):", 1, {k: INT}, converged=False)
        if self.chance(0.3):
            self.emit(f"    if {self.boolean(1)}:")
            self.emit(f"        {self.pick('break', 'continue')}")

    def do_thread_local(self):
        """Memory of the thread, at places that the run says."""
        element, extent = self.pick("int32", "int64", "float32", "int8"), self.between(2, 8)
        a, i = self.fresh("l"), self.fresh("j")
        self.emit(f"{a} = cuda.local.array({extent}, {DTYPES[element]})")
        self.emit(f"for {i} in range({extent}):")
        self.emit(f"    {a}[{i}] = {self.pick(f'{i} * 3', f't % ({i} + 2)', f'{extent} - {i}')}")
        self.emit(f"{a}[{self.expression(INT, 1)} % {extent}] = {self.stored(element)}")
        self.show(self.loaded(f"{a}[{self.anywhere(extent)}]", element), FLOAT if element.startswith("float") else INT)

    def do_thread_count(self):
        """Atomics on counters that no other statement uses."""
        slot = self.new_slots()
        if slot is None:
            return self.do_thread_assign()
        name = self.pick("ci4", "cu4", "ci8", "cu8", "cf4", "cf8")
        at = f"{slot} + {self.expression(INT, 1)} % 4"
        value = self.expression(FLOAT, 1) if name[1] == "f" else self.expression(INT, 1) if name[1] == "i" else f"{self.expression(INT, 1)} & 63"
        functions = ["add", "max", "min"] + ([] if name[1] == "f" else ["and_", "or_", "xor", "sub"]) + (["inc", "dec"] if name[1] == "u" else [])
        function = self.pick(*functions)
        if function in ("inc", "dec"):
            value = str(self.pick(5, 7, 1 << 21))
        if self.chance(0.2) and name[1] != "f":
            return self.count_by_cas(name, at, value)
        self.emit(f"cuda.atomic.{function}({name}, {at}, {value})")

    def count_by_cas(self, name, at, value):
        old, seen, i = self.fresh("n"), self.fresh("n"), self.fresh("j")
        dtype = {"ci4": "int32", "cu4": "np.uint32", "ci8": "int64", "cu8": "np.uint64"}[name]
        added = self.fresh("v")
        self.emit(f"{i} = {at}")
        self.emit(f"{added} = {dtype}({value})")
        self.emit(f"{old} = {name}[{i}]")
        self.emit("while True:")
        self.emit(f"    {seen} = cuda.atomic.cas({name}, {i}, {old}, {old} + {added})")
        self.emit(f"    if {seen} == {old}:")
        self.emit("        break")
        self.emit(f"    {old} = {seen}")
