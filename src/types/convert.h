// What converts to what, and what two types become where they meet: Numba's rules (reference §3.1, §3.5), checked against
// tests/oracle/data/{convert,unify}.tsv.
#pragma once

#include <optional>

#include "types/type.h"

namespace pyk {

/// How good a conversion is, best first (numba.core.typeconv): widening within a kind, value-preserving, everything else legal.
enum class Conversion : uint8_t { exact, promote, safe, unsafe };

/// nullopt: no implicit conversion. Scalars per §3.1; arrays: C→A, F→A, mutable→readonly; tuples element-wise.
std::optional<Conversion> conversion(Type from, Type to);

/// The one type of a name whose definitions meet (Numba's `unify_types`); an invalid Type when there is none.
Type unify(Type a, Type b);

}  // namespace pyk
