#include "passes/waiting_loops.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

/// Whether the kernel, of two int32 arrays and a number, has a waiting loop.
bool waits(const std::string& body) {
    ir::Module module = parse_valid_ir(
        "module \"t.pyk\"\n\nkernel k = pyk_k(a: int32[::1], b: int32[::1], n: int64) {\nvar i: int64\nvar old: "
        "int32\nvar "
        "done: bool\n" +
        body + "\n}");
    return has_waiting_loop(module, module.functions.back());
}

TEST(WaitingLoops, TheConditionIsAnAtomicOperation) {
    EXPECT_TRUE(waits(R"(while (@cuda.atomic.add(ref(a, 0), 0:int32):int32 == 0:int32) {
})"));
}

TEST(WaitingLoops, AFlagIsLoadedBetweenFences) {
    EXPECT_TRUE(waits(R"(while (a[0] == 0:int32) {
  eval @cuda.threadfence():none
})"));
    EXPECT_FALSE(waits(R"(while (a[0] == 0:int32) {
  store b[0] = 1:int32
})")) << "a compiler may load it once";
}

TEST(WaitingLoops, WhatLeavesTheLoopComesFromAnAtomicOperation) {
    EXPECT_TRUE(waits(R"(while True {
  old = @cuda.atomic.exch(ref(a, 0), 1:int32):int32
  if (old == 0:int32) {
    break
  }
})"));
    // By way of a statement that it decides about, in the round before.
    EXPECT_TRUE(waits(R"(done = False
while (not done) {
  old = @cuda.atomic.exch(ref(a, 0), 1:int32):int32
  if (old == 0:int32) {
    done = True
  }
})"));
}

TEST(WaitingLoops, OthersEndByThemselves) {
    EXPECT_FALSE(waits(R"(i = 0
while (i < n) {
  eval @cuda.atomic.add(ref(a, 0), b[i]):int32
  i = (i + 1)
})"));
    EXPECT_FALSE(waits(R"(i = 0
while (i < n) {
  old = @cuda.atomic.exch(ref(a, 0), 1:int32):int32
  while True {
    if (old == 0:int32) {
      break
    }
  }
  i = (i + 1)
})")) << "it leaves another loop, in which nobody is told anything";
}

}  // namespace
}  // namespace pyk::test
