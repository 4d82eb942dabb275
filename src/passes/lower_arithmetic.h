#pragma once

#include "passes/ranges.h"

namespace pyk {

/// Python's operators become C++'s where that is the same:
///
///   (i // 16)         (i % n)         (x << 3)      (x ** 2)   ((a + b) ** 2)           where i >= 0 and n > 0
///   (i TruncDiv 16)   (i TruncMod n)  (x CShl 3)    (x * x)    @pyk.square((a + b)):T
///
/// A number that may be negative, or that the C++ compiler may take for one, is divided by a power of two as its bits
/// are:
///
///   (k // 16)         (k % 16)       (a[i] % 16)
///   (k CShr 4)        (k & 15)       (a[i] & 15)
///
/// A sign that alternates is no power:
///
///   (-1 ** k)
///   (1 - (2 * (k & 1)))
///
/// The least and the greatest of integers is one, where Numba chooses among floats:
///
///   @min(float64(u), 255.0):float64
///   float64(@min(int64(u), 255):int64)
///
/// `ranges` are still right afterwards.
void lower_arithmetic(const ir::Module& module, ir::Function& function, Ranges& ranges);

}  // namespace pyk
