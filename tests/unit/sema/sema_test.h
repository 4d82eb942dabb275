// The text of a module in, IR text or findings out.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "sema/sema.h"

namespace pyk::sema_test {

/// What the sources of these tests begin with, on one line: the source itself begins on line 2.
inline constexpr std::string_view kImports =
    "import math; import numpy as np; from numba import cuda, boolean, int8, int16, int32, int64, uint8, uint16, "
    "uint32, uint64, "
    "float32, float64\n";

struct Analysis {
    /// The printed module without its first line and without the comments that name lines; empty after an error.
    std::string ir;
    /// `line:column: severity: text [id]`; a note behind its diagnostic, indented.
    std::vector<std::string> findings;
    /// What the verifier says of the IR: always empty.
    std::vector<std::string> faults;
};

/// Analyzes `kImports` + `source` for the signatures `name(types)`, or for those in the decorators when none is given.
Analysis analyze_text(std::string_view source, const std::vector<std::string>& signatures = {},
                      const Defines& defines = {});

/// The printed module. Findings, errors and warnings alike, fail the test.
std::string module_ir(std::string_view source, const std::vector<std::string>& signatures = {},
                      const Defines& defines = {});

/// The statements of kernel `k` with the parameters `a: float32[:], n: int32`, whose body is `body`, by themselves or
/// behind the lines of `module`. Findings fail the test.
std::string body(std::string_view params, std::string_view body, std::string_view module = "");

/// The same, with the kernel's declarations of locals before the statements.
std::string locals_and_body(std::string_view params, std::string_view body, std::string_view module = "");

/// The findings for such a kernel, at lines and columns of `body`.
std::vector<std::string> findings(std::string_view params, std::string_view body, std::string_view module = "");

/// The type of `expression` among the parameters, as Numba names it in short: `float32`, `float64[:, ::1]`. "error"
/// when it has none.
std::string type_of(std::string_view params, std::string_view expression, std::string_view module = "");

/// Text written indented in a raw string, as the functions here give it: without the first line break and the common
/// indent.
std::string text(std::string_view raw);

}  // namespace pyk::sema_test
