// Array functions on the CPU, and expressions of whole arrays, use the processor's vector instructions.
#include <gtest/gtest.h>

#include <regex>

#include "compile/process.h"
#include "compile/temp_folder.h"
#include "jit/compiler/program.h"
#include "support/files.h"

namespace {

using pyk::jit::Element;

constexpr const char* kText = R"py(import math

import numpy as np
from numba import njit, vectorize


@vectorize
def plus(x, y):
    return x + y


@vectorize
def distance(x, y):
    return math.sqrt(x * x + y * y)


@vectorize
def at_least(x, threshold):
    return x if x >= threshold else threshold


@vectorize
def greatest(x, y):
    return max(x, y)


@njit(parallel=True)
def all_distances(x, y):
    return np.sqrt(x * x + y * y)


@njit
def bubble_sort(x):
    for i in range(x.size):
        for j in range(x.size - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]


@njit
def greatest_of(x):
    m = x[0]
    for i in range(x.size):
        m = max(m, x[i])
    return m
)py";

struct Case {
    const char* function;
    Element element;
    const char* instruction;  ///< of several elements
    unsigned char ndim = 0;   ///< of the arrays that a function is called with; 0: it is one of elements
};

/// Of a function with its first `arguments` arrays.
std::string machine_code(const Case& of, std::size_t arguments = 2) {
    pyk::jit::BuildRequest request{of.function, {}, false, {true, 0, "the CPU"}};
    for (std::size_t i = 0; i < arguments; ++i) request.types.push_back({of.element, of.ndim});
    request.access = of.ndim ? pyk::jit::ElementAccess::call : pyk::jit::ElementAccess::flat;
    const auto built = pyk::jit::compiler().open("simd.pyk", kText, {}, "").value()->build(request);
    EXPECT_TRUE(built) << built.message();
    const pyk::TempFolder folder;
    const std::string file = folder.file("code.so");
    if (!built || !pyk::write_file(file, built->binary)) return "";
    const auto text = pyk::run_process({*pyk::find_program("objdump"), "-d", "--no-show-raw-insn", file});
    EXPECT_TRUE(text && text->exit_code == 0);
    return text ? text->output : "";
}

class VectorInstructions : public testing::TestWithParam<Case> {};

TEST_P(VectorInstructions, AreInTheLoop) {
#ifndef __x86_64__
    GTEST_SKIP() << "the names are those of x86-64";
#endif
    if (!pyk::find_program("objdump")) GTEST_SKIP() << "there is no objdump";
    const std::string text = machine_code(GetParam());
    EXPECT_TRUE(std::regex_search(text, std::regex(GetParam().instruction))) << text;
}

// The next iteration loads what this one stored: in one piece it would wait for both stores.
TEST(ScalarInstructions, SwapNeighbours) {
#ifndef __x86_64__
    GTEST_SKIP() << "the names are those of x86-64";
#endif
    if (!pyk::find_program("objdump")) GTEST_SKIP() << "there is no objdump";
    const std::string text = machine_code({"bubble_sort", Element::float64, "", 1}, 1);
    EXPECT_TRUE(std::regex_search(text, std::regex(R"(\bv?u?comisd\b)"))) << text;
    EXPECT_FALSE(std::regex_search(text, std::regex(R"(\bv?(permilpd|shufpd)\b)"))) << text;
}

// A choice through a register of integers takes three times as long.
TEST(ScalarInstructions, BuildUpAMaximum) {
#ifndef __x86_64__
    GTEST_SKIP() << "the names are those of x86-64";
#endif
    if (!pyk::find_program("objdump")) GTEST_SKIP() << "there is no objdump";
    const std::string text = machine_code({"greatest_of", Element::float64, "", 1}, 1);
    EXPECT_TRUE(std::regex_search(text, std::regex(R"(\bv?maxsd\b)"))) << text;
    EXPECT_FALSE(std::regex_search(text, std::regex(R"(\bcmovn?p\b)"))) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Of, VectorInstructions,
    testing::Values(Case{"plus", Element::float32, R"(\bv?addps\b)"}, Case{"plus", Element::float64, R"(\bv?addpd\b)"},
                    Case{"plus", Element::int32, R"(\bv?paddq\b|\bv?pmovsxdq\b)"},
                    Case{"distance", Element::float64, R"(\bv?sqrtpd\b)"},
                    Case{"at_least", Element::float32, R"(\bv?(cmp\w*ps|blendv?ps|maxps|andn?ps)\b)"},
                    Case{"greatest", Element::float32, R"(\bv?(max|cmp\w*)ps\b)"},
                    Case{"greatest", Element::float64, R"(\bv?(max|cmp\w*)pd\b)"},
                    Case{"all_distances", Element::float64, R"(\bv?sqrtpd\b)", 1},
                    Case{"all_distances", Element::float32, R"(\bv?sqrtps\b)", 2}),
    [](const auto& info) { return info.param.function + std::to_string(info.index); });

}  // namespace
