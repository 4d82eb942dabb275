// The loops of algorithms over arrays compile for a GPU that need not be there: with CUB, where they use it.
#include <gmock/gmock.h>

#include "compile/nvrtc.h"
#include "jit/compiler/program.h"

namespace {

using pyk::jit::AlgorithmRequest;
using pyk::jit::BuildRequest;
using pyk::jit::Element;
using pyk::jit::ElementType;
using ::testing::HasSubstr;

constexpr const char* kText = R"py(from numba import cuda


@cuda.reduce
def farther(a, b):
    return a if abs(a) >= abs(b) else b


def product(x, y):
    return x * y


def farther_than(a, b):
    return abs(a) > abs(b)


@cuda.jit(device=True)
def is_large(x):
    return x > 100


def redder(p, q):
    return p if p.r > q.r else q


def is_red(p):
    return p.r > 100


def less_red(p, q):
    return p.r < q.r


def red_of(p):
    return p.r
)py";

struct Case {
    const char* operation;
    std::vector<ElementType> elements;
    AlgorithmRequest algorithm;
};

class AlgorithmKernels : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        if (const auto info = pyk::nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    }
    static pyk::Result<pyk::jit::Built> build(const Case& wanted) {
        BuildRequest request{
            wanted.operation, {}, false, {false, 90, "a test GPU"}, pyk::jit::ElementAccess::algorithm, wanted.elements,
            wanted.algorithm};
        return pyk::jit::compiler().open("algorithms.pyk", kText, {}, "").value()->build(request);
    }
};

TEST_P(AlgorithmKernels, CompileForTheH200) {
    const auto built = build(GetParam());
    ASSERT_TRUE(built) << built.message();
    EXPECT_THAT(built->binary.substr(1, 3), "ELF");
    EXPECT_THAT(built->emitted, HasSubstr("pyk::run_" + GetParam().algorithm.name + "<"));
}

constexpr auto i1 = Element::int8, i4 = Element::int32, i8 = Element::int64, f2 = Element::float16,
               f4 = Element::float32, f8 = Element::float64, c16 = Element::complex128, b1 = Element::boolean;

INSTANTIATE_TEST_SUITE_P(Reduce, AlgorithmKernels,
                         testing::Values(Case{"pyk.plus", {f4}, {"reduce"}}, Case{"pyk.plus", {i1}, {"reduce"}},
                                         Case{"pyk.plus", {c16}, {"reduce"}}, Case{"pyk.maximum", {f2}, {"reduce"}},
                                         Case{"farther", {f8}, {"reduce", {}, f8}},
                                         Case{"pyk.plus", {f8, f4}, {"reduce", "product"}},
                                         Case{"pyk.plus", {i4}, {"reduce", "is_large"}},
                                         Case{"pyk.logical_or", {b1}, {"reduce"}}));

INSTANTIATE_TEST_SUITE_P(Cub, AlgorithmKernels,
                         testing::Values(Case{"pyk.plus", {f4}, {"scan"}}, Case{"farther", {c16}, {"scan", {}, c16}},
                                         Case{"pyk.plus", {i1}, {"ordered_scan"}}, Case{"pyk.maximum", {f2}, {"scan"}},
                                         Case{"is_large", {f8}, {"select", {}, f8, b1}},
                                         Case{"pyk.less", {f4}, {"sort", {}, f4, b1}},
                                         Case{"pyk.less", {c16}, {"sort", {}, c16, b1}},
                                         Case{"farther_than", {c16}, {"sort", {}, c16, b1}}));

INSTANTIATE_TEST_SUITE_P(Others, AlgorithmKernels,
                         testing::Values(Case{"pyk.plus", {f4}, {"segments"}},
                                         Case{"pyk.plus", {f8, f4}, {"segments", "product"}},
                                         Case{"pyk.no_bin", {f4}, {"histogram", {}, f4, i8}},
                                         Case{"pyk.no_bin", {i1}, {"histogram", {}, i1, i8}}));

// Of 3 bytes and of 72, which no access has.
ElementType pixel() {
    return {Element::named, pyk::jit::record_type({{"r", "uint8", 0}, {"g", "uint8", 1}, {"b", "uint8", 2}}, 3, true)};
}
ElementType large() {
    return {Element::named,
            pyk::jit::record_type({{"r", "float64", 0}, {"m", "float64", 8, {8}}}, 72, true, alignof(double))};
}
ElementType day() { return {Element::named, pyk::jit::date_type(false, pyk::TimeUnit::days)}; }

INSTANTIATE_TEST_SUITE_P(Records, AlgorithmKernels,
                         testing::Values(Case{"redder", {pixel()}, {"reduce"}}, Case{"redder", {large()}, {"reduce"}},
                                         Case{"pyk.maximum", {pixel()}, {"reduce", "red_of"}},
                                         Case{"redder", {large()}, {"scan"}}, Case{"redder", {pixel()}, {"segments"}},
                                         Case{"is_red", {pixel()}, {"select", {}, pixel(), b1}},
                                         Case{"less_red", {pixel()}, {"sort", {}, pixel(), b1}},
                                         Case{"less_red", {large()}, {"sort", {}, large(), b1}},
                                         Case{"red_of", {pixel()}, {"histogram", {}, pixel(), i8}},
                                         Case{"pyk.minimum", {day()}, {"reduce"}},
                                         Case{"pyk.less", {day()}, {"sort", {}, day(), b1}}));

TEST(AlgorithmTypes, AreThoseOfTheOperator) {
    if (const auto info = pyk::nvrtc_info(); !info) GTEST_SKIP() << info.error().text;
    const auto value_of = [](const char* operation, Element element, AlgorithmRequest algorithm) {
        BuildRequest request{operation, {},       false, {false, 90, ""}, pyk::jit::ElementAccess::algorithm,
                             {element}, algorithm};
        const auto built = pyk::jit::compiler().open("algorithms.pyk", kText, {}, "").value()->build(request);
        return built.value().entry.params[1].type.element;
    };
    EXPECT_EQ(value_of("pyk.plus", i4, {"reduce"}), i8);
    EXPECT_EQ(value_of("pyk.plus", b1, {"reduce"}), i8);
    EXPECT_EQ(value_of("pyk.plus", f4, {"reduce"}), f4);
    EXPECT_EQ(value_of("pyk.maximum", i4, {"reduce"}), i4);
    EXPECT_EQ(value_of("pyk.maximum", f2, {"reduce"}), f2);
    EXPECT_EQ(value_of("pyk.plus", i4, {"reduce", {}, i4}), i4);
    EXPECT_EQ(value_of("pyk.plus", i4, {"reduce", "is_large"}), i8);
}

}  // namespace
