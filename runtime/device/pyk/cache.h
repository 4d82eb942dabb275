// Loads and stores of global memory with a cache hint. On the CPU they are plain ones.
//
// Defines: ldca, ldcg, ldcs, ldlu, ldcv, stcg, stcs, stwb, stwt
#ifndef PYK_CACHE_H
#define PYK_CACHE_H

#include "pyk/config.h"

namespace pyk {

template <class Format>
struct small_float;

#ifdef __CUDACC__
#define PYK_LOAD(name, cuda)                                                \
    template <class T>                                                      \
    PYK_DEVICE T name(const T& place) {                                     \
        return cuda(&place);                                                \
    }                                                                       \
    template <class Format>                                                 \
    PYK_DEVICE small_float<Format> name(const small_float<Format>& place) { \
        return small_float<Format>::of(cuda(&place.bits));                  \
    }
#define PYK_STORE(name, cuda)                                                     \
    template <class T>                                                            \
    PYK_DEVICE void name(T& place, T value) {                                     \
        cuda(&place, value);                                                      \
    }                                                                             \
    template <class Format>                                                       \
    PYK_DEVICE void name(small_float<Format>& place, small_float<Format> value) { \
        cuda(&place.bits, value.bits);                                            \
    }
#else
#define PYK_LOAD(name, cuda)        \
    template <class T>              \
    inline T name(const T& place) { \
        return place;               \
    }
#define PYK_STORE(name, cuda)             \
    template <class T>                    \
    inline void name(T& place, T value) { \
        place = value;                    \
    }
#endif
PYK_LOAD(ldca, __ldca)
PYK_LOAD(ldcg, __ldcg)
PYK_LOAD(ldcs, __ldcs)
PYK_LOAD(ldlu, __ldlu)
PYK_LOAD(ldcv, __ldcv)
PYK_STORE(stcg, __stcg)
PYK_STORE(stcs, __stcs)
PYK_STORE(stwb, __stwb)
PYK_STORE(stwt, __stwt)
#undef PYK_LOAD
#undef PYK_STORE

}  // namespace pyk

#endif  // PYK_CACHE_H
