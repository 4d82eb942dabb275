// Loops: the author's variable as counter, `else`, bounds.
#include "pass_test.h"
#include "passes/fuse_counters.h"
#include "passes/lower_loop_else.h"
#include "passes/settle_bounds.h"

namespace pyk::test {
namespace {

// --- fuse_counters --------------------------------------------------------------------------------------------------
TEST(FuseCounters, VariableOfTheLoopAlone) {
    expect_pass(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  for t in range(0, n, 1) {
    i = t
    store a[i] = i
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  for i in range(0, n, 1) {
    store a[i] = i
  }
})");
}

TEST(FuseCounters, TwoLoopsShareTheirVariable) {
    expect_pass(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  temp u: int64
  for t in range(0, n, 1) {
    i = t
    store a[i] = i
  }
  for u in range(n, 0, -1) {
    i = u
    store a[i] = 1
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  temp u: int64
  for i in range(0, n, 1) {
    store a[i] = i
  }
  for i in range(n, 0, -1) {
    store a[i] = 1
  }
})");
}

TEST(FuseCounters, WhatElseIsAtItsPlaceIsReadByTheVariable) {  // for i, x in enumerate(a)
    expect_pass(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  var x: int64
  temp t: int64
  for t in range(0, n, 1) {
    i = t
    x = a[t]
    store a[(t + 1)] = (i + x)
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  var x: int64
  temp t: int64
  for i in range(0, n, 1) {
    x = a[i]
    store a[(i + 1)] = (i + x)
  }
})");
}

TEST(FuseCounters, ReadAfterTheLoopStays) {
    expect_unchanged(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64 unassigned
  temp t: int64
  for t in range(0, n, 1) {
    i = t
  }
  store a[0] = i
})");
}

TEST(FuseCounters, ReadAfterBreakStays) {
    expect_unchanged(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  i = 7
  for t in range(0, n, 1) {
    i = t
    if (a[i] == 0) {
      break
    }
  } else {
    i = n
  }
  store a[0] = i
})");
}

TEST(FuseCounters, ReadInElseStays) {
    expect_unchanged(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64 unassigned
  temp t: int64
  for t in range(0, n, 1) {
    i = t
  } else {
    store a[0] = i
  }
})");
}

TEST(FuseCounters, AssignedInTheBodyStays) {
    expect_unchanged(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  for t in range(0, n, 1) {
    i = t
    i = (i + 1)
    store a[i] = i
  }
})");
}

TEST(FuseCounters, ReadByTheNextIterationOfALoopAround) {
    expect_unchanged(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64 unassigned
  temp t: int64
  while (a[0] > 0) {
    store a[1] = i
    for t in range(0, n, 1) {
      i = t
    }
  }
})");
}

TEST(FuseCounters, ReassignedByTheLoopAroundBeforeItIsRead) {
    expect_pass(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  while (a[0] > 0) {
    i = 5
    store a[1] = i
    for t in range(0, n, 1) {
      i = t
      store a[i] = 0
    }
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  while (a[0] > 0) {
    i = 5
    store a[1] = i
    for i in range(0, n, 1) {
      store a[i] = 0
    }
  }
})");
}

TEST(FuseCounters, ContinueLeadsToAReadInTheLoopAround) {
    expect_unchanged(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64 unassigned
  temp t: int64
  temp u: int64
  for u in range(0, n, 1) {
    store a[1] = i
    for t in range(0, n, 1) {
      i = t
    }
    if (a[0] > 0) {
      continue
    }
    i = 0
  }
})");
}

TEST(FuseCounters, AnotherTypeStays) {
    expect_unchanged(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int32) {
  var i: int64
  temp t: int32
  for t in range(0:int32, n, 1:int32) {
    i = int64(t)
    store a[i] = 0
  }
})");
}

TEST(FuseCounters, NestedLoopsWithOneVariable) {
    expect_pass(fuse_counters, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  temp u: int64
  for t in range(0, n, 1) {
    i = t
    for u in range(0, i, 1) {
      i = u
      store a[i] = 0
    }
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  temp u: int64
  for t in range(0, n, 1) {
    i = t
    for i in range(0, i, 1) {
      store a[i] = 0
    }
  }
})");
}

// --- lower_loop_else ------------------------------------------------------------------------------------------------
TEST(LowerLoopElse, WithoutBreakItFollows) {
    expect_pass(lower_loop_else, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  for i in range(0, n, 1) {
    store a[i] = 0
  } else {
    store a[0] = 1
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  for i in range(0, n, 1) {
    store a[i] = 0
  }
  store a[0] = 1
})");
}

TEST(LowerLoopElse, BreakSetsAFlag) {
    expect_pass(lower_loop_else, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  for i in range(0, n, 1) {
    if (a[i] == 0) {
      break
    } else if (a[i] == 1) {
      store a[i] = 2
      break
    }
  } else {
    store a[0] = 1
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp broke: boolean
  broke = False
  for i in range(0, n, 1) {
    if (a[i] == 0) {
      broke = True
      break
    } else if (a[i] == 1) {
      store a[i] = 2
      broke = True
      break
    }
  }
  if (not broke) {
    store a[0] = 1
  }
})");
}

TEST(LowerLoopElse, BreakInAnInnerElseIsTheOuterLoops) {
    expect_pass(lower_loop_else, R"(
kernel k = k_(a: int64[::1]) {
  while (a[0] > 0) {
    while (a[1] > 0) {
      break
    } else {
      break
    }
  } else {
    store a[2] = 1
  }
})",
                R"(
kernel k = k_(a: int64[::1]) {
  temp broke.1: boolean
  temp broke.2: boolean
  broke.1 = False
  while (a[0] > 0) {
    broke.2 = False
    while (a[1] > 0) {
      broke.2 = True
      break
    }
    if (not broke.2) {
      broke.1 = True
      break
    }
  }
  if (not broke.1) {
    store a[2] = 1
  }
})");
}

TEST(LowerLoopElse, LoopWithElseInElse) {
    expect_pass(lower_loop_else, R"(
kernel k = k_(a: int64[::1]) {
  while (a[0] > 0) {
  } else {
    while (a[1] > 0) {
    } else {
      store a[2] = 1
    }
  }
})",
                R"(
kernel k = k_(a: int64[::1]) {
  while (a[0] > 0) {
  }
  while (a[1] > 0) {
  }
  store a[2] = 1
})");
}

TEST(LowerLoopElse, BreakStandsWhereErrorsAreHandled) {
    expect_pass(lower_loop_else, R"(
kernel k = k_(a: int64[::1]) {
  var i: int64
  for i in range(0, 4, 1) {
    try {
      break
    } except {
      if (a[i] > 0) {
        break
      }
    }
  } else {
    store a[0] = 1
  }
})",
                R"(
kernel k = k_(a: int64[::1]) {
  var i: int64
  temp broke: boolean
  broke = False
  for i in range(0, 4, 1) {
    try {
      broke = True
      break
    } except {
      if (a[i] > 0) {
        broke = True
        break
      }
    }
  }
  if (not broke) {
    store a[0] = 1
  }
})");
}

// --- settle_bounds --------------------------------------------------------------------------------------------------
TEST(SettleBounds, CheapUnchangedBoundsStay) {
    expect_unchanged(settle_bounds, R"(
kernel k = k_(a: float32[:, ::1], n: int64, m: int32) {
  var i: int64
  var s: int64
  s = @cuda.gridsize.x:int64
  for i in range(@cuda.grid.x:int64, shape(a, 1), s) {
    store a[0, i] = 0.0:float32
  }
  for i in range(0, ((n + int64(m)) - 1), 1) {
    store a[0, i] = 0.0:float32
  }
  for i in range(size(a), -1, -2) {
    store a[0, i] = 0.0:float32
  }
})");
}

TEST(SettleBounds, BoundsThatTheBodyChanges) {
    expect_pass(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  for i in range(0, n, 1) {
    n = (n - 1)
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp i_stop: int64
  i_stop = n
  for i in range(0, i_stop, 1) {
    n = (n - 1)
  }
})");
}

TEST(SettleBounds, VariableInItsOwnRange) {
    expect_pass(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var x: int64
  x = 3
  for x in range(x, (x + n), 1) {
    store a[x] = 0
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64) {
  var x: int64
  temp x_start: int64
  temp x_stop: int64
  x = 3
  x_start = x
  x_stop = (x + n)
  for x in range(x_start, x_stop, 1) {
    store a[x] = 0
  }
})");
}

TEST(SettleBounds, MemoryAndCallsAreReadOnce) {
    expect_pass(settle_bounds, R"(
device f = f_i8(x: int64) -> int64 {
  return (x * x)
}
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  for t in range(a[0], a[1], 1) {
    i = t
    store a[i] = i
  }
  for i in range(0, call f_i8(n), 1) {
    store a[i] = 0
  }
})",
                R"(
device f = f_i8(x: int64) -> int64 {
  return (x * x)
}
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  temp t: int64
  temp i_stop.4: int64
  temp i_stop.5: int64
  i_stop.4 = a[1]
  for t in range(a[0], i_stop.4, 1) {
    i = t
    store a[i] = i
  }
  i_stop.5 = call f_i8(n)
  for i in range(0, i_stop.5, 1) {
    store a[i] = 0
  }
})");
}

TEST(SettleBounds, StartIsEvaluatedBeforeWhatIsHoisted) {
    expect_pass(settle_bounds, R"(
device f = f_a1i8c(a: int64[::1]) -> int64 effects(writes) {
  store a[0] = 1
  return 0
}
kernel k = k_(a: int64[::1]) {
  var i: int64
  for i in range(a[0], call f_a1i8c(a), 1) {
    store a[i] = 0
  }
})",
                R"(
device f = f_a1i8c(a: int64[::1]) -> int64 effects(writes) {
  store a[0] = 1
  return 0
}
kernel k = k_(a: int64[::1]) {
  var i: int64
  temp i_start: int64
  temp i_stop: int64
  i_start = a[0]
  i_stop = call f_a1i8c(a)
  for i in range(i_start, i_stop, 1) {
    store a[i] = 0
  }
})");
}

TEST(SettleBounds, StepOfUnknownSignCountsTrips) {
    expect_pass(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: int64, s: int64) {
  var i: int64
  for i in range(0, n, s) {
    store a[i] = 0
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int64, s: int64) effects(ordered) {
  var i: int64
  temp i_trips: uint64
  temp i_trip: uint64
  if (s == 0) {
    raise "ValueError: range() arg 3 must not be zero"
  }
  i_trips = @pyk.range_length(0, n, s):uint64
  for i_trip in range(0:uint64, i_trips, 1:uint64) {
    i = (int64(i_trip) * s)
    store a[i] = 0
  }
})");
}

TEST(SettleBounds, StepThatTheBodyChangesAndOfUnknownSign) {
    expect_pass(settle_bounds, R"(
kernel k = k_(a: int64[::1], s: int32) {
  var i: int32
  for i in range(i, 9:int32, s) {
    s = 1:int32
  }
})",
                R"(
kernel k = k_(a: int64[::1], s: int32) effects(ordered) {
  var i: int32
  temp i_start: int32
  temp i_stop: int32
  temp i_step: int32
  temp i_trips: uint32
  temp i_trip: uint32
  i_start = i
  i_stop = 9:int32
  i_step = s
  if (i_step == 0:int32) {
    raise "ValueError: range() arg 3 must not be zero"
  }
  i_trips = @pyk.range_length(i_start, i_stop, i_step):uint32
  for i_trip in range(0:uint32, i_trips, 1:uint32) {
    i = (i_start + (int32(i_trip) * i_step))
    s = 1:int32
  }
})");
}

TEST(SettleBounds, GuardsGiveTheSign) {
    expect_unchanged(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: int64, s: int64) {
  var i: int64
  if (s > 0) {
    for i in range(0, n, s) {
      store a[i] = 0
    }
  }
  if (s >= 0) {
    return
  }
  for i in range(n, 0, s) {
    store a[i] = 0
  }
})");
}

TEST(SettleBounds, StepMayBeZero) {
    expect_pass(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: uint64, s: uint64) {
  var i: uint64
  for i in range(1:uint64, n, s) {
    store a[i] = 0
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: uint64, s: uint64) effects(ordered) {
  var i: uint64
  temp i_trips: uint64
  temp i_trip: uint64
  if (s == 0:uint64) {
    raise "ValueError: range() arg 3 must not be zero"
  }
  i_trips = @pyk.range_length(1:uint64, n, s):uint64
  for i_trip in range(0:uint64, i_trips, 1:uint64) {
    i = (1:uint64 + (i_trip * s))
    store a[i] = 0
  }
})");
}

TEST(SettleBounds, AnInt32CounterThatMayPassItsEndIsWidened) {
    expect_pass(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: int32) {
  var i: int32
  for i in range(0:int32, n, 2:int32) {
    store a[i] = int64(i)
  }
})",
                R"(
kernel k = k_(a: int64[::1], n: int32) {
  var i.2: int32
  var i.3: int64
  for i.3 in range(0, int64(n), 2) {
    store a[int32(i.3)] = int64(int32(i.3))
  }
})");
}

TEST(SettleBounds, AnInt32CounterThatCannotPassItsEndStays) {
    expect_unchanged(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: int32) {
  var i: int32
  for i in range(0:int32, 1000:int32, 2:int32) {
    store a[i] = int64(i)
  }
  for i in range(n, 0:int32, -1:int32) {
    store a[i] = int64(i)
  }
  for i in range(@cuda.threadIdx.x:int32, 4096:int32, @cuda.blockDim.x:int32) {
    store a[i] = int64(i)
  }
})");
}

TEST(SettleBounds, LiteralsAtTheEndOfInt64) {
    expect_pass(settle_bounds, R"(
kernel k = k_(a: int64[::1]) {
  var i: int64
  for i in range(9223372036854775800, 9223372036854775807, 4) {
    store a[0] = i
  }
})",
                R"(
kernel k = k_(a: int64[::1]) {
  var i: int64
  temp i_trips: uint64
  temp i_trip: uint64
  i_trips = @pyk.range_length(9223372036854775800, 9223372036854775807, 4):uint64
  for i_trip in range(0:uint64, i_trips, 1:uint64) {
    i = (9223372036854775800 + (int64(i_trip) * 4))
    store a[0] = i
  }
})");
}

TEST(SettleBounds, InnerBoundsOfTheOuterVariableStay) {
    expect_unchanged(settle_bounds, R"(
kernel k = k_(a: int64[::1], n: int64) {
  var i: int64
  var j: int64
  for i in range(0, n, 1) {
    for j in range(i, (n - i), 1) {
      store a[j] = 0
    }
  }
})");
}

}  // namespace
}  // namespace pyk::test
