// The loops of array functions on GPUs over elements with any strides, and over rows of ones that lie side by side.
//
// Defines: for_each_rows, for_each_strided
#ifndef PYK_ELEMENTWISE_STRIDED_H
#define PYK_ELEMENTWISE_STRIDED_H

#include "pyk/elementwise_loop.h"
#include "pyk/lanes.h"
#include "pyk/tuple.h"

#ifdef __CUDACC__

namespace pyk {

inline constexpr int elementwise_threads = 256;

template <class T>
PYK_DEVICE T value_of(const unsigned char* bytes) {
    T value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/// Whether a number can stand for such elements.
template <class T>
inline constexpr bool may_be_number = sizeof(T) <= sizeof strided_operand::value;

/// `Width` elements at `from`; or the number, everywhere.
template <int Width, class T>
PYK_DEVICE void load_operand(lanes<T, Width>& to, const char* from, const unsigned char* number) {
    if (from) {
        load_lanes<Width>(to.at, from);
    } else {
        const T value = value_of<T>(number);
#pragma unroll
        for (int k = 0; k < Width; ++k) to.at[k] = value;
    }
}

template <class T>
PYK_DEVICE char* element_at(char* data, long long index) {
    return data ? data + index * static_cast<long long>(sizeof(T)) : nullptr;
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
    if constexpr (may_be_number<T>)
        if (!operand.data) return value_of<T>(operand.value);
    return *reinterpret_cast<const T*>(operand.data + offset);
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
template <bool Wide, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_strided(const strided_loop<Operands>& loop, F f) {
    constexpr int count = Wide ? lanes_of<Out, In...>() : 1;
    strided_elements<(count < 4 ? count : 4), Out, In...>(typename first_places<int(sizeof...(In))>::type{}, loop, f);
}

/// `Width` elements at `from`, and as many `step` elements further, of which `left` are there, one at least; or the
/// number, everywhere.
template <int Width, class T>
PYK_DEVICE void load_rounds(lanes<T, Width> (&to)[row_rounds], const char* from, long long step, long long left,
                            const unsigned char* number) {
    if (from) {
#pragma unroll
        for (int u = 0; u < row_rounds; ++u)
            if (u == 0 || u * step < left)
                load_lanes<Width>(to[u].at, from + u * step * static_cast<long long>(sizeof(T)));
    } else {
#pragma unroll
        for (int u = 0; u < row_rounds; ++u) load_operand<Width>(to[u], nullptr, number);
    }
}

/// The elements of one thread from the `first`-th of a row on, as far as they lie before `end`.
template <int Width, class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void row_elements(places<I...>, const strided_loop<Operands>& loop, const offsets<Operands>& base,
                             long long first, long long end, F f) {
    if (first >= end) return;
    const long long step = static_cast<long long>(blockDim.x) * Width;
    const auto row = [&](int k) -> char* {
        return loop.operands[k].data ? loop.operands[k].data + base.of[k] : nullptr;
    };
    // An element that the whole row shares is loaded as a number is.
    const auto number = [&](int k) {
        return loop.operands[k].data ? reinterpret_cast<const unsigned char*>(row(k)) : loop.operands[k].value;
    };
    tuple<lanes<In, Width>[row_rounds]...> in;
    (load_rounds<Width>(get<I>(in), loop.operands[I].strides[0] ? element_at<In>(row(I), first) : nullptr, step,
                        end - first, number(I)),
     ...);
#pragma unroll
    for (int u = 0; u < row_rounds; ++u) {
        if (u != 0 && first + u * step >= end) break;
        Out out[Width];
#pragma unroll
        for (int k = 0; k < Width; ++k) out[k] = f(get<I>(in)[u].at[k]...);
        store_lanes<Width>(element_at<Out>(row(Operands - 1), first + u * step), out);
    }
}

/// Blocks of blockDim.x threads along a row and blockDim.y rows; by[0] divides by the blocks that a row needs.
template <bool Wide, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_rows(const strided_loop<Operands>& loop, F f) {
    using inputs = typename first_places<int(sizeof...(In))>::type;
    constexpr int width = Wide ? lanes_of<Out, In...>() : 1;
    const unsigned rows = divided(blockIdx.x, loop.by[0]), part = blockIdx.x - rows * loop.by[0].divisor;
    const long long row = static_cast<long long>(rows) * blockDim.y + threadIdx.y, length = loop.extents[0];
    if (row * length >= loop.count) return;
    const offsets<Operands> base = offsets_of<1>(loop, static_cast<unsigned>(row));
    const long long tile = static_cast<long long>(blockDim.x) * width * row_rounds, begin = part * tile;
    long long i = begin + threadIdx.x, end = begin + tile < length ? begin + tile : length;
    if (Wide && loop.is_aligned) {
        const long long whole = length / width * width;
        row_elements<width, Out, In...>(inputs{}, loop, base, begin + threadIdx.x * width, whole, f);
        // Of the last part what is less than 16 bytes is left.
        i = end == length ? whole + threadIdx.x : end;
    }
#pragma unroll 1
    for (; i < end; i += static_cast<long long>(blockDim.x) * row_rounds)
        row_elements<1, Out, In...>(inputs{}, loop, base, i, end, f);
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENTWISE_STRIDED_H
