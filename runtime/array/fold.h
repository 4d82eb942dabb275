// Folding along one axis of an array: reductions and accumulations.
#pragma once

#include "array/iteration.h"
#include "array/packing.h"

namespace pyk::arrays {

/// A pass over an input: each line's elements become one (`fold_axis`), or as many.
struct Fold {
    Iteration it;  ///< of the lines: the input, then the output
    fold_axis axis;
};

/// How many lines share an axis of a reduction, so that all of a device has work, and threads that lie side by side
/// read what does: 1 where the order matters. `others`: the elements of the other axes.
long long lines_of(const Layout& input, std::size_t axis, long long others, bool may_reorder, int cpu_workers);

/// `output`: the input's shape without the axis and, before it, an axis of the lines where they are several.
/// `cpu_workers`: 0 on a GPU.
Fold fold_along(const Layout& input, std::size_t axis, const Layout& output, long long lines, bool may_reorder,
                int cpu_workers);
/// `output`: of the input's shape.
Fold scan_along(const Layout& input, std::size_t axis, const Layout& output);

void pack_fold(const Fold& fold, int cpu_workers, PackedLoop& packed);
/// Packs and launches as often as it takes, as launch_loops does. Fails where `launch` does.
Status launch_fold(Fold fold, int cpu_workers, const std::function<Status(const PackedLoop&)>& launch);

}  // namespace pyk::arrays
