// NumPy's functions of whole arrays against what Numba gives (expected.tsv, written by make_expected.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "pyk/function.hpp"

namespace {

const std::string kFolder = PYK_NUMPY_TESTS;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Expected {
    std::string dtype, shape;
    std::vector<std::string> values;
};

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, by);) parts.push_back(part);
    return parts;
}

/// By function, its results in order.
std::map<std::string, std::vector<Expected>> expected_results() {
    std::map<std::string, std::vector<Expected>> all;
    std::ifstream file(kFolder + "/expected.tsv");
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> columns = split(line, '\t');
        columns.resize(5);
        all[columns[0]].push_back({columns[2], columns[3], split(columns[4], ' ')});
    }
    return all;
}

/// As in inputs.py.
struct Inputs {
    std::vector<double> a{3.0, -1.25, 0.5, 2.0, -0.75, 0.0};
    std::vector<double> b{1.0, 2.5, 3.0, 0.0, 4.0, 5.5, -6.0, 1.0, 2.0, 2.0, 8.25, 7.0};
    std::vector<double> c = [] {
        std::vector<double> all;
        for (int i = 0; i < 24; ++i) all.push_back(i - 5);
        return all;
    }();
    std::vector<float> f{1.5f, -2.25f, 0.1f, 3.0f};
    std::vector<long long> i{3, 1, 2, 3, 0, 7};
    bool m[3] = {true, false, true};
    std::vector<double> n{1.0, kNan, -2.0, 0.5, -std::numeric_limits<double>::infinity(), 4.0};
    std::vector<signed char> s{5, 1, 2};
    std::vector<std::complex<double>> k{{1.5, 1}, {-2.25, 0},   {1, kNan}, {kNan, 2},
                                        {3, -2},  {kNan, kNan}, {1.5, -1}, {1.5, 1}};
    double z = 2.5;

    pyk::jit::Argument argument(const std::string& name) {
        using pyk::jit::make_argument;
        if (name == "a") return make_argument(a);
        auto matrix = pyk::host(b.data(), {3, 4});
        auto cube = pyk::host(c.data(), {2, 3, 4});
        auto mask = pyk::host(m, {3});
        if (name == "b") return make_argument(matrix);
        if (name == "c") return make_argument(cube);
        if (name == "f") return make_argument(f);
        if (name == "i") return make_argument(i);
        if (name == "m") return make_argument(mask);
        if (name == "n") return make_argument(n);
        if (name == "k") return make_argument(k);
        if (name == "z") {
            auto cell = pyk::cell(z);
            return make_argument(cell);
        }
        return make_argument(s);
    }
};

template <class T>
std::vector<double> as_doubles(const void* data, std::size_t count) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, static_cast<const char*>(data) + i * sizeof(T), sizeof(T));
        values.push_back(static_cast<double>(value));
    }
    return values;
}

struct Kind {
    const char* name;
    pyk::jit::Element element;
    std::vector<double> (*read)(const void* data, std::size_t count);
};
constexpr Kind kKinds[] = {
    {"bool", pyk::jit::Element::boolean, as_doubles<bool>},
    {"int8", pyk::jit::Element::int8, as_doubles<signed char>},
    {"uint8", pyk::jit::Element::uint8, as_doubles<unsigned char>},
    {"int32", pyk::jit::Element::int32, as_doubles<int>},
    {"int64", pyk::jit::Element::int64, as_doubles<long long>},
    {"uint64", pyk::jit::Element::uint64, as_doubles<unsigned long long>},
    {"float32", pyk::jit::Element::float32, as_doubles<float>},
    {"float64", pyk::jit::Element::float64, as_doubles<double>},
};

double number(const std::string& text) { return text == "True" ? 1 : text == "False" ? 0 : std::stod(text); }

void expect_equal(const pyk::jit::detail::Returned& got, const Expected& expected, const std::string& where) {
    const Kind* kind = nullptr;
    for (const Kind& one : kKinds)
        if (one.element == got.element) kind = &one;
    ASSERT_NE(kind, nullptr) << where;
    // Python's float does not say which one it was.
    const bool is_float = !got.is_array && expected.dtype == "float64" && got.element == pyk::jit::Element::float32;
    EXPECT_EQ(is_float ? "float64" : kind->name, expected.dtype) << where;
    std::string shape;
    for (const long long extent : got.array.shape()) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    if (shape.empty()) shape = "()";
    EXPECT_EQ(got.is_array ? shape : "-", expected.shape) << where;
    const std::size_t count = got.is_array ? static_cast<std::size_t>(got.array.size()) : 1;
    ASSERT_EQ(count, expected.values.size()) << where;
    const std::vector<double> values = kind->read(got.is_array ? got.array.data() : got.bytes, count);
    const double tolerance = got.element == pyk::jit::Element::float32 ? 1e-6 : 1e-13;
    for (std::size_t i = 0; i < count; ++i) {
        const double want = number(expected.values[i]);
        const bool same = values[i] == want || (std::isnan(values[i]) && std::isnan(want)) ||
                          std::abs(values[i] - want) <= tolerance * std::abs(want);
        EXPECT_TRUE(same) << where << ", element " << i << ": " << values[i] << ", not " << want;
    }
}

class NumpyFunction : public testing::TestWithParam<std::string> {};

TEST_P(NumpyFunction, GivesWhatNumbaGives) {
    static const pyk::jit::Module module = pyk::load_or_throw(kFolder + "/functions.pyk");
    static const auto expected = expected_results();
    ASSERT_TRUE(expected.contains(GetParam())) << "run make_expected.py";
    Inputs inputs;
    std::vector<pyk::jit::Argument> arguments;
    for (const std::string& name : pyk::jit::function_params(module, GetParam()))
        arguments.push_back(inputs.argument(name));
    const auto report = pyk::jit::call_function(module, GetParam(), arguments);
    ASSERT_TRUE(report) << report.message();
    const std::vector<Expected>& all = expected.at(GetParam());
    ASSERT_EQ(report->results.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        expect_equal(report->results[i], all[i], GetParam() + ", result " + std::to_string(i));
}

/// Those whose parameters are all inputs, of one letter: the others are called by them.
std::vector<std::string> names() {
    const pyk::jit::Module module = pyk::load_or_throw(kFolder + "/functions.pyk");
    std::vector<std::string> result = pyk::jit::function_names(module);
    std::erase_if(result, [&](const std::string& function) {
        return std::ranges::any_of(pyk::jit::function_params(module, function),
                                   [](const std::string& parameter) { return parameter.size() > 1; });
    });
    return result;
}
INSTANTIATE_TEST_SUITE_P(Of, NumpyFunction, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

// What goes wrong in the library is told of where it was called.
TEST(NumpyErrors, NameTheCallersLine) {
    const pyk::jit::Module module = pyk::load_text("calls.pyk", R"py(import numpy as np
from numba import njit


@njit
def least(a):
    return np.min(a)


@njit
def least_of(a):
    b = a + 1
    return b[b > 100].min()


@njit
def mismatched(a, b):
    c = a * 2
    return c + b


@njit
def outside(a):
    return a[np.array([0, 7])]


@njit
def other_mask(a, b):
    a[b > 0] = 1


@njit
def other_shape(a):
    return (a + 1).reshape(7, 3)


@njit
def only(a):
    return a.item()


@njit
def of_tuple(a):
    return (1.0, 2.0)[a.size]


@njit
def of_range(a):
    return range(3)[a.size] + 0.5
)py")
                                        .value();
    std::vector<double> none, three{1, 2, 3}, four{1, 2, 3, 4};
    using One = double(const std::vector<double>&);
    using Two = std::vector<double>(const std::vector<double>&, const std::vector<double>&);
    EXPECT_EQ(pyk::function<One>(module, "least").value().call(none).message(),
              "calls.pyk: line 7: ValueError: zero-size array to reduction operation minimum which has no identity");
    EXPECT_EQ(pyk::function<One>(module, "least_of").value().call(three).message(),
              "calls.pyk: line 13: ValueError: zero-size array to reduction operation minimum which has no identity");
    EXPECT_EQ(pyk::function<Two>(module, "mismatched").value().call(three, four).message(),
              "calls.pyk: line 19: ValueError: operands could not be broadcast together");
    EXPECT_EQ(
        pyk::function<std::vector<double>(const std::vector<double>&)>(module, "outside").value().call(three).message(),
        "calls.pyk: line 24: IndexError: index is out of bounds");
    EXPECT_EQ((pyk::function<void(std::vector<double>&, const std::vector<double>&)>(module, "other_mask")
                   .value()
                   .call(three, four)
                   .message()),
              "calls.pyk: line 29: IndexError: boolean index did not match the array's extent");
    using Shaped = pyk::AnyArray(const std::vector<double>&);
    EXPECT_EQ(pyk::function<Shaped>(module, "other_shape").value().call(three).message(),
              "calls.pyk: line 34: ValueError: reshape: the number of elements is another");
    EXPECT_EQ(pyk::function<One>(module, "only").value().call(three).message(),
              "calls.pyk: line 39: ValueError: item: the array has not exactly one element");
    EXPECT_EQ(pyk::function<One>(module, "of_tuple").value().call(three).message(),
              "calls.pyk: line 44: IndexError: tuple index out of range");
    EXPECT_EQ(pyk::function<One>(module, "of_range").value().call(three).message(),
              "calls.pyk: line 49: IndexError: range object index out of range");
}

// Numba and NumPy raise these too; some read what lies behind an array instead.
TEST(NumpyErrors, OfLengthsAndCounts) {
    const pyk::jit::Module module = pyk::load_text("calls.pyk", R"py(import functools

import numpy as np
from numba import njit


@njit
def raises(a, which):
    none, two = a[:0], a[:2]
    if which == 0:
        return np.repeat(a, np.array([30, -20, 1])).sum()
    if which == 1:
        return np.bincount(np.array([0, 1, 1, 2]), two).sum()
    if which == 2:
        return np.cross(np.ones((4, 3)), np.ones((2, 3))).sum()
    if which == 3:
        return np.trapezoid(a, two)
    if which == 4:
        return functools.reduce(lambda x, y: x + y, none)
    if which == 5:
        return np.linalg.cond(np.ones((0, 3)))
    if which == 6:
        return np.polynomial.polynomial.polyval(2.0, none)
    if which == 7:
        np.clip(a, None, None)
    if which == 8:
        return np.unwrap(a, axis=which - 8).sum()
    if which == 9:
        return np.bincount(np.array([-1])).sum() * 1.0
    if which == 10:
        return np.arange(0, 5, which - 10).sum() * 1.0
    if which == 11:
        return np.arange(np.inf).sum()
    if which == 12:
        return np.interp(0.5, a, two)
    if which == 13:
        return np.partition(a, 3)[0]
    if which == 14:
        return np.split(a, 2)[0].sum()
    if which == 15:
        return np.percentile(none, 50)
    if which == 16:
        return np.insert(a, 4, 1.0).sum()
    if which == 17:
        return np.insert(a, [0, 1], [1, 2, 3]).sum()
    if which == 18:
        return np.digitize(a, [0, 2, 1]).sum() * 1.0
    if which == 19:
        return np.broadcast_shapes(a.shape, two.shape)[0] * 1.0
    if which == 20:
        return np.asarray_chkfinite(np.log(a - 1)).sum()
    if which == 21:
        np.fill_diagonal(np.zeros((2, 2, 3)), 1)
    if which == 22:
        return np.split(a, which - 20)[0][0]
    if which == 23:
        return len(np.array_split(a, which - 23)) * 1.0
    if which == 24:
        return np.array_split(a, which - 20)[which - 20].sum()
    if which == 25:
        return np.frombuffer(a[:1], np.complex128)[0].real
    return np.arange(np.uint8(which + 7), np.uint8(which)).size * 1.0
)py")
                                        .value();
    const std::vector<double> three{1, 2, 3};
    const auto raises = pyk::function<double(const std::vector<double>&, int)>(module, "raises").value();
    const char* const messages[] = {
        "ValueError: negative dimensions are not allowed",
        "ValueError: bincount(): weights and list don't have the same length",
        "ValueError: np.cross(): the numbers of vectors differ",
        "ValueError: np.trapezoid(): x and y have different lengths",
        "TypeError: reduce() of empty iterable with no initial value",
        "ValueError: Arrays cannot be empty",
        "IndexError: polyval: there are no coefficients",
        "ValueError: array_clip: must set either max or min",
        "ValueError: Value for argument \"axis\" is not supported",
        "ValueError: bincount(): first argument must be non-negative",
        "ValueError: Maximum allowed size exceeded",
        "ValueError: Maximum allowed size exceeded",
        "ValueError: fp and xp are not of the same size.",
        "ValueError: kth out of bounds",
        "ValueError: array split does not result in an equal division",
        "IndexError: an array without elements has no percentiles",
        "IndexError: index is out of bounds for the given array size",
        "ValueError: shape mismatch: the numbers of values and of places to insert them differ",
        "ValueError: bins must be monotonically increasing or decreasing",
        "ValueError: shape mismatch: objects cannot be broadcast to a single shape",
        "ValueError: array must not contain infs or NaNs",
        "ValueError: All dimensions of input must be of equal length",
        "ValueError: array split does not result in an equal division",
        "ZeroDivisionError: integer divmod by zero",
        "IndexError: list index out of range",
        "ValueError: buffer size must be a multiple of element size",
    };
    for (int which = 0; which < 26; ++which) {
        const std::string message = raises.call(three, which).message();
        EXPECT_NE(message.find(messages[which]), std::string::npos) << which << ": " << message;
    }
    EXPECT_EQ(raises(three, 26), 0);
}

}  // namespace
