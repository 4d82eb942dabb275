// Values that the command line, or a program, gives to names of a file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "types/type.h"

namespace pyk {

/// A value for a module-level name, from `-D NAME=VALUE`: wins over the file's own.
using ConstantValue = std::variant<bool, int64_t, uint64_t, double>;
/// A number, a type, or a tuple of numbers.
using DefineValue = std::variant<ConstantValue, Type, std::vector<ConstantValue>>;
using Defines = std::map<std::string, DefineValue, std::less<>>;

}  // namespace pyk
