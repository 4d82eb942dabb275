// Modules whose meaning the tables have.
#pragma once

#include <string_view>

namespace pyk {

/// Whether no file stands for it, nor for what is in it: `numba.cuda`.
bool is_known_module(std::string_view module);

}  // namespace pyk
