// The loops of array functions for parts of arrays, on GPUs: a thread makes one call, or waits for others' where parts
// go through shared memory.
//
// Defines: for_each_core, for_each_core_staged
#ifndef PYK_CORE_H
#define PYK_CORE_H

#include "pyk/core_loop.h"
#include "pyk/tuple.h"

#ifdef __CUDACC__

namespace pyk {

template <int Operands>
PYK_DEVICE core_place<Operands> core_place_of(const core_loop<Operands>& loop, unsigned index) {
    core_place<Operands> place{loop, {}};
#pragma unroll
    for (int k = 0; k < Operands; ++k) place.data[k] = loop.operands[k].data;
#pragma unroll
    for (int axis = 0; axis < most_axes; ++axis) {
        if (axis >= loop.rank) break;
        const bool is_last = axis == loop.rank - 1;
        const unsigned rest = is_last ? 0 : divided(index, loop.by[axis]);
        const unsigned here = is_last ? index : index - rest * loop.by[axis].divisor;
#pragma unroll
        for (int k = 0; k < Operands; ++k)
            place.data[k] += static_cast<long long>(here) * loop.operands[k].strides[axis];
        index = rest;
    }
    return place;
}

template <int Operands, class F>
PYK_DEVICE void for_each_core(const core_loop<Operands>& loop, F f) {
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < static_cast<unsigned>(loop.count)) f(core_place_of(loop, index));
}

/// Of an operand that goes through shared memory, with elements of type T: the parts of a block's calls lie one behind
/// the other in memory. In shared memory each begins in a bank of its own. Void: of one that does not.
template <class T>
struct staged_parts {
    static_assert(16 % sizeof(T) == 0, "only such parts are staged");
    static constexpr unsigned wide = 16 / sizeof(T);

    /// `move(at, place, width)` for elements at `at` in memory and `place` in shared memory, each once.
    template <class Move>
    static PYK_DEVICE void for_each(const core_operand& operand, unsigned count, unsigned width, Move move) {
        const unsigned elements = count * operand.by_part.divisor;
#pragma unroll 4
        for (unsigned at = threadIdx.x * width; at < elements; at += blockDim.x * width) {
            const unsigned part = divided(at, operand.by_part);
            move(at, part * operand.pitch + (at - part * operand.by_part.divisor));
        }
    }

    static PYK_DEVICE T* in_memory(const core_operand& operand, unsigned first) {
        return reinterpret_cast<T*>(operand.data + first * operand.strides[0]);
    }
    static PYK_DEVICE T* in_shared(const core_operand& operand, char* shared) {
        return reinterpret_cast<T*>(shared + operand.shared_offset);
    }

    static PYK_DEVICE void load(const core_operand& operand, unsigned first, unsigned count, char* shared) {
        const T* const from = in_memory(operand, first);
        T* const to = in_shared(operand, shared);
        if (!operand.is_loaded) return;
        if (!operand.is_aligned)
            return for_each(operand, count, 1, [=](unsigned at, unsigned place) { to[place] = from[at]; });
        for_each(operand, count, wide, [=](unsigned at, unsigned place) {
            T values[wide];
            const uint4 bits = *reinterpret_cast<const uint4*>(from + at);
            memcpy(values, &bits, sizeof bits);
            for (unsigned k = 0; k < wide; ++k) to[place + k] = values[k];
        });
    }

    static PYK_DEVICE void store(const core_operand& operand, unsigned first, unsigned count, char* shared) {
        T* const to = in_memory(operand, first);
        const T* const from = in_shared(operand, shared);
        if (!operand.is_stored) return;
        if (!operand.is_aligned)
            return for_each(operand, count, 1, [=](unsigned at, unsigned place) { to[at] = from[place]; });
        for_each(operand, count, wide, [=](unsigned at, unsigned place) {
            T values[wide];
            uint4 bits;
            for (unsigned k = 0; k < wide; ++k) values[k] = from[place + k];
            memcpy(&bits, values, sizeof bits);
            *reinterpret_cast<uint4*>(to + at) = bits;
        });
    }

    static PYK_DEVICE void redirect(char*& data, const core_operand& operand, char* shared) {
        data = reinterpret_cast<char*>(in_shared(operand, shared) + threadIdx.x * operand.pitch);
    }
};
template <>
struct staged_parts<void> {
    static PYK_DEVICE void load(const core_operand&, unsigned, unsigned, char*) {}
    static PYK_DEVICE void store(const core_operand&, unsigned, unsigned, char*) {}
    static PYK_DEVICE void redirect(char*&, const core_operand&, char*) {}
};

/// Of an operand of which the launch knows whether it goes through shared memory: one that does has a pitch.
template <class T>
struct maybe_staged {};
template <class T>
struct staged_parts<maybe_staged<T>> : staged_parts<T> {
    static PYK_DEVICE void redirect(char*& data, const core_operand& operand, char* shared) {
        if (operand.pitch) staged_parts<T>::redirect(data, operand, shared);
    }
};

template <class... Staged, int... I, int Operands, class F>
PYK_DEVICE void for_each_core_staged(places<I...>, const core_loop<Operands>& loop, F f) {
    extern __shared__ uint4 pyk_parts[];
    char* const shared = reinterpret_cast<char*>(pyk_parts);
    const unsigned first = blockIdx.x * loop.calls_of_block, left = static_cast<unsigned>(loop.count) - first;
    const unsigned count = left < loop.calls_of_block ? left : loop.calls_of_block;
    (staged_parts<Staged>::load(loop.operands[I], first, count, shared), ...);
    __syncthreads();
    if (threadIdx.x < count) {
        core_place<Operands> place = core_place_of(loop, first + threadIdx.x);
        (staged_parts<Staged>::redirect(place.data[I], loop.operands[I], shared), ...);
        f(place);
    }
    __syncthreads();
    (staged_parts<Staged>::store(loop.operands[I], first, count, shared), ...);
}

/// `Staged`: per operand the type of its elements, or void.
template <class... Staged, int Operands, class F>
PYK_DEVICE void for_each_core_staged(const core_loop<Operands>& loop, F f) {
    for_each_core_staged<Staged...>(typename first_places<int(sizeof...(Staged))>::type{}, loop, f);
}

}  // namespace pyk

#endif

#endif  // PYK_CORE_H
