// The loop of an array function on GPUs, of elements that lie side by side. `Unroll`: how often a thread moves 16 bytes
// of each operand; 0: it has one element. Blocks have 256 threads.
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

/// `Unroll` times `Width` elements from `data` on, each time `step` elements further, of which `left` are there, one at
/// least; or the number, everywhere.
template <int Width, int Unroll, class T>
PYK_DEVICE void load_operand(lanes<T, Width * Unroll>& to, const char* data, long long step, long long left,
                             const unsigned char* number) {
    if (data) {
#pragma unroll
        for (int u = 0; u < Unroll; ++u)
            if (u == 0 || u * step < left)
                load_lanes<Width>(to.at + u * Width, data + u * step * static_cast<long long>(sizeof(T)));
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

/// Computes and stores what was loaded, to `data` on.
template <int Width, int Unroll, class Out, int... I, class Lanes, class F>
PYK_DEVICE void store_results(places<I...>, char* data, long long step, long long left, const Lanes& in, F f) {
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
        if (u != 0 && u * step >= left) break;
        Out out[Width];
#pragma unroll
        for (int k = 0; k < Width; ++k) out[k] = f(get<I>(in).at[u * Width + k]...);
        store_lanes<Width>(data + u * step * static_cast<long long>(sizeof(Out)), out);
    }
}

/// The elements of one thread that lie before `end`: all are loaded before the first is computed.
template <int Width, int Unroll, class Out, class... In, int... I, int Operands, class F>
PYK_DEVICE void flat_elements(places<I...> inputs, const flat_loop<Operands>& loop, long long first, long long end,
                              F f) {
    if (first >= end) return;
    constexpr int step = elementwise_threads * Width;
    tuple<lanes<In, Width * Unroll>...> in;
    (load_operand<Width, Unroll>(get<I>(in), element_at<In>(loop.operands[I].data, first), step, end - first,
                                 loop.operands[I].value),
     ...);
    store_results<Width, Unroll, Out>(inputs, element_at<Out>(loop.operands[Operands - 1].data, first), step,
                                      end - first, in, f);
}

/// What lies before the first 16 bytes and behind the last is the first block's. The function is there twice, no
/// oftener: NVRTC's time grows with it.
template <int Unroll, class Out, class... In, int Operands, class F>
PYK_DEVICE void for_each_flat(const flat_loop<Operands>& loop, F f) {
    using inputs = typename first_places<int(sizeof...(In))>::type;
    const long long block = blockIdx.x, i = threadIdx.x;
    if constexpr (Unroll == 0) {
        flat_elements<1, 1, Out, In...>(inputs{}, loop, block * elementwise_threads + i, loop.count, f);
    } else {
        constexpr int width = lanes_of<Out, In...>(), tile = elementwise_threads * width * Unroll;
        flat_elements<width, Unroll, Out, In...>(inputs{}, loop, loop.head + block * tile + i * width, loop.end, f);
        if (block == 0)
            flat_elements<1, 1, Out, In...>(inputs{}, loop, i < loop.head ? i : i - loop.head + loop.end, loop.count,
                                            f);
    }
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENTWISE_H
