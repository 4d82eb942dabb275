// How the algorithms over arrays read their elements, on the CPU: what `load` makes of one of each input.
//
// Defines: load_on_cpu
#ifndef PYK_ELEMENT_LOAD_CPU_H
#define PYK_ELEMENT_LOAD_CPU_H

#include "pyk/config.h"
#include "pyk/reduce_args.h"
#include "pyk/tuple.h"

namespace pyk {

template <bool Dense, class T, class... In, int... I, class Load>
inline T load_on_cpu(places<I...>, const element_input* inputs, long long index, Load& load) {
    if constexpr (Dense)
        return load(reinterpret_cast<const In*>(inputs[I].data)[index]...);
    else
        return load(*reinterpret_cast<const In*>(inputs[I].data + index * inputs[I].step)...);
}
/// The value of one element. `Dense`: the elements lie side by side.
template <bool Dense, class T, class... In, class Load>
inline T load_on_cpu(const element_input* inputs, long long index, Load& load) {
    return load_on_cpu<Dense, T, In...>(typename first_places<int(sizeof...(In))>::type{}, inputs, index, load);
}

}  // namespace pyk

#endif  // PYK_ELEMENT_LOAD_CPU_H
