// Divisions by numbers that the host knows before the launch.
//
// Defines: division, divided, most_axes
#ifndef PYK_DIVISION_H
#define PYK_DIVISION_H

#include "pyk/config.h"

namespace pyk {

/// Of one launch: the host makes several for arrays with more that cannot be joined.
inline constexpr int most_axes = 8;

/// Divides numbers below 2^31: the quotient is (mulhi(n, multiplier) + n) >> shift.
struct division {
    unsigned divisor, multiplier, shift;
};

PYK_DEVICE unsigned divided(unsigned number, const division& by) {
    const unsigned high = static_cast<unsigned>((static_cast<unsigned long long>(number) * by.multiplier) >> 32);
    return (high + number) >> by.shift;
}

}  // namespace pyk

#endif  // PYK_DIVISION_H
