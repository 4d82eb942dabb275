// What converts to what, and what two types become where they meet: Numba's rules (docs/semantics.md), checked
// against tests/oracle/data/{convert,unify}.tsv.
#pragma once

#include <optional>
#include <span>

#include "types/type.h"

namespace pyk {

/// How good a conversion is, best first (numba.core.typeconv): widening within a kind, value-preserving, everything
/// else legal.
enum class Conversion : uint8_t { exact, promote, safe, unsafe };

/// nullopt: no implicit conversion. Scalars as Numba converts them; arrays: C→A, F→A, mutable→readonly; tuples
/// element-wise.
std::optional<Conversion> conversion(Type from, Type to);

/// NumPy's `casting='safe'` of numbers, by which arguments choose the signature of an array function.
bool casts_safely(Type from, Type to);

/// The one type of a name whose definitions meet (Numba's `unify_types`); an invalid Type when there is none.
/// `None` with a value has none either: pykc knows no optional values.
Type unify(Type a, Type b);

/// The same of several definitions, narrowest first as Numba does it: the order decides when signs and floats mix.
Type unify(std::span<const Type> types);

}  // namespace pyk
