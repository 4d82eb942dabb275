// `try` in functions of @njit. Expected values are what Numba and CPython give, which agree.
#include "pyk/function.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace {

constexpr const char* kFile = R"py(
import numpy as np
from numba import njit, prange


@njit
def quotient(a, b):
    try:
        result = a // b
    except Exception:
        result = -1.5
    return result


@njit
def ways(a, b):
    passed = 0
    try:
        a // b
        passed += 1
    except:
        passed += 10
    else:
        passed += 100
    finally:
        passed += 1000
    return passed


@njit
def jumps(n):
    total = 0
    for i in range(n):
        try:
            if i == 3:
                continue
            if i == 7:
                break
            if i % 2 == 0:
                raise ValueError
            total += i
        except Exception:
            total += 100
    return total


@njit
def finals_of_jumps(n):
    total = 0
    for i in range(n):
        try:
            try:
                if i == 1:
                    continue
                if i == 5:
                    break
                total += 1
                if i == 3:
                    raise ValueError("three")
            finally:
                total += 10
        except Exception:
            total += 100
    return total


@njit
def returned(x):
    try:
        return x
    finally:
        x = 5.0


@njit
def inner(x):
    try:
        try:
            return 1 // x
        except Exception:
            raise ValueError("inner")
    except Exception:
        return 7


@njit
def last_assigned(x):
    a = 0
    try:
        a = 1
        if x == 1:
            raise ValueError
        a = 2.5
        if x == 2:
            raise ValueError
        a = 4
    except Exception:
        return a
    return -a


@njit
def square_root(x):
    if x < 0:
        raise ValueError("negative")
    return x ** 0.5


@njit
def sum_of_roots(x):
    total = 0.0
    failed = 0
    for i in range(x.size):
        try:
            total += square_root(x[i])
        except Exception:
            failed += 1
    return total, failed


@njit
def how_far(x):
    total = 0
    i = -1
    try:
        for i in range(x.size):
            total += x[i]
            if x[i] < 0:
                raise ValueError("negative")
    except Exception:
        return i, total
    return -1, total


@njit
def stored(x):
    try:
        for i in range(x.size):
            x[i] *= 2.0
            if x[i] > 8:
                raise ValueError("large")
    except Exception:
        x[0] = -1.0
    return x.sum()


@njit
def first_round(x):
    total = 0
    scale = 10
    while True:
        try:
            total += scale // x
            break
        except Exception:
            x += 1
            scale *= 2
    return total, x, scale


@njit
def asserted(x):
    z = x * 2
    try:
        assert z != 4, "four"
        w = 1
    except Exception:
        w = 2
    return z, w


@njit
def none_or_array(n):
    result = None
    try:
        if n < 0:
            raise ValueError("negative")
        result = np.ones(n)
    except Exception:
        pass
    if result is None:
        return -1.0
    return result.sum()


@njit
def cleaned(x, out):
    try:
        out[0] = 1
        out[1] = 10 // x
    finally:
        out[2] = 3
    return out[1]


@njit
def swapped(a, b, c):
    try:
        a, b = b, 10 // c
    except Exception:
        b = a + 100
    return a, b


@njit
def both_finals(x):
    trace = 0
    try:
        try:
            trace += 1
            trace += 10 // x
        finally:
            trace = trace * 10 + 2
    except Exception:
        trace = trace * 10 + 3
    finally:
        trace = trace * 10 + 4
    return trace


@njit
def handler_fails(x):
    out = 0
    try:
        try:
            out += 1
            raise ValueError
        except Exception:
            out += 10
            out += 100 // x
        else:
            out += 5000
    except Exception:
        out += 1000
    return out


@njit
def otherwise_fails(x):
    out = 0
    try:
        try:
            out += 1
        except Exception:
            out += 10
        else:
            out += 100 // x
    except Exception:
        out += 1000
    return out


@njit(parallel=True)
def in_parallel_function(x):
    failed = 0
    for i in prange(x.size):
        try:
            x[i] = square_root(x[i])
        except Exception:
            failed += 1
            x[i] = -1.0
    return failed


@njit(parallel=True)
def around_parallel_loop(x):
    try:
        for i in prange(x.size):
            x[i] = square_root(x[i])
    except Exception:
        return -1.0
    return x.sum()


@njit
def final_fails(x, y):
    total = 0
    for i in range(2):
        try:
            try:
                total += 1
                if i == x:
                    continue
                total += 10
            finally:
                total += 100 // y
        except Exception:
            total += 1000
    return total


@njit
def deep(n):
    try:
        if n == 0:
            raise ValueError("bottom")
        return deep(n - 1) + 1
    except Exception:
        return 0 if n == 0 else -1000


@njit
def conditionally(x):
    if x > 0:
        y = 1
    try:
        if x > 1:
            y = 2
        z = 10 // (x - 2)
    except Exception:
        z = 99
    if x > 0:
        return y + z
    return z


@njit
def nested_loops(x):
    found = -1
    for i in range(x.shape[0]):
        try:
            for j in range(x.shape[1]):
                if x[i, j] < 0:
                    break
                if x[i, j] == 0:
                    raise ValueError
                found = i * 10 + j
        except Exception:
            found = -found
            if i > 0:
                return found, i
    return found, -1


@njit
def uncaught(x):
    try:
        y = square_root(x)
    except Exception:
        y = 0.0
    return square_root(y - 1.0)


@njit
def fails_behind_final(x, out):
    try:
        out[0] = 10 // x
    finally:
        out[1] = 3


@njit
def final_fails_as_well(x):
    total = 0
    try:
        total = square_root(x)
    finally:
        assert x > -2, "final"
    return total


@njit
def final_handles(x):
    try:
        return square_root(x)
    finally:
        try:
            x = square_root(x - 10)
        except Exception:
            x = 0.0


@njit
def kept_index(x, i):
    try:
        return x[i]
    except Exception:
        return -1.0


@njit
def has_index(x, i):
    try:
        x[i]
    except Exception:
        return False
    return True


@njit
def else_of_loop(n, stop):
    total = 0
    for i in range(n):
        try:
            if i == stop:
                break
            total += 10 // (i - 2)
        except Exception:
            total += 100
            if stop < 0:
                break
    else:
        total += 1000
    return total


@njit
def final_of_else(x):
    total = 0
    for i in range(3):
        try:
            try:
                for j in range(i):
                    total += 1
                else:
                    continue
            finally:
                total += 1000
                total += 10 // x
        except Exception:
            total += 100
    return total


@njit(parallel=True)
def sum_until_error(x):
    total = 0
    i = -1
    try:
        for i in prange(x.size):
            total += x[i]
            if x[i] < 0:
                raise ValueError
        total = total * 0.5
    except Exception:
        return i + 1000.0 * total
    return total
)py";

using Doubles = std::vector<double>;
using Integers = std::vector<long long>;

template <typename Function>
auto function(const char* name) {
    static const pyk::jit::Module file = pyk::load_text("handled.pyk", kFile).value();
    return pyk::function<Function>(file, name).value();
}

TEST(Try, TakesEveryErrorOfItsBody) {
    const auto quotient = function<double(long long, long long)>("quotient");
    EXPECT_EQ(quotient(7, 2), 3);
    EXPECT_EQ(quotient(7, 0), -1.5);
    const auto asserted = function<std::pair<long long, long long>(long long)>("asserted");
    EXPECT_EQ(asserted(2), std::make_pair(4LL, 2LL));
    EXPECT_EQ(asserted(3), std::make_pair(6LL, 1LL));
    const auto roots = function<std::pair<double, long long>(const Doubles&)>("sum_of_roots");
    EXPECT_EQ(roots({4, -1, 9}), std::make_pair(5.0, 1LL));
    const auto deep = function<long long(long long)>("deep");
    EXPECT_EQ(deep(3), 3);
    const auto none = function<double(long long)>("none_or_array");
    EXPECT_EQ(none(3), 3);
    EXPECT_EQ(none(-1), -1);
}

TEST(Try, RunsItsPartsInPythonsOrder) {
    const auto ways = function<long long(long long, long long)>("ways");
    EXPECT_EQ(ways(1, 1), 1101);
    EXPECT_EQ(ways(1, 0), 1010);
    const auto both = function<long long(long long)>("both_finals");
    EXPECT_EQ(both(5), 324);
    EXPECT_EQ(both(0), 1234);
    const auto handler = function<long long(long long)>("handler_fails");
    EXPECT_EQ(handler(7), 25);
    EXPECT_EQ(handler(0), 1011);
    const auto otherwise = function<long long(long long)>("otherwise_fails");
    EXPECT_EQ(otherwise(7), 15);
    EXPECT_EQ(otherwise(0), 1001);
}

TEST(Try, IsLeftByJumps) {
    EXPECT_EQ(function<long long(long long)>("jumps")(10), 406);
    EXPECT_EQ(function<long long(long long)>("finals_of_jumps")(8), 164);
    EXPECT_EQ(function<double(double)>("returned")(1), 1);
    const auto inner = function<long long(long long)>("inner");
    EXPECT_EQ(inner(1), 1);
    EXPECT_EQ(inner(0), 7);
    const auto final_fails = function<long long(long long, long long)>("final_fails");
    EXPECT_EQ(final_fails(0, 1), 212);
    EXPECT_EQ(final_fails(0, 0), 2012);
    EXPECT_EQ(final_fails(5, 0), 2022);
    const auto else_of_loop = function<long long(long long, long long)>("else_of_loop");
    EXPECT_EQ(else_of_loop(5, 9), 1100);
    EXPECT_EQ(else_of_loop(5, 3), 85);
    EXPECT_EQ(else_of_loop(5, -1), 85);
    EXPECT_EQ(function<long long(long long)>("final_of_else")(0), 3303);
    const auto first_round = function<std::tuple<long long, long long, long long>(long long)>("first_round");
    EXPECT_EQ(first_round(0), std::make_tuple(20LL, 1LL, 20LL));
    EXPECT_EQ(first_round(-1), std::make_tuple(-10LL, -1LL, 10LL));
    const auto nested = function<std::pair<long long, long long>(pyk::View<double, 2>)>("nested_loops");
    Doubles three{1, 2, 3, -1, 0, 1}, two{1, -2, 0, -1};
    EXPECT_EQ(nested(pyk::host(three.data(), {3, 2})), std::make_pair(-10LL, 2LL));
    EXPECT_EQ(nested(pyk::host(two.data(), {2, 2})), std::make_pair(0LL, 1LL));
}

// A handler finds what was assigned and stored until the error came.
TEST(Try, ShowsWhatCameBeforeTheError) {
    const auto last = function<double(long long)>("last_assigned");
    EXPECT_EQ(last(0), -4);
    EXPECT_EQ(last(1), 1);
    EXPECT_EQ(last(2), 2.5);
    const auto how_far = function<std::pair<long long, long long>(const Integers&)>("how_far");
    EXPECT_EQ(how_far({1, 2, 3}), std::make_pair(-1LL, 6LL));
    EXPECT_EQ(how_far({1, -2, 3}), std::make_pair(1LL, -1LL));
    EXPECT_EQ(how_far({}), std::make_pair(-1LL, 0LL));
    const auto in_32_bits = function<std::pair<long long, long long>(const std::vector<int>&)>("how_far");
    EXPECT_EQ(in_32_bits({1, 5, -2, 3}), std::make_pair(2LL, 4LL));
    const auto stored = function<double(Doubles&)>("stored");
    Doubles large{1, 5, 2}, small{1, 2};
    EXPECT_EQ(stored(large), 11);
    EXPECT_EQ(large, (Doubles{-1, 10, 2}));
    EXPECT_EQ(stored(small), 6);
    const auto swapped = function<std::pair<long long, long long>(long long, long long, long long)>("swapped");
    EXPECT_EQ(swapped(1, 2, 3), std::make_pair(2LL, 3LL));
    EXPECT_EQ(swapped(1, 2, 0), std::make_pair(1LL, 101LL));
    const auto conditionally = function<long long(long long)>("conditionally");
    EXPECT_EQ(conditionally(3), 12);
    EXPECT_EQ(conditionally(2), 101);
    EXPECT_EQ(conditionally(1), -9);
    EXPECT_EQ(conditionally(0), -5);
}

TEST(Try, StandsInAndAroundParallelLoops) {
    Doubles x{4, -1};
    EXPECT_EQ(function<long long(Doubles&)>("in_parallel_function")(x), 1);
    EXPECT_EQ(x, (Doubles{2, -1}));
    const auto around = function<double(Doubles&)>("around_parallel_loop");
    Doubles fine{4, 9}, negative{4, -9};
    EXPECT_EQ(around(fine), 5);
    EXPECT_EQ(around(negative), -1);
    const auto sum_until_error = function<double(const Integers&)>("sum_until_error");
    EXPECT_EQ(sum_until_error({1, 2}), 1.5);
    EXPECT_EQ(sum_until_error({1, 2, -1, 5}), 2002);
}

TEST(Try, LetsOtherErrorsReachTheHost) {
    const auto uncaught = function<double(double)>("uncaught");
    EXPECT_EQ(uncaught(25), 2);
    EXPECT_NE(uncaught.call(-1).message().find("ValueError: negative"), std::string::npos);
    EXPECT_EQ(uncaught(25), 2);
    const auto final = function<void(long long, Integers&)>("fails_behind_final");
    Integers out(2);
    EXPECT_NE(final.call(0, out).message().find("ZeroDivisionError"), std::string::npos);
    EXPECT_EQ(out, (Integers{0, 3}));
    final(5, out);
    EXPECT_EQ(out, (Integers{2, 3}));
    const auto as_well = function<double(double)>("final_fails_as_well");
    EXPECT_EQ(as_well(4), 2);
    EXPECT_NE(as_well.call(-1).message().find("ValueError: negative"), std::string::npos);
    EXPECT_NE(as_well.call(-4).message().find("AssertionError: final"), std::string::npos);
    const auto final_handles = function<double(double)>("final_handles");
    EXPECT_EQ(final_handles(4), 2);
    EXPECT_NE(final_handles.call(-1).message().find("ValueError: negative"), std::string::npos);
    const auto cleaned = function<long long(long long, Integers&)>("cleaned");
    Integers three(3);
    EXPECT_EQ(cleaned(3, three), 3);
    EXPECT_EQ(three, (Integers{1, 3, 3}));
}

// Numba's own compiler reads beyond the array; with checked indices that is an error like others.
TEST(Try, TakesErrorsOfCheckedIndices) {
    pyk::jit::Options options;
    options.check_bounds = true;
    const auto file = pyk::load_text("handled.pyk", kFile, options).value();
    const auto kept = pyk::function<double(const Doubles&, long long)>(file, "kept_index").value();
    EXPECT_EQ(kept({1, 2}, 1), 2);
    EXPECT_EQ(kept({1, 2}, 2), -1);
    const auto has_index = pyk::function<bool(const Doubles&, long long)>(file, "has_index").value();
    EXPECT_TRUE(has_index({1, 2}, 1));
    EXPECT_FALSE(has_index({1, 2}, 2));
}

}  // namespace
