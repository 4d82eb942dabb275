// IR from text, for tests: fails the test where the text is no IR or breaks the IR's rules.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ir/ir.h"
#include "ir/print.h"
#include "ir/read.h"
#include "ir/verify.h"

namespace pyk::test {

inline std::string problems_of(const ir::Module& module) {
    std::string result;
    for (const std::string& problem : ir::verify(module)) result += problem + "\n";
    return result;
}

inline ir::Module parse_ir(std::string_view text) {
    std::string error;
    auto module = ir::read(text, error);
    EXPECT_TRUE(module) << error << "\nin\n" << text;
    return module ? std::move(*module) : ir::Module{};
}

inline ir::Module parse_valid_ir(std::string_view text) {
    ir::Module module = parse_ir(text);
    EXPECT_EQ(problems_of(module), "") << text;
    return module;
}

}  // namespace pyk::test
