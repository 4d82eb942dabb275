// The loops of array functions on GPUs. `Unroll`: how often a thread moves 16 bytes of each operand; 0: it has one
// element. Blocks have 256 threads, of tiles 128.
//
// Defines: for_each_flat, for_each_rows, for_each_strided, for_each_tiled
#ifndef PYK_ELEMENTWISE_H
#define PYK_ELEMENTWISE_H

#include "pyk/config.h"
#include "pyk/elementwise_loop.h"
#include "pyk/lanes.h"
#include "pyk/tuple.h"

#ifdef __CUDACC__

namespace pyk {

inline constexpr int elementwise_threads = 256;

/// Elements of one operand in registers.
template <class T, int Count>
struct lanes {
    T at[Count];
};

template <class T>
PYK_DEVICE T value_of(const unsigned char* bytes) {
    T value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/// `Unroll` times `Width` elements from `data` on, each time `step` bytes further; or the number, everywhere.
template <int Width, int Unroll, class T>
PYK_DEVICE void load_operand(lanes<T, Width * Unroll>& to, const char* data, long long step,
                             const unsigned char* number) {
    if (data) {
#pragma unroll
        for (int u = 0; u < Unroll; ++u) load_lanes<Width>(to.at + u * Width, data + u * step);
    } else {
        const T value = value_of<T>(number);
#pragma unroll
        for (int k = 0; k < Width * Unroll; ++k) to.at[k] = value;
    }
}

template <class T>
PYK_DEVICE char* element_at(char* data, long long index) {
    return data ? data + index * static_cast<long long>(sizeof(T)) : nullptr;
}

/// The elements of one thread: all are loaded before the first is computed.
template <int Width, int Unroll, class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void flat_elements(places<I...>, const flat_loop<Operands>& loop, long long first, F f) {
    constexpr int step = elementwise_threads * Width;
    tuple<lanes<In, Width * Unroll>...> in;
    (load_operand<Width, Unroll>(get<I>(in), element_at<In>(loop.operands[I].data, first),
                                 step * static_cast<long long>(sizeof(In)), loop.operands[I].value),
     ...);
    Out out[Width * Unroll];
#pragma unroll
    for (int k = 0; k < Width * Unroll; ++k) out[k] = f(get<I>(in).at[k]...);
    char* const to = element_at<Out>(loop.operands[Operands - 1].data, first);
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
        store_lanes<Width>(to + u * step * static_cast<long long>(sizeof(Out)), out + u * Width);
}

template <int Unroll, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_flat(const flat_loop<Operands>& loop, F f) {
    using inputs = typename first_places<int(sizeof...(In))>::type;
    if constexpr (Unroll == 0) {
        const long long i = static_cast<long long>(blockIdx.x) * elementwise_threads + threadIdx.x;
        if (i < loop.count) flat_elements<1, 1, Out, In...>(inputs{}, loop, i, f);
    } else {
        constexpr int width = lanes_of<Out, In...>(), tile = elementwise_threads * width * Unroll;
        const long long first = static_cast<long long>(blockIdx.x) * tile + (loop.is_aligned ? loop.head : 0);
        const bool is_whole = first + tile <= loop.count;
        if (blockIdx.x == 0 && loop.is_aligned && static_cast<int>(threadIdx.x) < loop.head)
            flat_elements<1, 1, Out, In...>(inputs{}, loop, threadIdx.x, f);
        if (is_whole && loop.is_aligned)
            flat_elements<width, Unroll, Out, In...>(inputs{}, loop, first + threadIdx.x * width, f);
        else if (is_whole)
            flat_elements<1, width * Unroll, Out, In...>(inputs{}, loop, first + threadIdx.x, f);
        else
#pragma unroll 1
            for (long long i = first + threadIdx.x; i < loop.count; i += elementwise_threads)
                flat_elements<1, 1, Out, In...>(inputs{}, loop, i, f);
    }
}

/// Byte offsets of one element of each operand.
template <int Operands>
struct offsets {
    long long of[Operands];
};

/// From the index among all elements, or among those that differ in the axes from `Axis` on.
template <int Axis, int Operands>
PYK_DEVICE offsets<Operands> offsets_of(const strided_loop<Operands>& loop, unsigned index) {
    offsets<Operands> at;
#pragma unroll
    for (int k = 0; k < Operands; ++k) at.of[k] = 0;
#pragma unroll
    for (int axis = Axis; axis < most_axes; ++axis) {
        if (axis >= loop.rank) break;
        const bool is_last = axis == loop.rank - 1;
        const unsigned rest = is_last ? 0 : divided(index, loop.by[axis]);
        const unsigned here = is_last ? index : index - rest * loop.by[axis].divisor;
#pragma unroll
        for (int k = 0; k < Operands; ++k) at.of[k] += static_cast<long long>(here) * loop.operands[k].strides[axis];
        index = rest;
    }
    return at;
}

template <class T>
PYK_DEVICE T load_element(const strided_operand& operand, long long offset) {
    return operand.data ? *reinterpret_cast<const T*>(operand.data + offset) : value_of<T>(operand.value);
}

/// Several elements of a thread, 256 apart.
template <int Count, class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void strided_elements(places<I...>, const strided_loop<Operands>& loop, F f) {
    const unsigned first = blockIdx.x * (elementwise_threads * Count) + threadIdx.x;
    const auto count = static_cast<unsigned>(loop.count);
    tuple<lanes<In, Count>...> in;
    long long to[Count];
#pragma unroll
    for (int k = 0; k < Count; ++k) {
        const unsigned i = first + k * elementwise_threads;
        if (i >= count) break;
        const offsets<Operands> at = offsets_of<0>(loop, i);
        ((get<I>(in).at[k] = load_element<In>(loop.operands[I], at.of[I])), ...);
        to[k] = at.of[Operands - 1];
    }
#pragma unroll
    for (int k = 0; k < Count; ++k)
        if (first + k * elementwise_threads < count)
            *reinterpret_cast<Out*>(loop.operands[Operands - 1].data + to[k]) = f(get<I>(in).at[k]...);
}

/// Blocks of 256 threads, each with as many elements as threads of flat loops have.
template <int Unroll, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_strided(const strided_loop<Operands>& loop, F f) {
    constexpr int count = Unroll ? lanes_of<Out, In...>() * Unroll : 1;
    strided_elements<(count < 4 ? count : 4), Out, In...>(typename first_places<int(sizeof...(In))>::type{}, loop, f);
}

/// A part of a row that begins `first` elements behind `base`.
template <int Width, int Unroll, class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void row_elements(places<I...>, const strided_loop<Operands>& loop, const offsets<Operands>& base,
                             long long first, F f) {
    const long long step = static_cast<long long>(blockDim.x) * Width;
    const auto at = [&](int k, long long size) -> char* {
        const strided_operand& operand = loop.operands[k];
        return operand.data ? operand.data + base.of[k] + (operand.strides[0] ? first * size : 0) : nullptr;
    };
    tuple<lanes<In, Width * Unroll>...> in;
    // An element that the whole row shares is loaded as a number is.
    ((loop.operands[I].strides[0]
          ? load_operand<Width, Unroll>(get<I>(in), at(I, sizeof(In)), step * static_cast<long long>(sizeof(In)),
                                        loop.operands[I].value)
          : load_operand<Width, Unroll>(
                get<I>(in), nullptr, 0,
                loop.operands[I].data ? reinterpret_cast<const unsigned char*>(at(I, 0)) : loop.operands[I].value)),
     ...);
    Out out[Width * Unroll];
#pragma unroll
    for (int k = 0; k < Width * Unroll; ++k) out[k] = f(get<I>(in).at[k]...);
    char* const to = at(Operands - 1, sizeof(Out));
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
        store_lanes<Width>(to + u * step * static_cast<long long>(sizeof(Out)), out + u * Width);
}

/// Blocks of blockDim.x threads along a row and blockDim.y rows; by[0] divides by the blocks that a row needs.
template <int Unroll, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_rows(const strided_loop<Operands>& loop, F f) {
    using inputs = typename first_places<int(sizeof...(In))>::type;
    constexpr int unroll = Unroll ? Unroll : 1, width = Unroll ? lanes_of<Out, In...>() : 1;
    const unsigned rows = divided(blockIdx.x, loop.by[0]), part = blockIdx.x - rows * loop.by[0].divisor;
    const long long row = static_cast<long long>(rows) * blockDim.y + threadIdx.y, length = loop.extents[0];
    if (row * length >= loop.count) return;
    const offsets<Operands> base = offsets_of<1>(loop, static_cast<unsigned>(row));
    const long long tile = static_cast<long long>(blockDim.x) * width * unroll, first = part * tile;
    if (Unroll && loop.is_aligned && first + tile <= length) {
        row_elements<width, unroll, Out, In...>(inputs{}, loop, base, first + threadIdx.x * width, f);
        return;
    }
    for (int u = 0; u < unroll; ++u) {
        long long i = first + (static_cast<long long>(u) * blockDim.x + threadIdx.x) * width;
        if (loop.is_aligned && i + width <= length) {
            row_elements<width, 1, Out, In...>(inputs{}, loop, base, i, f);
            continue;
        }
#pragma unroll 1
        for (int k = 0; k < width && i < length; ++k, ++i) row_elements<1, 1, Out, In...>(inputs{}, loop, base, i, f);
    }
}

inline constexpr int tile_extent = 32, tile_threads = 128;
/// Rows of a tile that a thread has: every fourth.
inline constexpr int tile_rows = tile_extent * tile_extent / tile_threads, tile_row_step = tile_threads / tile_extent;

/// Of an input that lies side by side along the second axis, a tile goes through shared memory, so that both it and the
/// output are reached in the order of memory.
template <class T>
PYK_DEVICE bool is_turned(const strided_operand& operand) {
    const auto size = static_cast<long long>(sizeof(T));
    return operand.data && operand.strides[1] == size && operand.strides[0] != size;
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
template <int Unroll, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_tiled(const strided_loop<Operands>& loop, F f) {
    tiled_elements<Out, In...>(typename first_places<int(sizeof...(In))>::type{}, loop, f);
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENTWISE_H
