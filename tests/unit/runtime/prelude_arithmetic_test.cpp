// The prelude's numbers against Python's (data/*.inc, by make_cases.py) and against definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "pyk/math.h"
#include "pyk/range.h"

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr long long kLeast = std::numeric_limits<long long>::min();
constexpr long long kMost = std::numeric_limits<long long>::max();

/// Equal, zeros by sign and NaN with NaN.
::testing::AssertionResult same(double actual, double expected) {
    if (std::isnan(expected) ? std::isnan(actual)
                             : actual == expected && std::signbit(actual) == std::signbit(expected))
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << actual << " instead of " << expected;
}

TEST(FloorDiv, IntegersAreTheFloor) {
    for (long long a = -30; a <= 30; ++a)
        for (long long b = -12; b <= 12; ++b) {
            const long long q = pyk::floor_div(a, b);
            const long long r = pyk::mod(a, b);
            if (b == 0) {
                EXPECT_EQ(q, 0);
                EXPECT_EQ(r, 0);
                continue;
            }
            EXPECT_EQ(q, static_cast<long long>(std::floor(static_cast<double>(a) / static_cast<double>(b))))
                << a << " // " << b;
            EXPECT_EQ(q * b + r, a);
        }
}

TEST(FloorDiv, IntegersAtTheEdges) {
    EXPECT_EQ(pyk::floor_div(kLeast, -1LL), 0);
    EXPECT_EQ(pyk::mod(kLeast, -1LL), 0);
    EXPECT_EQ(pyk::floor_div(kLeast, 2LL), kLeast / 2);
    EXPECT_EQ(pyk::floor_div(kLeast, kMost), -2);
    EXPECT_EQ(pyk::mod(kLeast, kMost), kMost - 1);
    EXPECT_EQ(pyk::floor_div(~0ull, 10ull), ~0ull / 10);
    EXPECT_EQ(pyk::mod(7ull, 0ull), 0u);
}

/// Of numbers at all edges of a type, against exact arithmetic in 128 bits.
template <class T>
void expect_exact() {
    using Wide = __int128;
    constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
    std::vector<T> numbers = {least, least + 1, least / 2, least / 2 - 1, most, most - 1, most / 2, most / 2 + 1};
    for (T n = 0; n < 40; ++n) {
        const T half =
            static_cast<T>(T(1) << sizeof(T) * 4);  // from which on a number takes more than half of the bits
        for (const T number : {n, static_cast<T>(half + n - 20), static_cast<T>(half / 2 + n - 20)}) {
            numbers.push_back(number);
            numbers.push_back(static_cast<T>(0 - number));
        }
    }
    for (const T a : numbers)
        for (const T b : numbers) {
            if (b == 0) {
                EXPECT_EQ(pyk::floor_div(a, b), 0);
                EXPECT_EQ(pyk::mod(a, b), 0);
                continue;
            }
            const Wide x = a, y = b, rest = ((x % y) + y) % y, quotient = (x - rest) / y;
            EXPECT_EQ(pyk::floor_div(a, b), quotient > most ? 0 : static_cast<T>(quotient)) << +a << " // " << +b;
            EXPECT_EQ(pyk::mod(a, b), static_cast<T>(rest)) << +a << " % " << +b;
        }
}

TEST(FloorDiv, IsExactInEveryType) {
    expect_exact<long long>();
    expect_exact<int>();
    expect_exact<unsigned long long>();
    expect_exact<unsigned int>();
}

/// In 32 bits the values are those of 64 bits, but for what does not fit.
TEST(Integers, Of32BitsAreAsThoseOf64) {
    constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    for (const int a : {0, 1, -1, 7, -7, 46341, -46341, most, least, least + 1})
        for (const int b : {0, 1, -1, 2, -2, 3, 31, 32, 40, most, least}) {
            const auto u = static_cast<unsigned>(a), v = static_cast<unsigned>(b);
            const auto cut = [](long long wide) { return static_cast<int>(static_cast<unsigned>(wide)); };
            if (a != least || b != -1) {
                EXPECT_EQ(pyk::floor_div(a, b), pyk::floor_div(1LL * a, 1LL * b)) << a << " // " << b;
                EXPECT_EQ(pyk::mod(a, b), pyk::mod(1LL * a, 1LL * b)) << a << " % " << b;
            }
            EXPECT_EQ(pyk::floor_div(u, v), pyk::floor_div(1ULL * u, 1ULL * v));
            EXPECT_EQ(pyk::mod(u, v), pyk::mod(1ULL * u, 1ULL * v));
            if (b >= 0 || a != 0) {
                EXPECT_EQ(pyk::pow(a, b), cut(pyk::pow(1LL * a, 1LL * b))) << a << " ** " << b;
            }
            EXPECT_EQ(pyk::pow(u, v), static_cast<unsigned>(pyk::pow(1ULL * u, 1ULL * v)));
            if (b < 0) continue;
            const auto amount = static_cast<unsigned long long>(b);
            EXPECT_EQ(pyk::shl(a, amount), cut(static_cast<long long>(pyk::shl(1ULL * u, amount)))) << a << " << " << b;
            EXPECT_EQ(pyk::shr(a, amount), cut(pyk::shr(1LL * a, amount))) << a << " >> " << b;
            EXPECT_EQ(pyk::shr(u, amount), static_cast<unsigned>(pyk::shr(1ULL * u, amount)));
        }
    EXPECT_EQ(pyk::floor_div(least, -1), 0);
    EXPECT_EQ(pyk::mod(least, -1), 0);
    EXPECT_EQ(pyk::pow(0, -1), least);
}

TEST(FloorDiv, FloatsAsInPython) {
    const struct {
        double a, b, quotient, remainder;
    } cases[] = {
#include "data/float_divmod.inc"
    };
    for (const auto& c : cases) {
        EXPECT_TRUE(same(pyk::floor_div(c.a, c.b), c.quotient)) << c.a << " // " << c.b;
        EXPECT_TRUE(same(pyk::mod(c.a, c.b), c.remainder)) << c.a << " % " << c.b;
    }
}

TEST(FloorDiv, FloatsByZeroAsInNumba) {
    EXPECT_TRUE(same(pyk::floor_div(1.0, 0.0), kInf));
    EXPECT_TRUE(same(pyk::floor_div(-1.0, 0.0), -kInf));
    EXPECT_TRUE(same(pyk::floor_div(0.0, 0.0), kNan));
    EXPECT_TRUE(same(pyk::mod(1.0, 0.0), kNan));
    EXPECT_EQ(pyk::floor_div(-7.0f, 2.0f), -4.0f);
    EXPECT_EQ(pyk::mod(-7.0f, 2.0f), 1.0f);
}

TEST(Pow, IntegersWrapAround) {
    for (long long base = -9; base <= 9; ++base) {
        unsigned long long expected = 1;
        for (long long exponent = 0; exponent < 80; ++exponent) {
            EXPECT_EQ(pyk::pow(base, exponent), static_cast<long long>(expected));
            EXPECT_EQ(pyk::pow(base, static_cast<unsigned long long>(exponent)), static_cast<long long>(expected));
            EXPECT_EQ(pyk::pow(static_cast<unsigned long long>(base), static_cast<unsigned long long>(exponent)),
                      expected);
            expected *= static_cast<unsigned long long>(base);
        }
    }
}

TEST(Pow, NegativeExponentsOfIntegers) {
    EXPECT_EQ(pyk::pow(1LL, -5LL), 1);
    EXPECT_EQ(pyk::pow(-1LL, -5LL), -1);
    EXPECT_EQ(pyk::pow(-1LL, -4LL), 1);
    EXPECT_EQ(pyk::pow(-1LL, kLeast), 1);
    EXPECT_EQ(pyk::pow(0LL, -1LL), kLeast);
    EXPECT_EQ(pyk::pow(2LL, -1LL), 0);
}

TEST(Pow, FloatsByIntegers) {
    EXPECT_EQ(pyk::pow(1.5, 3), 1.5 * (1.5 * 1.5));
    EXPECT_EQ(pyk::pow(2.0f, -2LL), 0.25f);
    EXPECT_EQ(pyk::pow(0.0, -1LL), kInf);
    EXPECT_EQ(pyk::pow(0.5, 0LL), 1.0);
    EXPECT_EQ(pyk::pow(1.0 + 1e-6, 65537LL), std::pow(1.0 + 1e-6, 65537.0));
    EXPECT_EQ(pyk::pow(2.0, 0.5), std::sqrt(2.0));
    EXPECT_EQ(pyk::pow(4.0f, 0.5f), 2.0f);
    EXPECT_EQ(pyk::square(-3LL), 9);
}

TEST(Shift, AmountsBeyondTheWidth) {
    EXPECT_EQ(pyk::shl(1LL, 63LL), kLeast);
    EXPECT_EQ(pyk::shl(1LL, 64LL), 0);
    EXPECT_EQ(pyk::shl(-1LL, -1LL), 0);
    EXPECT_EQ(pyk::shr(-8LL, 1LL), -4);
    EXPECT_EQ(pyk::shr(-8LL, 64LL), -1);
    EXPECT_EQ(pyk::shr(8LL, -1LL), 0);
    EXPECT_EQ(pyk::shr(~0ull, 63LL), 1u);
    EXPECT_EQ(pyk::shr(~0ull, 64LL), 0u);
    EXPECT_EQ(pyk::shl(~0ull, 64ull), 0u);
}

TEST(Round, HalvesGoToEven) {
    const struct {
        double x;
        long long expected;
    } cases[] = {
#include "data/halves.inc"
    };
    for (const auto& c : cases) {
        EXPECT_EQ(pyk::round(c.x), c.expected) << c.x;
        if (static_cast<double>(static_cast<float>(c.x)) == c.x) {
            EXPECT_EQ(pyk::round(static_cast<float>(c.x)), c.expected);
        }
    }
}

TEST(Round, ToDigitsAsInPython) {
    const struct {
        double x;
        long long digits;
        double expected;
    } cases[] = {
#include "data/rounded.inc"
    };
    // Numba goes through an integer, which has no -0.0: adding 0.0 makes it +0.0.
    for (const auto& c : cases)
        EXPECT_TRUE(same(pyk::round(c.x, c.digits), c.expected + 0.0)) << c.x << ", " << c.digits;
    EXPECT_EQ(pyk::round(2.675, 2), 2.68);  // 2.675 * 100 is 267.5; CPython rounds the decimal digits: 2.67
    EXPECT_EQ(pyk::round(2.5f, 0), 2.0f);
    EXPECT_EQ(pyk::round(1.25f, 1), 1.2f);
}

TEST(MinMax, IgnoreNanBetweenTwoFloatsOnly) {
    EXPECT_EQ(pyk::min(kNan, 1.0), 1.0);
    EXPECT_EQ(pyk::max(1.0f, static_cast<float>(kNan)), 1.0f);
    EXPECT_EQ(pyk::min(3LL, -4LL), -4);
    EXPECT_EQ(pyk::max(1.5, kNan, 2.5), 2.5);
    EXPECT_TRUE(std::isnan(pyk::max(kNan, 1.5, 2.5)));  // Python: nothing is greater than the NaN that came first
    EXPECT_EQ(pyk::min(3, 2, 5, 1), 1);
}

TEST(Bits, AtTheirOwnWidth) {
    EXPECT_EQ(pyk::popc(static_cast<signed char>(-1)), 8);
    EXPECT_EQ(pyk::popc(-1LL), 64);
    EXPECT_EQ(pyk::clz(static_cast<short>(1)), 15);
    EXPECT_EQ(pyk::clz(0), 32);
    EXPECT_EQ(pyk::clz(0ull), 64u);
    EXPECT_EQ(pyk::ffs(0), 0u);
    EXPECT_EQ(pyk::ffs(kLeast), 64u);
    EXPECT_EQ(pyk::brev(1u), 0x80000000u);
    EXPECT_EQ(pyk::brev(0x123456789abcdef0ull), 0x0f7b3d591e6a2c48ull);
}

TEST(Number, TheRest) {
    EXPECT_EQ(pyk::abs(kLeast), kLeast);
    EXPECT_EQ(pyk::abs(static_cast<signed char>(-128)), -128);
    EXPECT_EQ(pyk::abs(200u), 200u);
    EXPECT_TRUE(same(pyk::abs(-0.0), 0.0));
    EXPECT_EQ(pyk::degrees(3.141592653589793), 180.0);
    EXPECT_EQ(pyk::radians(180.0), 3.141592653589793);
    EXPECT_EQ(pyk::selp(false, 1, 2), 2);
    EXPECT_EQ(pyk::inf(), kInf);
    EXPECT_EQ(pyk::inf<float>(), kInf);
    EXPECT_TRUE(std::isnan(pyk::nan()));
    EXPECT_TRUE(std::isnan(pyk::nan<float>()));
    EXPECT_EQ(pyk::get<0>(pyk::frexp(10.0)), 0.625);
    EXPECT_EQ(pyk::get<1>(pyk::frexp(10.0f)), 4);
    EXPECT_EQ(pyk::get<0>(pyk::modf(-3.25)), -0.25);
    EXPECT_EQ(pyk::get<1>(pyk::modf(-3.25f)), -3.0f);
}

TEST(Range, LengthIsTheNumberOfSteps) {
    for (long long start = -5; start <= 5; ++start)
        for (long long stop = -5; stop <= 5; ++stop)
            for (long long step = -4; step <= 4; ++step) {
                unsigned long long expected = 0;
                for (long long i = start; step != 0 && (step > 0 ? i < stop : i > stop); i += step) ++expected;
                EXPECT_EQ(pyk::range_length(start, stop, step), expected);
                EXPECT_EQ(pyk::range_length(static_cast<int>(start), static_cast<int>(stop), static_cast<int>(step)),
                          expected);
            }
    EXPECT_EQ(pyk::range_length(kLeast, kMost, 1LL), ~0ull);
    EXPECT_EQ(pyk::range_length(kMost, kLeast, kLeast), 2u);
    EXPECT_EQ(pyk::range_length(0ull, ~0ull, 2ull), 1ull << 63);
    EXPECT_EQ(pyk::range_length(3ull, 3ull, 1ull), 0u);
}

}  // namespace
