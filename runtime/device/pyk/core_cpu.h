// The loop of array functions for parts of arrays, on the CPU: a block is a chunk of the calls.
//
// Defines: for_each_core_on_cpu
#ifndef PYK_CORE_CPU_H
#define PYK_CORE_CPU_H

#include "pyk/core_loop.h"
#include "pyk/cpu.h"
#include "pyk/exit.h"

namespace pyk {

template <int Operands, class F>
inline void for_each_core_on_cpu(const cpu_block& block, const core_loop<Operands>& loop, F f) {
    const long long first = block.blockIdx.x * loop.chunk;
    const long long end = first + loop.chunk < loop.count ? first + loop.chunk : loop.count;
    core_place<Operands> place{loop, {}};
    long long at[most_axes], rest = first;
    for (int k = 0; k < Operands; ++k) place.data[k] = loop.operands[k].data;
    const auto move = [&](int axis, long long steps) {
        for (int k = 0; k < Operands; ++k)
            if (place.data[k]) place.data[k] += steps * loop.operands[k].strides[axis];
    };
    for (int axis = 0; axis < loop.rank; ++axis) {
        at[axis] = rest % loop.extents[axis];
        rest /= loop.extents[axis];
        move(axis, at[axis]);
    }
    for (long long index = first; index < end; ++index) {
        try {
            f(place);
        } catch (const thread_exit&) {
        }
        for (int axis = 0; axis < loop.rank; ++axis) {
            move(axis, 1);
            if (++at[axis] < loop.extents[axis]) break;
            move(axis, -loop.extents[axis]);
            at[axis] = 0;
        }
    }
}

}  // namespace pyk

#endif  // PYK_CORE_CPU_H
