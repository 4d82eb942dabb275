#include "emit/names.h"

#include "emitted.h"
#include "support/words.h"

namespace pyk::test {
namespace {

using emitter::cpp_identifier;
using emitter::inner_identifier;
using emitter::NameSet;
using emitter::namespace_of;
using emitter::unique_identifier;

TEST(EmitNames, AuthorsNamesStay) {
    for (const char* name : {"i", "sA", "tmp", "_", "_private", "gamma", "x1", "block", "args", "main"})
        EXPECT_EQ(cpp_identifier(name), name);
}

TEST(EmitNames, KeywordsMacrosAndReservedNames) {
    for (const char* name : {"default", "int",    "xor",   "NULL",  "EOF",    "INT_MAX",     "M_PI",      "linux",
                             "unix",    "assert", "__rew", "_Bool", "a__b",   "INFINITY",    "NAN",       "template",
                             "char8_t", "std",    "pyk",   "pyk_t", "printf", "make_float4", "PYK_DEVICE"})
        EXPECT_EQ(cpp_identifier(name), std::string(name) + "_");
}

TEST(EmitNames, NamesThatSpellingsUse) {
    for (const char* name : {"threadIdx", "blockDim", "sqrt", "sqrtf", "exp", "tgamma", "warpSize", "fma"})
        EXPECT_EQ(cpp_identifier(name), std::string(name) + "_");
}

TEST(EmitNames, ALocalMayHideAFunctionThatNothingCalls) {
    EXPECT_EQ(body_of(emit_text(R"(module "t.pyk"

kernel k = pyk_k_a1f4c(a: float32[::1]) {
  var y0: float32
  var log: float32

  y0 = a[0]
  log = a[1]
  y0 = (y0 + log)
  store a[0] = (y0 + (log * @math.log(y0):float32))
}
)")),
              R"(    float y0 = a(0);
    const float log_ = a(1);
    y0 += log_;
    a(0) = y0 + log_ * logf(y0);
)");
}

TEST(EmitNames, LettersBeyondAscii) {
    EXPECT_EQ(ascii_name("größe"), "gr_u00F6__u00DF_e");
    EXPECT_EQ(ascii_name("变量"), "_u53D8__u91CF_");
}

TEST(EmitNames, GreekLettersByTheirNames) {
    EXPECT_EQ(inner_identifier("μ_Q"), "mu_Q");
    EXPECT_EQ(inner_identifier("δt"), "delta_t");
    EXPECT_EQ(inner_identifier("Δx2"), "Delta_x2");
    EXPECT_EQ(inner_identifier("Σ2"), "Sigma2");
    EXPECT_EQ(inner_identifier("αβ"), "alpha_beta");
    EXPECT_EQ(inner_identifier("dς"), "d_sigma");
    EXPECT_EQ(inner_identifier("θ_ω"), "theta_omega");
    EXPECT_EQ(inner_identifier("größe"), "gr_u00F6__u00DF_e_");
    EXPECT_EQ(cpp_identifier("μ_Q"), "_u03BC__Q_") << "other files may name it";
}

TEST(EmitNames, GreekLettersTakeNoOtherName) {
    EXPECT_EQ(unique_identifier("μ", NameSet{"mu"}), "mu_1");
    EXPECT_EQ(
        body_of(emit_text(R"(module "t.pyk"

kernel k = pyk_k_a1f4c(a: float32[::1]) {
  var mu: float32
  var μ: float32

  mu = a[0]
  μ = a[1]
  store a[0] = (mu * μ)
  store a[1] = (mu + μ)
}
)")),
        "    const float mu = a(0);\n    const float mu_1 = a(1);\n    a(0) = mu * mu_1;\n    a(1) = mu + mu_1;\n");
}

TEST(EmitNames, Unique) {
    EXPECT_EQ(unique_identifier("x", NameSet{}), "x");
    EXPECT_EQ(unique_identifier("x", NameSet{"x", "x_1"}), "x_2");
    EXPECT_EQ(unique_identifier("default", NameSet{"default_"}), "default_1");
}

TEST(EmitNames, Namespaces) {
    EXPECT_EQ(namespace_of("matmul.pyk", {}), "matmul");
    EXPECT_EQ(namespace_of("2d-heat.pyk", {}), "k2d_heat");
    EXPECT_EQ(namespace_of("std.pyk", {}), "std_");
    EXPECT_EQ(namespace_of("pyk.pyk", {}), "pyk_");
    EXPECT_EQ(namespace_of("index.pyk", {}), "index_");
    EXPECT_EQ(namespace_of("signal.py", {}), "signal");
}

TEST(EmitNames, LocalsDoNotHideWhatTheyNeed) {
    EXPECT_EQ(body_of(emit_text(R"(module "t.pyk"

constant N: int64 = 16

device f = f_i8(n: int64) -> int64 {
  return n
}

kernel k = pyk_k_a1i8c(a: int64[::1]) {
  var f: int64
  var N: int64

  f = call f_i8($N)
  N = f
  N = (N + f)
  store a[0] = N
}
)")),
              R"(    const long long f_1 = f(N);
    long long N_1 = f_1;
    N_1 += f_1;
    a(0) = N_1;
)");
}

}  // namespace
}  // namespace pyk::test
