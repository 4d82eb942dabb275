#include "types/small_float.h"

#include <cmath>

namespace pyk {
namespace {

struct Format {
    int fraction, least, most;  ///< bits behind the point; exponents of normal numbers
};

Format format_of(Type type) { return type.is(Scalar::float16) ? Format{10, -14, 15} : Format{7, -126, 127}; }

}  // namespace

double rounded(double value, Type type) {
    if (type.bits() == 64 || !std::isfinite(value) || value == 0) return value;
    if (type.bits() == 32) return static_cast<double>(static_cast<float>(value));
    const Format format = format_of(type);
    const double unit = std::ldexp(1.0, std::max(std::ilogb(value), format.least) - format.fraction);
    const double nearest = std::nearbyint(value / unit) * unit;
    return std::fabs(nearest) < std::ldexp(1.0, format.most + 1) ? nearest : std::copysign(HUGE_VAL, value);
}

uint16_t small_float_bits(double value, Type type) {
    const Format format = format_of(type);
    const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const auto infinity = static_cast<uint16_t>((2 * format.most + 1) << format.fraction);
    if (std::isnan(value)) return static_cast<uint16_t>(sign | infinity | 1 << (format.fraction - 1));
    const double magnitude = std::fabs(rounded(value, type));
    if (std::isinf(magnitude)) return sign | infinity;
    if (magnitude == 0) return sign;
    const int exponent = std::max(std::ilogb(magnitude), format.least);
    const auto digits = static_cast<int>(std::ldexp(magnitude, format.fraction - exponent));
    // A normal number's leading bit makes the exponent one more.
    return static_cast<uint16_t>(sign | (((exponent - format.least) << format.fraction) + digits));
}

double small_float_value(uint16_t bits, Type type) {
    const Format format = format_of(type);
    const int exponent = (bits & 0x7fff) >> format.fraction, digits = bits & ((1 << format.fraction) - 1);
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == 2 * format.most + 1) return digits != 0 ? NAN : sign * HUGE_VAL;
    const int leading = exponent == 0 ? 0 : 1 << format.fraction;
    return sign * std::ldexp(leading + digits, std::max(exponent, 1) - 1 + format.least - format.fraction);
}

}  // namespace pyk
