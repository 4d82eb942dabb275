// Bounds that small numbers are compared with.
//
// Defines: clamped
#ifndef PYK_CLAMPED_H
#define PYK_CLAMPED_H

#include "pyk/config.h"

namespace pyk {

/// The number, or `least` or `most` where it is beyond them.
PYK_DEVICE int clamped(long long value, int least, int most) {
    return value < least ? least : value > most ? most : static_cast<int>(value);
}

}  // namespace pyk

#endif  // PYK_CLAMPED_H
