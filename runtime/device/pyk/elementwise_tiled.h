// The loop of an array function on GPUs through tiles in shared memory, where inputs lie side by side along another
// axis. Blocks have 128 threads.
//
// Defines: for_each_tiled
#ifndef PYK_ELEMENTWISE_TILED_H
#define PYK_ELEMENTWISE_TILED_H

#include "pyk/elementwise_strided.h"

#ifdef __CUDACC__

namespace pyk {

inline constexpr int tile_extent = 32, tile_threads = 128;
/// Rows of a tile that a thread has: every fourth.
inline constexpr int tile_rows = tile_extent * tile_extent / tile_threads, tile_row_step = tile_threads / tile_extent;

/// Of an input that lies side by side along the second axis, a tile goes through shared memory, so that both it and the
/// output are reached in the order of memory.
template <class T>
PYK_DEVICE bool is_turned(const strided_operand& operand) {
    const auto size = static_cast<long long>(sizeof(T));
    return size <= most_turned_bytes && operand.data && operand.strides[1] == size && operand.strides[0] != size;
}

/// Where a block's tile begins, how much of the array lies behind that, and where this thread is in it.
struct tile_place {
    long long at0, at1, left0, left1;
    int column, row;
};

/// This thread's elements of an input, in the order of memory.
template <class T>
PYK_DEVICE void load_tile(lanes<T, tile_rows>& own, const strided_operand& operand, long long base,
                          const tile_place& place) {
    if constexpr (may_be_number<T>)
        if (!operand.data) {
#pragma unroll
            for (int k = 0; k < tile_rows; ++k) own.at[k] = value_of<T>(operand.value);
            return;
        }
    const bool turned = is_turned<T>(operand);
    const long long along = turned ? operand.strides[1] : operand.strides[0];
    const long long across = turned ? operand.strides[0] : operand.strides[1];
    const long long columns = turned ? place.left1 : place.left0, rows = turned ? place.left0 : place.left1;
    const char* const from = operand.data + base + place.at0 * operand.strides[0] + place.at1 * operand.strides[1] +
                             place.column * along + place.row * across;
    if (columns >= tile_extent && rows >= tile_extent) {
#pragma unroll
        for (int k = 0; k < tile_rows; ++k)
            own.at[k] = *reinterpret_cast<const T*>(from + k * (tile_row_step * across));
    } else {
#pragma unroll
        for (int k = 0; k < tile_rows; ++k)
            if (place.column < columns && place.row + k * tile_row_step < rows)
                own.at[k] = *reinterpret_cast<const T*>(from + k * (tile_row_step * across));
    }
}

template <class T>
struct shared_tile {
    T at[tile_extent][tile_extent + 1];
};

/// Gives each thread the elements of its places in the output.
template <class T>
PYK_DEVICE void turn_tile(lanes<T, tile_rows>& own, const strided_operand& operand, const tile_place& place) {
    extern __shared__ uint4 pyk_tile[];
    if (!is_turned<T>(operand)) return;
    auto& tile = reinterpret_cast<shared_tile<T>*>(pyk_tile)->at;
    // The input before has been read.
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile_rows; ++k) tile[place.row + k * tile_row_step][place.column] = own.at[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile_rows; ++k) own.at[k] = tile[place.column][place.row + k * tile_row_step];
}

/// All inputs are loaded before the first goes through shared memory. by[0] and by[1] divide by the tiles along the
/// first two axes.
template <class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void tiled_elements(places<I...>, const strided_loop<Operands>& loop, F f) {
    const unsigned rest = divided(blockIdx.x, loop.by[0]), outer = divided(rest, loop.by[1]);
    const long long at0 = static_cast<long long>(blockIdx.x - rest * loop.by[0].divisor) * tile_extent;
    const long long at1 = static_cast<long long>(rest - outer * loop.by[1].divisor) * tile_extent;
    const tile_place place{at0,
                           at1,
                           loop.extents[0] - at0,
                           loop.extents[1] - at1,
                           static_cast<int>(threadIdx.x % tile_extent),
                           static_cast<int>(threadIdx.x / tile_extent)};
    const offsets<Operands> base = offsets_of<2>(loop, outer);
    tuple<lanes<In, tile_rows>...> in;
    (load_tile<In>(get<I>(in), loop.operands[I], base.of[I], place), ...);
    (turn_tile<In>(get<I>(in), loop.operands[I], place), ...);
    const strided_operand& out = loop.operands[Operands - 1];
    char* const to =
        out.data + base.of[Operands - 1] + (at0 + place.column) * out.strides[0] + (at1 + place.row) * out.strides[1];
#pragma unroll
    for (int k = 0; k < tile_rows; ++k)
        if (place.column < place.left0 && place.row + k * tile_row_step < place.left1)
            *reinterpret_cast<Out*>(to + k * (tile_row_step * out.strides[1])) = f(get<I>(in).at[k]...);
}

/// Blocks of 128 threads, a tile each.
template <bool Wide, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_tiled(const strided_loop<Operands>& loop, F f) {
    tiled_elements<Out, In...>(typename first_places<int(sizeof...(In))>::type{}, loop, f);
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENTWISE_TILED_H
