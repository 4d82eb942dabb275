// What names of a module stand for before run time, as Python writes it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

namespace pyk::module_test {

/// What the sources of these tests begin with, on one line.
inline constexpr std::string_view kImports =
    "import math; import numpy as np; from numba import cuda, int64, float32, float64\n";

using Texts = std::map<std::string, std::string>;

/// `(1, 2.5)`, `f` of a function; "?" of what is not known. `files`: what the module may import, by their names.
std::string value_of(std::string_view name, std::string_view source, const Texts& files = {});

/// Module code, and what a name of it is then.
struct Probe {
    const char* code;
    const char* value;
};

/// The names of its kernels, in their order.
std::vector<std::string> kernels_of(std::string_view source, const Texts& files = {});

}  // namespace pyk::module_test
