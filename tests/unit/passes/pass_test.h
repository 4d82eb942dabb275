// A pass as IR text before and after, verified on both sides.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "ir_text.h"
#include "passes/ranges.h"

namespace pyk::test {

/// Runs a pass over a module, or over each of its functions.
template <typename Pass>
void run_pass(Pass pass, ir::Module& module) {
    if constexpr (std::is_invocable_v<Pass, ir::Module&>)
        pass(module);
    else
        for (ir::Function& function : module.functions)
            if constexpr (std::is_invocable_v<Pass, ir::Function&>)
                pass(function);
            else if constexpr (std::is_invocable_v<Pass, const ir::Module&, ir::Function&>)
                pass(module, function);
            else {
                Ranges ranges(module, function);
                if constexpr (std::is_invocable_v<Pass, ir::Function&, Ranges&>)
                    pass(function, ranges);
                else
                    pass(module, function, ranges);
            }
}

/// Runs it on the functions (or the constants and functions) in `before` and compares with `after`, as text.
template <typename Pass>
void expect_pass(Pass pass, const std::string& before, const std::string& after) {
    const std::string head = "module \"t.pyk\"\n\n";
    ir::Module module = parse_valid_ir(head + before);
    run_pass(pass, module);
    EXPECT_EQ(problems_of(module), "");
    EXPECT_EQ(ir::print(module), ir::print(parse_valid_ir(head + after)));
}

template <typename Pass>
void expect_unchanged(Pass pass, const std::string& text) {
    expect_pass(pass, text, text);
}

}  // namespace pyk::test
