// What is computed in 32 unsigned bits.
#include "passes/narrow_words.h"

#include "pass_test.h"
#include "passes/narrow.h"
#include "passes/simplify_conversions.h"
#include "passes/word_locals.h"

namespace pyk::test {
namespace {

void all_three(ir::Function& function, Ranges& ranges) {
    make_word_locals(function, ranges);
    narrow(function, ranges);
    simplify_conversions(function);
}

/// A kernel with an `h` and an `x` of these types.
std::string kernel(const std::string& h, const std::string& x, const std::string& body) {
    return "kernel k = k_(a: int64[::1], b: uint8[::1], u: uint32[::1], f: float64[::1], n: int64) {\n  var h: " + h +
           "\n  var x: " + x + "\n  temp i: int64\n" + body + "\n}";
}
/// Of `h`; `x` stays what it is.
void expect_word(const std::string& before, const std::string& after) {
    expect_pass(all_three, kernel("int64", "int64", before), kernel("uint32", "int64", after));
}
void expect_wide(const std::string& body) { expect_unchanged(all_three, kernel("int64", "int64", body)); }

TEST(Words, HashesOfBytes) {
    expect_word(
        "h = 5381\nfor i in range(0, n, 1) {\nh = (((h * 33) + int64(b[i])) & 4294967295)\n}\nstore a[0] = h",
        "h = 5381:uint32\nfor i in range(0, n, 1) {\nh = ((h * 33:uint32) + uint32(b[i]))\n}\nstore a[0] = int64(h)");
    expect_word(
        "h = (n & 4294967295)\nh = (h CShr 16)\nx = n\nstore a[0] = ((h CShl 5) & 65535)",
        "h = uint32((n & 4294967295))\nh = (h CShr 16)\nx = n\nstore a[0] = int64(((h CShl 5) & 65535:uint32))");
}

// (x CShr 1) brings upper bits down; not those of what has none.
TEST(Words, WhereNobodyAsksForTheUpperHalf) {
    expect_word("h = (n ^ 61)\nx = n\nstore a[0] = (((h * 9) + x) & 4294967295)",
                "h = uint32((n ^ 61))\nx = n\nstore a[0] = int64(((h * 9:uint32) + uint32(x)))");
    for (const char* use : {"store a[0] = h", "store a[0] = ((h CShr 1) & 255)", "store f[0] = float64(h)",
                            "store a[h] = 1", "store a[0] = ((h TruncMod 7) & 3)", "if (h < n) {\nreturn\n}"})
        expect_wide("h = (n ^ 61)\nx = n\n" + std::string(use));
}

TEST(Words, RemaindersAndComparisons) {
    expect_word("h = (n & 4294967295)\nx = n\nif ((h TruncMod 7) == 3) {\nreturn\n}",
                "h = uint32((n & 4294967295))\nx = n\nif ((h TruncMod 7:uint32) == 3:uint32) {\nreturn\n}");
}

// It would be `(long long)h + 1`; in a loop that computes in 32 bits, that pays.
TEST(Words, WidenedWhereALoopIsFaster) {
    const std::string widened = "store f[0] = float64((h + n))";
    expect_wide("h = (n & 4294967295)\nx = n\n" + widened);
    expect_word(
        "h = 1\nx = n\nfor i in range(0, n, 1) {\nh = ((h * 5) & 4294967295)\n}\n" + widened,
        "h = 1:uint32\nx = n\nfor i in range(0, n, 1) {\nh = (h * 5:uint32)\n}\nstore f[0] = float64((int64(h) + n))");
}

TEST(Words, Masks) {
    const std::string after = "x = n\nstore a[0] = int64(@cuda.ballot_sync(uint32(h), (x < 3)):int32)";
    const std::string words = "x = n\nstore a[0] = int64(@cuda.ballot_sync(h, (x < 3)):int32)";
    expect_word("h = 4294967295\n" + after, "h = 4294967295:uint32\n" + words);
    expect_wide("h = 31\n" + after);
    expect_wide("h = 4294967295\nx = n\nstore a[0] = (x + h)");
}

TEST(Words, NumbersStayNumbers) {
    expect_wide("h = (n + 1)\nx = n\nstore a[0] = (h & 7)");
    expect_wide("h = @cuda.grid.x:int64\nx = n\nstore a[0] = (h & 7)");
}

TEST(Words, OfMemory) {
    expect_pass(all_three,
                kernel("uint32", "int64", "h = u[0]\nx = n\nstore u[1] = uint32((uint64(h) ^ (uint64(h) CShr 13)))"),
                kernel("uint32", "int64", "h = u[0]\nx = n\nstore u[1] = (h ^ (h CShr 13))"));
    // A sum may leave 32 bits.
    expect_unchanged(all_three,
                     kernel("uint32", "int64", "h = u[0]\nx = n\nstore a[1] = int64((uint64(h) + uint64(u[2])))"));
}

}  // namespace
}  // namespace pyk::test
