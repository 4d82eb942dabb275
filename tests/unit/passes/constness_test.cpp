#include "passes/constness.h"

#include "ir_text.h"
#include "passes/new_arrays.h"

namespace pyk::test {
namespace {

/// The names of a function's locals that nothing is written through.
std::string read_only(const ir::Module& module, size_t function) {
    const std::vector<ir::Mentions> mentions = ir::mentions_of(module);
    const Constness constness(module, mentions, makes_arrays(mentions));
    std::string result;
    for (size_t id = 0; id < module.functions[function].locals.size(); ++id)
        if (constness.read_only(static_cast<ir::FunctionId>(function), static_cast<ir::LocalId>(id)))
            result += module.functions[function].locals[id].name + " ";
    return result;
}

TEST(Constness, StoresViewsAndAtomics) {
    const ir::Module module = parse_valid_ir(R"(module "m"
kernel k = k_(a: float32[:, ::1], b: float32[:, ::1], c: float32[::1], d: float32[::1], n: int64) {
  var row: float32[::1]
  var other: float32[::1]
  row = view<float32[::1]>(a, n)
  store row[0] = 1.0:float32
  other = view<float32[::1]>(b, n)
  store d[0] = other[1]
  eval @cuda.atomic.add(ref(c, 0), other[2]):float32
})");
    EXPECT_EQ(read_only(module, 0), "b n other ");
}

TEST(Constness, CalleesAndSelections) {
    const ir::Module module = parse_valid_ir(R"(module "m"
device write = write_(x: float32[::1], y: float32[::1]) {
  store x[0] = y[0]
}
device pass = pass_(x: float32[::1]) -> float32[::1] {
  return x
}
kernel k = k_(a: float32[::1], b: float32[::1], c: float32[::1], d: float32[::1], e: float32[::1], n: int64) {
  var t: (float32[::1], float32[::1])
  eval call write_(a, b)
  t = tuple(c, d)
  store item(t, 0)[0] = call pass_(e)[0]
})");
    EXPECT_EQ(read_only(module, 0), "y ");
    EXPECT_EQ(read_only(module, 1), "");
    EXPECT_EQ(read_only(module, 2), "b n ");
}

TEST(Constness, ResultsThatAreArraysOfTheirOwn) {
    const ir::Module module = parse_valid_ir(R"(module "m"
device rest = rest_(x: float32[::1], other: float32[::1]) -> float32[::1] {
  var y: float32[::1]
  y = x
  return y
}
kernel k = k_(a: float32[::1], b: float32[::1]) {
  var p: float32[::1]
  p = call rest_(a, b)
  store p[0] = 1.0:float32
})");
    EXPECT_EQ(read_only(module, 0), "other ");
    EXPECT_EQ(read_only(module, 1), "b ");
}

TEST(Constness, AssignmentsInAnyOrder) {
    const ir::Module module = parse_valid_ir(R"(module "m"
kernel k = k_(a: float32[::1], b: float32[::1], c: boolean) {
  var p: float32[::1]
  var q: float32[::1]
  q = (a if c else b)
  while c {
    p = q
    store p[0] = 1.0:float32
    q = b
  }
})");
    EXPECT_EQ(read_only(module, 0), "c ");
}

TEST(Constness, Recursion) {
    const ir::Module module = parse_valid_ir(R"(module "m"
device f = f_(x: float32[::1], y: float32[::1], n: int64) {
  if (n == 0) {
    store x[0] = 1.0:float32
  } else {
    eval call f_(y, x, (n - 1))
  }
})");
    EXPECT_EQ(read_only(module, 0), "n ");
}

}  // namespace
}  // namespace pyk::test
