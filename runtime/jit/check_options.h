// Options that make no sense, said when a file is loaded, whatever the device and whether something is compiled then.
#pragma once

#include "pyk/pyk.hpp"

namespace pyk::jit {

Status check_options(const Options& options);

}  // namespace pyk::jit
