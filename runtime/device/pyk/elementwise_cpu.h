// The loops of array functions on the CPU. A block is a chunk of the elements. The one inner loop, which compilers
// vectorise, runs over elements side by side: those that lie otherwise are gathered before it or scattered behind it,
// in pieces that stay in the first cache.
//
// Defines: for_each_element
#ifndef PYK_ELEMENTWISE_CPU_H
#define PYK_ELEMENTWISE_CPU_H

#include <string.h>

#include "pyk/cpu.h"
#include "pyk/elementwise_loop.h"
#include "pyk/exit.h"
#include "pyk/tuple.h"

namespace pyk {

/// Elements of a piece: fewer where they are large.
template <class... T>
constexpr int piece_elements() {
    int widest = 1;
    ((widest = int(sizeof(T)) > widest ? int(sizeof(T)) : widest), ...);
    return widest <= 32 ? 512 : widest <= 16384 ? 16384 / widest : 1;
}

template <class T, int Count>
struct piece {
    T at[Count];
};

/// Where a piece begins, among the axes of a loop.
struct loop_place {
    long long at[most_axes];
};

template <int Operands>
loop_place place_of(const strided_loop<Operands>& loop, long long index) {
    loop_place place{};
    for (int axis = 0; axis < loop.rank; ++axis) {
        place.at[axis] = index % loop.extents[axis];
        index /= loop.extents[axis];
    }
    return place;
}

/// Calls `use(element, k)` for `count` elements of an operand from a place on.
template <class Byte, int Operands, class Use>
inline void walk(const strided_loop<Operands>& loop, const strided_operand& operand, loop_place place, int count,
                 Use use) {
    const long long step = operand.strides[0];
    for (int k = 0; k < count;) {
        Byte* element = operand.data;
        for (int axis = 0; axis < loop.rank; ++axis) element += place.at[axis] * operand.strides[axis];
        const long long left = loop.extents[0] - place.at[0];
        const int run = left < count - k ? static_cast<int>(left) : count - k;
        for (int i = 0; i < run; ++i) use(element + i * step, k + i);
        k += run;
        place.at[0] = 0;
        for (int axis = 1; axis < loop.rank && ++place.at[axis] == loop.extents[axis]; ++axis) place.at[axis] = 0;
    }
}

/// The elements of a piece side by side, where they lie or gathered.
template <class T, int Count, int Operands>
inline T* side_by_side(const strided_loop<Operands>& loop, const strided_operand& operand, const loop_place& place,
                       int count, piece<T, Count>& buffer) {
    if (!operand.data) return buffer.at;
    if (operand.strides[0] == static_cast<long long>(sizeof(T)) && place.at[0] + count <= loop.extents[0]) {
        char* element = operand.data;
        for (int axis = 0; axis < loop.rank; ++axis) element += place.at[axis] * operand.strides[axis];
        return reinterpret_cast<T*>(element);
    }
    walk<const char>(loop, operand, place, count,
                     [&](const char* from, int k) { memcpy(&buffer.at[k], from, sizeof(T)); });
    return buffer.at;
}

/// A number, as often as a piece has elements. What is larger is always in an array.
template <class T, int Count>
inline void spread(const strided_operand& operand, piece<T, Count>& buffer) {
    if constexpr (sizeof(T) <= sizeof operand.value) {
        if (operand.data) return;
        memcpy(&buffer.at[0], operand.value, sizeof(T));
        for (int k = 1; k < Count; ++k) buffer.at[k] = buffer.at[0];
    }
}

/// Input and output of one element may be the same; no others overlap.
template <class Out, class... In, class F>
inline void compute(int count, F& f, Out* out, const In*... in) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (int k = 0; k < count; ++k) {
        try {
            out[k] = f(in[k]...);
        } catch (const thread_exit&) {
        }
    }
}

template <class Out, class... In, int... I, int Operands, class F>
inline void for_each_element(places<I...>, const cpu_block& block, const strided_loop<Operands>& loop, F& f) {
    const strided_operand& result = loop.operands[Operands - 1];
    constexpr int most = piece_elements<Out, In...>();
    tuple<piece<In, most>...> in;
    piece<Out, most> out;
    (spread(loop.operands[I], get<I>(in)), ...);
    long long index = block.blockIdx.x * loop.chunk;
    const long long end = index + loop.chunk < loop.count ? index + loop.chunk : loop.count;
    while (index < end) {
        const loop_place place = place_of(loop, index);
        long long count = end - index < most ? end - index : most;
        // A long row is done by itself: its elements need not be gathered.
        const long long left = loop.extents[0] - place.at[0];
        if (left < count && loop.extents[0] >= 64) count = left;
        const int n = static_cast<int>(count);
        Out* const to = side_by_side(loop, result, place, n, out);
        compute<Out, In...>(n, f, to, side_by_side(loop, loop.operands[I], place, n, get<I>(in))...);
        if (to == out.at)
            walk<char>(loop, result, place, n, [&](char* element, int k) { memcpy(element, &out.at[k], sizeof(Out)); });
        index += count;
    }
}

template <class Out, class... In, int Operands, class F>
inline void for_each_element(const cpu_block& block, const strided_loop<Operands>& loop, F f) {
    for_each_element<Out, In...>(typename first_places<int(sizeof...(In))>::type{}, block, loop, f);
}

}  // namespace pyk

#endif  // PYK_ELEMENTWISE_CPU_H
