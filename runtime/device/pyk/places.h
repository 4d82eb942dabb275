// The numbers from 0 on, as template arguments.
//
// Defines: places, first_places
#ifndef PYK_PLACES_H
#define PYK_PLACES_H

#include "pyk/config.h"

namespace pyk {

template <int... I>
struct places {};
template <int N, int... I>
struct first_places : first_places<N - 1, N - 1, I...> {};
template <int... I>
struct first_places<0, I...> {
    using type = places<I...>;
};

}  // namespace pyk

#endif  // PYK_PLACES_H
