// All passes together, on what inference makes of real kernels.
#include <fmt/format.h>

#include "ir/build.h"
#include "pass_test.h"
#include "passes/passes.h"
#include "support/large_stack.h"

namespace pyk::test {
namespace {

void raised(ir::Module& module) { raise(module); }

TEST(Raise, TiledMatmul) {
    expect_pass(raised, R"(
constant TPB: int64 = 16
kernel matmul = matmul_(A: float32[:, ::1], B: float32[:, ::1], C: float32[:, ::1]) {
  shared sA: float32[:, ::1] shape(16, 16)
  var x: int64
  var tx: int32
  var ty: int32
  var tmp: float32
  var i: int32
  var j: int64
  temp t: int32
  temp u: int64
  x = @cuda.grid.x:int64
  tx = @cuda.threadIdx.x:int32
  ty = @cuda.threadIdx.y:int32
  tmp = float32(0)
  for t in range(int32(0), @cuda.gridDim.x:int32, int32(1)) {
    i = t
    if ((x < shape(A, 0)) and ((int64(tx) + (int64(i) * $TPB)) < shape(A, 1))) {
      store sA[wrap int64(ty), wrap int64(tx)] = A[wrap x, wrap (int64(tx) + (int64(i) * $TPB))]
    }
    eval @cuda.syncthreads:none
    for u in range(0, $TPB, 1) {
      j = u
      tmp = (tmp + sA[wrap int64(ty), wrap j])
    }
  }
  if ((x < shape(C, 0)) and (int64(ty) < shape(C, 1))) {
    store C[wrap x, wrap int64(ty)] = tmp
  }
})",
                R"(
constant TPB: int64 = 16
kernel matmul = matmul_(A: float32[:, ::1], B: float32[:, ::1], C: float32[:, ::1]) effects(reads, writes, barrier, block) {
  shared sA: float32[:, ::1] shape(16, 16)
  var x: int64
  var tx: int32
  var ty: int32
  var tmp: float32
  var i: int32
  var j: int32
  x = @cuda.grid.x:int64
  tx = @cuda.threadIdx.x:int32
  ty = @cuda.threadIdx.y:int32
  tmp = 0.0:float32
  for i in range(0:int32, @cuda.gridDim.x:int32, 1:int32) {
    if ((x < shape(A, 0)) and ((int64(tx) + (int64(i) * $TPB)) < shape(A, 1))) {
      store sA[ty, tx] = A[x, (int64(tx) + (int64(i) * $TPB))]
    }
    eval @cuda.syncthreads:none
    for j in range(0:int32, int32($TPB), 1:int32) {
      tmp = (tmp + sA[ty, j])
    }
  }
  if ((x < shape(C, 0)) and (int64(ty) < shape(C, 1))) {
    store C[x, ty] = tmp
  }
})");
}

TEST(Raise, GridStrideSaxpy) {
    expect_pass(raised, R"(
kernel saxpy = saxpy_(a: float32, x: float32[::1], y: float32[::1]) {
  var start: int64
  var stride: int64
  var i: int64
  temp t: int64
  start = @cuda.grid.x:int64
  stride = @cuda.gridsize.x:int64
  for t in range(start, shape(x, 0), stride) {
    i = t
    store y[wrap i] = ((a * x[wrap i]) + y[wrap i])
  }
})",
                R"(
kernel saxpy = saxpy_(a: float32, x: float32[::1], y: float32[::1]) effects(reads, writes) {
  var start: int64
  var stride: int64
  var i: int64
  start = @cuda.grid.x:int64
  stride = @cuda.gridsize.x:int64
  for i in range(start, shape(x, 0), stride) {
    store y[i] = ((a * x[i]) + y[i])
  }
})");
}

TEST(Raise, BlockReductionHalvesItsStride) {
    expect_pass(raised, R"(
kernel reduce = reduce_(x: float32[::1], y: float32[::1]) {
  shared s: float32[::1] shape(256)
  var tid: int32
  var k: int64
  tid = @cuda.threadIdx.x:int32
  k = (int64(@cuda.blockDim.x:int32) // 2)
  while (k > 0) {
    if (int64(tid) < k) {
      store s[wrap int64(tid)] = (s[wrap int64(tid)] + s[wrap (int64(tid) + k)])
    }
    eval @cuda.syncthreads:none
    k = (k // 2)
  }
  if (int64(tid) == 0) {
    eval @cuda.atomic.add(ref(y, wrap 0), s[wrap 0]):float32
  }
})",
                R"(
kernel reduce = reduce_(x: float32[::1], y: float32[::1]) effects(reads, writes, barrier, atomic, block) {
  shared s: float32[::1] shape(256)
  var tid: int32
  var k: int32
  tid = @cuda.threadIdx.x:int32
  k = (@cuda.blockDim.x:int32 TruncDiv 2:int32)
  while (k > 0:int32) {
    if (tid < k) {
      store s[tid] = (s[tid] + s[(tid + k)])
    }
    eval @cuda.syncthreads:none
    k = (k CShr 1:int32)
  }
  if (tid == 0:int32) {
    eval @cuda.atomic.add(ref(y, 0), s[0]):float32
  }
})");
}

TEST(Raise, CheckedIndicesStayAsWritten) {
    ir::Module module = parse_valid_ir("module \"t\" kernel k = k_(a: int64[::1]) { store a[wrap 1] = 0 }");
    RaiseOptions options;
    options.check_bounds = true;
    raise(module, options);
    EXPECT_TRUE(module.functions[0].body[0].as<ir::Store>()->indices[0].wraps);
}

// Of a kernel that keeps its 64 bits no launch asks for a small grid either: nothing may rely on one.
TEST(Raise, Index32IsForKernelsThatProfit) {
    const auto text = [](const char* array, const char* flag, const char* place, const char* from, const char* type) {
        return fmt::format(
            "kernel k = k_(a: {}){} effects(reads, writes) {{\n  var i: {}\n  i = ({}(@cuda.threadIdx.x:int32) + "
            "({}(@cuda.blockIdx.x:int32) * {}(@cuda.blockDim.x:int32)))\n  store a[{}] = a[{}]\n}}",
            array, flag, type, from, from, from, place, place);
    };
    expect_pass(raised, text("float32[::1]", " index32", "i", "int64", "int64"),
                text("float32[::1]", "", "i", "int64", "int64"));
    expect_pass(raised, text("float32[:, ::1]", " index32", "i, i", "int64", "int64"),
                "kernel k = k_(a: float32[:, ::1]) index32 effects(reads, writes) {\n  var i: int32\n  i = "
                "(@cuda.threadIdx.x:int32 + (@cuda.blockIdx.x:int32 * @cuda.blockDim.x:int32))\n  store a[i, i] = a[i, "
                "i]\n}");
}

TEST(Raise, IsIdempotent) {
    ir::Module module = parse_valid_ir(R"(module "t"
kernel k = k_(a: int64[::1], n: int64, m: int32) {
  var i: int64
  var j: int32
  temp t: int64
  temp u: int32
  for t in range(n, (n + 9), 2) {
    i = t
    store a[wrap i] = ((i // 3) + (n ** 2))
    if (i > 9) {
      break
    }
  } else {
    store a[wrap 0] = 1
  }
  for u in range(0:int32, m, 3:int32) {
    j = u
    store a[wrap int64(j)] = int64(j)
  }
})");
    raise(module);
    EXPECT_EQ(problems_of(module), "");
    const std::string once = ir::print(module);
    raise(module);
    EXPECT_EQ(ir::print(module), once);
}

// As the driver runs the compiler: on a thread with much stack.
TEST(Raise, SumOfFiftyThousandTerms) {
    run_on_large_stack([] {
        ir::Module module =
            parse_valid_ir("module \"t\" kernel k = k_(a: int64[::1], n: int64, m: int32) { store a[wrap 0] = n }");
        ir::Function& function = module.functions[0];
        ir::ExprPtr sum = ir::local(function, ir::LocalId{1});
        for (int i = 0; i < 50'000; ++i)
            sum = ir::binary(BinaryOp::Add, std::move(sum),
                             ir::convert(ir::local(function, ir::LocalId{2}), Scalar::int64));
        function.body[0].as<ir::Store>()->value = std::move(sum);
        raise(module);
        EXPECT_EQ(problems_of(module), "");
        const std::string text = ir::print(module);
        EXPECT_EQ(ir::print(parse_ir(text)), text);
    });
}

TEST(Raise, FiveThousandBranchesAndFiftyNestedLoops) {
    run_on_large_stack([] {
        std::string text =
            "module \"t\" kernel k = k_(a: int64[::1], n: int64) {\nvar i: int64\ni = 0\nif (n == 0) { i = 1 }";
        for (int i = 1; i < 5000; ++i)
            text += " else if (n == " + std::to_string(i) + ") { i = " + std::to_string(i) + " }";
        for (int i = 0; i < 50; ++i) text += "\nwhile (i < n) { i = (i + 1)\n";
        text += "store a[wrap i] = 0\n" + std::string(50, '}') + "}";
        ir::Module module = parse_valid_ir(text);
        raise(module);
        EXPECT_EQ(problems_of(module), "");
    });
}

}  // namespace
}  // namespace pyk::test
