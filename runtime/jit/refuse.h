// What callers did wrong.
#pragma once

#include <string>
#include <utility>

#include "pyk/status.h"

namespace pyk::jit {

/// Arguments that a call does not take.
inline Status refuse(std::string why) { return Status::failure(std::move(why), Error::Kind::arguments); }

}  // namespace pyk::jit
