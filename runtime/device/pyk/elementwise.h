// The loops of array functions on GPUs over elements that lie side by side. `Wide`: a thread moves 16 bytes of each
// operand, once; else it has one element. (On an H200 two or four times 16 are slower by 1 or 2 %. On an H100 8 bytes
// of two arrays are faster by 1 % for a sum, and slower by 10 % for Black-Scholes.) Blocks have 256 threads. NVRTC's
// time counts: they are as plain as they can be, and what moves words has no template of its own.
//
// Defines: for_each_flat
#ifndef PYK_ELEMENTWISE_H
#define PYK_ELEMENTWISE_H

#include "pyk/lanes.h"
#include "pyk/places.h"
#include "pyk/single.h"

#ifdef __CUDACC__

namespace pyk {

template <class T, int Width>
PYK_DEVICE lanes<T, Width> flat_lanes(const flat_operand& operand, long long index) {
    lanes<T, Width> in;
    if constexpr (is_access_word(sizeof in)) {
        const auto word = flat_input<typename access_word<int(sizeof in)>::type>(operand, index);
        memcpy(&in, &word, sizeof in);
    } else {
        in.at[0] = flat_input<T>(operand, index);
    }
    return in;
}

template <class Out, int Width, class F, class... In>
PYK_DEVICE void store_flat(char* to, long long index, F f, const lanes<In, Width>&... in) {
    lanes<Out, Width> out;
#pragma unroll
    for (int k = 0; k < Width; ++k) out.at[k] = f(in.at[k]...);
    if constexpr (is_access_word(sizeof out)) {
        typename access_word<int(sizeof out)>::type word;
        memcpy(&word, &out, sizeof word);
        reinterpret_cast<decltype(word)*>(to)[index] = word;
    } else {
        reinterpret_cast<Out*>(to)[index] = out.at[0];
    }
}

/// The elements of the thread, all of which are loaded before the first is computed. What lies before the first 16
/// bytes and behind the last is the first block's. The function is there twice then, no oftener.
template <int Width, class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void flat_elements(places<I...>, const flat_loop<Operands>& loop, F f) {
    long long i = static_cast<long long>(blockIdx.x) * 256 + threadIdx.x;
    char* const out = loop.operands[Operands - 1].data;
    if (i < loop.vectors) store_flat<Out, Width>(out, i, f, flat_lanes<In, Width>(loop.operands[I], i)...);
    if constexpr (Width > 1) {
        if (blockIdx.x != 0 || i >= loop.rest) return;
        i += i < loop.head ? -loop.head : loop.vectors * Width - loop.head;
        reinterpret_cast<Out*>(out)[i] = f(flat_input<In>(loop.operands[I], i)...);
    }
}

template <bool Wide, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_flat(const flat_loop<Operands>& loop, F f) {
    flat_elements<Wide ? lanes_of<Out, In...>() : 1, Out, In...>(typename first_places<int(sizeof...(In))>::type{},
                                                                 loop, f);
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENTWISE_H
