// One kernel for all ways in which elements may lie that is not side by side, for functions compiled ahead of time:
// what the launch is, all its threads agree on.
//
// Defines: for_each_any
#ifndef PYK_ELEMENTWISE_ANY_H
#define PYK_ELEMENTWISE_ANY_H

#include "pyk/elementwise_tiled.h"

#ifdef __CUDACC__

namespace pyk {

template <bool Wide, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_any(const strided_loop<Operands>& loop, F f) {
    if (loop.access == rows_access)
        for_each_rows<Wide, Out, In...>(loop, f);
    else if (loop.access == tiled_access)
        for_each_tiled<Wide, Out, In...>(loop, f);
    else
        for_each_strided<Wide, Out, In...>(loop, f);
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENTWISE_ANY_H
