// The bits of a value as another type of its size.
//
// Defines: same_bits
#ifndef PYK_SAME_BITS_H
#define PYK_SAME_BITS_H

#include "pyk/config.h"

namespace pyk {

template <class To, class From>
PYK_HOST_DEVICE To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "as many bits");
    union {
        From from;
        To to;
    } both = {from};
    return both.to;
}

}  // namespace pyk

#endif  // PYK_SAME_BITS_H
