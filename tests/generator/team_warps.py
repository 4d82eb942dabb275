"""Warps: shuffles, votes, matches, and what threads of a warp do for all of it."""
from structure_types import FLOAT, INT


class Warps:
    def carried(self):
        """A value of a type that shuffles take: (text, kind)"""
        kind = self.pick(INT, INT, FLOAT)
        text = self.expression(kind, 1)
        cast = self.pick("", "", "float32" if kind == FLOAT else "int32")
        return (f"{cast}({text})" if cast else text), kind

    def shown(self, text, kind):
        self.show(self.assign_new(kind, f"{'float64' if kind == FLOAT else 'int64'}({text})"), kind)

    def full(self):
        return self.pick("0xFFFFFFFF", "FULL")

    def do_warp_shuffle(self):
        text, kind = self.carried()
        form = self.pick("", "_up", "_down", "_xor")
        lane = str(self.between(0, 31)) if form or self.chance(0.4) else f"(t * {self.between(1, 5)} + {self.between(0, 31)}) % 32"
        self.shown(f"cuda.shfl{form}_sync({self.full()}, {text}, {lane})", kind)

    def do_warp_reduce(self):
        """All lanes get the sum, or the greatest."""
        v, k = self.fresh("v"), self.fresh("k")
        text, kind = self.carried()
        self.emit(f"{v} = {text}")
        combined = self.pick(lambda x: f"{v} += {x}", lambda x: f"{v} = max({v}, {x})", lambda x: f"{v} = min({x}, {v})")
        if self.chance(0.5):
            self.emit(f"{k} = 16")
            self.emit(f"while {k} > 0:")
            self.emit("    " + combined(f"cuda.shfl_{self.pick('xor', 'down')}_sync({self.full()}, {v}, {k})"))
            self.emit(f"    {k} //= 2")
        else:
            self.emit(f"for {k} in (16, 8, 4, 2, 1):")
            self.emit("    " + combined(f"cuda.shfl_xor_sync({self.full()}, {v}, {k})"))
        self.show(f"float64({v})" if kind == FLOAT else f"int64({v})", kind)

    def do_warp_scan(self):
        v, k, other = self.fresh("v"), self.fresh("k"), self.fresh("v")
        text, kind = self.carried()
        self.emit(f"{v} = {text}")
        self.emit(f"for {k} in range(5):")
        self.emit(f"    {other} = cuda.shfl_up_sync({self.full()}, {v}, 1 << {k})")
        self.emit(f"    if t % 32 >= 1 << {k}:")
        self.emit(f"        {v} += {other}")
        self.show(f"float64({v})" if kind == FLOAT else f"int64({v})", kind)

    def do_warp_vote(self):
        vote = self.pick("all", "any", "eq")
        self.add(f"int64(cuda.{vote}_sync({self.full()}, {self.boolean(1)}))")

    def do_warp_ballot(self):
        b = self.fresh("b")
        self.emit(f"{b} = cuda.ballot_sync({self.full()}, {self.boolean(1)})")
        self.add(self.pick(f"cuda.popc({b})", f"({b} >> (t % 32)) & 1", f"{b} & 0xFFFF", f"cuda.ffs({b} & 0x7FFFFFFF)", f"cuda.popc({b} & ((1 << (t % 32)) - 1))"))

    def do_warp_match(self):
        value = f"int32({self.expression(INT, 1)} % {self.between(1, 9)})"
        if self.chance(0.6):
            b = self.fresh("b")
            self.emit(f"{b} = cuda.match_any_sync({self.full()}, {value})")
            self.add(self.pick(f"cuda.popc({b})", f"({b} >> {self.between(0, 30)}) & 1", f"{b} & 0xFFFF"))
        else:
            b, same = self.fresh("b"), self.fresh("c")
            self.emit(f"{b}, {same} = cuda.match_all_sync({self.full()}, {value})")
            self.add(f"int64({same}) * 2 + ({b} & 1)")

    def do_warp_part(self):
        """A part of the warp goes elsewhere than the rest."""
        mask = self.pick(0x0000FFFF, 0x00000FFF, 0x55555555, 0x80000001)
        text, kind = self.carried()
        v = self.fresh("v")
        self.emit(f"{v} = {text}")
        self.emit(f"if ({mask:#x} >> (t % 32)) & 1:")
        if mask in (0x0000FFFF, 0x55555555):
            distance = self.pick(2, 4, 8)
            self.emit(f"    {v} {self.pick('+=', '=')} cuda.shfl_xor_sync({mask:#x}, {v}, {distance})")
        else:
            self.emit(f"    h += cuda.popc(cuda.ballot_sync({mask:#x}, {self.boolean(1)}))")
        if self.chance(0.4):
            rest = ~mask & 0xFFFFFFFF
            self.emit("else:")
            self.emit(f"    h += int64(cuda.any_sync({rest:#x}, {self.boolean(1)}))")
        self.show(f"float64({v})" if kind == FLOAT else f"int64({v})", kind)

    def do_warp_exchange(self):
        """Shared memory that only the warp uses."""
        s = self.shared("int32", self.threads)
        self.to_write(s)
        self.emit(f"{s}[t] = {self.expression(INT, 1)}")
        self.emit(f"cuda.syncwarp({self.pick('', 'FULL')})")
        self.show(f"int64({s}[t // 32 * 32 + {self.pick('31 - t % 32', f'(t + {self.between(1, 31)}) % 32')}])", INT)

    def do_warp_aggregate(self):
        """One atomic for all threads of a warp that want it; each knows how many came before it."""
        slot = self.new_slots()
        if slot is None:
            return self.do_warp_ballot()
        b, wants, leader, start = self.fresh("b"), self.fresh("c"), self.fresh("n"), self.fresh("n")
        self.emit(f"{wants} = {self.boolean(1)}")
        self.emit(f"{b} = cuda.ballot_sync({self.full()}, {wants}) & 0xFFFFFFFF")
        self.emit(f"{leader} = cuda.ffs({b}) - 1")
        self.emit(f"{start} = 0")
        self.emit(f"if t % 32 == {leader}:")
        self.emit(f"    {start} = int64(cuda.atomic.add(ci8, {slot}, cuda.popc({b})))")
        self.emit(f"{start} = cuda.shfl_sync({self.full()}, {start}, max({leader}, 0))")
        self.emit(f"if {wants}:")
        self.emit(f"    cuda.atomic.add(ci8, {slot + 1}, {start} + cuda.popc({b} & ((1 << (t % 32)) - 1)))")
