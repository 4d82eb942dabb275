// What calls of array functions compiled ahead of time have in common: their operands, and where they run.
#pragma once

#include <string>
#include <vector>

#include "array/packing.h"
#include "code.h"
#include "pyk/aot_array.h"

namespace pyk::aot {

/// The operands of one call.
struct Operands {
    const char* function;
    const char* names;  ///< separated by commas
    const AnyOperand* const* all;
    std::size_t count;

    const AnyOperand& operator[](std::size_t k) const { return *all[k]; }
    /// `argument 1 (`x`) of `add``
    std::string which(std::size_t k) const;
};

/// The device that a call is for, which reaches all arrays. Fails where there is none, and where an operand is none:
/// a number that does not fit, an array without memory or with too many axes.
Result<driver::Context*> device_for(const Operands& operands, StreamRef stream);

arrays::Layout layout_of(const AnyOperand& operand);
std::vector<arrays::Number> numbers_of(const Operands& operands);

/// A launch of code that is loaded.
Status launch(const Loaded& code, const arrays::PackedLoop& packed, StreamRef stream);

}  // namespace pyk::aot
