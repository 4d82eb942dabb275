// Indexing, views and slices, against Python's own ranges (data/slices.inc) and against addresses computed by hand.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pyk/array.h"
#include "pyk/fortran.h"
#include "pyk/row.h"
#include "pyk/slice.h"
#include "pyk/strided.h"
#include "pyk/transposed.h"
#include "pyk/tuple.h"
#include "pyk/view.h"

namespace {

std::vector<int> counted(size_t n) {
    std::vector<int> v(n);
    std::iota(v.begin(), v.end(), 0);
    return v;
}

TEST(Array, HasTheLayoutOfThePackedArguments) {
    using C2 = pyk::array<float, 2>;
    using A3 = pyk::array<const double, 3, pyk::A>;
    static_assert(sizeof(C2) == 24 && offsetof(C2, data) == 0 && offsetof(C2, shape) == 8);
    static_assert(sizeof(A3) == 56 && offsetof(A3, shape) == 8 && offsetof(A3, strides) == 32);
    static_assert(std::is_trivially_copyable_v<C2> && std::is_aggregate_v<C2> && std::is_aggregate_v<A3>);
}

TEST(Array, IndexesInItsLayout) {
    std::vector<int> v = counted(24);
    const pyk::array<int, 3> c{v.data(), {2, 3, 4}};
    const pyk::array<int, 3, pyk::F> f{v.data(), {2, 3, 4}};
    const pyk::array<int, 3, pyk::A> a{v.data(), {2, 3, 4}, {4, -8, 40}};
    for (int i = 0; i < 2; ++i)
        for (long long j = 0; j < 3; ++j)
            for (unsigned long long k = 0; k < 4; ++k) {
                EXPECT_EQ(&c(i, j, k), v.data() + (i * 3 + j) * 4 + static_cast<long long>(k));
                EXPECT_EQ(&f(i, j, k), v.data() + i + 2 * (j + 3 * static_cast<long long>(k)));
                EXPECT_EQ(&a(i, j, k), v.data() + i - 2 * j + 10 * static_cast<long long>(k));
            }
    EXPECT_EQ(pyk::size(c), 24);
    EXPECT_EQ(c.stride(0), 48);
    EXPECT_EQ(f.stride(2), 24);
}

TEST(Array, ConvertsToConstAndToAnyStrides) {
    std::vector<int> v = counted(6);
    const pyk::array<int, 2> c{v.data(), {2, 3}};
    const pyk::array<int, 2, pyk::F> f{v.data(), {2, 3}};
    const pyk::array<const int, 2> readonly = c;
    const pyk::array<const int, 2, pyk::A> strided = f;
    const pyk::array<const int, 2, pyk::A> again = pyk::strided(c);
    EXPECT_EQ(readonly(1, 2), 5);
    EXPECT_EQ(strided(1, 2), f(1, 2));
    EXPECT_EQ(again(1, 2), c(1, 2));
    EXPECT_EQ(strided.strides[1], 8);
}

TEST(Array, WrapsNegativeIndices) {
    EXPECT_EQ(pyk::wrap(-1, 10), 9);
    EXPECT_EQ(pyk::wrap(-10LL, 10), 0);
    EXPECT_EQ(pyk::wrap(3, 10), 3);
    EXPECT_EQ(pyk::wrap(3u, 10), 3);
    EXPECT_EQ(pyk::wrap(static_cast<signed char>(-2), 10), 8);
}

TEST(Array, ViewsOfPlainArrays) {
    int s[4][3][2] = {};
    const pyk::array<int, 3> v = pyk::view(s);
    EXPECT_EQ(&v(2, 1, 1), &s[2][1][1]);
    EXPECT_EQ(v.shape[0] * 100 + v.shape[1] * 10 + v.shape[2], 432);
    EXPECT_EQ(&pyk::view(s[1][2])(1), &s[1][2][1]);
}

TEST(Array, TransposesAndRows) {
    std::vector<int> v = counted(24);
    const pyk::array<int, 3> c{v.data(), {2, 3, 4}};
    const pyk::array<int, 3, pyk::A> a = pyk::strided(c);
    const pyk::array<int, 3, pyk::F> t = pyk::transposed(c);
    EXPECT_EQ(&t(3, 1, 1), &c(1, 1, 3));
    EXPECT_EQ(&pyk::transposed(t)(1, 1, 3), &c(1, 1, 3));
    EXPECT_EQ(&pyk::transposed(a)(3, 1, 1), &c(1, 1, 3));
    const pyk::array<int, 2> plane = pyk::row(c, 1);
    const pyk::array<int, 1> line = pyk::row(c, 1, 2u);
    EXPECT_EQ(&plane(2, 3), &c(1, 2, 3));
    EXPECT_EQ(&line(3), &c(1, 2, 3));
    EXPECT_EQ(&pyk::row(a, 1)(2, 3), &c(1, 2, 3));
    EXPECT_EQ(&pyk::row(t, 3, 1)(1), &c(1, 1, 3));
    EXPECT_EQ(pyk::row(t, 3).shape[0], 3);
}

TEST(Slice, TakesWhatPythonTakes) {
    constexpr std::string_view expected =
#include "data/slices.inc"
        ;
    std::vector<int> v = counted(4);
    size_t at = 0;
    for (long long n : {0, 1, 4})
        for (long long start = -7; start <= 6; ++start)
            for (long long stop = -7; stop <= 6; ++stop)
                for (long long step : {-3, -2, -1, 1, 2, 3}) {
                    const pyk::span s{start == -7 ? pyk::none : start, stop == -7 ? pyk::none : stop, step};
                    const pyk::array<int, 1> a{v.data(), {n}};
                    const pyk::array<int, 1, pyk::A> part = pyk::slice(a, s);
                    const long long first = expected[at] - 'b';
                    const long long count = expected[at + 1] - '0';
                    at += 2;
                    ASSERT_EQ(part.shape[0], count) << n << ": " << start << ":" << stop << ":" << step;
                    for (long long i = 0; i < count; ++i) ASSERT_EQ(part(i), first + i * step);
                }
    EXPECT_EQ(at, expected.size());
}

TEST(Slice, OfSeveralAxes) {
    std::vector<int> v = counted(24);
    const pyk::array<const int, 3> c{v.data(), {2, 3, 4}};
    const auto part = pyk::slice(c, pyk::span{}, 1, pyk::span{pyk::none, pyk::none, -2});
    EXPECT_EQ(part.shape[0], 2);
    EXPECT_EQ(part.shape[1], 2);
    EXPECT_EQ(&part(1, 1), &c(1, 1, 1));
    const pyk::array<const int, 2, pyk::C> contiguous = pyk::slice<pyk::C>(c, 1, pyk::span{1, 3});
    EXPECT_EQ(&contiguous(1, 2), &c(1, 2, 2));
    const pyk::array<const int, 1, pyk::F> column =
        pyk::slice<pyk::F>(pyk::transposed(c), pyk::span{1, pyk::none}, 2, 1);
    EXPECT_EQ(&column(2), &c(1, 2, 3));
    EXPECT_EQ(pyk::slice(c, pyk::span{1, 2}).shape[2], 4);
    EXPECT_THROW(pyk::slice(c, pyk::span{0, 1, 0}), pyk::thread_exit);
}

TEST(Tuple, HasTheLayoutOfAStruct) {
    struct Plain {
        char a;
        double b;
        char c;
        int d;
        short e;
    };
    pyk::tuple<char, double, char, int, short> t = pyk::make_tuple('a', 2.0, 'c', 4, short(5));
    static_assert(sizeof t == sizeof(Plain) && alignof(decltype(t)) == alignof(Plain));
    static_assert(std::is_trivially_copyable_v<decltype(t)>);
    static_assert(sizeof(pyk::tuple<pyk::tuple<double, char>, char>) == 24);
    Plain p;
    std::memcpy(&p, &t, sizeof p);
    EXPECT_TRUE(p.a == 'a' && p.b == 2.0 && p.c == 'c' && p.d == 4 && p.e == 5);
    pyk::get<3>(t) = 9;
    EXPECT_EQ(pyk::get<3>(t), 9);
}

TEST(Tuple, IsIndexedAtRunTime) {
    const auto t = pyk::make_tuple(10, 11, 12);
    EXPECT_EQ(pyk::at(t, 0), 10);
    EXPECT_EQ(pyk::at(t, 2), 12);
    EXPECT_EQ(pyk::at(t, -1), 12);
    EXPECT_THROW(pyk::at(t, 3), pyk::thread_exit);
    EXPECT_THROW(pyk::at(t, -4), pyk::thread_exit);
}

}  // namespace
