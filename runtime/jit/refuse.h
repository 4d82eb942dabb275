// What callers did wrong.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "pyk/status.h"

namespace pyk::jit {

/// Arguments that a call does not take.
inline Status refuse(std::string why) { return Status::failure(std::move(why), Error::Kind::arguments); }

/// Another number of them than `who`, a name in backticks, takes.
inline Status refuse_count(const std::string& who, std::size_t wanted, std::size_t given, bool or_more = false) {
    return refuse(who + " takes " + std::to_string(wanted) + (or_more ? " or more" : "") +
                  (wanted == 1 && !or_more ? " argument" : " arguments") + ", not " + std::to_string(given));
}

}  // namespace pyk::jit
