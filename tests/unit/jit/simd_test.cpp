// Array functions on the CPU, and expressions of whole arrays, use the processor's vector instructions.
#include <gtest/gtest.h>

#include <regex>

#include "compile/process.h"
#include "compile/temp_folder.h"
#include "jit/compiler/program.h"

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
)py";

struct Case {
    const char* function;
    Element element;
    const char* instruction;  ///< of several elements
    unsigned char ndim = 0;   ///< of the arrays that a function is called with; 0: it is one of elements
};

class VectorInstructions : public testing::TestWithParam<Case> {};

TEST_P(VectorInstructions, AreInTheLoop) {
#ifndef __x86_64__
    GTEST_SKIP() << "the names are those of x86-64";
#endif
    const auto objdump = pyk::find_program("objdump");
    if (!objdump) GTEST_SKIP() << "there is no objdump";
    const auto& [function, element, instruction, ndim] = GetParam();
    pyk::jit::BuildRequest request{function, {{element, ndim}, {element, ndim}}, false, {true, 0, "the CPU"}};
    request.access = ndim ? pyk::jit::ElementAccess::call : pyk::jit::ElementAccess::flat;
    const auto built = pyk::jit::compiler().open("simd.pyk", kText, {}).value()->build(request);
    ASSERT_TRUE(built) << built.message();
    const pyk::TempFolder folder;
    const std::string file = folder.file("code.so");
    ASSERT_TRUE(pyk::write_file(file, built->binary));
    const auto text = pyk::run_process({*objdump, "-d", "--no-show-raw-insn", file});
    ASSERT_TRUE(text && text->exit_code == 0);
    EXPECT_TRUE(std::regex_search(text->output, std::regex(instruction))) << text->output;
}

INSTANTIATE_TEST_SUITE_P(
    Of, VectorInstructions,
    testing::Values(Case{"plus", Element::float32, R"(\bv?addps\b)"}, Case{"plus", Element::float64, R"(\bv?addpd\b)"},
                    Case{"plus", Element::int32, R"(\bv?paddq\b|\bv?pmovsxdq\b)"},
                    Case{"distance", Element::float64, R"(\bv?sqrtpd\b)"},
                    Case{"at_least", Element::float32, R"(\bv?(cmp\w*ps|blendv?ps|maxps|andn?ps)\b)"},
                    Case{"greatest", Element::float32, R"(\bv?maxps\b)"},
                    Case{"greatest", Element::float64, R"(\bv?maxpd\b)"},
                    Case{"all_distances", Element::float64, R"(\bv?sqrtpd\b)", 1},
                    Case{"all_distances", Element::float32, R"(\bv?sqrtps\b)", 2}),
    [](const auto& info) { return info.param.function + std::to_string(info.index); });

}  // namespace
