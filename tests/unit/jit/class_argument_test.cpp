// Structs of C++ as named tuples and dataclasses of the file.
#include <gmock/gmock.h>

#include <vector>

#include "on_backend.h"

namespace {

struct Vec {
    double x, y;
};
struct Pair {
    double x;
    int y;
};
struct Ball {
    Vec at;
    float radius;
    long long id;
};
namespace shapes {
struct Box {
    int width, height;
};
}  // namespace shapes
struct Other {
    float x, y;
};

}  // namespace

PYK_CLASS(Vec, x, y);
PYK_CLASS(Pair, x, y);
PYK_CLASS(Ball, at, radius, id);
PYK_CLASS(shapes::Box, width, height);
PYK_CLASS(Other, x, y);

namespace {

using pyk::jit::Backend;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kText = R"py(from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np
from numba import cuda

Pair = namedtuple("Pair", ["x", "y"])


class Vec(NamedTuple):
    x: float
    y: float


class Ball(NamedTuple):
    at: Vec
    radius: np.float32
    id: int


@dataclass
class Box:
    width: np.int32
    height: np.int32

    def area(self):
        return self.width * self.height


class Other(NamedTuple):
    x: float
    z: float


@cuda.jit
def unpacked(v, out):
    a, b = v
    out[0] = a - b
    out[1] = v[1]
    out[2] = v.x
    out[3] = len(v)


@cuda.jit
def nested(ball, out):
    out[0] = ball.at.x + ball[0][1]
    out[1] = ball.radius
    out[2] = ball.id


@cuda.jit
def method(box, out):
    out[0] = box.area()

)py";

class ClassArguments : public OnBackend {
  protected:
    pyk::jit::Kernel kernel(const char* name) {
        pyk::jit::Options options;
        options.backend = GetParam();
        options.disk_cache = false;
        if (!module_) module_ = pyk::load_text("classes.pyk", kText, options).value();
        return module_->kernel(name).value();
    }
    std::vector<double> out = std::vector<double>(4);

  private:
    std::optional<pyk::jit::Module> module_;
};

TEST_P(ClassArguments, ANamedTupleIsUnpackedAndIndexed) {
    kernel("unpacked")(pyk::grid(1), pyk::block(1))(Vec{5, 2}, out);
    EXPECT_THAT(out, ElementsAre(3, 2, 5, 2));
}

TEST_P(ClassArguments, FieldsWithoutTypesHaveThoseOfTheStruct) {
    kernel("unpacked")(pyk::grid(1), pyk::block(1))(Pair{5.5, 2}, out);
    EXPECT_THAT(out, ElementsAre(3.5, 2, 5.5, 2));
}

TEST_P(ClassArguments, TheyNest) {
    kernel("nested")(pyk::grid(1), pyk::block(1))(Ball{{1, 0.5}, 0.25f, -3}, out);
    EXPECT_THAT(out, ElementsAre(1.5, 0.25, -3, 0));
}

TEST_P(ClassArguments, ADataclassHasItsMethods) {
    kernel("method")(pyk::grid(1), pyk::block(1))(shapes::Box{6, 7}, out);
    EXPECT_EQ(out[0], 42);
}

TEST_P(ClassArguments, PreloadTakesTheClassByItsName) {
    const pyk::jit::Kernel k = kernel("unpacked");
    ASSERT_TRUE(k.preload("Vec, float64[::1]").wait());
    const std::size_t before = k.specializations().size();
    k(pyk::grid(1), pyk::block(1))(Vec{5, 2}, out);
    EXPECT_EQ(k.specializations().size(), before);
}

TEST_P(ClassArguments, AnotherClassInTheFileIsTold) {
    EXPECT_THAT(kernel("unpacked")(pyk::grid(1), pyk::block(1)).launch(Other{1, 2}, out).message(),
                HasSubstr("`Other(x: float32, y: float32)` of 8 bytes, aligned to 4, is no type that kernel `unpacked` "
                          "can take; the file's is `Other(x: float64, z: float64)`"));
}

INSTANTIATE_TEST_SUITE_P(On, ClassArguments, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& info) { return info.param == Backend::cpu ? "cpu" : "gpu"; });

}  // namespace
