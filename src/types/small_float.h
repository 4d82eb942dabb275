// Values of the 16-bit floats in the compiler: rounding, and their form in memory.
#pragma once

#include <cstdint>

#include "types/type.h"

namespace pyk {

/// The nearest value of a floating type, halves to even.
double rounded(double value, Type type);

/// The bits of a float16 or bfloat16.
uint16_t small_float_bits(double value, Type type);
double small_float_value(uint16_t bits, Type type);

}  // namespace pyk
