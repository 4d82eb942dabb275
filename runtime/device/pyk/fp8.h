// CUDA's floats of 8 bits: their bytes from numbers, and numbers from their bytes, as cuda_fp8.h converts.
//
// Defines: to_fp8, to_e8m0, to_fp8x2, to_e8m0x2, raw_to_fp8, raw_to_e8m0, e8m0_to_bf16raw, to_fp8_e5m2, to_fp8_e4m3,
// to_fp8_e8m0, to_fp8x2_e5m2, to_fp8x2_e4m3, to_fp8x2_e8m0, to_fp8x4_e5m2, to_fp8x4_e4m3, to_fp8x4_e8m0, byte_of,
// from_fp8_e5m2, from_fp8_e4m3, from_fp8_e8m0, fp8_integer
#ifndef PYK_FP8_H
#define PYK_FP8_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"
#include "pyk/same_bits.h"

namespace pyk {

struct e4m3_format {
    static constexpr int mantissa = 3, bias = 7;
    static constexpr unsigned greatest = 0x7e, infinity = 0x7f, nan = 0x7f;  ///< it has no infinity
    PYK_HOST_DEVICE static bool is_too_large(double x) { return x > 464; }
};
struct e5m2_format {
    static constexpr int mantissa = 2, bias = 15;
    static constexpr unsigned greatest = 0x7b, infinity = 0x7c, nan = 0x7e;
    PYK_HOST_DEVICE static bool is_too_large(double x) { return x >= 61440; }
};

/// To the nearest, halves to even.
template <class Format>
PYK_HOST_DEVICE unsigned char round_to_fp8(double x, bool saturates) {
    const unsigned long long bits = same_bits<unsigned long long>(x);
    const unsigned sign = static_cast<unsigned>(bits >> 56) & 0x80;
    const double size = same_bits<double>(bits & ~(1ull << 63));
    if (size != size) return static_cast<unsigned char>(sign | Format::nan);
    if (Format::is_too_large(size))
        return static_cast<unsigned char>(sign | (saturates ? Format::greatest : Format::infinity));
    const int least = 1 - Format::bias, exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
    const int steps = exponent > least ? exponent - least : 0;  // above the subnormal numbers
    const int digits = Format::mantissa - least - steps;        // behind the binary point
    const double scale = same_bits<double>(static_cast<unsigned long long>(1023 + digits) << 52);
    const unsigned rounded = static_cast<unsigned>(::rint(size * scale));
    return static_cast<unsigned char>(sign | ((static_cast<unsigned>(steps) << Format::mantissa) + rounded));
}

/// A power of two: upwards, or towards zero.
PYK_HOST_DEVICE unsigned char round_to_e8m0(double x, bool saturates, bool up) {
    const unsigned long long bits = same_bits<unsigned long long>(x) & ~(1ull << 63);
    const double size = same_bits<double>(bits);
    if (size != size) return 0xff;
    if (size <= 0x1p-127) return 0;
    const int above = up && (bits & ((1ull << 52) - 1)) != 0;
    const int code = static_cast<int>(bits >> 52) - 1023 + 127 + above;
    return static_cast<unsigned char>(code < 0xff ? code : 0xff - saturates);
}

// --- with the caller's saturation, format and rounding

PYK_HOST_DEVICE unsigned char to_fp8(double x, long long saturation, long long interpretation) {
    return interpretation == 0 ? round_to_fp8<e4m3_format>(x, saturation == 1)
                               : round_to_fp8<e5m2_format>(x, saturation == 1);
}
PYK_HOST_DEVICE unsigned char to_e8m0(double x, long long saturation, long long rounding) {
    return round_to_e8m0(x, saturation == 1, rounding == 2);
}

// A float32 that is no number becomes the one NaN of all bits, in each format.
PYK_HOST_DEVICE unsigned char to_fp8(float x, long long saturation, long long interpretation) {
    return x != x ? 0x7f : to_fp8(static_cast<double>(x), saturation, interpretation);
}

/// Of the bits of a bfloat16, and to them.
template <class Raw>
PYK_HOST_DEVICE unsigned char raw_to_fp8(Raw raw, long long saturation, long long interpretation) {
    return to_fp8(same_bits<float>(static_cast<unsigned>(raw.x) << 16), saturation, interpretation);
}
template <class Raw>
PYK_HOST_DEVICE unsigned char raw_to_e8m0(Raw raw, long long saturation, long long rounding) {
    return to_e8m0(same_bits<float>(static_cast<unsigned>(raw.x) << 16), saturation, rounding);
}
template <class Raw>
PYK_HOST_DEVICE Raw e8m0_to_bf16raw(unsigned char byte) {
    return {static_cast<unsigned short>(byte == 0xff ? 0x7fff : byte == 0 ? 0x40 : byte << 7)};
}

/// Of a vector of two.
template <class V>
PYK_HOST_DEVICE unsigned short to_fp8x2(V v, long long saturation, long long interpretation) {
    const unsigned low = to_fp8(v.x, saturation, interpretation);
    return static_cast<unsigned short>(low | to_fp8(v.y, saturation, interpretation) << 8);
}
template <class V>
PYK_HOST_DEVICE unsigned short to_e8m0x2(V v, long long saturation, long long rounding) {
    const unsigned low = to_e8m0(v.x, saturation, rounding);
    return static_cast<unsigned short>(low | to_e8m0(v.y, saturation, rounding) << 8);
}

// --- to the nearest, too large is the greatest number; e8m0 upwards

PYK_HOST_DEVICE unsigned char to_fp8_e4m3(double x) { return round_to_fp8<e4m3_format>(x, true); }
PYK_HOST_DEVICE unsigned char to_fp8_e5m2(double x) { return round_to_fp8<e5m2_format>(x, true); }
PYK_HOST_DEVICE unsigned char to_fp8_e8m0(double x) { return round_to_e8m0(x, true, true); }
#if !(__CUDA_ARCH__ >= 890)
PYK_HOST_DEVICE unsigned char to_fp8_e4m3(float x) { return to_fp8(x, 1, 0); }
PYK_HOST_DEVICE unsigned char to_fp8_e5m2(float x) { return to_fp8(x, 1, 1); }
#endif

#define PYK_FP8_PACKS(format)                                                                  \
    template <class T>                                                                         \
    PYK_HOST_DEVICE unsigned short to_fp8x2_##format(T x, T y) {                               \
        const unsigned low = to_fp8_##format(x);                                               \
        return static_cast<unsigned short>(low | to_fp8_##format(y) << 8);                     \
    }                                                                                          \
    template <class T>                                                                         \
    PYK_HOST_DEVICE unsigned to_fp8x4_##format(T x, T y, T z, T w) {                           \
        return to_fp8x2_##format(x, y) | static_cast<unsigned>(to_fp8x2_##format(z, w)) << 16; \
    }
#if __CUDA_ARCH__ >= 890
#define PYK_FP8_CVT(format)                                                                  \
    PYK_DEVICE unsigned short to_fp8x2_##format(float x, float y) {                          \
        unsigned short pair;                                                                 \
        asm("cvt.rn.satfinite." #format "x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(y), "f"(x)); \
        return pair;                                                                         \
    }                                                                                        \
    PYK_DEVICE unsigned char to_fp8_##format(float x) { return static_cast<unsigned char>(to_fp8x2_##format(x, 0.0f)); }
PYK_FP8_CVT(e4m3)
PYK_FP8_CVT(e5m2)
#undef PYK_FP8_CVT
#endif
PYK_FP8_PACKS(e4m3)
PYK_FP8_PACKS(e5m2)
PYK_FP8_PACKS(e8m0)
#undef PYK_FP8_PACKS

PYK_HOST_DEVICE unsigned char byte_of(unsigned pack, int index) {
    return static_cast<unsigned char>(pack >> 8 * index);
}

PYK_HOST_DEVICE float from_fp8_e4m3(unsigned char byte) {
    const unsigned sign = (byte & 0x80u) << 24, rest = byte & 0x7fu;
    if (rest == 0x7f) return same_bits<float>(sign | 0x7fffffff);
    const float scaled = same_bits<float>(rest << 20) * 0x1p120f;  // exact, subnormals too
    return same_bits<float>(sign | same_bits<unsigned>(scaled));
}
PYK_HOST_DEVICE float from_fp8_e5m2(unsigned char byte) {
    const unsigned sign = (byte & 0x80u) << 24, rest = byte & 0x7fu;
    if (rest >= 0x7c) return same_bits<float>(sign | 0x7f800000 | (rest & 3) << 21);
    const float scaled = same_bits<float>(rest << 21) * 0x1p112f;
    return same_bits<float>(sign | same_bits<unsigned>(scaled));
}
PYK_HOST_DEVICE float from_fp8_e8m0(unsigned char byte) {
    if (byte == 0xff) return same_bits<float>(0x7fffffffu);
    return same_bits<float>(byte == 0 ? 0x00400000u : static_cast<unsigned>(byte) << 23);
}

template <class T>
PYK_HOST_DEVICE T fp8_integer(float x) {
    constexpr bool is_signed = T(-1) < T(0);
    constexpr int digits = static_cast<int>(sizeof(T)) * 8 - is_signed;
    const T least = is_signed ? static_cast<T>(1ull << digits) : T(0);
    if (x != x) return sizeof(T) == 8 ? static_cast<T>(1ull << 63) : T(0);
    const float end = same_bits<float>(static_cast<unsigned>(127 + digits) << 23);
    if (x >= end) return static_cast<T>(~least);
    return x < (is_signed ? -end : 0.0f) ? least : static_cast<T>(x);
}

}  // namespace pyk

#endif  // PYK_FP8_H
