// The bytes that the kernel reads.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"
#include "pyk/args.h"
#include "pyk/argument.hpp"

namespace pyk::jit {

/// Packs the arguments as the entry's parameters want them; they must fit (check_arguments). `data`: where the elements
/// of each array are; ignored for scalars.
ArgBuffer pack_arguments(const EntryPoint& entry, const std::vector<Argument>& arguments,
                         const std::vector<void*>& data);

}  // namespace pyk::jit
