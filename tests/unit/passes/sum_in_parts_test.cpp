// Sums of small integers that an int32 holds for a while.
#include "passes/sum_in_parts.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& locals, const std::string& body) {
    return "kernel k = k_(a: uint8[::1], m: boolean[::1], c: int64[::1], x: float64[::1], n: int64) {\n"
           "  var total: int64\n  temp i: int64\n" +
           locals + "  total = 0\n" + body + "  store c[0] = total\n}\n";
}
void expect_parts(const std::string& before, const std::string& locals, const std::string& after) {
    expect_pass(sum_in_parts, text("", before), text(locals, after));
}
void expect_whole(const std::string& body) { expect_parts(body, "", body); }
std::string loop(const std::string& statements) { return "  for i in range(0, n, 1) {\n" + statements + "  }\n"; }
/// As long as `length` iterations.
std::string parts(const std::string& length, const std::string& statements) {
    return "  for i_first in range(0, n, " + length +
           ") {\n  total_part = 0:int32\n  for i in range(i_first, @min((i_first + " + length + "), n):int64, 1) {\n" +
           statements + "  }\n  total = (total + int64(total_part))\n  }\n";
}
const std::string kLocals = "  temp i_first: int64\n  temp total_part: int32\n";

TEST(SumInParts, AsLongAsAnInt32Lasts) {
    expect_parts(loop("total = (total + int64(a[i]))\n"), kLocals,
                 parts("8388608", "total_part = (total_part + int32(int64(a[i])))\n"));
    expect_parts(loop("if m[i] {\n total = (total + 1)\n }\n"), kLocals,
                 parts("1073741824", "if m[i] {\n total_part = (total_part + int32(1))\n }\n"));
    // 255 up and 255 * 2 down
    expect_parts(loop("total = (total + int64(a[i]))\n total = (total - (int64(a[i]) * 2))\n"), kLocals,
                 parts("2097152",
                       "total_part = (total_part + int32(int64(a[i])))\n"
                       "total_part = (total_part - int32((int64(a[i]) * 2)))\n"));
}

TEST(SumInParts, NotOfOthers) {
    expect_whole(loop("total = (total + c[i])\n"));                              // not small
    expect_whole(loop("if (x[i] > 0.0) {\n total = (total + 1)\n }\n"));         // lanes have 64 bits anyway
    expect_whole(loop("total = (total + int64(a[i]))\n store c[i] = total\n"));  // each sum counts
    expect_whole(loop("total = (total + int64(a[i]))\n total = (total * 2)\n"));
    expect_whole(loop("if (total > 9) {\n break\n }\n total = (total + int64(a[i]))\n"));
    expect_whole(loop("if m[i] {\n break\n }\n total = (total + int64(a[i]))\n"));
    expect_whole("  for i in range(0, 9, 1) {\n total = (total + int64(a[i]))\n }\n");     // over soon
    expect_whole("  for i in range(n, 9999, 1) {\n total = (total + int64(a[i]))\n }\n");  // from anywhere
    expect_whole("  for i in range(0, n, 2) {\n total = (total + int64(a[i]))\n }\n");
}

}  // namespace
}  // namespace pyk::test
