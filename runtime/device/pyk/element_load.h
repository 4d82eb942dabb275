// How the algorithms over arrays read their elements, on GPUs: what `load` makes of one of each input.
//
// Defines: load_value, load_values, shuffled_down
#ifndef PYK_ELEMENT_LOAD_H
#define PYK_ELEMENT_LOAD_H

#include "pyk/config.h"
#include "pyk/lanes.h"
#include "pyk/reduce_args.h"
#include "pyk/tuple.h"

#ifdef __CUDACC__

namespace pyk {

template <class T, class... In, int... I, class Load>
PYK_DEVICE T load_value(places<I...>, const element_input* inputs, long long index, Load& load) {
    return load(*reinterpret_cast<const In*>(inputs[I].data + index * inputs[I].step)...);
}
/// The value of one element, wherever it lies.
template <class T, class... In, class Load>
PYK_DEVICE T load_value(const element_input* inputs, long long index, Load& load) {
    return load_value<T, In...>(typename first_places<int(sizeof...(In))>::type{}, inputs, index, load);
}

/// Elements of one input in registers.
template <class T, int Count>
struct loaded {
    T at[Count];
};

template <class T, int Width, class... In, int... I, class Load>
PYK_DEVICE void load_values(places<I...>, const element_input* inputs, long long index, Load& load, T* to) {
    tuple<loaded<In, Width>...> in;
    (load_lanes<Width>(get<I>(in).at, inputs[I].data + index * static_cast<long long>(sizeof(In))), ...);
#pragma unroll
    for (int k = 0; k < Width; ++k) to[k] = load(get<I>(in).at[k]...);
}
/// `Width` values at once. Precondition: the elements lie side by side, and where `index` says is aligned.
template <class T, int Width, class... In, class Load>
PYK_DEVICE void load_values(const element_input* inputs, long long index, Load& load, T* to) {
    load_values<T, Width, In...>(typename first_places<int(sizeof...(In))>::type{}, inputs, index, load, to);
}

/// Of the thread that lies `distance` behind in the warp. Precondition: all threads of the warp are here.
template <class T>
PYK_DEVICE T shuffled_down(const T& value, int distance) {
    constexpr int words = (int(sizeof(T)) + 3) / 4;
    unsigned bits[words] = {};
    memcpy(bits, &value, sizeof value);
#pragma unroll
    for (int i = 0; i < words; ++i) bits[i] = __shfl_down_sync(0xffffffffu, bits[i], distance);
    T result;
    memcpy(&result, bits, sizeof result);
    return result;
}

}  // namespace pyk

#endif

#endif  // PYK_ELEMENT_LOAD_H
