// The loop of an array function on GPUs, of elements that lie side by side. `Wide`: a thread moves 16 bytes of each
// operand, once (on an H200 two or four times are slower by 1 or 2 %); else it has one element. Blocks have 256
// threads.
//
// Defines: for_each_flat
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

/// The elements of one thread: all are loaded before the first is computed.
template <int Width, class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void flat_elements(places<I...>, const flat_loop<Operands>& loop, long long first, F f) {
    tuple<lanes<In, Width>...> in;
    (load_operand<Width>(get<I>(in), element_at<In>(loop.operands[I].data, first), loop.operands[I].value), ...);
    Out out[Width];
#pragma unroll
    for (int k = 0; k < Width; ++k) out[k] = f(get<I>(in).at[k]...);
    store_lanes<Width>(element_at<Out>(loop.operands[Operands - 1].data, first), out);
}

/// What lies before the first 16 bytes and behind the last is the first block's. The function is there twice, no
/// oftener: NVRTC's time grows with it.
template <bool Wide, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_flat(const flat_loop<Operands>& loop, F f) {
    using inputs = typename first_places<int(sizeof...(In))>::type;
    long long i = static_cast<long long>(blockIdx.x) * elementwise_threads + threadIdx.x;
    if constexpr (Wide) {
        constexpr int width = lanes_of<Out, In...>();
        const long long first = loop.head + i * width;
        if (first < loop.end) flat_elements<width, Out, In...>(inputs{}, loop, first, f);
        if (blockIdx.x != 0) return;
        if (i >= loop.head) i += loop.end - loop.head;
    }
    if (i < loop.count) flat_elements<1, Out, In...>(inputs{}, loop, i, f);
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENTWISE_H
