"""Numba's CUDA language in CPython: each thread of a launch is a greenlet, which runs until it has to wait for others.

`Machine().cuda` stands for `numba.cuda` in a kernel's text, and `Machine().launch(…)` runs one. Threads of a block, of a warp and of
the grid meet by name and mask, as the language says; an order of the threads that changes from round to round shows what is a race.
"""
import itertools
import random
import sys

import greenlet
import numpy as np

WARP = 32


class Deadlock(Exception):
    pass


class Thread:
    def __init__(self, place, block, blocks, threads):
        self.thread, self.block, self.blocks, self.threads = place, block, blocks, threads
        self.rank = place[0] + threads[0] * (place[1] + threads[1] * place[2])
        self.block_rank = block[0] + blocks[0] * (block[1] + blocks[1] * block[2])
        self.warp, self.lane = divmod(self.rank, WARP)
        self.meeting = None  # where it waits


class Meeting:
    """What is done at one place, by all who have to come. `arrived`: what each brings."""

    def __init__(self, key, what, members):
        self.key, self.what, self.members, self.arrived, self.is_over = key, what, members, {}, False


class Axes:
    def __init__(self, machine, name):
        self.machine, self.name = machine, name

    x = property(lambda self: getattr(self.machine.now, self.name)[0])
    y = property(lambda self: getattr(self.machine.now, self.name)[1])
    z = property(lambda self: getattr(self.machine.now, self.name)[2])


class Machine:
    def __init__(self):
        self.cuda = Cuda(self)

    def launch(self, kernel, grid, block, dynamic, arguments, seed=None):
        """Runs all threads. `seed`: of the order in which they go on; None: by rank."""
        self.dynamic, self.memory, self.open = dynamic, {}, {}
        places = lambda extents: [(x, y, z) for z, y, x in itertools.product(*(range(n) for n in reversed(extents)))]
        self.alive = [Thread(t, b, grid, block) for b in places(grid) for t in places(block)]
        source = random.Random(seed)
        self.garbage = source.randrange(100)
        hub = greenlet.getcurrent()
        for thread in self.alive:
            thread.runs = greenlet.greenlet(lambda: kernel(*arguments), hub)
        while self.alive:
            ready = [t for t in self.alive if not t.meeting or t.meeting.is_over]
            if not ready:
                raise Deadlock(f"{len(self.alive)} threads wait: {({t.meeting.what for t in self.alive})}")
            if seed is not None:
                source.shuffle(ready)
            for thread in ready:
                self.now, thread.meeting = thread, None
                thread.runs.switch()
                if thread.runs.dead:
                    self.alive.remove(thread)
                    for meeting in list(self.open.values()):
                        self.close_if_all_came(meeting)

    def meet(self, key, what, members, brought=None):
        """Waits for the others; returns what all of them brought, by thread. `members`: tells who has to come."""
        me = self.now
        meeting = self.open.setdefault(key, Meeting(key, what, members))
        assert meeting.what == what, f"{meeting.what} here, {what} there"
        meeting.arrived[me] = brought
        self.close_if_all_came(meeting)
        me.meeting = meeting
        me.runs.parent.switch()
        return meeting.arrived

    def close_if_all_came(self, meeting):
        if all(t in meeting.arrived for t in self.alive if meeting.members(t)):
            meeting.is_over = True
            self.open.pop(meeting.key, None)

    def of_block(self, what, brought=None):
        block = self.now.block_rank
        return self.meet(("block", block), what, lambda t: t.block_rank == block, brought).values()

    def of_warp(self, what, mask, brought=None):
        """lane -> what it brought."""
        me = self.now
        assert mask >> me.lane & 1, "a thread calls with a mask without it"
        members = lambda t: t.block_rank == me.block_rank and t.warp == me.warp and mask >> t.lane & 1
        assert sum(map(members, self.alive)) == bin(mask).count("1"), "a mask names threads that are not there"
        return {t.lane: x for t, x in self.meet(("warp", me.block_rank, me.warp, mask), what, members, brought).items()}

    def array(self, owner, shape, dtype):
        """Memory of the line that asks for it, one for each owner."""
        frame = sys._getframe(2)
        key = (owner, frame.f_code.co_filename, frame.f_lineno)
        if key not in self.memory:
            made = np.full(shape, self.garbage, dtype)
            self.memory[key] = made.view(np.recarray) if made.dtype.names else made
        return self.memory[key]


class Shared:
    def __init__(self, machine):
        self.machine = machine

    def array(self, shape, dtype):
        machine = self.machine
        if shape != 0:
            return machine.array(machine.now.block_rank, shape, dtype)
        if machine.now.block_rank not in machine.memory:
            machine.memory[machine.now.block_rank] = np.full(machine.dynamic, machine.garbage, np.uint8)
        return machine.memory[machine.now.block_rank].view(dtype)


class Local:
    def __init__(self, machine):
        self.machine = machine

    def array(self, shape, dtype):
        return np.full(shape, self.machine.garbage, dtype)


class Atomic:
    """Each returns the old value. (Threads change only where they meet.)"""

    @staticmethod
    def _change(a, i, new):
        old = a[i].item()
        a[i] = new(old)
        return old

    def __getattr__(self, name):
        new = {"add": lambda v: lambda old: old + v, "sub": lambda v: lambda old: old - v, "max": lambda v: lambda old: max(old, v), "min": lambda v: lambda old: min(old, v),
               "and_": lambda v: lambda old: old & v, "or_": lambda v: lambda old: old | v, "xor": lambda v: lambda old: old ^ v, "exch": lambda v: lambda old: v,
               "inc": lambda v: lambda old: 0 if old >= v else old + 1, "dec": lambda v: lambda old: v if old == 0 or old > v else old - 1}[name]
        return lambda a, i, v: self._change(a, i, new(v))

    def cas(self, a, i, expected, value):
        return self._change(a, i, lambda old: value if old == expected else old)


class Group:
    def __init__(self, machine):
        self.machine = machine

    def sync(self):
        self.machine.meet("grid", "grid.sync", lambda t: True)


class Cuda:
    def __init__(self, machine):
        self.machine = machine
        self.shared, self.local, self.atomic, self.cg = Shared(machine), Local(machine), Atomic(), self
        self.threadIdx, self.blockIdx, self.blockDim, self.gridDim = (Axes(machine, name) for name in ("thread", "block", "threads", "blocks"))
        self.warpsize = WARP

    @staticmethod
    def jit(*arguments, **_):
        return arguments[0] if arguments else lambda f: f

    laneid = property(lambda self: self.machine.now.lane)

    def this_grid(self):
        return Group(self.machine)

    def grid(self, axes):
        t = self.machine.now
        places = tuple(b * n + i for b, n, i in zip(t.block, t.threads, t.thread))
        return places[0] if axes == 1 else places[:axes]

    def gridsize(self, axes):
        t = self.machine.now
        extents = tuple(b * n for b, n in zip(t.blocks, t.threads))
        return extents[0] if axes == 1 else extents[:axes]

    # --- blocks ---
    def syncthreads(self):
        self.machine.of_block("syncthreads")

    def syncthreads_count(self, test):
        return sum(map(bool, self.machine.of_block("count", test)))

    def syncthreads_and(self, test):
        return int(all(self.machine.of_block("and", test)))

    def syncthreads_or(self, test):
        return int(any(self.machine.of_block("or", test)))

    def threadfence(self):
        pass

    threadfence_block = threadfence_system = threadfence

    # --- warps ---
    def syncwarp(self, mask=0xFFFFFFFF):
        self.machine.of_warp("syncwarp", mask)

    def _shuffled(self, what, mask, value, lane):
        return self.machine.of_warp(what, mask, value).get(lane, value)

    def shfl_sync(self, mask, value, lane):
        return self._shuffled("shfl", mask, value, lane % WARP)

    def shfl_up_sync(self, mask, value, delta):
        return self._shuffled("shfl_up", mask, value, self.laneid - delta)

    def shfl_down_sync(self, mask, value, delta):
        return self._shuffled("shfl_down", mask, value, self.laneid + delta)

    def shfl_xor_sync(self, mask, value, lanes):
        return self._shuffled("shfl_xor", mask, value, self.laneid ^ lanes)

    def all_sync(self, mask, test):
        return all(self.machine.of_warp("all", mask, test).values())

    def any_sync(self, mask, test):
        return any(self.machine.of_warp("any", mask, test).values())

    def eq_sync(self, mask, test):
        return len({bool(x) for x in self.machine.of_warp("eq", mask, test).values()}) == 1

    def ballot_sync(self, mask, test):
        return sum(1 << lane for lane, x in self.machine.of_warp("ballot", mask, test).items() if x)

    def match_any_sync(self, mask, value):
        return sum(1 << lane for lane, x in self.machine.of_warp("match_any", mask, value).items() if x == value)

    def match_all_sync(self, mask, value):
        same = len(set(self.machine.of_warp("match_all", mask, value).values())) == 1
        return (mask if same else 0), same

    # --- bits ---
    @staticmethod
    def popc(x):
        return bin(x & 0xFFFFFFFFFFFFFFFF).count("1")

    @staticmethod
    def ffs(x):
        return (x & -x).bit_length()
