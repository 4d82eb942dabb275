// Array functions and algorithms of what is no number: records, dates, vectors. On the CPU, and on a GPU where there is
// one.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "algorithms.h"
#include "pyk/gufunc.hpp"
#include "pyk/stencil.hpp"
#include "pyk/vector.h"

namespace bodies {

struct Body {
    float x;
    double y;
    int id;
};
struct Point {
    float x, y, z;
};
struct Pixel {
    unsigned char r, g, b;
};
struct Matrix {
    double m[3][3];
    int id;
};
struct Moments {
    long long count;
    double mean, squares;
    int first;
};

}  // namespace bodies

PYK_RECORD(bodies::Body, x, y, id);
PYK_RECORD(bodies::Point, x, y, z);
PYK_RECORD(bodies::Pixel, r, g, b);
PYK_RECORD(bodies::Matrix, m, id);
PYK_CLASS(bodies::Moments, count, mean, squares, first);

namespace {

using namespace pyk::test;  // NOLINT
using bodies::Body;
using bodies::Matrix;
using bodies::Moments;
using bodies::Pixel;
using bodies::Point;
using Day = pyk::DateTime<pyk::TimeUnit::days>;
using Days = pyk::TimeDelta<pyk::TimeUnit::days>;

constexpr const char* kFile = R"py(
from dataclasses import dataclass

import numpy as np
from numba import cuda, guvectorize, stencil, vectorize

Flat = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4")], align=True)


@vectorize
def weighted(body, factor):
    return body.x * body.y * factor


@vectorize
def grey(p):
    return np.uint8((p.r * 2 + p.g * 5 + p.b) // 8)


@vectorize
def farther(p, q):
    return p if p.x * p.x + p.y * p.y > q.x * q.x + q.y * q.y else q


@vectorize
def trace(a, scale):
    return (a.m[0, 0] + a.m[1, 1] + a.m[2, 2]) * scale


@vectorize
def moved(body):
    body.x = 1
    return body.y


@vectorize
def moved_by_another_name(body):
    other = body
    other.x = 1
    return body.y


@vectorize
def filled(a):
    row = a.m[1]
    row[0] = 3
    return a.m[1, 0]


@vectorize([Flat(Flat, Flat)])
def deeper(p, q):
    return p if p.z < q.z else q


@vectorize
def deeper_of_two(p, q):
    return deeper(q, p)


@vectorize
def waited(a, b):
    return a - b


@vectorize
def later(a, b):
    return a if a > b else b


@vectorize
def since(a, days):
    return a + days


@vectorize
def doubled(v):
    return cuda.float32x4(v.x + v.x, v.y + v.y, v.z + v.z, v.w + v.w)


@guvectorize("(n),()->(n),()")
def centred(points, scale, out, middle):
    x = 0.0
    y = 0.0
    for i in range(points.size):
        x += points[i].x
        y += points[i].y
    middle[0].x = x / points.size
    middle[0].y = y / points.size
    for i in range(points.size):
        out[i].x = (points[i].x - middle[0].x) * scale
        out[i].y = (points[i].y - middle[0].y) * scale
        out[i].z = points[i].z


@guvectorize("(n)->()")
def first_day(days, out):
    out[0] = days[0]
    for i in range(1, days.size):
        if days[i] < out[0]:
            out[0] = days[i]


@guvectorize("(n),()->(n)")
def from_body(y, body, out):
    for i in range(y.size):
        out[i] = y[i] - body.y * body.id


@guvectorize("(n),()->(n)")
def counted(y, body, out):
    for i in range(y.size):
        out[i] = y[i] + body.id
    body.id = 100


@guvectorize("(n),()->(n)")
def aliased(y, body, out):
    other = body
    other.id = 9
    out[0] = y[0]


@stencil
def waits(d):
    return d[1] - d[0]


@stencil
def slope(p):
    return p[1].x - p[-1].x


def x_of(body):
    return body.x


def is_low(body):
    return body.y < 3.5


def by_x(a, b):
    return a.x < b.x


def by_trace(a, b):
    return a.m[0, 0] < b.m[0, 0]


def farther_of(p, q):
    return p if p.x > q.x else q


def four_sum(a, b):
    return cuda.float32x4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w)


def digit(body):
    return body.id % 4


def earlier(a, b):
    return a if a < b else b


def distance(p, q):
    return abs(p.x - q.x)


@dataclass
class Moments:
    count: np.int64
    mean: np.float64
    squares: np.float64
    first: np.int32


def moments_of(body):
    return Moments(1, body.y, 0.0, body.id)


def together(a, b):
    count = a.count + b.count
    d = b.mean - a.mean
    return Moments(count, a.mean + d * b.count / count, a.squares + b.squares + d * d * a.count * b.count / count,
                   min(a.first, b.first))
)py";

std::vector<Body> bodies_of(int count) {
    std::vector<Body> all;
    for (int i = 0; i < count; ++i)
        all.push_back({static_cast<float>(i * 7919 % count), static_cast<double>(i % 7), i});
    return all;
}

pyk::ReductionOptions from(pyk::jit::Number init) {
    pyk::ReductionOptions options;
    options.init = init;
    return options;
}

class ElementTypes : public Algorithms {
  protected:
    void SetUp() override {
        Algorithms::SetUp();
        if (IsSkipped()) return;
        module_ = load(kFile);
    }
    pyk::Ufunc find(const char* name) const { return pyk::ufunc(*module_, name).value(); }
    pyk::Operator function(const char* name) const { return pyk::find_operator(*module_, name).value(); }

    std::optional<pyk::jit::Module> module_;
};
PYK_ON_DEVICES(ElementTypes);

TEST_P(ElementTypes, RecordsOfArraysAndAlone) {
    const std::vector<Body> bodies = bodies_of(1000);
    const auto x = on_device(bodies);
    const std::vector<double> some = all<double>(find("weighted").call(x, 2.0));
    ASSERT_EQ(some.size(), bodies.size());
    for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], bodies[i].x * bodies[i].y * 2) << i;
    // 24 bytes are more than a launch has room for beside arrays.
    const std::vector<double> factors(70, 0.5);
    const std::vector<double> alone = all<double>(find("weighted").call(bodies[3], on_device(factors)));
    EXPECT_EQ(alone, std::vector<double>(70, bodies[3].x * bodies[3].y * 0.5));
    EXPECT_EQ(item<double>(find("weighted").call(bodies[5], 4.0)), bodies[5].x * bodies[5].y * 4);
}

TEST_P(ElementTypes, RecordsOfAnyStridesAndShapes) {
    std::vector<Body> bodies = bodies_of(60 * 40);
    const auto x = on_device(bodies);
    const pyk::View<const Body, 2> turned(x.data(), {40, 60}, {24, 40 * 24}, x.view().device);
    const std::vector<float> column{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
    const auto factors = on_device(column);
    const pyk::View<const float, 2> factor(factors.data(), {40, 1}, {4, 4}, factors.view().device);
    const auto result = find("weighted").call(turned, factor);
    ASSERT_TRUE(result) << result.message();
    EXPECT_EQ(result->shape(), (std::vector<long long>{40, 60}));
    const auto values = result->to_host<double>().value();
    for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j < 60; ++j) {
            const Body& body = bodies[j * 40 + i];
            EXPECT_EQ(values[i * 60 + j], body.x * body.y * column[i]) << i << ", " << j;
        }
}

TEST_P(ElementTypes, RecordsThatAreNoPowerOfTwoAndUnaligned) {
    std::vector<Pixel> pixels;
    for (int i = 0; i < 5000; ++i)
        pixels.push_back(
            {static_cast<unsigned char>(i), static_cast<unsigned char>(i * 3), static_cast<unsigned char>(i / 9)});
    const auto x = on_device(pixels);
    // From an odd address on, so that nothing of 16 bytes is aligned.
    const pyk::View<const Pixel> view(x.data() + 1, {4999}, x.view().device);
    const std::vector<unsigned char> greys = all<unsigned char>(find("grey").call(view));
    ASSERT_EQ(greys.size(), 4999u);
    for (std::size_t i = 0; i < greys.size(); ++i) {
        const Pixel& p = pixels[i + 1];
        ASSERT_EQ(greys[i], (p.r * 2 + p.g * 5 + p.b) / 8) << i;
    }
}

TEST_P(ElementTypes, RecordsAsResults) {
    std::vector<Point> a, b;
    for (int i = 0; i < 300; ++i) {
        a.push_back({static_cast<float>(i % 17), 1, static_cast<float>(i)});
        b.push_back({static_cast<float>(i % 13), 2, static_cast<float>(-i)});
    }
    auto x = on_device(a), y = on_device(b);
    const std::vector<Point> far = all<Point>(find("farther").call(x, y));
    ASSERT_EQ(far.size(), a.size());
    const auto expected = [](const Point& p, const Point& q) {
        return p.x * p.x + p.y * p.y > q.x * q.x + q.y * q.y ? p : q;
    };
    for (std::size_t i = 0; i < far.size(); ++i) EXPECT_EQ(far[i].z, expected(a[i], b[i]).z) << i;
    // By one with a signature of records, called by another.
    const std::vector<Point> deep = all<Point>(find("deeper_of_two").call(x, y));
    for (std::size_t i = 1; i < deep.size(); ++i) EXPECT_EQ(deep[i].z, -static_cast<float>(i));
    // Into the input itself, and of the rest with the first.
    ASSERT_TRUE(find("farther").into(x, x, y));
    const std::vector<Point> there = x.to_host().value();
    for (std::size_t i = 0; i < there.size(); ++i) EXPECT_EQ(there[i].z, expected(a[i], b[i]).z) << i;
    const auto fewer = find("farther").reduce(y);
    ASSERT_TRUE(fewer) << fewer.message();
    EXPECT_EQ(fewer->item<Point>().value().x, 12);
}

TEST_P(ElementTypes, LargeRecordsWithArrayFields) {
    std::vector<Matrix> matrices(700);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        matrices[i] = {};
        for (int k = 0; k < 3; ++k) matrices[i].m[k][k] = static_cast<double>(i * 37 % 700) + k;
        matrices[i].id = static_cast<int>(i);
    }
    const auto x = on_device(matrices);
    const std::vector<double> traces = all<double>(find("trace").call(x, 2));
    ASSERT_EQ(traces.size(), matrices.size());
    for (std::size_t i = 0; i < traces.size(); ++i)
        EXPECT_EQ(traces[i], (static_cast<double>(i * 37 % 700) * 3 + 3) * 2) << i;
    const std::vector<Matrix> sorted = all<Matrix>(pyk::sort(x, function("by_trace")));
    ASSERT_EQ(sorted.size(), matrices.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        EXPECT_EQ(sorted[i].m[0][0], static_cast<double>(i));
        EXPECT_EQ(sorted[i].id * 37 % 700, static_cast<int>(i));
    }
}

TEST_P(ElementTypes, AStoreIntoAnElementIsRefused) {
    const auto bodies = on_device(bodies_of(4));
    const std::string direct = failure(find("moved").call(bodies));
    EXPECT_NE(direct.find("stores into `body`"), std::string::npos) << direct;
    const std::string alias = failure(find("moved_by_another_name").call(bodies));
    EXPECT_NE(alias.find("stores into `other`"), std::string::npos) << alias;
    const std::string view = failure(find("filled").call(on_device(std::vector<Matrix>(3))));
    EXPECT_NE(view.find("stores into `row`"), std::string::npos) << view;
    // A record beside parts is an output too where the function says so, and lies in an array then.
    const auto counted = pyk::gufunc(*module_, "counted").value();
    auto y = on_device(std::vector<double>{1, 2}), out = on_device(std::vector<double>{0, 0});
    auto body = pyk::Array<Body>::from_host(device_, {{0, 0, 5}}).value();
    const pyk::View<Body, 1> one = body.view();
    const pyk::Status stored = counted.apply(y, one, pyk::View<double, 2>(out.data(), {1, 2}, {16, 8}, one.device));
    ASSERT_TRUE(stored) << stored.message();
    EXPECT_EQ(out.to_host().value(), (std::vector<double>{6, 7}));
    EXPECT_EQ(body.to_host().value()[0].id, 100);
    EXPECT_NE(failure(counted.apply(y, Body{0, 0, 5}, out)).find("has to be an array"), std::string::npos);
    const std::string aliased = failure(pyk::gufunc(*module_, "aliased").value().apply(y, Body{0, 0, 5}, out));
    EXPECT_NE(aliased.find("`other`, which is only read,"), std::string::npos) << aliased;
    const std::string border = failure(pyk::stencil(*module_, "waits").value().call(on_device(std::vector<Day>(5))));
    EXPECT_NE(border.find("say `cval`"), std::string::npos) << border;
}

TEST_P(ElementTypes, Dates) {
    std::vector<Day> a, b;
    for (int i = 0; i < 1000; ++i) {
        a.push_back({i * 3 % 1000});
        b.push_back({i == 5 ? pyk::not_a_time : i});
    }
    auto x = on_device(a), y = on_device(b);
    const std::vector<Days> spans = all<Days>(find("waited").call(x, y));
    ASSERT_EQ(spans.size(), a.size());
    for (std::size_t i = 0; i < spans.size(); ++i)
        EXPECT_EQ(spans[i].count, i == 5 ? pyk::not_a_time : a[i].count - b[i].count) << i;
    const std::vector<Day> shifted = all<Day>(find("since").call(x, Days{10}));
    for (std::size_t i = 0; i < shifted.size(); ++i) EXPECT_EQ(shifted[i].count, a[i].count + 10) << i;
    EXPECT_EQ(item<Day>(find("since").call(Day{40}, Days{2})).count, 42);
    const auto wrong = find("waited").into(y, x, y);
    EXPECT_NE(failure(wrong).find("datetime64[D]"), std::string::npos) << failure(wrong);
    EXPECT_NE(failure(wrong).find("timedelta64[D]"), std::string::npos) << failure(wrong);
    const auto last = find("later").reduce(x);
    ASSERT_TRUE(last) << last.message();
    EXPECT_EQ(last->item<Day>().value().count, 999);
}

TEST_P(ElementTypes, Gufuncs) {
    std::vector<Point> points;
    for (int i = 0; i < 40 * 64; ++i) points.push_back({static_cast<float>(i % 64), static_cast<float>(i / 64), 3});
    const auto x = pyk::Array<Point, 2>::from_host(device_, points.data(), {40, 64}).value();
    auto out = pyk::Array<Point, 2>::allocate(device_, {40, 64}).value();
    auto middle = pyk::Array<Point>::allocate(device_, {40}).value();
    const auto centred = pyk::gufunc(*module_, "centred").value();
    const pyk::Status done = centred.apply(x, 2.0, out, middle);
    ASSERT_TRUE(done) << done.message();
    const std::vector<Point> there = out.to_host().value(), middles = middle.to_host().value();
    for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_EQ(there[i].x, (static_cast<float>(i % 64) - 31.5f) * 2) << i;
        EXPECT_EQ(there[i].y, 0) << i;
        EXPECT_EQ(there[i].z, 3) << i;
        EXPECT_EQ(middles[i / 64].y, static_cast<float>(i / 64));
    }
    // A record beside arrays: the same for all calls, and one for each.
    const std::vector<double> ys{1, 2, 3, 4, 5, 6};
    const auto y = pyk::Array<double, 2>::from_host(device_, ys.data(), {2, 3}).value();
    auto differences = pyk::Array<double, 2>::allocate(device_, {2, 3}).value();
    const auto from_body = pyk::gufunc(*module_, "from_body").value();
    const pyk::Status one = from_body.apply(y, Body{0, 2, 3}, differences);
    ASSERT_TRUE(one) << one.message();
    EXPECT_EQ(differences.to_host().value(), (std::vector<double>{-5, -4, -3, -2, -1, 0}));
    const pyk::Status each = from_body.apply(y, on_device<Body>({{0, 2, 3}, {0, 1, 1}}), differences);
    ASSERT_TRUE(each) << each.message();
    EXPECT_EQ(differences.to_host().value(), (std::vector<double>{-5, -4, -3, 3, 4, 5}));
    std::vector<Day> days;
    for (int i = 0; i < 90; ++i) days.push_back({i * 7 % 90});
    const auto calendar = pyk::Array<Day, 2>::from_host(device_, days.data(), {3, 30}).value();
    auto first = pyk::Array<Day>::allocate(device_, {3}).value();
    const pyk::Status found = pyk::gufunc(*module_, "first_day").value().apply(calendar, first);
    ASSERT_TRUE(found) << found.message();
    const std::vector<Day> firsts = first.to_host().value();
    for (int row = 0; row < 3; ++row) {
        const auto least = std::min_element(days.begin() + row * 30, days.begin() + row * 30 + 30,
                                            [](Day a, Day b) { return a.count < b.count; });
        EXPECT_EQ(firsts[static_cast<std::size_t>(row)].count, least->count);
    }
}

TEST_P(ElementTypes, Stencils) {
    const std::vector<Body> bodies = bodies_of(50);
    const auto slope = pyk::stencil(*module_, "slope").value();
    const std::vector<float> slopes = all<float>(slope.call(on_device(bodies)));
    ASSERT_EQ(slopes.size(), bodies.size());
    for (std::size_t i = 0; i < slopes.size(); ++i)
        EXPECT_EQ(slopes[i], i == 0 || i == 49 ? 0 : bodies[i + 1].x - bodies[i - 1].x) << i;
}

TEST_P(ElementTypes, AlgorithmsOfRecords) {
    const std::vector<Body> bodies = bodies_of(5003);
    const auto x = on_device(bodies);
    EXPECT_EQ(item<float>(pyk::transform_reduce(pyk::maximum, function("x_of"), x)), 5002);
    EXPECT_EQ(item<float>(pyk::transform_reduce(pyk::minimum, function("distance"), {x, x})), 0);
    EXPECT_EQ(item<Body>(pyk::reduce(function("farther_of"), x)).x, 5002);
    const std::vector<Body> low = all<Body>(pyk::select(function("is_low"), x));
    std::vector<Body> expected;
    std::copy_if(bodies.begin(), bodies.end(), std::back_inserter(expected), [](const Body& b) { return b.y < 3.5; });
    ASSERT_EQ(low.size(), expected.size());
    for (std::size_t i = 0; i < low.size(); ++i) ASSERT_EQ(low[i].id, expected[i].id) << i;
    const std::vector<Body> sorted = all<Body>(pyk::sort(x, function("by_x")));
    ASSERT_EQ(sorted.size(), bodies.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i].x, static_cast<float>(i));
    const std::vector<long long> places = all<long long>(pyk::argsort(x, function("by_x")));
    for (std::size_t i = 0; i < places.size(); ++i)
        ASSERT_EQ(bodies[static_cast<std::size_t>(places[i])].x, static_cast<float>(i));
    EXPECT_EQ(all<long long>(pyk::histogram(function("digit"), x, 4)),
              (std::vector<long long>{1251, 1251, 1251, 1250}));
    const std::vector<Body> up = all<Body>(pyk::scan(function("farther_of"), x));
    float most = -1;
    for (std::size_t i = 0; i < up.size(); ++i) {
        most = std::max(most, bodies[i].x);
        ASSERT_EQ(up[i].x, most) << i;
    }
    const std::vector<Body> farthest = all<Body>(pyk::segmented_reduce(
        function("farther_of"), x, on_device(std::vector<int>{0, 0, 5003}), from(Body{-2, 0, 7})));
    ASSERT_EQ(farthest.size(), 2u);
    EXPECT_EQ(farthest[0].id, 7);
    EXPECT_EQ(farthest[1].x, 5002);
    const std::vector<int> offsets{0, 100, 1000, 5003};
    const std::vector<float> sums =
        all<float>(pyk::transform_segmented_reduce(pyk::maximum, function("x_of"), x, on_device(offsets), from(-1.0f)));
    ASSERT_EQ(sums.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        float greatest = 0;
        for (int k = offsets[i]; k < offsets[i + 1]; ++k)
            greatest = std::max(greatest, bodies[static_cast<std::size_t>(k)].x);
        EXPECT_EQ(sums[i], greatest);
    }
}

TEST_P(ElementTypes, AlgorithmsOfDates) {
    std::vector<Day> days;
    for (int i = 0; i < 3001; ++i) days.push_back({(i * 1237 + 11) % 3001});
    const auto x = on_device(days);
    EXPECT_EQ(item<Day>(pyk::reduce(pyk::minimum, x)).count, 0);
    EXPECT_EQ(item<Day>(pyk::reduce(pyk::maximum, x)).count, 3000);
    EXPECT_EQ(item<Day>(pyk::reduce(function("earlier"), x, from(Day{-4}))).count, -4);
    const std::vector<Day> sorted = all<Day>(pyk::sort(x));
    ASSERT_EQ(sorted.size(), days.size());
    for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i].count, static_cast<long long>(i));
    const std::vector<Day> down = all<Day>(pyk::sort(x, pyk::greater));
    for (std::size_t i = 0; i < down.size(); ++i) ASSERT_EQ(down[i].count, static_cast<long long>(3000 - i));
    std::vector<Days> spans;
    for (int i = 0; i < 1000; ++i) spans.push_back({i});
    EXPECT_EQ(item<Days>(pyk::reduce(pyk::plus, on_device(spans))).count, 499500);
    const auto none = pyk::Array<Days>::allocate(device_, {0}).value();
    EXPECT_EQ(item<Days>(pyk::reduce(pyk::plus, none)).count, 0);
    const auto sums = all<Days>(pyk::scan(pyk::plus, on_device(spans)));
    ASSERT_EQ(sums.size(), spans.size());
    EXPECT_EQ(sums[999].count, 499500);
    EXPECT_NE(failure(pyk::reduce(pyk::minimum, pyk::Array<Day>::allocate(device_, {0}).value())).find("no identity"),
              std::string::npos);
    EXPECT_NE(failure(pyk::reduce(pyk::minimum, x, from(3))).find("`init` does not fit datetime64[D]"),
              std::string::npos);
}

// What a function makes of elements may be a struct: mean and variance in one pass, as Chan has it.
TEST_P(ElementTypes, StructsWhileReduced) {
    const std::vector<Body> bodies = bodies_of(70007);
    const auto x = on_device(bodies);
    double mean = 0, squares = 0;
    for (const Body& body : bodies) mean += body.y / 70007;
    for (const Body& body : bodies) squares += (body.y - mean) * (body.y - mean);
    const auto one = item<Moments>(pyk::transform_reduce(function("together"), function("moments_of"), x));
    EXPECT_EQ(one.count, 70007);
    EXPECT_NEAR(one.mean, mean, 1e-9);
    EXPECT_NEAR(one.squares, squares, squares * 1e-9);
    EXPECT_EQ(one.first, 0);
    const std::vector<Moments> up = all<Moments>(pyk::transform_scan(function("together"), function("moments_of"), x));
    ASSERT_EQ(up.size(), bodies.size());
    for (std::size_t i = 0; i < up.size(); i += 997) EXPECT_EQ(up[i].count, static_cast<long long>(i + 1));
    EXPECT_NEAR(up.back().squares, squares, squares * 1e-9);
    const auto none = pyk::Array<Body>::allocate(device_, {0}).value();
    EXPECT_NE(failure(pyk::transform_reduce(function("together"), function("moments_of"), none)).find("no identity"),
              std::string::npos);
}

TEST_P(ElementTypes, Vectors) {
    using Four = pyk::float4;
    std::vector<Four> fours;
    for (int i = 0; i < 1000; ++i) fours.push_back({static_cast<float>(i), 1, 2, 3});
    const auto x = on_device(fours);
    const std::vector<Four> doubled = all<Four>(find("doubled").call(x));
    ASSERT_EQ(doubled.size(), fours.size());
    for (std::size_t i = 0; i < doubled.size(); ++i) {
        EXPECT_EQ(doubled[i].x, static_cast<float>(2 * i));
        EXPECT_EQ(doubled[i].w, 6);
    }
    EXPECT_EQ(item<Four>(pyk::reduce(function("four_sum"), x)).x, 499500);
}

TEST_P(ElementTypes, HostArraysOfRecords) {
    const std::vector<Body> bodies = bodies_of(200);
    const std::vector<double> some = all<double>(find("weighted").call(bodies, 3.0));
    ASSERT_EQ(some.size(), bodies.size());
    for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], bodies[i].x * bodies[i].y * 3) << i;
    EXPECT_EQ(item<float>(pyk::transform_reduce(pyk::maximum, function("x_of"), bodies)), 199);
}

}  // namespace
