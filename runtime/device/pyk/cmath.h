// Python's cmath, by CPython's algorithms and with its special values.
//
// Defines: cacos, cacosh, casin, casinh, catan, catanh, ccos, ccosh, cexp, cisfinite, cisinf, cisnan, clog, clog10,
// phase, polar, rect, csin, csinh, csqrt, ctan, ctanh
#ifndef PYK_CMATH_H
#define PYK_CMATH_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/complex.h"
#include "pyk/config.h"
#include "pyk/tuple.h"

namespace pyk {

/// Where the formulas for ordinary numbers would overflow.
template <class T>
struct limits;
template <>
struct limits<float> {
    static constexpr float greatest = 3.402823466e38f, least = 1.175494351e-38f, exponent = 87.0f;
};
template <>
struct limits<double> {
    static constexpr double greatest = 1.7976931348623157e308, least = 2.2250738585072014e-308, exponent = 708.0;
};

template <class T>
PYK_DEVICE bool cisnan(complex<T> z) {
    return z.re != z.re || z.im != z.im;
}
template <class T>
PYK_DEVICE bool cisinf(complex<T> z) {
    return ::isinf(z.re) || ::isinf(z.im);
}
template <class T>
PYK_DEVICE bool cisfinite(complex<T> z) {
    return ::isfinite(z.re) && ::isfinite(z.im);
}

/// -i f(i z): what sin is to sinh.
template <class T>
PYK_DEVICE complex<T> turned(complex<T> z) {
    return {-z.im, z.re};
}
template <class T>
PYK_DEVICE complex<T> turned_back(complex<T> z) {
    return {z.im, -z.re};
}

template <class T>
PYK_DEVICE T phase(complex<T> z) {
    return ::atan2(z.im, z.re);
}
template <class T>
PYK_DEVICE tuple<T, T> polar(complex<T> z) {
    return make_tuple(abs(z), phase(z));
}
/// A zero times an infinity is a zero.
template <class T>
PYK_DEVICE complex<T> rect(T length, T angle) {
    if (!::isfinite(angle)) {
        if (length == 0) return ::fabs(length);
        if (::isinf(length)) return {length, angle - angle};
    }
    const T c = ::cos(angle), s = ::sin(angle);
    return {c == 0 && ::isinf(length) ? c / length : c * length, s == 0 && ::isinf(length) ? s / length : s * length};
}

template <class T>
PYK_DEVICE complex<T> cexp(complex<T> z) {
    const T x = z.re, y = z.im;
    if (!::isfinite(x) && y == 0) return {x < 0 ? T(0) : x, x < 0 ? ::copysign(T(0), y) : y};
    if (::isinf(x) && x < 0 && !::isfinite(y)) return T(0);
    if (::isinf(x) && x > 0 && !::isfinite(y)) return {x, y - y};
    if (x <= limits<T>::exponent || ::isinf(x)) {
        const T r = ::exp(x);
        return {r * ::cos(y), r * ::sin(y)};
    }
    const T r = ::exp(x - 1), e = T(2.718281828459045);  // twice, where the whole would overflow too early
    return {r * ::cos(y) * e, r * ::sin(y) * e};
}

/// The logarithm of a length, accurate near 1 and for the least and greatest numbers.
template <class T>
PYK_DEVICE T log_length(T x, T y) {
    const T big = ::fmax(::fabs(x), ::fabs(y)), small = ::fmin(::fabs(x), ::fabs(y));
    const T h = ::hypot(x, y), ln2 = T(0.6931471805599453);
    if (h >= T(0.71) && h <= T(1.73)) return ::log1p((big - 1) * (big + 1) + small * small) / 2;
    if (big > limits<T>::greatest / 2 && !::isinf(big)) return ::log(::hypot(x / 2, y / 2)) + ln2;
    if (h < limits<T>::least && h > 0) return ::log(::hypot(::ldexp(x, 60), ::ldexp(y, 60))) - 60 * ln2;
    return ::log(h);
}
template <class T>
PYK_DEVICE complex<T> clog(complex<T> z) {
    return {log_length(z.re, z.im), phase(z)};
}
template <class T>
PYK_DEVICE complex<T> clog(complex<T> z, complex<T> base) {
    return clog(z) / clog(base);
}
template <class T>
PYK_DEVICE complex<T> clog10(complex<T> z) {
    const complex<T> l = clog(z);
    const T ln10 = T(2.302585092994046);
    return {l.re / ln10, l.im / ln10};
}

template <class T>
PYK_DEVICE complex<T> csqrt(complex<T> z) {
    T a = z.re, b = z.im;
    if (a == 0 && b == 0) return {::fabs(a), b};
    if (::isinf(b)) return {::fabs(b), b};
    if (a != a) return {a, a};
    if (::isinf(a)) return a < 0 ? complex<T>(::fabs(b - b), ::copysign(a, b)) : complex<T>(a, ::copysign(b - b, b));
    // Scaled, so that neither the greatest nor the least numbers lose their digits.
    const T big = limits<T>::greatest / 4, little = limits<T>::least * 4;
    const bool down = ::fabs(a) >= big || ::fabs(b) >= big;
    const bool up = ::fabs(a) < little && ::fabs(b) < little;
    const T scale = down ? T(0.0625) : up ? T(1ull << 54) : T(1), back = down ? T(4) : up ? T(1) / T(1 << 27) : T(1);
    a *= scale;
    b *= scale;
    const T t = ::sqrt((::fabs(a) + ::hypot(a, b)) / 2), s = ::fabs(b) / (2 * t);
    return a >= 0 ? complex<T>(t * back, ::copysign(s * back, b)) : complex<T>(s * back, ::copysign(t * back, b));
}

template <class T>
PYK_DEVICE complex<T> ccosh(complex<T> z) {
    const T x = z.re, y = z.im;
    if (::isinf(x)) {
        if (y != y) return {::fabs(x), x < 0 ? -y : y};
        if (y == 0) return {::fabs(x), x < 0 ? -y : y};
        const T c = ::copysign(T(1), ::cos(y)), s = ::copysign(T(1), ::sin(y));
        return {::fabs(x) * c, x * s};
    }
    if (::fabs(x) <= limits<T>::exponent || x != x || !::isfinite(y))
        return {::cos(y) * ::cosh(x), x == 0 && y != y ? T(0) : y == 0 && x != x ? T(0) : ::sin(y) * ::sinh(x)};
    const T less = x - ::copysign(T(1), x), e = T(2.718281828459045);
    return {::cos(y) * ::cosh(less) * e, ::sin(y) * ::sinh(less) * e};
}
template <class T>
PYK_DEVICE complex<T> csinh(complex<T> z) {
    const T x = z.re, y = z.im;
    if (::isinf(x)) {
        if (y != y) return {x, y};
        if (y == 0) return {x, y};
        const T c = ::copysign(T(1), ::cos(y)), s = ::copysign(T(1), ::sin(y));
        return {x * c, ::fabs(x) * s};
    }
    if (::fabs(x) <= limits<T>::exponent || x != x || !::isfinite(y))
        return {x == 0 && !::isfinite(y) ? T(0) : ::cos(y) * ::sinh(x), y == 0 && x != x ? y : ::sin(y) * ::cosh(x)};
    const T less = x - ::copysign(T(1), x), e = T(2.718281828459045);
    return {::cos(y) * ::sinh(less) * e, ::sin(y) * ::cosh(less) * e};
}
template <class T>
PYK_DEVICE complex<T> ctanh(complex<T> z) {
    const T x = z.re, y = z.im;
    if (::isinf(x)) return {::copysign(T(1), x), ::isfinite(y) ? ::copysign(T(0), ::sin(2 * y)) : T(0)};
    if (x != x && y == 0) return {x, y};
    if (::fabs(x) > limits<T>::exponent) return {::copysign(T(1), x), 4 * ::sin(y) * ::cos(y) * ::exp(-2 * ::fabs(x))};
    const T tx = ::tanh(x), ty = ::tan(y), cx = 1 / ::cosh(x), txty = tx * ty, denominator = 1 + txty * txty;
    return {tx * (1 + ty * ty) / denominator, ((ty / denominator) * cx) * cx};
}
template <class T>
PYK_DEVICE complex<T> ccos(complex<T> z) {
    return ccosh(turned(z));
}
template <class T>
PYK_DEVICE complex<T> csin(complex<T> z) {
    return turned_back(csinh(turned(z)));
}
template <class T>
PYK_DEVICE complex<T> ctan(complex<T> z) {
    return turned_back(ctanh(turned(z)));
}

/// Beyond it a logarithm says all.
template <class T>
PYK_DEVICE bool is_far(complex<T> z) {
    return ::fabs(z.re) > limits<T>::greatest / 4 || ::fabs(z.im) > limits<T>::greatest / 4;
}
template <class T>
PYK_DEVICE T far_log(complex<T> z) {
    return ::log(::hypot(z.re / 2, z.im / 2)) + T(1.3862943611198906);
}

template <class T>
PYK_DEVICE complex<T> cacos(complex<T> z) {
    if (is_far(z)) return {::atan2(::fabs(z.im), z.re), ::copysign(far_log(z), -z.im)};
    if (z.re == 0 && z.im != z.im) return {T(1.5707963267948966), z.im};
    const complex<T> p = csqrt(complex<T>(1 - z.re, -z.im)), q = csqrt(complex<T>(1 + z.re, z.im));
    return {2 * ::atan2(p.re, q.re), ::asinh(q.re * p.im - q.im * p.re)};
}
template <class T>
PYK_DEVICE complex<T> cacosh(complex<T> z) {
    if (is_far(z)) return {far_log(z), ::atan2(z.im, z.re)};
    const complex<T> p = csqrt(complex<T>(z.re - 1, z.im)), q = csqrt(complex<T>(z.re + 1, z.im));
    return {::asinh(p.re * q.re + p.im * q.im), 2 * ::atan2(p.im, q.re)};
}
template <class T>
PYK_DEVICE complex<T> casinh(complex<T> z) {
    if (is_far(z)) return {::copysign(far_log(z), z.re), ::atan2(z.im, ::fabs(z.re))};
    if (z.re != z.re && z.im == 0) return z;
    const complex<T> p = csqrt(complex<T>(1 + z.im, -z.re)), q = csqrt(complex<T>(1 - z.im, z.re));
    return {::asinh(p.re * q.im - q.re * p.im), ::atan2(z.im, p.re * q.re - p.im * q.im)};
}
/// Of a number whose real part is not negative.
template <class T>
PYK_DEVICE complex<T> right_atanh(T x, T y) {
    const T far = ::sqrt(limits<T>::greatest / 4), near = ::sqrt(limits<T>::least), half_pi = T(1.5707963267948966);
    if (x > far || ::fabs(y) > far) {
        const T h = ::hypot(x / 2, y / 2);
        return {::isinf(x) || ::isinf(y) ? T(0) : x / 4 / h / h, y != y ? y : ::copysign(half_pi, y)};
    }
    if (x == 1 && ::fabs(y) < near) {
        if (y == 0) return {1 / ::fabs(y), y};
        const T re = -::log(::sqrt(::fabs(y)) / ::sqrt(::hypot(::fabs(y), T(2))));
        return {re, ::copysign(::atan2(T(2), -::fabs(y)) / 2, y)};
    }
    const T re = ::log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4;
    return {x == 0 && y != y ? x : re, -::atan2(-2 * y, (1 - x) * (1 + x) - y * y) / 2};
}
template <class T>
PYK_DEVICE complex<T> catanh(complex<T> z) {
    const bool is_left = ::copysign(T(1), z.re) < 0;
    if (is_left) z = -z;
    const complex<T> result = right_atanh(z.re, z.im);
    return is_left ? -result : result;
}
template <class T>
PYK_DEVICE complex<T> casin(complex<T> z) {
    return turned_back(casinh(turned(z)));
}
template <class T>
PYK_DEVICE complex<T> catan(complex<T> z) {
    return turned_back(catanh(turned(z)));
}

}  // namespace pyk

#endif  // PYK_CMATH_H
