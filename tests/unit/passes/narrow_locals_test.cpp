// Variables as small as the elements that they come from.
#include "passes/narrow_locals.h"

#include "pass_test.h"

namespace pyk::test {
namespace {

std::string text(const std::string& type, const std::string& body) {
    return "kernel k = k_(a: uint8[::1], b: int16[::1], c: int64[::1], n: int64) {\n  var v: " + type +
           "\n  temp i: int64\n" + body + "}\n";
}
void expect_narrowed(const std::string& before, const std::string& type, const std::string& after) {
    expect_pass(narrow_locals, text("int64", before), text(type, after));
}
std::string in_loop(const std::string& statements) { return "  for i in range(0, n, 1) {\n" + statements + "  }\n"; }

TEST(NarrowLocals, ToTheTypeOfTheElementsThatTheyAre) {
    expect_narrowed(in_loop("v = 255\n v = @min(v, int64(a[i])):int64\n store c[i] = v\n"), "uint8",
                    in_loop("v = 255:uint8\n v = uint8(@min(int64(v), int64(a[i])):int64)\n store c[i] = int64(v)\n"));
    expect_narrowed(in_loop("v = int64(b[i])\n store c[i] = (v - 1)\n"), "int16",
                    in_loop("v = int16(int64(b[i]))\n store c[i] = (int64(v) - 1)\n"));
}

TEST(NarrowLocals, To32BitsWhereTheyAreComputed) {
    expect_narrowed(in_loop("v = (int64(a[i]) - int64(b[i]))\n store c[i] = v\n"), "int32",
                    in_loop("v = int32((int64(a[i]) - int64(b[i])))\n store c[i] = int64(v)\n"));
    // -1 is no uint8.
    expect_narrowed(in_loop("v = -1\n v = @max(v, int64(a[i])):int64\n store c[i] = v\n"), "int32",
                    in_loop("v = -1:int32\n v = int32(@max(int64(v), int64(a[i])):int64)\n store c[i] = int64(v)\n"));
}

TEST(NarrowLocals, NotOfOthers) {
    for (const std::string& body : std::vector<std::string>{
             in_loop("v = 0\n v = (v + int64(a[i]))\n v = (v * v)\n v = (v * v)\n v = (v * v)\n store c[i] = v\n"),
             "  v = 0\n" + in_loop("v = (v + int64(a[i]))\n") + "  store c[0] = v\n",  // grows with the loop
             in_loop("v = (i % 16)\n store c[i] = v\n"),                               // of no element
             in_loop("v = c[i]\n store c[i] = v\n"),
             "  v = int64(a[n])\n  store c[0] = v\n",  // in no loop
             "  for v in range(0, 9, 1) {\n  store c[v] = int64(a[v])\n  }\n",
         })
        expect_narrowed(body, "int64", body);
}

}  // namespace
}  // namespace pyk::test
