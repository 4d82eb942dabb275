// print → read → print gives the same text, for every form.
#include <gtest/gtest.h>

#include "ir/build.h"
#include "ir_text.h"

namespace pyk::test {
namespace {

void roundtrip(std::string_view text) { EXPECT_EQ(ir::print(parse_valid_ir(text)), text); }

TEST(IrText, Saxpy) {
    roundtrip(R"(module "saxpy.pyk"

constant TPB: int64 = 16
constant scale: float32 = 0.5
constant debug: boolean = True

kernel saxpy = pyk_saxpy_f4_a1f4c_a1f4c(a: float32, x: readonly float32[::1], y: float32[::1]) noalias one_thread effects(reads, writes) {
  doc "a \"x\" plus\n y\\"
  var i: int64
  temp t: float32 unassigned
  shared s: float32[:, ::1] shape(16, 17) align(16)
  shared dynamic: uint8[::1] shape(0)
  local l: float64[::1] shape(3)

  i = @cuda.grid.x:int64
  if (i < shape(y, 0)) {
    store y[i] = ((a * x[wrap i]) + y[i])
  } else if ((i == $TPB) and (not $debug)) {
    eval @cuda.syncthreads:none
  } else {
    return
  }
}
)");
}

TEST(IrText, ForeignFunctions) {
    roundtrip(R"(module "f.pyk"

device twice = twice(a: int32, b: pointer float32) -> int32 foreign numba effects(reads, writes, ordered) {
}

device fill = fill(a: pointer none) foreign c {
}
)");
}

TEST(IrText, Expressions) {
    roundtrip(R"(module "e.pyk"

device half = half_f4(x: float32) -> float32 inline exported {
  return (x * 0.5:float32)
}

device pair = pair_a2(a: float64[:, :], f: int32[::1, :, :], n: int64) -> (int64, float64) {
  var t: (int64, float64)
  var u: (int64, int64)
  var row: float64[:]
  var k: int64

  k = ((n if (n < -5) else (- n)) + int64(5:int32))
  k = ((~ k) // ((k % 3) ** 2))
  k = ((k TruncDiv 2) + (k CShl 3:uint64))
  u = tuple(k, n)
  k = at(u, k)
  row = view<float64[:]>(a, wrap k, slice(_, n, -1))
  row = view<float64[:]>(transpose<float64[:, :]>(a), slice(1, _, _), 0)
  t = tuple((size(a) + shape(f, 2)), float64(call half_f4(inf:float32)))
  if ((item(t, 1) != nan) or (item(t, 1) >= -inf)) {
    eval @cuda.atomic.add(ref(f, wrap k, 0, 1), 7:int32):int32
  }
  return (t if True else tuple(1, 1e+30))
}
)");
}

TEST(IrText, Loops) {
    roundtrip(R"(module "loops.pyk"

kernel k = pyk_k_(n: int64) {
  var i: int64
  var x.2: int64
  var x.3: float64

  for i in range(0, n, 1) {
    x.2 = i
    while (x.2 > 0) {
      x.2 = (x.2 - 1)
      if (x.2 == 7) {
        break
      }
    } else {
      continue
    }
  } else {
    x.3 = float64(n)
  }
  return
}
)");
}

TEST(IrText, Handlers) {
    roundtrip(R"(module "try.pyk"

device f = pyk_f_(n: int64) -> int64 {
  try {
    try {
      n = (n // (n - 1))
    } finally {
      n = 2
      raise ""
    }
    raise "ValueError: too far"
  } except {
    return 0
  }
  return n
}
)");
}

TEST(IrText, NamesOfTheGrammarAreNumbered) {
    roundtrip(R"(module "names.pyk"

kernel k = pyk_k_(not.0: boolean, shape.1: int64, größe: int64) {
  temp .3: int64

  .3 = (größe if (not not.0) else shape.1)
}
)");
}

TEST(IrText, LinesAreComments) {
    const SourceFile file("x.pyk", "\n\nreturn\n");
    ir::Module module = parse_valid_ir("module \"x.pyk\" kernel k = pyk_k_() { return }");
    module.functions[0].body[0].span = {&file, 2, 8};
    EXPECT_EQ(ir::print(module), "module \"x.pyk\"\n\nkernel k = pyk_k_() {\n  return  # 3\n}\n");
    EXPECT_EQ(ir::print(parse_valid_ir(ir::print(module))), "module \"x.pyk\"\n\nkernel k = pyk_k_() {\n  return\n}\n");
}

TEST(IrText, SyntaxErrorsNameTheLine) {
    auto error_of = [](std::string_view text) {
        std::string error;
        EXPECT_FALSE(ir::read(text, error)) << text;
        return error;
    };
    EXPECT_EQ(error_of("module \"m\"\nkernel k = s() {\n  x = 1\n}"), "line 3: unknown local `x`, at `=`");
    EXPECT_EQ(error_of("module \"m\"\nkernel k = s(a: int65) {}"), "line 2: unknown type `int65`, at `)`");
    EXPECT_EQ(error_of("module \"m\"\nkernel k = s(a: int64) {\n  a = (a ? 1)\n}"),
              "line 3: expected an operator, at `?`");
    EXPECT_EQ(error_of("module \"m"), "line 1: unterminated string, at ``");
    EXPECT_EQ(error_of("module \"m\" kernel k = s() {"), "line 1: expected a name, at ``");
}

TEST(IrText, FloatsKeepEveryBit) {
    ir::Module module = parse_valid_ir("module \"m\" device f = f_() -> float64 { return 0.1 }");
    auto& value = *module.functions[0].body[0].as<ir::Return>()->value;
    for (double number : {0.1 + 0.2, 5e-324, 1.7976931348623157e308, -0.0, 123456789.0}) {
        value.as<ir::Constant>()->value = number;
        const ir::Module again = parse_valid_ir(ir::print(module));
        EXPECT_EQ(std::get<double>(again.functions[0].body[0].as<ir::Return>()->value->as<ir::Constant>()->value),
                  number);
    }
}

}  // namespace
}  // namespace pyk::test
