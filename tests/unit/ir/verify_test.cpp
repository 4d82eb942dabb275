// Each rule of the IR, broken once. What text can say is said in text; the rest is broken by hand.
#include "ir/verify.h"

#include "ir/build.h"
#include "ir_text.h"

namespace pyk::test {
namespace {

std::string problems(const std::string& text) { return problems_of(parse_ir("module \"m\"\n" + text)); }

/// The problems of a kernel with this body.
std::string body_problems(const std::string& body) {
    return problems(
        "kernel k = k_(n: int64, m: int32, f: float32, b: boolean, a: float32[:, ::1], r: readonly int64[::1]) {\n"
        "var i: int64\nvar t: (int64, float32)\nshared s: int64[::1] shape(4)\n" +
        body + "\n}");
}

TEST(Verify, Operators) {
    EXPECT_EQ(body_problems("i = (n + m)"), "k_: operands differ in type: (n + m)\n");
    EXPECT_EQ(body_problems("i = (n / n)"), "k_: `/` needs floats: (n / n)\n");
    EXPECT_EQ(body_problems("eval (f TruncDiv f)"), "k_: C++ division needs integers: (f TruncDiv f)\n");
    EXPECT_EQ(body_problems("eval (f << 1)"), "k_: shift needs integers: (f << 1)\n");
    EXPECT_EQ(body_problems("eval (f & f)"), "k_: bit operator needs integers or booleans: (f & f)\n");
    EXPECT_EQ(body_problems("eval (b + b)"), "k_: arithmetic needs numbers: (b + b)\n");
    EXPECT_EQ(body_problems("eval (n < m)"), "k_: comparison needs scalars of one type: (n < m)\n");
    EXPECT_EQ(body_problems("eval (not n)"), "k_: `not` needs a boolean: (not n)\n");
    EXPECT_EQ(body_problems("eval (~ f)"), "k_: `~` needs an integer or boolean: (~ f)\n");
    EXPECT_EQ(body_problems("eval (- b)"), "k_: sign needs a number: (- b)\n");
    EXPECT_EQ(body_problems("eval (n and b)"), "k_: `and`/`or` needs booleans: (n and b)\n");
    EXPECT_EQ(body_problems("eval (n if b else m)"), "k_: branches differ in type: (n if b else m)\n");
    EXPECT_EQ(body_problems("eval (n if m else n)"), "k_: condition is not a boolean: (n if m else n)\n");
    EXPECT_EQ(body_problems("eval (f ** f)"), "");
    EXPECT_EQ(body_problems("eval (f ** n)"), "");
    EXPECT_EQ(body_problems("eval (n << m)"), "");
}

TEST(Verify, ArraysAndTuples) {
    EXPECT_EQ(body_problems("eval a[0]"), "k_: not as many indices as axes: a[0]\n");
    EXPECT_EQ(body_problems("eval a[0, f]"), "k_: index is not an integer: a[0, f]\n");
    EXPECT_EQ(body_problems("eval shape(a, 2)"), "k_: no such axis: shape(a, 2)\n");
    EXPECT_EQ(body_problems("eval shape(n, 0)"), "k_: operand is not an array: shape(n, 0)\n");
    EXPECT_EQ(body_problems("store r[0] = 1"), "k_: store into a readonly array\n");
    EXPECT_EQ(body_problems("store a[0, 0] = 1"), "k_: stored value is not of the element's type\n");
    EXPECT_EQ(body_problems("eval view<float32[:]>(a, 0, 0)"),
              "k_: view has the wrong number of axes: view<float32[:]>(a, 0, 0)\n");
    EXPECT_EQ(body_problems("eval view<int64[:]>(a, 0)"), "k_: view has other elements: view<int64[:]>(a, 0)\n");
    EXPECT_EQ(body_problems("eval view<int64[:]>(r, slice(f, _, _))"),
              "k_: view of a readonly array is not readonly: view<int64[:]>(r, slice(f, _, _))\n"
              "k_: subscript is not an integer: view<int64[:]>(r, slice(f, _, _))\n");
    EXPECT_EQ(body_problems("eval transpose<float32[:, ::1]>(a)"),
              "k_: node of type float32[:, ::1] should have type float32[::1, :]: transpose<float32[:, ::1]>(a)\n");
    EXPECT_EQ(body_problems("eval ref(a, 0, 0)"), "k_: an element reference is only an argument of a builtin\n");
    EXPECT_EQ(body_problems("i = (ref(r, 0) + 1)"), "k_: an element reference is only an argument of a builtin\n");
    EXPECT_EQ(body_problems("s = r"),
              "k_: a shared or local array is assigned\n"
              "k_: s of type int64[::1] is assigned readonly int64[::1]\n");
    EXPECT_EQ(body_problems("eval convert<float32[::1, :]>(a)"),
              "k_: no conversion from float32[:, ::1] to float32[::1, :]: convert<float32[::1, :]>(a)\n");
    EXPECT_EQ(body_problems("eval convert<(float64, float32)>(t)"), "");
    EXPECT_EQ(body_problems("eval convert<(float64, float32)>(tuple(n))"),
              "k_: no conversion from (int64) to (float64, float32): convert<(float64, float32)>(tuple(n))\n");
}

TEST(Verify, Calls) {
    const std::string callee = "device f = f_(x: int64) -> int64 { return x }\n";
    EXPECT_EQ(problems(callee + "kernel k = k_(m: int32) { eval call f_(m) }"),
              "k_: arguments differ from the callee's parameters: call f_(m)\n");
    EXPECT_EQ(problems("kernel g = g_() { }\nkernel k = k_() { eval call g_() }"),
              "k_: kernels are not called: call g_()\n");
    EXPECT_EQ(body_problems("eval @math.sqrt(n):float64"),
              "k_: builtin's arguments are not converted: @math.sqrt(n):float64\n");
    EXPECT_EQ(body_problems("eval @math.sqrt(f):float64"),
              "k_: node of type float64 should have type float32: @math.sqrt(f):float64\n");
    EXPECT_EQ(
        body_problems("eval @cuda.atomic.add(a[0, 0], f):float32"),
        "k_: an element reference is for `ref` parameters, and only for these: @cuda.atomic.add(a[0, 0], f):float32\n");
}

TEST(Verify, Statements) {
    EXPECT_EQ(body_problems("i = m"), "k_: i of type int64 is assigned int32\n");
    EXPECT_EQ(body_problems("if n { }"), "k_: condition is not a boolean\n");
    EXPECT_EQ(body_problems("break"), "k_: `break` outside of a loop\n");
    EXPECT_EQ(body_problems("while b { } else { continue }"), "k_: `continue` outside of a loop\n");
    EXPECT_EQ(body_problems("while b { while b { } else { break } }"), "");
    EXPECT_EQ(body_problems("return n"), "k_: returned value is not of the result's type\n");
    EXPECT_EQ(body_problems("for i in range(0, m, 1) { }"), "k_: range's bounds differ from its counter in type\n");
    EXPECT_EQ(body_problems("for i in range(0, n, 1) { i = 3 }"), "k_: counter i is assigned in its loop\n");
    EXPECT_EQ(body_problems("for i in range(0, n, 1) { } else { i = 3 }"), "");
    EXPECT_EQ(problems("device f = f_() -> int64 { return\n }"), "f_: `return` without a value\n");
    EXPECT_EQ(body_problems("raise \"\""), "k_: an error is raised again outside of a handler\n");
    EXPECT_EQ(body_problems("try { raise \"\" } except { }"), "k_: an error is raised again outside of a handler\n");
    EXPECT_EQ(body_problems("try { } finally { }"), "k_: an error that is kept is not raised again\n");
    EXPECT_EQ(body_problems("try { } finally { raise \"\" }"), "");
}

TEST(Verify, Functions) {
    EXPECT_EQ(problems("kernel k = k_() -> int64 { }"), "k_: a kernel returns nothing\n");
    EXPECT_EQ(problems("kernel k = k_() { }\nkernel l = k_() { }"), "k_: symbol is not unique\n");
    EXPECT_EQ(problems("kernel k = k_() { shared s: int64[:, ::1] shape(4) }"),
              "k_: shape and type of array s differ\n");
    EXPECT_EQ(problems("kernel k = k_() { local l: int64[::1] shape(0) }"), "k_: array l has no elements\n");
    EXPECT_EQ(problems("kernel k = k_() { var x: int64 shape(4) }"),
              "k_: only shared and local arrays have a shape: x\n");
    EXPECT_EQ(problems("kernel k = k_(n: int64) { var a: int64[::1]\nstore a[n] = n }"),
              "k_: a is read and never assigned\n");
    EXPECT_EQ(problems("constant A: int8 = 300\n"), "constant A does not fit its type\n");
}

TEST(Verify, IdsThatNothingHas) {
    ir::Module module = parse_valid_ir("module \"m\" kernel k = k_(n: int64) { var i: int64\ni = n }");
    ir::Function& function = module.functions[0];
    auto& assign = *function.body[0].as<ir::Assign>();
    assign.value->node = ir::LocalRef{ir::LocalId{9}};
    EXPECT_EQ(problems_of(module), "k_: no such local: ?9\n");
    assign.value->node = ir::ConstantRef{ir::ConstantId{3}};
    EXPECT_EQ(problems_of(module), "k_: no such module constant: $?3\n");
    assign.value->node = ir::Call{ir::FunctionId{5}, {}};
    EXPECT_EQ(problems_of(module),
              "k_: callee stands after its caller without recursion\nk_: no such function: call ?5()\n");
    assign.value = ir::integer(1, Scalar::int64);
    assign.target = ir::LocalId{9};
    EXPECT_EQ(problems_of(module), "k_: no such local\n");
}

TEST(Verify, OrderOfFunctions) {
    ir::Module module = parse_valid_ir("module \"m\" device f = f_() { }\ndevice g = g_() { eval call f_() }");
    std::swap(module.functions[0], module.functions[1]);
    module.functions[0].body[0].as<ir::Evaluate>()->value->as<ir::Call>()->callee = ir::FunctionId{1};
    EXPECT_EQ(problems_of(module), "g_: callee stands after its caller without recursion\n");
    EXPECT_EQ(problems("device f = f_(n: int64) { if (n > 0) { eval call f_((n - 1)) } }"), "");
}

TEST(Verify, ParametersComeFirst) {
    ir::Module module = parse_valid_ir("module \"m\" kernel k = k_(n: int64, m: int64) { }");
    std::swap(module.functions[0].params[0], module.functions[0].params[1]);
    EXPECT_EQ(problems_of(module),
              "k_: parameters are not the first locals, in order\n"
              "k_: parameters are not the first locals, in order\n");
}

}  // namespace
}  // namespace pyk::test
