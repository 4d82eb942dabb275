// Options that make no sense, said when a file is loaded, whatever the device and whether something is compiled then.
#pragma once

#include "pyk/pyk.hpp"

namespace pyk::jit {

/// What Options::print_buffer_bytes may be at most.
inline constexpr std::size_t kMostPrintBuffer = std::size_t{1} << 30;

Status check_options(const Options& options);

}  // namespace pyk::jit
