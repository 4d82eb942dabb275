// Arrays that functions of @njit make and return, their calls with defaults and with signatures. Expected values are
// what Numba gives.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <tuple>

#include "pyk/function.hpp"

namespace {

constexpr const char* kFile = R"py(
import numpy as np
from numba import njit, prange


@njit
def table(n, m):
    out = np.zeros((n, m))
    for i in range(n):
        row = out[i]
        for j in range(m):
            row[j] = i * 10 + j
    return out


@njit
def constructors():
    a = np.ones(2, dtype=np.int32)
    b = np.full(2, 2.5)
    c = np.arange(1, 7, 2)
    d = np.linspace(0, 1, 5)
    e = np.array([[1, 2], [3, 4]])
    f = np.eye(2)
    return a, b, c, d, e, f


@njit
def heat(u, steps):
    for k in range(steps):
        new = u.copy()
        for i in range(1, u.size - 1):
            new[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1])
        u = new
    return u


@njit
def arithmetic(x, y):
    z = 2 * x + y / 4
    return np.sqrt(z * z) - x, -x, x < y


@njit
def outer_sum(x):
    return x.reshape((x.size, 1)) + x


@njit
def same(x):
    return x


@njit
def part(n):
    x = np.arange(n)
    return x[::-2], (x[1:], n)


@njit
def passed_on(n):
    x = same(np.arange(n))
    x = same(x[1:])
    y = x
    x = np.zeros(1)[:0].size + y
    return x


@njit(parallel=True)
def in_parallel(n):
    out = np.empty(n)
    for i in prange(n):
        squares = np.arange(i + 1) ** 2
        out[i] = squares.sum()
    return out


@njit
def with_place(n):
    x = np.arange(n)
    return x, x.ctypes.data


@njit
def twice(n):
    x = np.arange(n)
    return x, x


@njit
def front(n):
    x = np.arange(n)
    return x[: n - 1], x.ctypes.data


@njit
def turned(n):
    return np.arange(2 * n).reshape(2, n).T


@njit
def negative(n):
    return np.zeros(n)


@njit
def fails(n):
    x = np.ones(n)
    if x.size > 2:
        raise ValueError("too many")
    return x


@njit
def with_defaults(x, y=2.0, z=None, scale=3):
    if z is None:
        return (x + y) * scale
    return x


@njit("i4(i4)")
def doubled(x):
    return x * 2 + 1


@njit(["int32(int32)", "float32(float32)"])
def ambiguous(x):
    return x * 2 + 1


@njit("u1(u1)")
def small(x):
    return x
)py";

pyk::jit::Module module() { return pyk::load_text("arrays.pyk", kFile).value(); }

using Doubles = std::vector<double>;
using Integers = std::vector<long long>;

template <class Signature>
pyk::Function<Signature> get(const char* name) {
    return pyk::function<Signature>(module(), name).value();
}

TEST(NewArrays, AreReturned) {
    const pyk::AnyArray made = get<pyk::AnyArray(int, int)>("table")(2, 3);
    EXPECT_EQ(made.shape(), (std::vector<long long>{2, 3}));
    EXPECT_EQ(made.to_host<double>().value(), (Doubles{0, 1, 2, 10, 11, 12}));
    const auto typed = get<pyk::Array<double, 2>(int, int)>("table")(2, 2);
    EXPECT_EQ(typed.to_host().value(), (Doubles{0, 1, 10, 11}));
    EXPECT_EQ((get<Doubles(int, int)>("table")(0, 3)), Doubles());
    EXPECT_EQ((get<double(int, int)>("table").call(1, 1).message()), "`table` returns an array, not float64");
    EXPECT_EQ((get<Integers(int, int)>("table").call(1, 1).status().ok()), false);
}

TEST(NewArrays, AreMadeAsByNumpy) {
    using All = std::tuple<std::vector<int>, Doubles, Integers, Doubles, Integers, Doubles>;
    const All all = get<All()>("constructors")();
    EXPECT_EQ(std::get<0>(all), (std::vector<int>{1, 1}));
    EXPECT_EQ(std::get<1>(all), (Doubles{2.5, 2.5}));
    EXPECT_EQ(std::get<2>(all), (Integers{1, 3, 5}));
    EXPECT_EQ(std::get<3>(all), (Doubles{0, 0.25, 0.5, 0.75, 1}));
    EXPECT_EQ(std::get<4>(all), (Integers{1, 2, 3, 4}));
    EXPECT_EQ(std::get<5>(all), (Doubles{1, 0, 0, 1}));
}

TEST(NewArrays, ReplaceEachOtherInLoops) {
    Doubles x(5);
    x[2] = 16;
    EXPECT_EQ((get<Doubles(const Doubles&, int)>("heat")(x, 2)), (Doubles{0, 4, 6, 4, 0}));
    EXPECT_EQ(x[2], 16);
    EXPECT_EQ((get<Doubles(const Doubles&, int)>("heat")(Doubles(100000), 200)).size(), 100000u);
}

TEST(NewArrays, AreWhatArithmeticGives) {
    using All = std::tuple<Doubles, Doubles, pyk::AnyArray>;
    const All all = get<All(const Doubles&, const Doubles&)>("arithmetic")({1, -2}, {4, 8});
    EXPECT_EQ(std::get<0>(all), (Doubles{2, 4}));
    EXPECT_EQ(std::get<1>(all), (Doubles{-1, 2}));
    EXPECT_EQ(std::get<2>(all).element(), pyk::jit::Element::boolean);
    const auto sums = get<pyk::AnyArray(const Integers&)>("outer_sum")({1, 2, 3});
    EXPECT_EQ(sums.shape(), (std::vector<long long>{3, 3}));
    EXPECT_EQ(sums.to_host<long long>().value(), (Integers{2, 3, 4, 3, 4, 5, 4, 5, 6}));
}

TEST(NewArrays, LiveAsLongAsTheyAreHeld) {
    Integers x = {5, 6};
    EXPECT_EQ(get<Integers(const Integers&)>("same")(x), x);
    using Parts = std::tuple<Integers, std::tuple<Integers, int>>;
    const Parts parts = get<Parts(int)>("part")(5);
    EXPECT_EQ(std::get<0>(parts), (Integers{4, 2, 0}));
    EXPECT_EQ(std::get<1>(parts), std::make_tuple(Integers{1, 2, 3, 4}, 5));
    EXPECT_EQ(get<Integers(int)>("passed_on")(4), (Integers{1, 2, 3}));
    EXPECT_EQ(get<Doubles(int)>("in_parallel")(5), (Doubles{0, 1, 5, 14, 30}));
}

TEST(NewArrays, BecomeTheCallersOwnWhereTheyAre) {
    const auto [whole, place] = get<std::tuple<pyk::AnyArray, unsigned long long>(int)>("with_place")(3);
    EXPECT_EQ(reinterpret_cast<unsigned long long>(whole.data()), place);
    EXPECT_EQ(whole.to_host<long long>().value(), (Integers{0, 1, 2}));
    // Large ones have pages of another size.
    Integers all(1 << 20);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ((std::get<0>(get<std::tuple<Integers, unsigned long long>(int)>("with_place")(1 << 20))), all);
}

TEST(NewArrays, AreCopiedWhereTheyArePartOfOneOrReturnedTwice) {
    const auto [one, other] = get<std::tuple<pyk::AnyArray, pyk::AnyArray>(int)>("twice")(2);
    EXPECT_NE(one.data(), other.data());
    EXPECT_EQ(one.to_host<long long>().value(), (Integers{0, 1}));
    EXPECT_EQ(other.to_host<long long>().value(), (Integers{0, 1}));
    const auto [front, place] = get<std::tuple<pyk::AnyArray, unsigned long long>(int)>("front")(3);
    EXPECT_NE(reinterpret_cast<unsigned long long>(front.data()), place);
    EXPECT_EQ(front.to_host<long long>().value(), (Integers{0, 1}));
    EXPECT_EQ(get<Integers(int)>("turned")(2), (Integers{0, 2, 1, 3}));
    EXPECT_EQ(get<Integers(int)>("turned")(1), (Integers{0, 1}));
}

TEST(NewArrays, FailAsInNumpy) {
    EXPECT_NE(get<Doubles(int)>("negative").call(-1).message().find("ValueError: negative dimensions"),
              std::string::npos);
    EXPECT_NE(get<Doubles(long long)>("negative").call(1ll << 61).message().find("MemoryError"), std::string::npos);
    EXPECT_EQ(get<Doubles(int)>("fails").call(3).message(), "arrays.pyk: line 109: ValueError: too many");
}

TEST(Calls, LeaveDefaultsOut) {
    EXPECT_EQ(get<double(double)>("with_defaults")(1), 9);
    EXPECT_EQ((get<double(double, int)>("with_defaults")(1, 4)), 15);
    EXPECT_EQ((pyk::function<double()>(module(), "with_defaults").message()),
              "`with_defaults` takes 1 to 4 arguments, not 0");
}

TEST(Calls, ConvertArgumentsAsNumbasDispatcher) {
    const auto doubled = get<int(double)>("doubled");
    EXPECT_EQ(doubled(2.9), 5);
    EXPECT_EQ(doubled(-2.9), -3);
    EXPECT_EQ((get<int(long long)>("doubled")((1ll << 40) + 1)), 3);
    EXPECT_EQ((get<int(bool)>("doubled")(true)), 3);
    EXPECT_FALSE(doubled.call(std::nan("")));
    EXPECT_EQ((get<int(long long)>("small")(300)), 44);
    EXPECT_FALSE((get<int(int)>("small").call(-1)));
    EXPECT_EQ(
        (get<double(long long)>("ambiguous").call(3).message()),
        "`ambiguous` is called with (int64), to which several of its signatures fit equally: (int32) or (float32)");
    EXPECT_EQ((get<int(short)>("ambiguous")(3)), 7);
    EXPECT_EQ((get<int(const Doubles&)>("doubled").call({}).message()),
              "`doubled` takes (int32), but is called with (float64[::1])");
}

}  // namespace
