#include "emit/names.h"

#include "emitted.h"
#include "support/words.h"

namespace pyk::test {
namespace {

using emitter::cpp_identifier;
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
