// Pure maps, one thread for several: the elements of threads that are neighbours are moved by 16 bytes at once.
//
// Defines: for_neighbours, smaller, reads, writes, updates
#ifndef PYK_NEIGHBOURS_H
#define PYK_NEIGHBOURS_H

#include "pyk/array.h"
#include "pyk/lanes.h"
#include "pyk/tuple.h"

#ifdef __CUDACC__

namespace pyk {

template <class T>
struct not_const {
    using type = T;
};
template <class T>
struct not_const<const T> {
    using type = T;
};

/// An array, and what is done with each of its elements.
template <class T, bool Reads, bool Writes>
struct used_array {
    using element = typename not_const<T>::type;
    static constexpr bool is_read = Reads, is_written = Writes;
    array<T, 1> whole;
};
template <class T>
PYK_DEVICE used_array<T, true, false> reads(const array<T, 1>& a) {
    return {a};
}
template <class T>
PYK_DEVICE used_array<T, false, true> writes(const array<T, 1>& a) {
    return {a};
}
template <class T>
PYK_DEVICE used_array<T, true, true> updates(const array<T, 1>& a) {
    return {a};
}

/// A few elements of an array in registers, in place of the array.
template <class Used, int Width>
struct window : decltype(Used::whole) {
    typename Used::element at[Width];
    long long first;
    PYK_DEVICE decltype(auto) operator()(long long i) { return (at[i - first]); }
};

PYK_DEVICE long long smaller(long long a, long long b) { return a < b ? a : b; }

template <int Width, class Used>
PYK_DEVICE void open_window(window<Used, Width>& to, const Used& from, long long first) {
    to.data = from.whole.data;
    to.shape[0] = from.whole.shape[0];
    to.first = first;
    if constexpr (Used::is_read) load_lanes<Width>(to.at, reinterpret_cast<const char*>(from.whole.data + first));
}
template <int Width, class Used>
PYK_DEVICE void close_window(const window<Used, Width>& from) {
    if constexpr (Used::is_written) store_lanes<Width>(reinterpret_cast<char*>(from.data + from.first), from.at);
}

/// Elements up to `end` are there, and begin at a multiple of 16 bytes.
template <class Used>
PYK_DEVICE bool has_lanes(const Used& used, long long end) {
    return end <= used.whole.shape[0] && reinterpret_cast<unsigned long long>(used.whole.data) % 16 == 0;
}

template <int Unroll, int Width, int... I, class F, class... Used>
PYK_DEVICE void in_windows(places<I...>, long long first, long long step, F f, const Used&... used) {
    tuple<window<Used, Width>...> windows[Unroll];
#pragma unroll
    for (int u = 0; u < Unroll; ++u) (open_window(get<I>(windows[u]), used, first + u * step), ...);
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
#pragma unroll
        for (int k = 0; k < Width; ++k) f(first + u * step + k, get<I>(windows[u])...);
        (close_window(get<I>(windows[u])), ...);
    }
}

/// `f(i, arrays…)` for each `i` below `count`, with as many blocks as have `Unroll` times 16 bytes of each array a
/// thread. All of a thread's elements are loaded before the first is computed.
template <int Unroll, class F, class... Used>
PYK_DEVICE void for_neighbours(long long count, F f, Used... used) {
    constexpr int width = lanes_of<typename Used::element...>();
    const long long step = static_cast<long long>(blockDim.x) * width, tile = step * Unroll;
    const long long begin = blockIdx.x * tile, end = begin + tile;
    if (end <= count && (has_lanes(used, end) && ...)) {
        in_windows<Unroll, width>(typename first_places<int(sizeof...(Used))>::type{}, begin + threadIdx.x * width,
                                  step, f, used...);
        return;
    }
#pragma unroll 1
    for (long long i = begin + threadIdx.x; i < smaller(count, end); i += blockDim.x) f(i, used.whole...);
}

}  // namespace pyk

#endif  // __CUDACC__

#endif  // PYK_NEIGHBOURS_H
