"""Blocks that know of each other: tickets, the last block, strides over the grid, the barrier of the grid."""
from structure_types import INT


class Grids:
    def do_grid_stride(self):
        """Elements that the whole grid shares out."""
        i, v = self.fresh("j"), self.fresh("v")
        self.emit(f"{v} = 0")
        self.emit(f"for {i} in range(g, {self.pick(97, 60)}, {self.pick(self.total, 'cuda.gridsize(1)') if self.is_line else self.total}):")
        self.emit(f"    {v} += {self.pick(f'int64(i4[{i}])', f'i8[{i}] * 2', f'int64(f8[{i}])')}")
        self.show(v, INT)

    def do_grid_tickets(self):
        """Each thread gets a number that no other has."""
        slot = self.new_slots()
        if slot is None:
            return self.do_grid_stride()
        ticket = self.fresh("n")
        counter = self.pick("ci4", "cu4", "ci8", "cu8")
        self.emit(f"{ticket} = int64(cuda.atomic.add({counter}, {slot}, 1)) - {1 << 20}")
        self.emit(f"cuda.atomic.add(ci8, {slot + 1}, {ticket} * {ticket})")
        self.emit(f"cuda.atomic.max(ci4, {slot + 2}, {ticket})")

    def do_grid_last_block(self):
        """The block that comes last adds up what all have left."""
        slot = self.new_slots()
        if slot is None or self.depth or not self.is_mine_free:
            return self.do_grid_stride()
        s, ticket, i, v = self.shared("int32", 1), self.fresh("n"), self.fresh("j"), self.fresh("v")
        blocks = self.total // self.threads
        value = self.expression(INT, 1)
        self.emit(f"mine[g] = {value}")
        self.emit("cuda.threadfence()")
        self.emit("cuda.syncthreads()")
        self.touched.clear()
        self.emit("if t == 0:")
        self.emit(f"    {ticket} = cuda.atomic.{self.pick(f'add(cu4, {slot}, 1)', f'inc(cu4, {slot}, {1 << 22})')}")
        self.emit(f"    {s}[0] = {ticket} == {(1 << 20) + blocks - 1}")
        self.emit("cuda.syncthreads()")
        self.emit(f"if {s}[0]{self.pick('', ' != 0')}:")
        self.emit("    cuda.threadfence()")
        self.emit(f"    {v} = 0")
        self.emit(f"    for {i} in range(t, {self.total}, {self.threads}):")
        self.emit(f"        {v} += mine[{i}]")
        self.emit(f"    cuda.atomic.add(ci8, {slot + 1}, {v})")
        self.touched[s] = "read"
        self.is_mine_free = False

    def do_grid_sync(self):
        """Every thread reads what another block's has stored."""
        if self.depth:
            return self.do_grid_stride()
        group = self.fresh("grid")
        self.emit(f"{group} = cuda.cg.this_grid()")
        if not self.is_mine_free:
            self.emit(f"{group}.sync()")
        self.is_mine_free = True
        self.emit(f"mine[g] = {self.expression(INT, 1)}")
        self.emit(f"{group}.sync()")
        self.touched.clear()
        self.show(f"int64(mine[(g + {self.between(1, self.total)}) % {self.total}])", INT)
        self.emit(f"{group}.sync()")
