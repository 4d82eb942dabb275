// The 16-bit floats: float16 (IEEE's half) and bfloat16, their operators, and the functions of cuda.fp16 and cuda.bf16.
//
// Defines: float16, bfloat16, sum, difference, product, habs, hadd_sat, hceil, hcos, hdiv, heq, hequ, hexp, hexp10,
// hexp2, hfloor, hfma, hfma_relu, hfma_sat, hge, hgeu, hgt, hgtu, hisinf, hisnan, hle, hleu, hlog, hlog10, hlog2, hlt,
// hltu, hmax, hmax_nan, hmin, hmin_nan, hmul_sat, hne, hneg, hneu, hrcp, hrint, hrsqrt, hsin, hsqrt, hsub_sat, htanh,
// htanh_approx, htrunc, directed, rounding, integral, from_bits, bits_of
#ifndef PYK_HALF_H
#define PYK_HALF_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"
#include "pyk/same_bits.h"

namespace pyk {

/// Rounded so that a second rounding to fewer digits gives what one rounding would have given: inexact is odd.
PYK_HOST_DEVICE float odd(double x) {
    const float f = static_cast<float>(x);
    const double back = static_cast<double>(f);
    if (back == x || x != x) return f;
    const unsigned bits = same_bits<unsigned>(f);
    return same_bits<float>((back < 0 ? -back : back) > (x < 0 ? -x : x) ? (bits - 1) | 1 : bits | 1);
}
PYK_HOST_DEVICE float odd(unsigned long long x) {
    const float f = static_cast<float>(x);
    const bool above = f >= 18446744073709551616.0f || static_cast<unsigned long long>(f) > x;
    if (!above && static_cast<unsigned long long>(f) == x) return f;
    const unsigned bits = same_bits<unsigned>(f);
    return same_bits<float>(above ? (bits - 1) | 1 : bits | 1);
}
PYK_HOST_DEVICE float odd(long long x) {
    return x < 0 ? -odd(0 - static_cast<unsigned long long>(x)) : odd(static_cast<unsigned long long>(x));
}
PYK_HOST_DEVICE float odd(int x) { return odd(static_cast<double>(x)); }
PYK_HOST_DEVICE float odd(unsigned x) { return odd(static_cast<double>(x)); }
PYK_HOST_DEVICE float odd(float x) { return x; }

struct half_format {
    static constexpr unsigned short infinity = 0x7c00, nan = 0x7fff;

    PYK_HOST_DEVICE static unsigned short round(float x) {
#ifdef __CUDA_ARCH__
        unsigned short bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
        return bits;
#else
        const unsigned u = same_bits<unsigned>(x), magnitude = u & 0x7fffffff, sign = u >> 16 & 0x8000;
        if (magnitude > 0x7f800000) return nan;
        if (magnitude >= 0x477ff000) return static_cast<unsigned short>(sign | infinity);
        if (magnitude < 0x38800000) {  // subnormal: the unit of the sum is the last digit
            const float sum = same_bits<float>(magnitude) + 0.5f;
            return static_cast<unsigned short>(sign | (same_bits<unsigned>(sum) - 0x3f000000));
        }
        const unsigned rounded = magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000;
        return static_cast<unsigned short>(sign | rounded >> 13);
#endif
    }
    PYK_HOST_DEVICE static float widen(unsigned short bits) {
#ifdef __CUDA_ARCH__
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
#else
        const unsigned magnitude = bits & 0x7fffu, sign = (bits & 0x8000u) << 16;
        if (magnitude >= infinity) return same_bits<float>(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
        const float scaled = same_bits<float>(magnitude << 13) * 0x1p112f;  // exact, subnormals too
        return same_bits<float>(sign | same_bits<unsigned>(scaled));
#endif
    }
};

struct brain_format {
    static constexpr unsigned short infinity = 0x7f80, nan = 0x7fff;

    PYK_HOST_DEVICE static unsigned short round(float x) {
        const unsigned u = same_bits<unsigned>(x);
        if ((u & 0x7fffffff) > 0x7f800000) return nan;
        return static_cast<unsigned short>((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
    PYK_HOST_DEVICE static float widen(unsigned short bits) {
        return same_bits<float>(static_cast<unsigned>(bits) << 16);
    }
};

/// Kept in 16 bits. Conversions are written out; sums, products and quotients are rounded once.
template <class Format>
struct small_float {
    unsigned short bits;

    small_float() = default;
    template <class X>
    PYK_HOST_DEVICE explicit small_float(X x) : bits(Format::round(odd(arithmetic(x)))) {}

    template <class X>
    PYK_HOST_DEVICE explicit operator X() const {
        return static_cast<X>(Format::widen(bits));
    }
    PYK_HOST_DEVICE explicit operator bool() const { return (bits & 0x7fff) != 0; }

    PYK_DEVICE small_float& operator+=(small_float b) { return *this = *this + b; }
    PYK_DEVICE small_float& operator-=(small_float b) { return *this = *this - b; }
    PYK_DEVICE small_float& operator*=(small_float b) { return *this = *this * b; }
    PYK_DEVICE small_float& operator/=(small_float b) { return *this = *this / b; }

    PYK_DEVICE friend small_float operator-(small_float a) { return of(static_cast<unsigned short>(a.bits ^ 0x8000)); }
    PYK_DEVICE friend small_float operator+(small_float a, small_float b) { return sum(a, b); }
    PYK_DEVICE friend small_float operator-(small_float a, small_float b) { return difference(a, b); }
    PYK_DEVICE friend small_float operator*(small_float a, small_float b) { return product(a, b); }
    PYK_DEVICE friend small_float operator/(small_float a, small_float b) { return small_float(wide(a) / wide(b)); }
    PYK_DEVICE friend bool operator==(small_float a, small_float b) { return wide(a) == wide(b); }
    PYK_DEVICE friend bool operator!=(small_float a, small_float b) { return wide(a) != wide(b); }
    PYK_DEVICE friend bool operator<(small_float a, small_float b) { return wide(a) < wide(b); }
    PYK_DEVICE friend bool operator<=(small_float a, small_float b) { return wide(a) <= wide(b); }
    PYK_DEVICE friend bool operator>(small_float a, small_float b) { return wide(a) > wide(b); }
    PYK_DEVICE friend bool operator>=(small_float a, small_float b) { return wide(a) >= wide(b); }

    PYK_HOST_DEVICE static constexpr small_float of(unsigned short bits) { return small_float(bits, as_they_are()); }
    PYK_HOST_DEVICE friend float wide(small_float x) { return Format::widen(x.bits); }

  private:
    struct as_they_are {};
    PYK_HOST_DEVICE constexpr small_float(unsigned short b, as_they_are) : bits(b) {}

    PYK_HOST_DEVICE static float arithmetic(float x) { return x; }
    PYK_HOST_DEVICE static double arithmetic(double x) { return x; }
    PYK_HOST_DEVICE static long long arithmetic(long long x) { return x; }
    PYK_HOST_DEVICE static unsigned long long arithmetic(unsigned long long x) { return x; }
    PYK_HOST_DEVICE static int arithmetic(int x) { return x; }
    PYK_HOST_DEVICE static unsigned arithmetic(unsigned x) { return x; }
    template <class Other>
    PYK_HOST_DEVICE static float arithmetic(small_float<Other> x) {
        return wide(x);
    }
};

using float16 = small_float<half_format>;
using bfloat16 = small_float<brain_format>;

template <class S>
PYK_DEVICE S sum(S a, S b) {
    return S(wide(a) + wide(b));
}
template <class S>
PYK_DEVICE S difference(S a, S b) {
    return S(wide(a) - wide(b));
}
template <class S>
PYK_DEVICE S product(S a, S b) {
    return S(wide(a) * wide(b));
}
#ifdef __CUDACC__
PYK_DEVICE float16 sum(float16 a, float16 b) {
    float16 r;
    asm("add.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
PYK_DEVICE float16 difference(float16 a, float16 b) {
    float16 r;
    asm("sub.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
PYK_DEVICE float16 product(float16 a, float16 b) {
    float16 r;
    asm("mul.f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));
    return r;
}
#endif

template <class S, class I>
PYK_DEVICE S from_bits(I bits) {
    return S::of(static_cast<unsigned short>(bits));
}
template <class I, class S>
PYK_DEVICE I bits_of(S x) {
    return static_cast<I>(x.bits);
}
template <class S>
PYK_DEVICE S hneg(S x) {
    return -x;
}
template <class F>
PYK_DEVICE small_float<F> habs(small_float<F> x) {
    return small_float<F>::of(x.bits & 0x7fff);
}
template <class F>
PYK_DEVICE small_float<F> abs(small_float<F> x) {
    return habs(x);
}
template <class F>
PYK_DEVICE small_float<F> hdiv(small_float<F> a, small_float<F> b) {
    return a / b;
}

/// Rounded once.
template <class F>
PYK_DEVICE small_float<F> hfma(small_float<F> a, small_float<F> b, small_float<F> c) {
    const double p = static_cast<double>(wide(a)) * wide(b), q = wide(c), s = p + q, part = s - p;
    const double error = (p - (s - part)) + (q - part);
    unsigned long long bits = same_bits<unsigned long long>(s);
    if (error == error && error != 0 && (bits & 1) == 0) bits += (error > 0) == (s > 0) ? 1 : ~0ull;
    return small_float<F>(same_bits<double>(bits));
}
#ifdef __CUDACC__
PYK_DEVICE float16 hfma(float16 a, float16 b, float16 c) {
    float16 r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return r;
}
#endif

/// Between 0 and 1; a NaN gives 0.
template <class F>
PYK_DEVICE small_float<F> saturated(small_float<F> x) {
    const float f = wide(x);
    return f > 0 ? f < 1 ? x : small_float<F>(1.0f) : small_float<F>(0.0f);
}
template <class S>
PYK_DEVICE S hadd_sat(S a, S b) {
    return saturated(a + b);
}
template <class S>
PYK_DEVICE S hsub_sat(S a, S b) {
    return saturated(a - b);
}
template <class S>
PYK_DEVICE S hmul_sat(S a, S b) {
    return saturated(a * b);
}
template <class S>
PYK_DEVICE S hfma_sat(S a, S b, S c) {
    return saturated(hfma(a, b, c));
}
template <class S>
PYK_DEVICE S hfma_relu(S a, S b, S c) {
    const S x = hfma(a, b, c);
    return wide(x) < 0 ? S(0.0f) : x;
}

template <class F>
PYK_DEVICE bool hisnan(small_float<F> x) {
    return (x.bits & 0x7fff) > F::infinity;
}
/// 1 and -1 for the two infinities, else 0.
template <class F>
PYK_DEVICE int hisinf(small_float<F> x) {
    return (x.bits & 0x7fff) == F::infinity ? (x.bits >> 15 ? -1 : 1) : 0;
}
template <class F>
PYK_DEVICE bool unordered(small_float<F> a, small_float<F> b) {
    return hisnan(a) || hisnan(b);
}

#define PYK_HALF_COMPARISON(name, or_unordered, op)    \
    template <class S>                                 \
    PYK_DEVICE bool name(S a, S b) {                   \
        return !unordered(a, b) && wide(a) op wide(b); \
    }                                                  \
    template <class S>                                 \
    PYK_DEVICE bool or_unordered(S a, S b) {           \
        return unordered(a, b) || wide(a) op wide(b);  \
    }
PYK_HALF_COMPARISON(heq, hequ, ==)
PYK_HALF_COMPARISON(hne, hneu, !=)
PYK_HALF_COMPARISON(hlt, hltu, <)
PYK_HALF_COMPARISON(hle, hleu, <=)
PYK_HALF_COMPARISON(hgt, hgtu, >)
PYK_HALF_COMPARISON(hge, hgeu, >=)
#undef PYK_HALF_COMPARISON

/// -0 is less than 0; of a NaN and a number the number.
template <class S>
PYK_DEVICE S hmin(S a, S b) {
    if (hisnan(a)) return b;
    return wide(b) < wide(a) || (wide(a) == wide(b) && b.bits >> 15) ? b : a;
}
template <class S>
PYK_DEVICE S hmax(S a, S b) {
    if (hisnan(a)) return b;
    return wide(b) > wide(a) || (wide(a) == wide(b) && a.bits >> 15) ? b : a;
}
template <class F>
PYK_DEVICE small_float<F> hmin_nan(small_float<F> a, small_float<F> b) {
    return unordered(a, b) ? small_float<F>::of(F::nan) : hmin(a, b);
}
template <class F>
PYK_DEVICE small_float<F> hmax_nan(small_float<F> a, small_float<F> b) {
    return unordered(a, b) ? small_float<F>::of(F::nan) : hmax(a, b);
}
template <class F>
PYK_DEVICE small_float<F> min(small_float<F> a, small_float<F> b) {
    return hmin(a, b);
}
template <class F>
PYK_DEVICE small_float<F> max(small_float<F> a, small_float<F> b) {
    return hmax(a, b);
}

/// To the nearest, down, up, towards zero.
enum class rounding { nearest, down, up, zero };

PYK_DEVICE float sticky(float x) { return x; }
PYK_DEVICE double sticky(double x) { return x; }
PYK_DEVICE double sticky(int x) { return static_cast<double>(x); }
PYK_DEVICE double sticky(unsigned x) { return static_cast<double>(x); }
PYK_DEVICE double sticky(unsigned long long x) {
    return static_cast<double>(x >> 53 ? (x >> 11 | ((x & 2047) != 0 ? 1 : 0)) << 11 : x);
}
PYK_DEVICE double sticky(long long x) {
    return x < 0 ? -sticky(0 - static_cast<unsigned long long>(x)) : sticky(static_cast<unsigned long long>(x));
}

template <class S, rounding Mode, class X>
PYK_DEVICE S directed(X x) {
    const double exact = static_cast<double>(sticky(x));
    const S near = S(exact);
    const double back = static_cast<double>(wide(near));
    const bool above = back > exact, below = back < exact;
    if (Mode == rounding::nearest || (!above && !below)) return near;
    const bool down = Mode == rounding::down || (Mode == rounding::zero && exact > 0);
    if (down ? !above : !below) return near;
    // One step: towards zero the magnitude shrinks by a unit.
    if (back == 0) return S::of(down ? 0x8001 : 0x0001);
    return S::of(static_cast<unsigned short>(near.bits + ((back > 0) == down ? -1 : 1)));
}

/// An integer, at its type's ends where it does not fit, 0 for a NaN.
template <class I, rounding Mode, class F>
PYK_DEVICE I integral(small_float<F> x) {
    const float f = wide(x);
    const float whole = Mode == rounding::nearest ? ::rintf(f)
                        : Mode == rounding::down  ? ::floorf(f)
                        : Mode == rounding::up    ? ::ceilf(f)
                                                  : ::truncf(f);
    constexpr int digits = static_cast<int>(8 * sizeof(I)) - (I(-1) < I(0));
    const float limit = ::ldexpf(1.0f, digits), least = I(-1) < I(0) ? -limit : 0.0f;
    if (whole != whole) return 0;
    if (whole >= limit) return static_cast<I>((1ull << (digits - 1)) - 1 + (1ull << (digits - 1)));
    if (whole <= least) return I(-1) < I(0) ? static_cast<I>(1ull << digits) : I(0);
    return static_cast<I>(whole);
}

#define PYK_HALF_FUNCTION(name, text) \
    template <class S>                \
    PYK_DEVICE S name(S a) {          \
        const float x = wide(a);      \
        return S(text);               \
    }
PYK_HALF_FUNCTION(hceil, ::ceilf(x))
PYK_HALF_FUNCTION(hcos, ::cosf(x))
PYK_HALF_FUNCTION(hexp, ::expf(x))
PYK_HALF_FUNCTION(hexp10, ::exp2(static_cast<double>(x) * 3.321928094887362))
PYK_HALF_FUNCTION(hexp2, ::exp2f(x))
PYK_HALF_FUNCTION(hfloor, ::floorf(x))
PYK_HALF_FUNCTION(hlog, ::logf(x))
PYK_HALF_FUNCTION(hlog10, ::log10f(x))
PYK_HALF_FUNCTION(hlog2, ::log2f(x))
PYK_HALF_FUNCTION(hrcp, 1 / x)
PYK_HALF_FUNCTION(hrint, ::rintf(x))
PYK_HALF_FUNCTION(hrsqrt, 1 / ::sqrtf(x))
PYK_HALF_FUNCTION(hsin, ::sinf(x))
PYK_HALF_FUNCTION(hsqrt, ::sqrtf(x))
PYK_HALF_FUNCTION(htanh, ::tanhf(x))
PYK_HALF_FUNCTION(htrunc, ::truncf(x))
#undef PYK_HALF_FUNCTION

template <class S>
PYK_DEVICE S htanh_approx(S a) {
#ifdef __CUDACC__
    float t;
    asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(wide(a)));
    return S(t);
#else
    return htanh(a);
#endif
}

}  // namespace pyk

#endif  // PYK_HALF_H
