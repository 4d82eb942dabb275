// What the launch of an array function for parts of arrays says of its operands: filled in by the host (runtime/array),
// read by core.h. In the order of the function's parameters.
//
// Defines: core_loop, core_operand, core_place, place_of
#ifndef PYK_CORE_LOOP_H
#define PYK_CORE_LOOP_H

#ifndef __CUDACC__
#include <string.h>
#endif

#include "pyk/array.h"
#include "pyk/config.h"
#include "pyk/division.h"

namespace pyk {

struct alignas(16) core_operand {
    unsigned char value[16];            ///< of a number that stands for every element
    char* data;                         ///< null: there is only `value`
    long long strides[most_axes];       ///< in bytes, from one call's part to the next; the fastest axis first
    long long shape[most_axes];         ///< of a part
    long long part_strides[most_axes];  ///< in bytes, within a part
    division by_part;                   ///< by the elements of a part
    unsigned shared_offset, pitch;      ///< staged: in bytes where its parts begin, in elements from one to the next
    bool is_loaded, is_stored;          ///< staged: before the calls, behind them
    bool is_aligned;                    ///< staged: 16 bytes at a time are of one part
};

/// On GPUs less than 2^31 calls: the host launches several times for more.
template <int Operands>
struct core_loop {
    long long count;               ///< of calls
    long long extents[most_axes];  ///< the axis that runs fastest first
    division by[most_axes];
    long long chunk;          ///< on the CPU: calls of a block
    unsigned calls_of_block;  ///< staged: as many threads make one each, and all move the parts
    int rank;
    core_operand operands[Operands];
};

/// Where a value is while the call lasts that it is passed to.
template <class T>
PYK_HOST_DEVICE const T* place_of(const T& value) {
    return &value;
}

template <class T, int N>
PYK_HOST_DEVICE void set_strides(array<T, N, C>&, const long long*) {}
template <class T, int N, class Layout>
PYK_HOST_DEVICE void set_strides(array<T, N, Layout>& to, const long long* strides) {
    for (int axis = 0; axis < N; ++axis) to.strides[axis] = strides[axis];
}

/// What one call gets of each operand.
template <int Operands>
struct core_place {
    const core_loop<Operands>& loop;
    char* data[Operands];

    /// `extent`: of each axis, 0 where it is known to the launch only; none: of no axis.
    template <class T, int N, class Layout = C, class... Extent>
    PYK_HOST_DEVICE array<T, N, Layout> part(int operand, Extent... extent) const {
        const long long known[N] = {extent...};
        array<T, N, Layout> a;
        a.data = reinterpret_cast<T*>(data[operand]);
        for (int axis = 0; axis < N; ++axis)
            a.shape[axis] = known[axis] ? known[axis] : loop.operands[operand].shape[axis];
        set_strides(a, loop.operands[operand].part_strides);
        return a;
    }

    /// The same in words.
    template <class T>
    PYK_HOST_DEVICE T* at(int operand) const {
        return reinterpret_cast<T*>(data[operand]);
    }
    PYK_HOST_DEVICE long long extent(int operand, int axis) const { return loop.operands[operand].shape[axis]; }
    PYK_HOST_DEVICE long long stride(int operand, int axis) const { return loop.operands[operand].part_strides[axis]; }

    template <class T>
    PYK_HOST_DEVICE T number(int operand) const {
        T value;
        memcpy(&value, data[operand] ? data[operand] : reinterpret_cast<const char*>(loop.operands[operand].value),
               sizeof value);
        return value;
    }
};

}  // namespace pyk

#endif  // PYK_CORE_LOOP_H
