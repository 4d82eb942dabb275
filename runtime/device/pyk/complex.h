// Complex numbers: NumPy's complex64 and complex128, two numbers in memory.
//
// Defines: complex, complex64, complex128, real, imag, conj
#ifndef PYK_COMPLEX_H
#define PYK_COMPLEX_H

#ifndef __CUDACC__
#include <math.h>
#endif

#include "pyk/config.h"

namespace pyk {

template <class T>
struct complex {
    T re, im;

    complex() = default;
    PYK_HOST_DEVICE constexpr complex(T real, T imag = 0) : re(real), im(imag) {}
    template <class U>
    PYK_HOST_DEVICE explicit complex(const complex<U>& z) : re(static_cast<T>(z.re)), im(static_cast<T>(z.im)) {}

    // std::complex, known by its shape: records and tuples of C++ programs have these in its place.
    template <class Z, class = decltype(Z().real() + Z().imag())>
    constexpr complex(const Z& z) : re(z.real()), im(z.imag()) {}
    template <class Z, class = typename Z::value_type, class = decltype(Z().real() + Z().imag())>
    constexpr operator Z() const {
        return Z(re, im);
    }

    PYK_DEVICE explicit operator bool() const { return re != 0 || im != 0; }

    PYK_DEVICE complex& operator+=(complex z) { return *this = *this + z; }
    PYK_DEVICE complex& operator-=(complex z) { return *this = *this - z; }
    PYK_DEVICE complex& operator*=(complex z) { return *this = *this * z; }
    PYK_DEVICE complex& operator/=(complex z) { return *this = *this / z; }

    PYK_DEVICE friend complex operator-(complex z) { return {-z.re, -z.im}; }
    PYK_DEVICE friend complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
    PYK_DEVICE friend complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
    /// Without C99's recovery of infinities.
    PYK_DEVICE friend complex operator*(complex a, complex b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    /// CPython's algorithm. By zero it gives NaN.
    PYK_DEVICE friend complex operator/(complex a, complex b) {
        if ((b.re < 0 ? -b.re : b.re) >= (b.im < 0 ? -b.im : b.im)) {
            const T ratio = b.im / b.re, denominator = b.re + b.im * ratio;
            return {(a.re + a.im * ratio) / denominator, (a.im - a.re * ratio) / denominator};
        }
        const T ratio = b.re / b.im, denominator = b.re * ratio + b.im;
        return {(a.re * ratio + a.im) / denominator, (a.im * ratio - a.re) / denominator};
    }
    PYK_DEVICE friend bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
    PYK_DEVICE friend bool operator!=(complex a, complex b) { return a.re != b.re || a.im != b.im; }
};

using complex64 = complex<float>;
using complex128 = complex<double>;

template <class T>
PYK_DEVICE T real(complex<T> z) {
    return z.re;
}
template <class T>
PYK_DEVICE T imag(complex<T> z) {
    return z.im;
}
template <class T>
PYK_DEVICE complex<T> conj(complex<T> z) {
    return {z.re, -z.im};
}
template <class T>
PYK_DEVICE T abs(complex<T> z) {
    return ::hypot(z.re, z.im);
}

/// CPython's: integer exponents up to 100 multiply.
template <class T>
PYK_DEVICE complex<T> pow(complex<T> base, complex<T> exponent) {
    const bool is_real = exponent.im == 0;
    if (is_real && exponent.re == ::floor(exponent.re) && ::fabs(exponent.re) <= 100) {
        complex<T> result = T(1);
        for (int n = static_cast<int>(::fabs(exponent.re)); n != 0; n >>= 1) {
            if (n & 1) result *= base;
            base *= base;
        }
        return exponent.re < 0 ? complex<T>(T(1)) / result : result;
    }
    if (!base) return T(0);
    const T length = abs(base), angle = ::atan2(base.im, base.re);
    T scale = ::pow(length, exponent.re), phase = angle * exponent.re;
    if (!is_real) {
        scale /= ::exp(angle * exponent.im);
        phase += exponent.im * ::log(length);
    }
    return {scale * ::cos(phase), scale * ::sin(phase)};
}

}  // namespace pyk

#endif  // PYK_COMPLEX_H
