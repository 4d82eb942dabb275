#pragma once

#include "passes/ranges.h"

namespace pyk {

/// Gives every loop over a range the form `for (T i = start; i < stop; i += step)`, which evaluates `stop` and `step`
/// each time:
///
///   for x in range(x, a[0], 1) { … }
///   x_start = x   x_stop = a[0]   for x in range(x_start, x_stop, 1) { … }
///
/// What the body may change, or what costs something, is evaluated before the loop; the rest stays where it is.
/// Afterwards the sign of each step follows from value ranges and is not zero, and
///   – a step of unknown sign becomes a count of iterations:
///         i_trips = @pyk.range_length(a, b, s):uint64
///         for i_trip in range(0:uint64, i_trips, 1:uint64) { i = (a + (int64(i_trip) * s)) … }
///   – an int32 counter that might pass the end of int32 by a greater step becomes an int64. (Of an int64 or uint64
///   that is not
///     asked, unless literals say so: nothing counts that far.)
///
/// `ranges` are still right afterwards.
void settle_bounds(const ir::Module& module, ir::Function& function, Ranges& ranges);

/// Whether a loop that goes up by a step which is no number, such as a grid-stride loop, is written so that it counts
/// its iterations. Numba's are, and nvcc unrolls those alone; a division in front of the loop is what that costs. It
/// does not pay where the body has a loop, of a function that it calls too, or a barrier, or where the end is a number:
/// a tile has few iterations.
bool counts_iterations(const ir::Module& module, const ir::ForRange& loop);

}  // namespace pyk
