// The numbers from 0 on, as template arguments.
//
// Defines: places, first_places
#ifndef PYK_PLACES_H
#define PYK_PLACES_H

#include "pyk/config.h"

namespace pyk {

template <int... I>
struct places {};
template <class Front, class Back>
struct joined_places;
template <int... I, int... J>
struct joined_places<places<I...>, places<J...>> {
    using type = places<I..., (int(sizeof...(I)) + J)...>;
};
/// By halves: compilers nest templates 900 deep at most, and tuples have up to 1000 elements.
template <int N>
struct first_places : joined_places<typename first_places<N / 2>::type, typename first_places<N - N / 2>::type> {};
template <>
struct first_places<0> {
    using type = places<>;
};
template <>
struct first_places<1> {
    using type = places<0>;
};

}  // namespace pyk

#endif  // PYK_PLACES_H
