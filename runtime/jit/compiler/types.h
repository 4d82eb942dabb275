// Argument types between libpyk's plain data and the compiler's types.
#pragma once

#include <optional>

#include "jit/compiler/interface.h"
#include "types/signature.h"
#include "types/type.h"

namespace pyk::jit {

/// nullopt: a NamedType that is none. `names`: the file's, where its classes count.
std::optional<Type> type_of(const ArgumentType& type, const TypeNames& names = {});
/// nullopt: nothing of this type can be passed to a launch.
std::optional<ArgumentType> argument_type(Type type);
/// How C++ says a named tuple or a dataclass of the file: `P(x: float64, n: int64)`. Of other types their signature.
std::string class_text(Type type);

}  // namespace pyk::jit
