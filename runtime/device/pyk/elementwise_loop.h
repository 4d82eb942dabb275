// What the launch of an array function says of its operands wherever their elements lie (side by side: flat_loop.h):
// filled in by the host (runtime/array), read by elementwise_strided.h and its like. The inputs come in their order,
// the output last.
//
// Defines: strided_loop, strided_access, rows_access, tiled_access, strided_operand, row_rounds,
// most_turned_bytes, fold_axis, fold_loop
#ifndef PYK_ELEMENTWISE_LOOP_H
#define PYK_ELEMENTWISE_LOOP_H

#include "pyk/division.h"

namespace pyk {

/// How often a thread of a loop over rows has what it moves at once: where its row begins takes long to compute.
inline constexpr int row_rounds = 2;

struct alignas(16) strided_operand {
    unsigned char value[16];  ///< a number that stands for every element
    char* data;
    long long strides[most_axes];  ///< in bytes; of the axis that runs fastest first
};

/// Larger elements do not go through tiles in shared memory.
inline constexpr long long most_turned_bytes = 32;

/// What a strided_loop is filled in for, where one kernel has several loops.
inline constexpr int strided_access = 0, rows_access = 1, tiled_access = 2;

/// Any elements. On GPUs less than 2^31 of them: the host launches several times for more.
template <int Operands>
struct strided_loop {
    long long count;               ///< of elements
    long long extents[most_axes];  ///< the axis that runs fastest first
    int rank;
    int is_aligned;          ///< rows only: every row of every array begins at a multiple of 16 bytes
    division by[most_axes];  ///< the extents; of rows by[0] is the number of blocks for a row, of tiles by[0] and by[1]
                             ///< theirs along the axes
    int access;              ///< strided_access and so on
    long long chunk;         ///< on the CPU: elements of a block
    strided_operand operands[Operands];
};

/// Of a reduction or an accumulation: the axis that is gone along. Its elements are shared by `lines`, each of which a
/// thread goes along.
struct fold_axis {
    long long length;    ///< elements of the axis
    long long lines;     ///< that share them: each takes every `lines`-th of them, or a block of them
    long long step;      ///< bytes between elements of a line
    long long out_step;  ///< of an accumulation: bytes between its results
    int is_interleaved;  ///< lines take every `lines`-th
    int may_reorder;     ///< the function's order does not matter
    int has_identity;    ///< of a reduction: results are combined with it
    alignas(16) unsigned char identity[16];
};

/// The loop's first axis counts lines; of two operands the first is the input.
struct fold_loop {
    strided_loop<2> loop;
    fold_axis axis;
};

}  // namespace pyk

#endif  // PYK_ELEMENTWISE_LOOP_H
