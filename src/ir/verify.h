// Checks what the IR promises: tests have it looked at behind each stage (EmitOptions::verify), and behind each pass.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"

namespace pyk::ir {

/// What is wrong, one line each, in the order of the text; empty for a well-formed module.
std::vector<std::string> verify(const Module& module);

}  // namespace pyk::ir
