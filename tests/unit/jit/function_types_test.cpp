// Tuples and dates that go to functions of @njit and to kernels, and come from functions. Expected values are what
// Numba gives.
#include <gtest/gtest.h>

#include <complex>
#include <tuple>

#include "pyk/function.hpp"
#include "pyk/stencil.hpp"
#include "pyk/ufunc.hpp"

namespace {

struct Body {
    double at;
    float mass;
    int place;
};

}  // namespace

PYK_RECORD(Body, at, mass, place);

namespace {

constexpr const char* kFile = R"py(
import math

import numpy as np
from numba import cfunc, cuda, guvectorize, njit, stencil, vectorize


@njit
def weighted(pair, weights):
    return pair[0] * weights[0] + pair[1] * weights[1][0] + weights[1][1]


@njit
def sizes(mixed):
    flag, small, z, (span, last), other = mixed
    return small + (100 if flag else 0) + (1000 if other else 0), z * 2, span, last


@njit
def wrapped(t):
    return t, (t[0] + 1,)


@njit
def total(t):
    out = 0.0
    for x in t:
        out += x
    return out


@njit("float64(UniTuple(float64, 2))")
def declared(t):
    return t[0] - t[1]


@cuda.jit
def scale(out, factors):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = out[i] * factors[0] + factors[1]


@njit
def later(day, by):
    return day + by, day, by


@njit
def turned(days, spans):
    return days[::-1], spans[1:]


@njit
def below(x):
    return math.floor(x)


@njit
def whole(x, n, u):
    return below(x), math.ceil(x), math.trunc(-x), below(n), math.ceil(u)


@njit
def in_float64(n, x):
    return math.pow(n, -1), math.pow(x, n), math.ldexp(n, 40) + 1.0, math.frexp(n)[0] / 3


@vectorize
def down(x):
    return math.floor(x) // 2


@vectorize(target="cuda")
def down_on_gpus(x):
    return math.floor(x) // 2


@stencil
def below_left(x):
    return math.floor(x[-1])


@guvectorize(["void(float64[:], float64[:])"], "(n),(n)", writable_args=(0,))
def add_to(x, y):
    for i in range(x.size):
        x[i] += y[i]


@njit
def added(rows, row):
    add_to(rows, row)
    return rows[0] + rows[1]


@njit
def weights(a, b=3, *, c=4, d=None):
    return 100 * a + 10 * b + c if d is None else -1


@njit
def scaled(x, low=None, high=None):
    if low is None:
        low = x.min()
    return (x - low) / (1.0 if high is None else high)


BODY = np.dtype([("at", np.float64), ("mass", np.float32), ("place", np.int32)])


@njit
def bodies(n):
    made = np.zeros(n, dtype=BODY)
    for i in range(n):
        made[i].at = 0.5 * i
        made["place"][i] = i
    return made


@njit
def right_of(bodies, at):
    return bodies[bodies.at > at], bodies["place"].sum()


@njit
def single(z, n):
    return z * 2, n + z, np.add(n, z)


@njit
def with_arrays(pair):
    (low, (high, scale)) = pair
    return np.zeros(2) + low[0] + high[1] * scale, low


ORIGIN = np.array([1.0, 2.0])


@njit
def shifted(x, by=ORIGIN, scale=(2, 3), k=4):
    return (x + by[1]) * scale[0] + scale[1] + k


@njit
def nth(days, n):
    if n < days.size:
        return days[n]
    return None


@njit
def sum_and_count(x, *rest):
    for v in rest:
        x += v
    return x, len(rest)


@njit("float64(float64, UniTuple(int64, 2))")
def added_product(x, *factors):
    return x + factors[0] * factors[1]


@njit
def shared_first(*arrays):
    arrays[0][0] = 7
    return arrays[0] + arrays[1]


@cfunc("float64(float64)")
def doubled(x):
    return x * 2


@njit
def doubled_and_one(x):
    return doubled(x) + 1


@njit
def dates(d, t):
    joined = np.empty(2, d.dtype)
    joined[:] = d[0]
    joined[0] = d[d > d[0]][0]
    return d[1:] - d[:-1], d + t, np.maximum(d, d[0]), np.sort(d), joined


@njit
def spans(d, t):
    clipped = np.where(np.isnat(d), t, np.maximum(t, -t))
    clipped[1] = t[1]
    clipped[0] += t[0]
    return t.sum(), t.mean(), np.max(d[:2]), np.min(d), np.cumsum(t), t / np.timedelta64(2, "D"), clipped


@njit
def factors(n):
    for i in range(2, n):
        if n % i == 0:
            return i, n // i, np.arange(i)
    return None


@njit
def behind(a, v):
    for i in range(a.size):
        if a[i] == v:
            return True, a[i:]
    return False, None


@njit
def halves(a):
    if a.size % 2:
        return None
    return a[: a.size // 2]


@njit
def ends(a):
    if a.size == 0:
        return None, None
    return a[0], a[-1]
)py";

pyk::jit::Module module() { return pyk::load_text("types.pyk", kFile).value(); }

template <class Signature>
pyk::Function<Signature> get(const char* name) {
    return pyk::function<Signature>(module(), name).value();
}

using Day = pyk::DateTime<pyk::TimeUnit::days>;
using Days = pyk::TimeDelta<pyk::TimeUnit::days>;
using Hours = pyk::TimeDelta<pyk::TimeUnit::hours>;

TEST(FunctionTypes, TuplesArePassed) {
    using Weights = std::tuple<float, std::pair<int, double>>;
    const auto weighted = get<double(std::pair<double, long>, Weights)>("weighted");
    EXPECT_EQ(weighted({2.0, 10}, {1.5f, {3, 0.25}}), 33.25);
    // Where the elements lie is C's: what is narrow is followed by padding, in a tuple in it too.
    using Mixed = std::tuple<bool, signed char, std::complex<float>, std::tuple<Days, short>, bool>;
    using Sizes = std::tuple<long long, std::complex<double>, Days, short>;
    const auto sizes = get<Sizes(Mixed)>("sizes");
    const auto [small, z, span, last] = sizes({true, -3, {1, 2}, {{70000}, 7}, false});
    EXPECT_EQ(small, 97);
    EXPECT_EQ(z, std::complex<double>(2, 4));
    EXPECT_EQ(span.count, 70000);
    EXPECT_EQ(last, 7);
    EXPECT_EQ(std::get<0>(sizes({false, 5, {1, 2}, {{1}, 7}, true})), 1005);
    EXPECT_EQ((get<double(std::tuple<double, double, double>)>("total")({1, 2, 4})), 7);
}

TEST(FunctionTypes, TuplesOfArraysArePassedToWhatMakesArrays) {
    using Doubles = std::vector<double>;
    using Pair = std::pair<pyk::Array<double, 1>, std::tuple<pyk::Array<double, 1>, int>>;
    const auto array = [](Doubles of) { return pyk::Array<double, 1>::from_host(pyk::Device::cpu(), of).value(); };
    const auto function = get<std::tuple<Doubles, Doubles>(const Pair&)>("with_arrays");
    const Pair pair(array({1.5, 2}), std::tuple(array({3, 4}), 10));
    const auto [made, low] = function(pair);
    EXPECT_EQ(made, (Doubles{41.5, 41.5}));
    EXPECT_EQ(low, (Doubles{1.5, 2}));
}

TEST(FunctionTypes, TakeAnyNumberOfArguments) {
    using Sum = std::pair<double, long long>;
    EXPECT_EQ(get<Sum(double)>("sum_and_count")(1.5), Sum(1.5, 0));
    EXPECT_EQ((get<Sum(double, int, int)>("sum_and_count")(1.5, 2, 3)), Sum(6.5, 2));
    EXPECT_EQ((get<double(double, int, int)>("added_product")(0.5, 3, 4)), 12.5);
    using Array = std::vector<double>;
    Array a = {1, 2}, b = {10, 20};
    EXPECT_EQ((get<Array(Array&, Array&)>("shared_first")(a, b)), (Array{17, 22}));
    EXPECT_EQ(a[0], 7);
    const auto none = pyk::function<Sum()>(module(), "sum_and_count");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.message(), "`sum_and_count` takes 1 or more arguments, not 0");
}

TEST(FunctionTypes, CallbacksAreFunctionsLikeOthers) {
    EXPECT_EQ(get<double(int)>("doubled")(3), 6);
    EXPECT_EQ(get<double(double)>("doubled_and_one")(1.25), 3.5);
}

// The values are NumPy's.
TEST(FunctionTypes, ArraysOfDatesAreComputedWith) {
    constexpr auto nat = pyk::not_a_time;
    std::vector<Day> d = {{18262}, {18326}, {nat}, {18261}};
    std::vector<Days> t = {{1}, {-2}, {30}, {4}};
    const auto counts = [](const auto& dates) {
        std::vector<long long> found;
        for (const auto& each : dates) found.push_back(each.count);
        return found;
    };
    using Counts = std::vector<long long>;
    using Dates = std::tuple<std::vector<Days>, std::vector<Day>, std::vector<Day>, std::vector<Day>, std::vector<Day>>;
    const auto [steps, later, least, sorted, joined] = get<Dates(std::vector<Day>&, std::vector<Days>&)>("dates")(d, t);
    EXPECT_EQ(counts(steps), (Counts{64, nat, nat}));
    EXPECT_EQ(counts(later), (Counts{18263, 18324, nat, 18265}));
    EXPECT_EQ(counts(least), (Counts{18262, 18326, nat, 18262}));
    EXPECT_EQ(counts(sorted), (Counts{18261, 18262, 18326, nat}));
    EXPECT_EQ(counts(joined), (Counts{18326, 18262}));
    using Spans = std::tuple<Days, Days, Day, Day, std::vector<Days>, std::vector<double>, std::vector<Days>>;
    const auto spans = get<Spans(std::vector<Day>&, std::vector<Days>&)>("spans")(d, t);
    EXPECT_EQ(std::get<0>(spans).count, 33);
    EXPECT_EQ(std::get<1>(spans).count, 8);
    EXPECT_EQ(std::get<2>(spans).count, 18326);
    EXPECT_EQ(std::get<3>(spans).count, nat);
    EXPECT_EQ(counts(std::get<4>(spans)), (Counts{1, -1, 29, 33}));
    EXPECT_EQ(std::get<5>(spans), (std::vector<double>{0.5, -1, 15, 2}));
    EXPECT_EQ(counts(std::get<6>(spans)), (Counts{2, -2, 30, 4}));
}

TEST(FunctionTypes, DefaultsAreArraysAndTuplesOfTheFile) {
    EXPECT_EQ(get<double(double)>("shifted")(1), 13);
    using Array = std::vector<double>;
    Array by{10, 20};
    EXPECT_EQ((get<double(double, Array&)>("shifted"))(1, by), 49);
    using Scale = std::pair<double, int>;
    EXPECT_EQ((get<double(double, Array&, Scale)>("shifted"))(1, by, {0.5, 1}), 15.5);
    EXPECT_EQ((get<double(double, Array&, Scale, int)>("shifted"))(1, by, {0.5, 1}, 2), 13.5);
}

TEST(FunctionTypes, TuplesAreReturned) {
    using Nested = std::pair<int, std::tuple<double>>;
    const auto wrapped = get<std::tuple<Nested, std::array<long long, 1>>(Nested)>("wrapped");
    EXPECT_EQ(wrapped({7, {2.5}}), std::tuple(Nested(7, 2.5), std::array<long long, 1>{8}));
}

TEST(FunctionTypes, ATupleIsOfTheTypesThatASignatureSays) {
    EXPECT_EQ((get<double(std::pair<double, double>)>("declared")({3.0, 0.5})), 2.5);
    const auto wrong = get<double(std::tuple<double, double, double>)>("declared").call({3.0, 0.5, 1.0});
    EXPECT_FALSE(wrong);
    EXPECT_NE(wrong.message().find("declared"), std::string::npos) << wrong.message();
}

TEST(FunctionTypes, MathIsTypedAsByNumbasCpuCompiler) {
    using Whole = std::tuple<long long, long long, long long, long long, unsigned long long>;
    EXPECT_EQ((get<Whole(double, short, unsigned)>("whole")(-2.5, 18, 7)), Whole(-3, -2, 2, 18, 7));
    using Large = std::tuple<long long, long long, long long, long long, unsigned long long>;
    const long long odd = (1LL << 60) + 1;  // no float64 has its value
    EXPECT_EQ(std::get<3>(get<Large(float, long long, unsigned)>("whole")(0.5f, odd, 7)), odd);
    using Floats = std::tuple<double, double, double, double>;
    const Floats floats = get<Floats(short, float)>("in_float64")(3, 0.1f);
    EXPECT_EQ(std::get<0>(floats), 1.0 / 3);
    EXPECT_EQ(std::get<1>(floats), std::pow(static_cast<double>(0.1f), 3.0));
    EXPECT_EQ(std::get<2>(floats), 3298534883329.0);
    EXPECT_EQ(std::get<3>(floats), 0.25);
}

TEST(FunctionTypes, ArrayFunctionsAreTypedByTheirTarget) {
    const std::vector<double> x = {-2.5, 5.0};
    const pyk::jit::AnyArray cpu = pyk::ufunc(module(), "down").value()(x);
    EXPECT_EQ(cpu.to_host<long long>().value(), (std::vector<long long>{-2, 2}));
    const pyk::jit::AnyArray cuda = pyk::ufunc(module(), "down_on_gpus").value()(x);
    EXPECT_EQ(cuda.element(), pyk::jit::Element::float64);
    EXPECT_EQ(pyk::stencil(module(), "below_left").value()(x).to_host<long long>().value(),
              (std::vector<long long>{0, -3}));
}

TEST(FunctionTypes, ArrayFunctionsWithoutOutputsAreCalled) {
    const auto added = get<std::vector<double>(pyk::View<double, 2>, std::vector<double>)>("added");
    std::vector<double> rows = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(added(pyk::host(rows.data(), {2, 3}), {10, 20, 30}), (std::vector<double>{25, 47, 69}));
    EXPECT_EQ(rows, (std::vector<double>{11, 22, 33, 14, 25, 36}));
    const auto misfit = added.call(pyk::host(rows.data(), {2, 3}), {10, 20});
    EXPECT_NE(misfit.message().find("ValueError: operands of `add_to` do not fit together"), std::string::npos)
        << misfit.message();
}

TEST(FunctionTypes, DefaultsOfKeywordsAreTakenAtTheEnd) {
    EXPECT_EQ(get<long long(int, int)>("weights")(5, 2), 524);
    EXPECT_EQ(get<long long(int)>("weights")(5), 534);
    EXPECT_EQ(get<long long(int, int, int)>("weights")(5, 2, 1), 521);
    EXPECT_EQ(get<long long(int, int, int, int)>("weights")(5, 2, 1, 0), -1);
}

TEST(FunctionTypes, ResultsAreWhatTheSignatureSays) {
    const pyk::jit::Module module = pyk::load_text("results.pyk", R"py(from numba import njit


@njit("int64(float64[:])")
def no_number(x):
    return x


@njit("float64[:, :](float64[:])")
def no_matrix(x):
    return x


@njit("void(float64[:])")
def no_result(x):
    return x[0]


@njit("Tuple((float64, int64[:]))(float64[:])")
def no_integers(x):
    return x[0], x


@njit("float64(complex128)")
def no_real(z):
    return z


@njit("complex128(float64)")
def widened(x):
    return x
)py")
                                        .value();
    std::vector<double> x{1, 2};
    const auto message = [&](const char* name) {
        return pyk::jit::call_function(module, name, {pyk::jit::make_argument(x)}).message();
    };
    EXPECT_NE(message("no_number")
                  .find("results.pyk:5:5: error: the result of `no_number`, array(float64, 1d, A), cannot "
                        "be converted to int64, as its signature says [cannot-convert]"),
              std::string::npos)
        << message("no_number");
    for (const char* name : {"no_matrix", "no_result", "no_integers"})
        EXPECT_NE(message(name).find("[cannot-convert]"), std::string::npos) << name << ": " << message(name);
    using Complex = std::complex<double>;
    const auto no_real = pyk::function<double(Complex)>(module, "no_real").value().call({1, 2});
    EXPECT_NE(no_real.message().find("[cannot-convert]"), std::string::npos) << no_real.message();
    EXPECT_EQ(pyk::function<Complex(double)>(module, "widened").value()(1.5), Complex(1.5, 0));
}

TEST(FunctionTypes, ArraysOfRecordsAreReturned) {
    std::vector<Body> bodies = get<std::vector<Body>(int)>("bodies")(4);
    ASSERT_EQ(bodies.size(), 4u);
    EXPECT_EQ(bodies[3].at, 1.5);
    EXPECT_EQ(bodies[3].place, 3);
    using RightOf = std::pair<std::vector<Body>, long long>(const std::vector<Body>&, double);
    const auto [found, sum] = get<RightOf>("right_of")(bodies, 0.5);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].at, 1.0);
    EXPECT_EQ(sum, 6);
}

TEST(FunctionTypes, NoneStandsAnywhere) {
    EXPECT_EQ(get<long long(int, int, int, pyk::None)>("weights")(5, 2, 1, pyk::none), 521);
    using Scaled = std::vector<double>(const std::vector<double>&, std::optional<double>, std::optional<double>);
    const auto scaled = get<Scaled>("scaled");
    EXPECT_EQ(scaled({1, 3, 5}, std::nullopt, 2.0), (std::vector<double>{0, 1, 2}));
    EXPECT_EQ(scaled({1, 3, 5}, 3.0, std::nullopt), (std::vector<double>{-2, 0, 2}));
    EXPECT_EQ(scaled({1, 3, 5}, std::nullopt, std::nullopt), (std::vector<double>{0, 2, 4}));
}

TEST(FunctionTypes, ArraysAndTuplesMayBeNone) {
    using Vector = std::vector<double>;
    const auto factors = get<std::optional<std::tuple<long long, long long, std::vector<long long>>>(int)>("factors");
    EXPECT_EQ(factors(21), std::tuple(3LL, 7LL, std::vector<long long>({0, 1, 2})));
    EXPECT_EQ(factors(7), std::nullopt);
    const auto behind = get<std::pair<bool, std::optional<Vector>>(const Vector&, double)>("behind");
    EXPECT_EQ(behind({1, 3, 5}, 3), std::pair(true, std::optional(Vector({3, 5}))));
    EXPECT_EQ(behind({1, 3, 5}, 4), std::pair(false, std::optional<Vector>()));
    const auto halves = get<std::optional<pyk::AnyArray>(const Vector&)>("halves");
    EXPECT_EQ(halves({1, 2, 3, 4})->size(), 2);
    EXPECT_FALSE(halves({1, 2, 3}).has_value());
    using Ends = std::array<std::optional<double>, 2>;
    const auto ends = get<Ends(const Vector&)>("ends");
    EXPECT_EQ(ends({1, 2, 3}), (Ends{1.0, 3.0}));
    EXPECT_EQ(ends({}), Ends());
    EXPECT_EQ(get<Vector(const Vector&)>("halves").call({1}).message(), "`halves` returned None; take a std::optional");
}

TEST(FunctionTypes, IntegersGoWithComplex64) {
    using Single = std::vector<std::complex<float>>;
    using Both = std::tuple<Single, Single, Single>(const Single&, const std::vector<long long>&);
    const auto [twice, sum, same] = get<Both>("single")(Single{{1, 2}}, {3});
    EXPECT_EQ(twice, Single({{2, 4}}));
    EXPECT_EQ(sum, Single({{4, 2}}));
    EXPECT_EQ(same, sum);
}

TEST(FunctionTypes, KernelsTakeTuples) {
    std::vector<double> out = {1, 2, 3};
    pyk::jit::Options options;
    options.backend = pyk::jit::Backend::cpu;
    const auto cpu = pyk::load_text("types.pyk", kFile, options).value();
    cpu.kernel("scale").value()(pyk::grid(1), pyk::block(4))(out, std::tuple(2.0, 5));
    EXPECT_EQ(out, (std::vector<double>{7, 9, 11}));
    cpu.kernel("scale").value()(pyk::grid(1), pyk::block(4))(out, std::pair(0.5f, 1.0));
    EXPECT_EQ(out, (std::vector<double>{4.5, 5.5, 6.5}));
}

TEST(FunctionTypes, DatesAreReturned) {
    const auto later = get<std::tuple<Day, Day, Days>(Day, Days)>("later");
    const auto [day, same, by] = later({100}, {7});
    EXPECT_EQ(day.count, 107);
    EXPECT_EQ(same.count, 100);
    EXPECT_EQ(by.count, 7);
    EXPECT_EQ(std::get<0>(later({pyk::not_a_time}, {7})).count, pyk::not_a_time);
    const auto as_number = get<std::tuple<long long, Day, Days>(Day, Days)>("later").call({1}, {1});
    EXPECT_EQ(as_number.message(), "`later` returns datetime64[D], not int64");
    const auto as_day = get<Day(std::tuple<double, double>)>("declared").call({3.0, 1.0});
    EXPECT_EQ(as_day.message(), "`declared` returns float64, not datetime64[D]");
    const auto as_hours = get<std::tuple<Day, Day, Hours>(Day, Days)>("later").call({1}, {1});
    EXPECT_EQ(as_hours.message(), "`later` returns timedelta64[D], not timedelta64[h]");
}

TEST(FunctionTypes, ArraysOfDatesAreReturned) {
    const std::vector<Day> days = {{10}, {20}, {25}};
    const std::vector<Days> spans = {{1}, {2}, {-3}};
    using Turned = std::pair<std::vector<Day>, pyk::Array<Days, 1>>(const std::vector<Day>&, const std::vector<Days>&);
    const auto turned = get<Turned>("turned")(days, spans);
    ASSERT_EQ(turned.first.size(), 3U);
    EXPECT_EQ(turned.first[0].count, 25);
    EXPECT_EQ(turned.first[2].count, 10);
    ASSERT_EQ(turned.second.size(), 2);
    EXPECT_EQ(turned.second.to_host().value()[1].count, -3);
    using Wrong = std::pair<std::vector<Days>, pyk::AnyArray>(const std::vector<Day>&, const std::vector<Days>&);
    const auto wrong = get<Wrong>("turned").call(days, spans);
    EXPECT_EQ(wrong.message(), "the array is of datetime64[D], not of timedelta64[D]");
    const auto nth = get<std::optional<Day>(const std::vector<Day>&, int)>("nth");
    EXPECT_EQ(nth(days, 1)->count, 20);
    EXPECT_FALSE(nth(days, 3).has_value());
}

}  // namespace
