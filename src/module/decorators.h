// The decorators that make compiled functions: a row each.
#pragma once

#include <string>
#include <string_view>

#include "module/scope.h"

namespace pyk {

struct Decorator {
    std::string_view path;  ///< without `numba.`
    FunctionKind kind;      ///< what it makes of a function, where no option says otherwise
    ArrayKind array = ArrayKind::none;
    bool is_for_host = false;  ///< the CPU calls it as well
    bool has_options = false;  ///< of options.h, reported when the function is compiled
};

/// Null: it says nothing of a function.
const Decorator* find_decorator(std::string_view path);
/// Empty: there is none of nearly that name.
std::string nearest_decorator(std::string_view path);

}  // namespace pyk
