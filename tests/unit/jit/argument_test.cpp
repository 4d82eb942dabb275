// Arguments that are no numbers: records, dates, None, arrays without axes. On the CPU, and on a GPU where there is
// one.
#include <gmock/gmock.h>

#include <array>
#include <complex>
#include <cstring>
#include <optional>
#include <pyk/pyk.hpp>
#include <string_view>

namespace {

struct Point {
    float x, y;
};
struct Particle {
    std::int32_t id;
    Point at;
    float path[3];
    std::complex<float> phase;
    bool alive;
    double mass;
    std::int16_t grid[2][2];
};
struct Unknown {
    float x;
};
struct Renamed {
    float a, b;
};
struct Swapped {
    float x, y;
    Swapped() : x(1), y(2) {}  // no constant: the order of the names is seen when the program runs
};
struct City {
    char name[5];
    float population;
    char32_t code[3];
    char old[2][4];
};

}  // namespace

PYK_RECORD(Point, x, y);
PYK_RECORD(Particle, id, at, path, phase, alive, mass, grid);
PYK_RECORD(Unknown, other);
PYK_RECORD(Renamed, x, y);
PYK_RECORD(Swapped, y, x);
PYK_RECORD(City, name, population, code, old);

namespace {

using pyk::Device;
using pyk::TimeUnit;
using pyk::jit::Backend;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kText = R"py(import numpy as np
from numba import cuda, from_dtype

point = from_dtype(np.dtype([("x", "f4"), ("y", "f4")], align=True))
particle = from_dtype(np.dtype([("id", "i4"), ("at", point), ("path", "f4", (3,)), ("phase", "c8"), ("alive", "?"),
                                ("mass", "f8"), ("grid", "i2", (2, 2))], align=True))
packed = np.dtype({"names": ["tag", "value"], "formats": ["u1", "f8"], "offsets": [0, 1], "itemsize": 9})


@cuda.jit
def step(particles, dx, out):
    i = cuda.grid(1)
    if i < particles.size:
        p = particles[i]
        p.at.x += dx
        p.path[2] = p.id
        p.grid[1, 0] += 1
        out[i] = p.mass + p.at.y + p.phase.imag + p.grid[0, 1] if p.alive else -1


@cuda.jit
def by_value(p, q, out):
    out[0] = p.id + p.at.y + p.path[1] + p.mass + p.grid[1, 1]
    out[1] = q.x - q.y


@cuda.jit("void(point, point[::1])")
def declared(p, points):
    points[cuda.grid(1)].x = p.y


@cuda.jit
def bytes_of(x):
    i = cuda.grid(1)
    x[i].value = x[i].tag * 0.5


@cuda.jit
def dates(t, d, out, days):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = t[i] + d
        days[i] = -1 if np.isnat(t[i]) else int((t[i] - np.datetime64("2024-01-01")) / np.timedelta64(1, "D"))


@cuda.jit
def scaled(x, factor, offset):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] * (2 if factor is None else factor) + (0 if offset is None else offset)


city = np.dtype([("name", "S5"), ("population", "f4"), ("code", "U3"), ("old", "S4", (2,))], align=True)
KEY = b"bonn"


@cuda.jit
def compare(cities: city[::1], out):
    i = cuda.grid(1)
    if i < cities.size:
        c = cities[i]
        row = out[8 * i : 8 * i + 8]
        row[0] = c.name == KEY
        row[1] = c.name < b"c"
        row[2] = c.code >= "ä"
        row[3] = len(c.name) + 10 * len(c.code)
        row[4] = c.name[2]
        row[5] = c.name in (b"ulm", b"bonn") and c.code not in ("BN", "xyz")
        row[6] = c.old[1] != c.name
        row[7] = 1 if c.old[0] else -1
        c.old[0] = c.old[1]
        c.old[1] = b"too long"
        c.code = "né"


@cuda.jit
def count(x, total):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(total, (), x[i])
)py";

class Arguments : public ::testing::TestWithParam<bool> {
  protected:
    void SetUp() override {
        const auto missing = pyk::jit::why_unavailable(GetParam() ? Backend::cuda : Backend::cpu);
        if (missing) GTEST_SKIP() << *missing;
        device.emplace(GetParam() ? Device::get().value() : Device::cpu());
        pyk::jit::Options options;
        options.backend = GetParam() ? Backend::cuda : Backend::cpu;
        options.disk_cache = false;
        options.coarsen = false;  // specialisations are counted
        module.emplace(pyk::load_text("arguments.pyk", kText, options).value());
    }
    pyk::jit::Kernel kernel(const char* name) const { return module->kernel(name).value(); }

    std::optional<Device> device;
    std::optional<pyk::jit::Module> module;
};

Particle particle(int id) { return {id, {1.5f, 0.25f}, {1, 2, 3}, {0, 4}, id != 1, 100.0 * id, {{0, 7}, {8, 9}}}; }

// What NumPy says of the same texts.
TEST_P(Arguments, TextsInRecords) {
    std::vector<City> cities = {
        {"bonn", 1, U"BN", {"", "bon"}}, {"", 2, U"äb", {"x", "dov"}}, {"ulm", 3, U"xy", {"q", "ulm"}}};
    std::memcpy(cities[1].name, "dover", 5);
    std::vector<long long> out(24);
    kernel("compare")(pyk::grid(1), pyk::block(4))(cities, out);
    EXPECT_THAT(out, ElementsAre(1, 1, 0, 24, 'n', 0, 1, -1,  //
                                 0, 0, 1, 25, 'v', 0, 1, 1,   //
                                 0, 0, 0, 23, 'm', 1, 0, 1));
    const City& after = cities[1];
    EXPECT_EQ(std::string_view(after.old[0]), "dov");
    EXPECT_EQ(std::string_view(after.old[1], 4), "too ");
    EXPECT_EQ(std::u32string_view(after.code), U"né");
}

TEST_P(Arguments, ArraysOfRecords) {
    std::vector<Particle> particles = {particle(0), particle(1), particle(2)};
    std::vector<double> out(3);
    kernel("step")(pyk::grid(1), pyk::block(4))(particles, 2.0f, out);
    EXPECT_THAT(out, ElementsAre(11.25, -1, 211.25));
    EXPECT_EQ(particles[2].at.x, 3.5f);
    EXPECT_EQ(particles[2].path[2], 2.0f);
    EXPECT_EQ(particles[2].grid[1][0], 9);
    EXPECT_EQ(particles[2].grid[1][1], 9);

    auto there = pyk::Array<Particle>::from_host(*device, particles).value();
    auto sums = pyk::Array<double>::from_host(*device, out).value();
    kernel("step").forall(3)(there, 1.0f, sums);
    EXPECT_EQ(there.to_host().value()[1].at.x, 4.5f);
    EXPECT_EQ(kernel("step").specializations().size(), 1u) << "the same types";
}

TEST_P(Arguments, RecordsByTheirValue) {
    const Particle p = particle(5);
    std::vector<double> out(2);
    kernel("by_value")(pyk::grid(1), pyk::block(1))(p, Point{3, 1}, out);
    EXPECT_THAT(out, ElementsAre(5 + 0.25 + 2 + 500 + 9, 2));
    std::vector<Point> points(2);
    kernel("declared")(pyk::grid(1), pyk::block(2))(p.at, points);
    EXPECT_EQ(points[1].x, 0.25f);
    const auto refused = kernel("declared")(pyk::grid(1), pyk::block(2)).launch(p, points);
    EXPECT_THAT(refused.message(), HasSubstr("kernel `declared` takes (Record(x[type=float32;offset=0]"));
    const Unknown other{};
    EXPECT_THAT(kernel("declared")(pyk::grid(1), pyk::block(2)).launch(other, points).message(),
                HasSubstr("but is launched with (Record(other[type=float32;offset=0];4;True)"));
    kernel("declared")(pyk::grid(1), pyk::block(2))(Renamed{8, 9}, points);
    EXPECT_EQ(points[1].x, 9);
    EXPECT_THAT(kernel("declared")(pyk::grid(1), pyk::block(2)).launch(Swapped{}, points).message(),
                HasSubstr("PYK_RECORD(Swapped, y, x), with members in another order than the struct's"));
}

TEST_P(Arguments, RecordsThatContradictThemselvesAreTold) {
    const auto message_of = [&](const pyk::jit::NamedType* type, int ndim) {
        std::vector<unsigned char> bytes(64);
        pyk::jit::Argument records;
        records.element = pyk::jit::Element::named;
        records.named = type;
        records.ndim = static_cast<unsigned char>(ndim);
        records.data = bytes.data();
        records.shape[0] = 2;
        const auto failed = kernel("bytes_of")(pyk::grid(1), pyk::block(2)).launch_all({records});
        EXPECT_EQ(failed.error().kind, pyk::Error::Kind::arguments);
        return failed.message();
    };
    using pyk::jit::named_type;
    using pyk::jit::record_type;
    EXPECT_THAT(message_of(record_type({{"tag", "float32", 0}, {"value", "float32", 4}}, 4, true, 4), 1),
                HasSubstr("can take: field `value` ends beyond the record's 4 bytes"));
    EXPECT_THAT(message_of(record_type({{"tag", "float32", 0}, {"tag", "float32", 4}}, 8, true, 4), 1),
                HasSubstr("can take: a record has two fields `tag`"));
    EXPECT_THAT(message_of(named_type("UniTuple(int64, 2)", 16, 8), 1), HasSubstr("is no type that kernel"));
    EXPECT_THAT(message_of(named_type("datetime64[D]", 3, 8), 1), HasSubstr("is no type that kernel"));
}

TEST_P(Arguments, BytesWithALayout) {
    std::vector<unsigned char> bytes = {8, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0};
    const auto* const type = pyk::jit::record_type({{"tag", "uint8", 0}, {"value", "float64", 1}}, 9, false);
    pyk::jit::Argument records;
    records.element = pyk::jit::Element::named;
    records.named = type;
    records.ndim = 1;
    records.data = bytes.data();
    records.shape[0] = 2;
    kernel("bytes_of")(pyk::grid(1), pyk::block(2))(records);
    double values[2];
    std::memcpy(&values[0], &bytes[1], 8);
    std::memcpy(&values[1], &bytes[10], 8);
    EXPECT_THAT(values, ElementsAre(4.0, 2.5));
    records.named = pyk::jit::record_type({{"tag", "uint8", 0}}, 900, false);
    EXPECT_FALSE(kernel("bytes_of")(pyk::grid(1), pyk::block(2)).launch(records)) << "there is no `value` in it";
    records.named = pyk::jit::record_type({{"tag", "byte of mine", 0}}, 1, false);
    EXPECT_THAT(kernel("bytes_of")(pyk::grid(1), pyk::block(2)).launch(records).message(),
                HasSubstr("is no type that kernel `bytes_of` can take"));
}

TEST_P(Arguments, Dates) {
    using Day = pyk::DateTime<TimeUnit::days>;
    using Days = pyk::TimeDelta<TimeUnit::days>;
    const std::int64_t new_year = 19723;  // 2024-01-01
    std::vector<Day> t = {{new_year}, {new_year + 59}, {pyk::not_a_time}}, out(3);
    std::vector<std::int64_t> days(3);
    kernel("dates")(pyk::grid(1), pyk::block(4))(t, Days{2}, out, days);
    EXPECT_EQ(out[0].count, new_year + 2);
    EXPECT_EQ(out[1].count, new_year + 61);
    EXPECT_EQ(out[2].count, pyk::not_a_time);
    EXPECT_THAT(days, ElementsAre(0, 59, -1));
    // Another unit is another type: hours are finer, and the sum is in hours.
    std::vector<pyk::DateTime<TimeUnit::hours>> hours(3);
    kernel("dates")(pyk::grid(1), pyk::block(4))(t, pyk::TimeDelta<TimeUnit::hours>{5}, hours, days);
    EXPECT_EQ(hours[1].count, (new_year + 59) * 24 + 5);
    EXPECT_EQ(kernel("dates").specializations().size(), 2u);
}

TEST_P(Arguments, NoneOrAValue) {
    const auto scaled = kernel("scaled");
    std::vector<double> x = {1, 2};
    scaled(pyk::grid(1), pyk::block(2))(x, pyk::none, 1);
    EXPECT_THAT(x, ElementsAre(3, 5));
    std::optional<double> factor;
    std::optional<int> offset;
    scaled(pyk::grid(1), pyk::block(2))(x, factor, offset);
    EXPECT_THAT(x, ElementsAre(6, 10));
    factor = 0.5;
    scaled(pyk::grid(1), pyk::block(2))(x, factor, offset);
    EXPECT_THAT(x, ElementsAre(3, 5));
    offset = 7;
    scaled(pyk::grid(1), pyk::block(2))(x, factor, offset);
    EXPECT_THAT(x, ElementsAre(8.5, 9.5));
    scaled.preload("float64[::1], none, none", *device).wait().or_throw();
    EXPECT_EQ(scaled.specializations().size(), 4u) << "None and None was compiled already";
}

TEST_P(Arguments, ArraysWithoutAxes) {
    const std::vector<std::int64_t> x = {1, 2, 3, 4};
    std::int64_t total = 100;
    kernel("count")(pyk::grid(1), pyk::block(4))(x, pyk::cell(total));
    EXPECT_EQ(total, 110);
    auto there = pyk::Array<std::int64_t>::from_host(*device, x).value();
    auto sum = pyk::Array<std::int64_t>::from_host(*device, {5}).value();
    kernel("count")(pyk::grid(1), pyk::block(4))(there, pyk::cell(sum));
    kernel("count")(pyk::grid(1), pyk::block(4))(there, pyk::cell(there));
    EXPECT_THAT(sum.to_host().value(), ElementsAre(15));
    EXPECT_THAT(there.to_host().value()[0], 11);
    const std::int64_t fixed = 1;
    EXPECT_THAT(kernel("count")(pyk::grid(1), pyk::block(4)).launch(x, pyk::cell(fixed)).message(),
                HasSubstr("the kernel writes argument 2 (`total`) of kernel `count`, which is const"));
}

TEST_P(Arguments, PreloadNamesTheTypesOfTheFile) {
    const auto step = kernel("step");
    step.preload("particle[::1], float32, float64[::1]", *device).wait().or_throw();
    const std::size_t compiled = step.specializations().size();
    std::vector<Particle> particles = {particle(1)};
    std::vector<double> out(1);
    step(pyk::grid(1), pyk::block(1))(particles, 2.0f, out);
    EXPECT_EQ(step.specializations().size(), compiled) << "the launch found it";
}

INSTANTIATE_TEST_SUITE_P(Devices, Arguments, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "gpu" : "cpu"; });

}  // namespace
