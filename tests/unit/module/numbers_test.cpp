// Arithmetic of module code (const_math, const_operators).
#include "module_test.h"

using namespace pyk::module_test;

namespace {

TEST(HostNumbers, MoreOfMath) {
    EXPECT_EQ(value_of("n", "n = (pow(3, -1, 2 ** 31 - 1), pow(3, -2, 7), pow(-3, 5, 7))\n"), "(1431655765, 4, 2)");
    EXPECT_EQ(value_of("n", "n = pow(4, -1, 6)\n"), "?");
    EXPECT_EQ(value_of("n", "n = np.round(np.array([2.345, 1.005], np.float32), 2).tolist()\n"),
              "[2.3399999141693115, 1]");
    EXPECT_EQ(value_of("n", "n = (math.fsum([0.1] * 10), math.fsum([1e100, 1.0, -1e100]), math.ldexp(0.5, 3))\n"),
              "(1, 1, 4)");
    EXPECT_EQ(value_of("n", "n = (math.nextafter(1.0, 2.0) - 1, math.remainder(5, 3), math.isclose(0.1 + 0.2, 0.3))\n"),
              "(2.220446049250313e-16, -1, True)");
}

// A number of NumPy's makes one of its kind of Python's, and has its own rounding.
TEST(HostNumbers, NumbersOfNumPy) {
    EXPECT_EQ(value_of("N", "N = (1 if np.float32(0.1) == 0.1 else 2) + (10 if 0.1 >= np.float32(0.1) else 20)\n"),
              "11");
    EXPECT_EQ(value_of("N", "N = int((np.array([0.1, 0.2], dtype=np.float32) > 0.1).sum())\n"), "1");
    EXPECT_EQ(value_of("N", "N = float(np.minimum(np.array([0.3], np.float32), 0.1)[0])\n"), "0.10000000149011612");
    EXPECT_EQ(value_of("N", "N = float(round(np.float32(2.675), 2))\n"), "2.680000066757202");
    EXPECT_EQ(value_of("N", "N = 2 if np.arange(3) is None else 3 if np.arange(3) is not None else 4\n"), "3");
    EXPECT_EQ(value_of("N", "N = np.sort(np.array([np.nan, 1, 0]))[:2].tolist()\n"), "[0, 1]");
    EXPECT_EQ(value_of("N", "N = sorted([2.0, float('nan'), 1.0])\n"), "?");
}

}  // namespace
