// Argument types between libpyk's plain data and the compiler's types.
#pragma once

#include <optional>

#include "jit/compiler/interface.h"
#include "types/type.h"

namespace pyk::jit {

/// nullopt: a NamedType that is none.
std::optional<Type> type_of(const ArgumentType& type);
/// nullopt: nothing of this type can be passed to a launch.
std::optional<ArgumentType> argument_type(Type type);

}  // namespace pyk::jit
