// A pass as IR text before and after, verified on both sides.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ir_text.h"

namespace pyk::test {

/// Runs `pass` on the functions (or the constants and functions) in `before` and compares with `after`, as text.
inline void expect_pass(void (*pass)(ir::Module&), const std::string& before, const std::string& after) {
    const std::string head = "module \"t.pyk\"\n\n";
    ir::Module module = parse_valid_ir(head + before);
    pass(module);
    EXPECT_EQ(problems_of(module), "");
    EXPECT_EQ(ir::print(module), ir::print(parse_valid_ir(head + after)));
}

inline void expect_unchanged(void (*pass)(ir::Module&), const std::string& text) { expect_pass(pass, text, text); }

}  // namespace pyk::test
