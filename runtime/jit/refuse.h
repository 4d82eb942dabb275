// What callers did wrong, in words that several calls have.
#pragma once

#include <cstddef>
#include <string>

#include "pyk/status.h"

namespace pyk::jit {

/// Another number of them than `who`, a name in backticks, takes.
inline Status refuse_count(const std::string& who, std::size_t wanted, std::size_t given, bool or_more = false) {
    return refuse(who + " takes " + std::to_string(wanted) + (or_more ? " or more" : "") +
                  (wanted == 1 && !or_more ? " argument" : " arguments") + ", not " + std::to_string(given));
}

}  // namespace pyk::jit
