// Text → IR: what print.h writes, for tests. Spans are not part of the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/ir.h"

namespace pyk::ir {

/// nullopt, with `line n: what` in `error`, where the text is not what print writes. The module is not verified.
std::optional<Module> read(std::string_view text, std::string& error);

}  // namespace pyk::ir
