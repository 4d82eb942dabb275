// Reductions: on the CPU, and on a GPU where there is one. Expected values are closed forms, or computed here element
// by element.
#include "algorithms.h"
#include "pyk/half.h"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace {

using namespace pyk::test;  // NOLINT
using pyk::jit::Element;
using pyk::jit::Operator;
using pyk::jit::Reduction;
using pyk::jit::ReductionOptions;

constexpr const char* kFile = R"py(
from numba import cuda, njit, vectorize


@cuda.reduce
def sum_reduce(a, b):
    return a + b


@cuda.reduce
def max_reduce(a, b):
    return a if a > b else b


prod_reduce = cuda.Reduce(lambda a, b: a * b)


def farther(a, b):
    return a if abs(a) >= abs(b) else b


@njit
def distance(x, y):
    return (x - y) ** 2


@cuda.jit(device=True)
def is_large(x):
    return x > 100


@vectorize
def both(x, y):
    return x * y


def one(x):
    return x


def raises(a, b):
    if a > 5:
        raise ValueError("more than five")
    return a + b


def nothing(a, b):
    return None


@cuda.jit
def kernel(x):
    x[0] = 1
)py";

class Reductions : public Algorithms {
  protected:
    pyk::jit::Module load(bool debug = false) const { return Algorithms::load(kFile, debug); }
    Operator find(const char* name) const { return pyk::find_operator(load(), name).value(); }
};
PYK_ON_DEVICES(Reductions);

ReductionOptions with_init(pyk::jit::Number init) {
    ReductionOptions options;
    options.init = init;
    return options;
}

/// The order that reduce_args.h promises, for elements of one type.
template <class T, class F>
T in_order(const std::vector<T>& x, F f) {
    const std::size_t width = sizeof(T) >= 16 ? 1 : 16 / sizeof(T), lanes = 256 * width, chunk = lanes * 16;
    std::vector<T> partial;
    for (std::size_t first = 0; first < x.size(); first += chunk) {
        const std::size_t end = std::min(x.size(), first + chunk);
        std::vector<T> sums(x.begin() + static_cast<long>(first),
                            x.begin() + static_cast<long>(std::min(end, first + lanes)));
        for (std::size_t i = first + lanes; i < end; ++i) {
            T& sum = sums[(i - first) % lanes];
            sum = f(sum, x[i]);
        }
        std::vector<T> threads;
        for (std::size_t lane = 0; lane < sums.size(); ++lane) {
            if (lane % width == 0)
                threads.push_back(sums[lane]);
            else
                threads.back() = f(threads.back(), sums[lane]);
        }
        for (std::size_t half = 128; half > 0; half /= 2)
            for (std::size_t t = 0; t < half && t + half < threads.size(); ++t)
                threads[t] = f(threads[t], threads[t + half]);
        partial.push_back(threads[0]);
    }
    return partial.size() == 1 ? partial[0] : in_order(partial, f);
}

TEST_P(Reductions, SumsAnyNumberOfElements) {
    for (const std::size_t count :
         {1, 2, 3, 31, 32, 33, 255, 256, 257, 1023, 1025, 4096, 16383, 16384, 16385, 100'003}) {
        std::vector<int> numbers(count);
        std::iota(numbers.begin(), numbers.end(), 1);
        const auto expected = static_cast<long long>(count) * static_cast<long long>(count + 1) / 2;
        EXPECT_EQ(item<long long>(pyk::reduce(pyk::plus, on_device(numbers))), expected) << count;
        const std::vector<signed char> bytes(count, -1);
        EXPECT_EQ(item<long long>(pyk::reduce(pyk::plus, on_device(bytes))), -static_cast<long long>(count)) << count;
    }
}

TEST_P(Reductions, SumsInOneOrderEverywhere) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    for (const std::size_t count : {5, 1000, 1027, 16384, 99'999, 16384 * 40 + 3}) {
        std::vector<float> x(count);
        for (float& each : x) each = normal(random) * 1000;
        const float expected = in_order(x, [](float a, float b) { return a + b; });
        const auto array = on_device(x);
        EXPECT_EQ(item<float>(pyk::reduce(pyk::plus, array)), expected) << count;
        // Elements that do not begin at a multiple of 16 bytes have the same order.
        std::vector<float> shifted(count + 1);
        std::copy(x.begin(), x.end(), shifted.begin() + 1);
        const auto behind = on_device(shifted);
        EXPECT_EQ(item<float>(pyk::reduce(pyk::plus, behind.view().slice(0, 1, static_cast<long long>(count) + 1))),
                  expected);
    }
    std::vector<std::complex<double>> z(9001);
    for (auto& each : z) each = {normal(random), normal(random)};
    const auto sum = in_order(z, [](auto a, auto b) { return a + b; });
    EXPECT_EQ(item<std::complex<double>>(pyk::reduce(pyk::plus, on_device(z))), sum);
}

TEST_P(Reductions, GoesThroughElementsThatShareMemory) {
    // More chunks than one chunk has, and more elements than 32 bits count.
    const auto one = on_device(std::vector<double>{0.5});
    const pyk::View<const double> many(one.data(), {70'000'003}, {0}, one.view().device);
    EXPECT_EQ(item<double>(pyk::reduce(pyk::plus, many)), 35'000'001.5);
    const auto yes = on_device(std::vector<signed char>{1});
    const pyk::View<const signed char> most(yes.data(), {(1ll << 31) + 7}, {0}, yes.view().device);
    EXPECT_EQ(item<long long>(pyk::reduce(pyk::plus, most)), (1ll << 31) + 7);
}

TEST_P(Reductions, KeepsNanAndTheTypes) {
    std::vector<float> x(5000, 2.0f);
    x[4321] = -7;
    EXPECT_EQ(item<float>(pyk::reduce(pyk::minimum, on_device(x))), -7);
    EXPECT_EQ(item<float>(pyk::reduce(pyk::maximum, on_device(x))), 2);
    x[77] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(std::isnan(item<float>(pyk::reduce(pyk::minimum, on_device(x)))));
    EXPECT_TRUE(std::isnan(item<float>(pyk::reduce(pyk::maximum, on_device(x)))));
    const auto halves = on_device(std::vector<pyk::float16>{pyk::float16(2.5f), pyk::float16(-1.5f)});
    EXPECT_EQ(static_cast<float>(item<pyk::float16>(pyk::reduce(pyk::minimum, halves))), -1.5f);
    EXPECT_EQ(static_cast<float>(item<pyk::float16>(pyk::reduce(pyk::maximum, halves))), 2.5f);
    const std::vector<double> zeros(3, -0.0);
    EXPECT_FALSE(std::signbit(item<double>(pyk::reduce(pyk::plus, on_device(zeros)))));  // as NumPy 2's
    const std::vector<unsigned char> bytes = {200, 100, 7};
    EXPECT_EQ(item<unsigned char>(pyk::reduce(pyk::maximum, on_device(bytes))), 200);
    EXPECT_EQ(item<unsigned long long>(pyk::reduce(pyk::plus, on_device(bytes))), 307u);
    EXPECT_EQ(item<long long>(pyk::reduce(pyk::multiplies, on_device(std::vector<short>{-300, 300, 300}))),
              -27'000'000);
    const std::vector<unsigned> bits = {0b1100, 0b1010, 0b1000};
    EXPECT_EQ(item<unsigned>(pyk::reduce(pyk::bit_and, on_device(bits))), 0b1000u);
    EXPECT_EQ(item<unsigned>(pyk::reduce(pyk::bit_or, on_device(bits))), 0b1110u);
    EXPECT_EQ(item<unsigned>(pyk::reduce(pyk::bit_xor, on_device(bits))), 0b1110u);
    EXPECT_TRUE(item<bool>(pyk::reduce(pyk::logical_or, on_device(bits))));
    ReductionOptions narrow;
    narrow.dtype = Element::uint8;
    EXPECT_EQ(item<unsigned char>(pyk::reduce(pyk::plus, on_device(bytes), narrow)), 307 - 256);
    narrow.dtype = Element::float64;
    EXPECT_EQ(item<double>(pyk::reduce(pyk::plus, on_device(bytes), narrow)), 307.0);
}

TEST_P(Reductions, ReducesWhatAFunctionMakesOfSeveralArrays) {
    std::vector<float> x(3001), y(3001);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7), y[i] = static_cast<float>(i % 3);
    double dot = 0, squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) dot += x[i] * y[i], squares += (x[i] - y[i]) * (x[i] - y[i]);
    const auto a = on_device(x), b = on_device(y);
    EXPECT_EQ(item<float>(pyk::transform_reduce(pyk::plus, pyk::multiplies, {a, b})), static_cast<float>(dot));
    EXPECT_EQ(item<float>(pyk::transform_reduce(pyk::plus, find("distance"), {a, b})), static_cast<float>(squares));
    EXPECT_EQ(item<float>(pyk::transform_reduce(pyk::maximum, find("both"), {a, b})), 12);
    EXPECT_EQ(item<float>(pyk::transform_reduce(pyk::plus, pyk::square, a)),
              static_cast<float>(std::inner_product(x.begin(), x.end(), x.begin(), 0.0)));
    // A count: booleans are summed in 64 bits.
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    EXPECT_EQ(item<long long>(pyk::transform_reduce(pyk::plus, find("is_large"), on_device(numbers))), 899);
    // A column beside a row.
    const auto column = pyk::Array<double, 2>::from_host(device_, std::vector<double>{1, 2, 3}.data(), {3, 1}).value();
    const auto row = on_device(std::vector<double>{1, 10});
    EXPECT_EQ(item<double>(pyk::transform_reduce(pyk::plus, pyk::multiplies, {column, row})), 66);
}

TEST_P(Reductions, ReducesArraysOfAnyStrides) {
    std::vector<int> numbers(60);
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto array = pyk::Array<int, 3>::from_host(device_, numbers.data(), {3, 4, 5}).value();
    const auto every_other = array.view().slice(1, 0, 4, 2);
    long long expected = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; j += 2)
            for (int k = 0; k < 5; ++k) expected += i * 20 + j * 5 + k;
    EXPECT_EQ(item<long long>(pyk::reduce(pyk::plus, array)), 1770);
    EXPECT_EQ(item<long long>(pyk::reduce(pyk::plus, every_other)), expected);
    const pyk::View<const int> backwards(array.data() + 59, {30}, {-8}, array.view().device);
    EXPECT_EQ(item<long long>(pyk::reduce(pyk::plus, backwards)), 900);
    EXPECT_EQ(item<int>(pyk::reduce(find("farther"), every_other)), 54);
    EXPECT_EQ(item<long long>(pyk::reduce(pyk::plus, numbers)), 1770);
}

TEST_P(Reductions, StartsWithInitAndKnowsIdentities) {
    const auto x = on_device(std::vector<float>{1, 2, 3});
    EXPECT_EQ(item<float>(pyk::reduce(pyk::plus, x, with_init(10))), 16);
    EXPECT_EQ(item<float>(pyk::reduce(pyk::maximum, x, with_init(10))), 10);
    const auto none = on_device(std::vector<float>());
    EXPECT_EQ(item<float>(pyk::reduce(pyk::plus, none)), 0);
    EXPECT_EQ(item<float>(pyk::reduce(pyk::multiplies, none)), 1);
    EXPECT_EQ(item<float>(pyk::reduce(pyk::minimum, none, with_init(4))), 4);
    EXPECT_EQ(item<short>(pyk::reduce(pyk::bit_and, on_device(std::vector<short>()))), -1);
    EXPECT_EQ(failure(pyk::reduce(pyk::minimum, none)),
              "a reduction of no elements by `pyk.minimum`, which has no identity: say `init`");
    EXPECT_EQ(failure(pyk::reduce(find("farther"), none)),
              "a reduction of no elements by `farther`, which has no identity: say `init`");
    EXPECT_EQ(failure(pyk::reduce(pyk::minimum, on_device(std::vector<short>{1}), with_init(2.5))),
              "`init` does not fit int16");
}

TEST_P(Reductions, WritesIntoAnArray) {
    const auto x = on_device(std::vector<double>{1, 2, 3.5});
    auto out = on_device(std::vector<double>{-1, -1});
    ASSERT_TRUE(pyk::reduce_into(out, pyk::plus, x));
    EXPECT_EQ(out.to_host().value(), (std::vector<double>{6.5, -1}));
    // Into an input.
    auto same = on_device(std::vector<double>{1, 2, 3.5});
    ASSERT_TRUE(pyk::transform_reduce_into(same, pyk::plus, pyk::square, same));
    EXPECT_EQ(same.to_host().value(), (std::vector<double>{17.25, 2, 3.5}));
    std::vector<double> host(1);
    ASSERT_TRUE(pyk::reduce_into(host, pyk::maximum, x));
    EXPECT_EQ(host[0], 3.5);
    auto wrong = on_device(std::vector<float>{0});
    EXPECT_EQ(pyk::reduce_into(wrong, pyk::plus, x).message(), "the output is of float32, the result of float64");
}

TEST_P(Reductions, CallsReductionsAsNumbaDoes) {
    const auto module = load();
    EXPECT_EQ(pyk::jit::reduction_names(module), (std::vector<std::string>{"sum_reduce", "max_reduce", "prod_reduce"}));
    const Reduction sum = pyk::reduction(module, "sum_reduce").value(),
                    most = pyk::reduction(module, "max_reduce").value();
    std::vector<int> numbers(1234);
    std::iota(numbers.begin(), numbers.end(), 1);
    const auto x = on_device(numbers);
    // Values are of the array's type.
    EXPECT_EQ(sum(x).item<int>().value(), 761'995);
    pyk::jit::ReductionCallOptions options;
    options.size = 10;
    options.init = 1000;
    EXPECT_EQ(sum(x, options).item<int>().value(), 1055);
    options.size = 0;
    EXPECT_EQ(sum(x, options).item<int>().value(), 1000);
    // `init` is always part of the result: Numba's default is 0.
    const auto negative = on_device(std::vector<double>{-3, -2});
    EXPECT_EQ(most(negative).item<double>().value(), 0);
    options = {};
    options.init = -100;
    EXPECT_EQ(most(negative, options).item<double>().value(), -2);
    const Reduction product = pyk::reduction(module, "prod_reduce").value();
    options.init = 1;
    EXPECT_EQ(product(negative, options).item<double>().value(), 6);
    auto out = on_device(std::vector<double>{0, 0});
    ASSERT_TRUE(product.into(out, negative, options));
    EXPECT_EQ(out.to_host().value(), (std::vector<double>{6, 0}));
    const auto matrix = pyk::Array<int, 2>::from_host(device_, numbers.data(), {2, 617}).value();
    EXPECT_EQ(failure(sum.call(matrix)), "a reduction takes an array of one axis, not of 2");
    EXPECT_EQ(pyk::reduction(module, "farther").message(), "there is no `@cuda.reduce` named `farther`");
}

TEST_P(Reductions, RefusesWhatIsNoOperator) {
    const auto module = load();
    const auto x = on_device(std::vector<float>{1, 2, 3});
    const std::string missing = pyk::find_operator(module, "sum").message();
    EXPECT_NE(missing.find("there is no function `sum`; there is `sum_reduce`"), std::string::npos) << missing;
    EXPECT_FALSE(pyk::find_operator(module, "kernel"));
    EXPECT_EQ(failure(pyk::reduce(find("one"), x)), "`one` takes 1 argument, not 2");
    EXPECT_EQ(failure(pyk::reduce(pyk::square, x)), "`pyk.square` takes 1 argument, not 2");
    EXPECT_EQ(failure(pyk::transform_reduce(pyk::plus, find("distance"), x)), "`distance` takes 2 arguments, not 1");
    EXPECT_NE(failure(pyk::reduce(find("nothing"), x)).find("nothing"), std::string::npos);
    EXPECT_NE(failure(pyk::reduce(pyk::bit_and, x)).find("float32"), std::string::npos);
    EXPECT_EQ(failure(pyk::transform_reduce(find("farther"), find("is_large"), x)),
              "`farther` and `is_large` are of different modules: they are compiled together");
    EXPECT_NE(failure(pyk::transform_reduce(pyk::plus, pyk::multiplies, {x, on_device(std::vector<float>{1, 2})}))
                  .find("could not be broadcast together"),
              std::string::npos);
    EXPECT_EQ(failure(pyk::reduce(pyk::plus, 3.5)), "argument 1 is no array");
    for (const Element none : {Element::named, Element::tuple, Element::none}) {
        ReductionOptions options;
        options.dtype = none;
        EXPECT_EQ(failure(pyk::reduce(pyk::plus, std::vector<double>{1, 2}, options)), "`dtype` is none of a value");
    }
}

TEST_P(Reductions, SaysWhatAnOperatorRaised) {
    const Operator raises = pyk::find_operator(load(true), "raises").value();
    EXPECT_EQ(item<long long>(pyk::reduce(raises, on_device(std::vector<long long>{1, 2, 3}))), 6);
    EXPECT_NE(failure(pyk::reduce(raises, on_device(std::vector<long long>{9, 9, 9}))).find("more than five"),
              std::string::npos);
}

}  // namespace
