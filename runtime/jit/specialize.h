// From the arguments of a launch to a signature.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "emit/emit.h"
#include "jit/types.h"
#include "pyk/pyk.hpp"
#include "sema/sema.h"

namespace pyk::jit {

/// The declared signature that the arguments convert to best, else one made of their types.
std::variant<Signature, Error> choose_signature(const KernelInfo& kernel, const std::vector<Argument>& arguments);

/// Whether the arguments can be passed: scalars fit, arrays that the kernel writes are not const.
std::optional<Error> check_arguments(const EntryPoint& entry, const std::vector<Argument>& arguments);

}  // namespace pyk::jit
