// Divisions by numbers that the host knows before the launch.
//
// Defines: division, divided, most_axes
#ifndef PYK_DIVISION_H
#define PYK_DIVISION_H

#include "pyk/config.h"

namespace pyk {

inline constexpr int most_axes = 8;

/// Divides numbers below 2^31: the quotient is (mulhi(n, multiplier) + n) >> shift.
struct division {
    unsigned divisor, multiplier, shift;
};

#ifdef __CUDACC__
PYK_DEVICE unsigned divided(unsigned number, const division& by) {
    return (__umulhi(number, by.multiplier) + number) >> by.shift;
}
#endif

}  // namespace pyk

#endif  // PYK_DIVISION_H
