// Calls, tuples, arrays.
#include "emitted.h"

namespace pyk::test {
namespace {

std::string f4(std::string_view value) { return stored("a[0]", value); }
std::string f8(std::string_view value) { return stored("m[0, 0]", value); }

TEST(EmitExpressions, Elements) {
    EXPECT_EQ(f4("a[n]"), "a(n)");
    EXPECT_EQ(f4("a[wrap n]"), "a(pyk::wrap(n, a.shape[0]))");
    EXPECT_EQ(f8("m[n, wrap ii]"), "m(n, pyk::wrap(ii, m.shape[1]))");
    EXPECT_EQ(f8("m[(n + 1), int64(d)]"), "m(n + 1, (long long)d)");
}

TEST(EmitExpressions, PlainArrays) {
    const char* locals = "  shared t: float32[:, ::1] shape(16, 17)\n  local l: float32[::1] shape(8) align(16)\n";
    EXPECT_EQ(body(locals, "  store t[n, wrap ii] = l[0]\n"),
              "    __shared__ float t[16][17];\n"
              "    __align__(16) float l[8];\n"
              "    t[n][pyk::wrap(ii, 17)] = l[0];\n");
}

TEST(EmitExpressions, PlainArrayAsAWhole) {
    const char* locals = "  shared t: float32[:, ::1] shape(16, 17)\n  var row: float32[::1]\n";
    EXPECT_EQ(body(locals, "  row = view<float32[::1]>(t, 3)\n  store row[0] = x\n"),
              "    __shared__ float t[16][17];\n"
              "    const auto row = pyk::row(pyk::view(t), 3);\n"
              "    row(0) = x;\n");
}

TEST(EmitExpressions, DynamicSharedMemory) {
    EXPECT_EQ(body("  shared t: float32[::1] shape(0)\n", "  store t[0] = x\n"),
              "    const auto t = pyk::dynamic_shared<float>();\n"
              "    t(0) = x;\n");
}

TEST(EmitExpressions, Views) {
    const char* locals = "  var v: float64[:]\n  var w: float64[:]\n  var t: float64[::1, :]\n";
    EXPECT_EQ(body(locals,
                   "  v = view<float64[:]>(m, slice(_, n, _), 0)\n"
                   "  w = view<float64[:]>(m, wrap n, slice(1, _, -1))\n"
                   "  t = transpose<float64[::1, :]>(m)\n"
                   "  store v[0] = (w[0] + t[0, 0])\n"),
              "    const auto v = pyk::slice(m, pyk::span{pyk::none, n}, 0);\n"
              "    const auto w = pyk::slice(m, pyk::wrap(n, m.shape[0]), pyk::span{1, pyk::none, -1});\n"
              "    const auto t = pyk::transposed(m);\n"
              "    v(0) = w(0) + t(0, 0);\n");
}

TEST(EmitExpressions, ShapesAndSizes) {
    EXPECT_EQ(f8("float64(shape(m, 1))"), "m.shape[1]");
    EXPECT_EQ(f8("float64(size(m))"), "pyk::size(m)");
    EXPECT_EQ(f8("float64(size(a))"), "a.shape[0]");
}

TEST(EmitExpressions, Tuples) {
    EXPECT_EQ(body("  var t: (int64, int64)\n", "  t = tuple(n, 1)\n  store m[item(t, 0), 0] = float64(at(t, n))\n"),
              "    const auto t = pyk::make_tuple(n, 1LL);\n"
              "    m(pyk::get<0>(t), 0) = pyk::at(t, n);\n");
}

TEST(EmitExpressions, ConvertedTuples) {
    EXPECT_EQ(
        body("  var t: (int64, int32)\n  var w: (float64, int64)\n",
             "  t = tuple(n, ii)\n  w = convert<(float64, int64)>(t)\n  store m[item(w, 1), 0] = item(w, 0)\n"
             "  w = convert<(float64, int64)>(tuple(n, ii))\n  store m[item(w, 1), 0] = item(w, 0)\n"),
        "    const auto t = pyk::make_tuple(n, ii);\n"
        "    pyk::tuple<double, long long> w = pyk::make_tuple(double(pyk::get<0>(t)), (long long)pyk::get<1>(t));\n"
        "    m(pyk::get<1>(w), 0) = pyk::get<0>(w);\n"
        "    w = pyk::make_tuple(double(n), (long long)ii);\n"
        "    m(pyk::get<1>(w), 0) = pyk::get<0>(w);\n");
}

TEST(EmitExpressions, Builtins) {
    EXPECT_EQ(f4("@math.sqrt(x):float32"), "sqrtf(x)");
    EXPECT_EQ(f8("@math.sqrt(float64(n)):float64"), "sqrt(double(n))");
    EXPECT_EQ(f8("@min(float64(n), 1.0):float64"), "pyk::min(double(n), 1.0)");
    EXPECT_EQ(f4("@cuda.atomic.add(ref(a, n), 1:float32):float32"), "pyk::atomic_add(a(n), 1.0f)");
}

TEST(EmitExpressions, CheckedIndices) {
    EmitOptions options;
    options.check_bounds = true;
    const std::string ir = kernel_ir("  local l: float32[::1] shape(8)\n", "  store a[wrap n] = l[1]\n");
    EXPECT_EQ(body_of(emit_text(ir, cuda_target(), options)),
              "    float l[8];\n"
              "    a(pyk::checked(n, a.shape[0], {\"a\", 0, 0})) = l[pyk::checked(1, 8, {\"l\", 0, 0})];\n");
    EXPECT_NE(emit_text(ir, cpu_target(), options).find("pyk::checked(pyk_t, n, a.shape[0], {\"a\", 0, 0})"),
              std::string::npos);
}

}  // namespace
}  // namespace pyk::test
