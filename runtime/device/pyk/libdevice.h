// The functions of CUDA's libdevice that CUDA C++ gives through pointers, or the CPU's <cmath> has not. Directed
// rounding needs no rounding mode: the error of the nearest result is known exactly, and moves it by one unit where it
// must.
//
// Defines: libdevice
#ifndef PYK_LIBDEVICE_H
#define PYK_LIBDEVICE_H

#ifndef __CUDACC__
#include <string.h>

#include <cmath>
#endif

#include "pyk/same_bits.h"
#include "pyk/tuple.h"

namespace pyk {
namespace libdevice {

#ifdef __CUDACC__

// clang-format off
PYK_DEVICE tuple<float, float> fast_sincosf(float x) { float s, c; __sincosf(x, &s, &c); return make_tuple(s, c); }
PYK_DEVICE tuple<float, float> sincos(float x) { float s, c; ::sincosf(x, &s, &c); return make_tuple(s, c); }
PYK_DEVICE tuple<double, double> sincos(double x) { double s, c; ::sincos(x, &s, &c); return make_tuple(s, c); }
PYK_DEVICE tuple<float, float> sincospi(float x) { float s, c; ::sincospif(x, &s, &c); return make_tuple(s, c); }
PYK_DEVICE tuple<double, double> sincospi(double x) { double s, c; ::sincospi(x, &s, &c); return make_tuple(s, c); }
PYK_DEVICE tuple<float, float> modf(float x) { float whole; const float part = ::modff(x, &whole); return make_tuple(part, whole); }
PYK_DEVICE tuple<double, double> modf(double x) { double whole; const double part = ::modf(x, &whole); return make_tuple(part, whole); }
PYK_DEVICE tuple<float, int> frexp(float x) { int e; const float m = ::frexpf(x, &e); return make_tuple(m, e); }
PYK_DEVICE tuple<double, int> frexp(double x) { int e; const double m = ::frexp(x, &e); return make_tuple(m, e); }
PYK_DEVICE tuple<float, int> remquo(float x, float y) { int q; const float r = ::remquof(x, y, &q); return make_tuple(r, q); }
PYK_DEVICE tuple<double, int> remquo(double x, double y) { int q; const double r = ::remquo(x, y, &q); return make_tuple(r, q); }
PYK_DEVICE int signbit(float x) { return __float_as_int(x) < 0; }
PYK_DEVICE int signbit(double x) { return __double2hiint(x) < 0; }
PYK_DEVICE float powi(float x, int n) { return ::powf(x, static_cast<float>(n)); }
PYK_DEVICE double powi(double x, int n) { return ::pow(x, static_cast<double>(n)); }
PYK_DEVICE short float2half_rn(float x) { short h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x)); return h; }
PYK_DEVICE float half2float(short h) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h)); return x; }
// clang-format on

#else

using uint = unsigned int;
using ll = long long;
using ull = unsigned long long;

// --- through pointers ---
template <class T>
inline tuple<T, T> sincos(T x) {
    return make_tuple(std::sin(x), std::cos(x));
}
template <class T>
inline tuple<T, T> modf(T x) {
    T whole;
    const T part = std::modf(x, &whole);
    return make_tuple(part, whole);
}
template <class T>
inline tuple<T, int> frexp(T x) {
    int exponent;
    const T mantissa = std::frexp(x, &exponent);
    return make_tuple(mantissa, exponent);
}
template <class T>
inline tuple<T, int> remquo(T x, T y) {
    int quotient;
    const T rest = std::remquo(x, y, &quotient);
    return make_tuple(rest, quotient);
}

// --- functions ---
/// sin and cos of pi * x, exact at multiples of a half.
inline double sinpi(double x) {
    const double r = std::remainder(x, 2.0);
    if (r == std::trunc(r)) return std::copysign(0.0, x);
    if (std::fabs(r) <= 0.25) return std::sin(M_PI * r);
    return std::fabs(r) >= 0.75 ? std::sin(M_PI * (std::copysign(1.0, r) - r))
                                : std::copysign(std::cos(M_PI * (std::fabs(r) - 0.5)), r);
}
inline double cospi(double x) {
    const double r = std::fabs(std::remainder(x, 2.0));
    if (r == 0.5) return 0.0;
    if (r <= 0.25) return std::cos(M_PI * r);
    return r >= 0.75 ? -std::cos(M_PI * (1.0 - r)) : std::sin(M_PI * (0.5 - r));
}
inline float sinpi(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float cospi(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
template <class T>
inline tuple<T, T> sincospi(T x) {
    return make_tuple(sinpi(x), cospi(x));
}

/// exp(x * x) * erfc(x).
inline double erfcx(double x) {
    if (x < 5) return std::exp(x * x) * std::erfc(x);
    double tail = 0;  // Laplace's continued fraction
    for (int k = 60; k > 0; --k) tail = 0.5 * k / (x + tail);
    return 1 / (std::sqrt(M_PI) * (x + tail));
}
/// Newton's steps on a logarithmic first guess; the tail by erfc, where 1 - x is exact.
inline double erfcinv(double y) {
    if (!(y > 0 && y < 2)) return y == 0 ? HUGE_VAL : y == 2 ? -HUGE_VAL : NAN;
    const double tail = y < 1 ? y : 2 - y;
    const double guess = std::log(tail * (2 - tail)), half = 2 / (M_PI * 0.147) + guess / 2;
    double x = std::sqrt(std::sqrt(half * half - guess / 0.147) - half);
    for (int step = 0; step < 4; ++step) {
        const double error = (std::erfc(x) - tail) / (-2 / std::sqrt(M_PI) * std::exp(-x * x));
        if (!std::isfinite(error)) break;
        x -= error / (1 + x * error);
    }
    return y < 1 ? x : -x;
}
inline double erfinv(double y) {
    if (std::fabs(y) > 0.5) return y > 0 ? erfcinv(1 - y) : -erfcinv(1 + y);
    double x = y * std::sqrt(M_PI) / 2;
    for (int step = 0; step < 6; ++step) {
        const double error = (std::erf(x) - y) / (2 / std::sqrt(M_PI) * std::exp(-x * x));
        x -= error / (1 + x * error);
    }
    return x;
}
inline double normcdf(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }
inline double normcdfinv(double p) { return -M_SQRT2 * erfcinv(2 * p); }
inline double exp10(double x) { return std::pow(10.0, x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline double powi(double x, int n) { return std::pow(x, n); }
inline double j0(double x) { return ::j0(x); }
inline double j1(double x) { return ::j1(x); }
inline double y0(double x) { return ::y0(x); }
inline double y1(double x) { return ::y1(x); }
// As CUDA has them: of orders from 0 on.
inline double jn(int n, double x) { return n < 0 ? NAN : ::jn(n, x); }
inline double yn(int n, double x) { return n < 0 ? NAN : ::yn(n, x); }
#define PYK_BY_DOUBLE(name) \
    inline float name(float x) { return static_cast<float>(name(static_cast<double>(x))); }
PYK_BY_DOUBLE(erfcx)
PYK_BY_DOUBLE(erfcinv)
PYK_BY_DOUBLE(erfinv)
PYK_BY_DOUBLE(normcdf)
PYK_BY_DOUBLE(normcdfinv)
PYK_BY_DOUBLE(exp10)
PYK_BY_DOUBLE(rsqrt)
PYK_BY_DOUBLE(rcbrt)
PYK_BY_DOUBLE(j0)
PYK_BY_DOUBLE(j1)
PYK_BY_DOUBLE(y0)
PYK_BY_DOUBLE(y1)
#undef PYK_BY_DOUBLE
inline float powi(float x, int n) { return std::pow(x, static_cast<float>(n)); }
inline float jn(int n, float x) { return static_cast<float>(jn(n, static_cast<double>(x))); }
/// Through logarithms: of a positive base.
inline float fast_powf(float x, float y) { return std::exp2(y * std::log2(x)); }
inline float yn(int n, float x) { return static_cast<float>(yn(n, static_cast<double>(x))); }
inline float fdividef(float x, float y) { return x / y; }
inline float saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

// --- bits and integers; what C takes as unsigned comes signed ---
template <class T>
inline int signbit(T x) {
    return std::signbit(x);
}
template <class T>
inline int isfinite(T x) {
    return std::isfinite(x);
}
template <class T>
inline int isinf(T x) {
    return std::isinf(x);
}
template <class T>
inline int isnan(T x) {
    return std::isnan(x);
}
inline int float_as_int(float x) { return same_bits<int>(x); }
inline float int_as_float(int x) { return same_bits<float>(x); }
inline ll double_as_longlong(double x) { return same_bits<ll>(x); }
inline double longlong_as_double(ll x) { return same_bits<double>(x); }
inline int double2hiint(double x) { return static_cast<int>(same_bits<ull>(x) >> 32); }
inline int double2loint(double x) { return static_cast<int>(same_bits<ull>(x)); }
inline double hiloint2double(int high, int low) {
    return same_bits<double>(static_cast<ull>(static_cast<uint>(high)) << 32 | static_cast<uint>(low));
}
inline ll brevll(ll x) {
    ull reversed = 0;
    for (int bit = 0; bit < 64; ++bit) reversed |= (static_cast<ull>(x) >> bit & 1) << (63 - bit);
    return static_cast<ll>(reversed);
}
inline int brev(int x) { return static_cast<int>(static_cast<ull>(brevll(x)) >> 32); }
inline int clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<uint>(x)); }
inline int clzll(ll x) { return x == 0 ? 64 : __builtin_clzll(static_cast<ull>(x)); }
inline int ffs(int x) { return __builtin_ffs(x); }
inline int ffsll(ll x) { return __builtin_ffsll(x); }
inline int popc(int x) { return __builtin_popcount(static_cast<uint>(x)); }
inline int popcll(ll x) { return __builtin_popcountll(static_cast<ull>(x)); }
inline int byte_perm(int x, int y, int selector) {
    const ull bytes = static_cast<ull>(static_cast<uint>(y)) << 32 | static_cast<uint>(x);
    uint result = 0;
    for (int i = 0; i < 4; ++i)
        result |= static_cast<uint>(bytes >> 8 * (static_cast<uint>(selector) >> 4 * i & 7) & 0xff) << 8 * i;
    return static_cast<int>(result);
}
template <class T>
inline T llmax(T x, T y) {
    return x < y ? y : x;
}
template <class T>
inline T llmin(T x, T y) {
    return y < x ? y : x;
}
inline ll ullmax(ll x, ll y) { return static_cast<ll>(llmax(static_cast<ull>(x), static_cast<ull>(y))); }
inline ll ullmin(ll x, ll y) { return static_cast<ll>(llmin(static_cast<ull>(x), static_cast<ull>(y))); }
inline int umax(int x, int y) { return static_cast<int>(llmax(static_cast<uint>(x), static_cast<uint>(y))); }
inline int umin(int x, int y) { return static_cast<int>(llmin(static_cast<uint>(x), static_cast<uint>(y))); }
inline int hadd(int x, int y) { return static_cast<int>((static_cast<ll>(x) + y) >> 1); }
inline int rhadd(int x, int y) { return static_cast<int>((static_cast<ll>(x) + y + 1) >> 1); }
inline int uhadd(int x, int y) { return static_cast<int>((0ull + static_cast<uint>(x) + static_cast<uint>(y)) >> 1); }
inline int urhadd(int x, int y) { return static_cast<int>((1ull + static_cast<uint>(x) + static_cast<uint>(y)) >> 1); }
inline int sad(int x, int y, int z) {
    const ll difference = static_cast<ll>(x) - y;
    return static_cast<int>(static_cast<uint>(difference < 0 ? -difference : difference) + static_cast<uint>(z));
}
inline int usad(int x, int y, int z) {
    return static_cast<int>(static_cast<uint>(umax(x, y)) - static_cast<uint>(umin(x, y)) + static_cast<uint>(z));
}
inline int mul24(int x, int y) {
    const auto low = [](int v) { return static_cast<ll>(static_cast<int>(static_cast<uint>(v) << 8) >> 8); };
    return static_cast<int>(low(x) * low(y));
}
inline int umul24(int x, int y) {
    return static_cast<int>((static_cast<ull>(x) & 0xffffff) * (static_cast<ull>(y) & 0xffffff));
}
inline int mulhi(int x, int y) { return static_cast<int>(static_cast<ll>(x) * y >> 32); }
inline int umulhi(int x, int y) {
    return static_cast<int>(static_cast<ull>(static_cast<uint>(x)) * static_cast<uint>(y) >> 32);
}
__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;
inline ll mul64hi(ll x, ll y) { return static_cast<ll>(static_cast<wide>(x) * y >> 64); }
inline ll umul64hi(ll x, ll y) {
    return static_cast<ll>(static_cast<unsigned_wide>(static_cast<ull>(x)) * static_cast<ull>(y) >> 64);
}

// --- halves ---
inline float half2float(short h) {
    const int exponent = h >> 10 & 31, mantissa = h & 1023;
    const float magnitude = exponent == 31  ? (mantissa ? NAN : HUGE_VALF)
                            : exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                            : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    return h < 0 ? -magnitude : magnitude;
}
inline short float2half_rn(float x) {
    const int sign = std::signbit(x) ? 0x8000 : 0;
    const float a = std::fabs(x);
    if (std::isnan(x)) return 0x7fff;
    if (a >= 65520) return static_cast<short>(sign | 0x7c00);
    int exponent = a < 0x1p-14f ? -14 : std::ilogb(a);
    const int mantissa = static_cast<int>(std::nearbyint(std::ldexp(a, 10 - exponent)));  // up to 2048: carries over
    const int bits = mantissa < 1024 ? mantissa : mantissa - 1024 + ((exponent + 15) << 10);
    return static_cast<short>(sign | bits);
}

// --- directed rounding ---
enum direction { rd, rn, ru, rz };

/// `nearest`, moved where `error`, of which only the sign counts, says that the exact value is on the other side.
template <direction D, class T, class E>
inline T rounded(T nearest, E error) {
    if (D == rn || !(error < 0 || error > 0)) return nearest;
    const bool down = D == rd || (D == rz && nearest > 0), up = D == ru || (D == rz && nearest < 0);
    if (error < 0 && down) return std::nextafter(nearest, -static_cast<T>(HUGE_VAL));
    if (error > 0 && up) return std::nextafter(nearest, static_cast<T>(HUGE_VAL));
    return nearest;
}
/// For results that overflowed: the exact value is nearer to 0.
template <class T>
inline T inwards(T infinite) {
    return infinite > 0 ? T(-1) : T(1);
}
template <class T>
inline bool overflowed(T result, T x, T y) {
    return std::isinf(result) && std::isfinite(x) && std::isfinite(y);
}
/// What the nearest sum leaves out.
template <class T>
inline T error_of_sum(T x, T y, T sum) {
    const T part = sum - x;
    return (x - (sum - part)) + (y - part);
}

/// Where errors are computed: of floats without an error of their own.
template <class T>
struct finer {
    using type = T;
};
template <>
struct finer<float> {
    using type = double;
};
template <class T>
using finer_t = typename finer<T>::type;

template <direction D, class T>
inline T add(T x, T y) {
    const T sum = x + y;
    if (D == rd && sum == 0 && (x != 0 || std::signbit(x) != std::signbit(y))) return -T(0);
    return rounded<D>(sum, overflowed(sum, x, y) ? inwards(sum) : error_of_sum(x, y, sum));
}
template <direction D, class T>
inline T mul(T x, T y) {
    using E = finer_t<T>;
    const T product = x * y;
    return rounded<D>(product, overflowed(product, x, y) ? E(inwards(product)) : std::fma(E(x), E(y), -E(product)));
}
template <direction D, class T>
inline T div(T x, T y) {
    using E = finer_t<T>;
    const T quotient = x / y;
    if (!std::isfinite(y) || y == 0) return quotient;
    const E rest = std::fma(-E(quotient), E(y), E(x));
    return rounded<D>(quotient, overflowed(quotient, x, y) ? E(inwards(quotient)) : y < 0 ? -rest : rest);
}
template <direction D, class T>
inline T root(T x) {
    using E = finer_t<T>;
    const T r = std::sqrt(x);
    return rounded<D>(r, std::isfinite(r) ? std::fma(-E(r), E(r), E(x)) : E(0));
}
template <direction D, class T>
inline T fma(T x, T y, T z) {
    using E = finer_t<T>;
    const T nearest = std::fma(x, y, z);
    if (!std::isfinite(nearest))
        return rounded<D>(nearest, overflowed(nearest, x, y) && std::isfinite(z) ? inwards(nearest) : T(0));
    // x * y + z is product + z + low without an error; what it is beyond `nearest` is summed from the great to the
    // small.
    const E product = E(x) * E(y), low = std::fma(E(x), E(y), -product);
    const E sum = product + E(z), rest = error_of_sum(product, E(z), sum);
    const E tail = rest + low, tail_rest = error_of_sum(rest, low, tail);
    const E beyond = sum - E(nearest), total = beyond + tail;
    const E error = total != 0 ? total : error_of_sum(beyond, tail, total) + tail_rest;
    const bool cancelled = nearest == 0 && error == 0 && (product != 0 || std::signbit(product) != std::signbit(z));
    return D == rd && cancelled ? -T(0) : rounded<D>(nearest, error);
}
template <direction D, class T>
inline T whole(T x) {
    return D == rd ? std::floor(x) : D == ru ? std::ceil(x) : D == rz ? std::trunc(x) : std::nearbyint(x);
}
/// As the GPU converts: out of range to the nearest integer, NaN to 0.
template <direction D, class To, class T>
inline To to_integer(T x) {
    const T w = whole<D>(x);
    const int bits = 8 * static_cast<int>(sizeof(To)) - (To(-1) < To(0));
    const T end = std::ldexp(T(1), bits), begin = To(-1) < To(0) ? -end : T(0);
    if (w != w) return 0;
    return w < begin  ? static_cast<To>(begin)
           : w >= end ? static_cast<To>(~To(0) - (To(-1) < To(0) ? To(1) << bits : To(0)))
                      : static_cast<To>(w);
}
/// A long double has all the bits of a 64-bit integer and of a double.
template <direction D, class T, class From>
inline T nearest_to(From x) {
    const T nearest = static_cast<T>(x);
    const bool too_great = std::isinf(nearest) && std::isfinite(static_cast<long double>(x));
    return rounded<D>(nearest, too_great ? static_cast<long double>(inwards(nearest))
                                         : static_cast<long double>(x) - static_cast<long double>(nearest));
}

// clang-format off
#define PYK_DIRECTED(D)                                                                                     \
    template <class T> inline T add_##D(T x, T y) { return add<D>(x, y); }                                  \
    template <class T> inline T sub_##D(T x, T y) { return add<D>(x, -y); }                                 \
    template <class T> inline T mul_##D(T x, T y) { return mul<D>(x, y); }                                  \
    template <class T> inline T div_##D(T x, T y) { return div<D>(x, y); }                                  \
    template <class T> inline T rcp_##D(T x) { return div<D>(T(1), x); }                                    \
    template <class T> inline T sqrt_##D(T x) { return root<D>(x); }                                        \
    template <class T> inline T fma_##D(T x, T y, T z) { return fma<D>(x, y, z); }                          \
    template <class T> inline int to_int_##D(T x) { return to_integer<D, int>(x); }                         \
    template <class T> inline int to_uint_##D(T x) { return static_cast<int>(to_integer<D, uint>(x)); }     \
    template <class T> inline ll to_ll_##D(T x) { return to_integer<D, ll>(x); }                            \
    template <class T> inline ll to_ull_##D(T x) { return static_cast<ll>(to_integer<D, ull>(x)); }         \
    inline float to_float_##D(double x) { return nearest_to<D, float>(x); }                                 \
    inline float from_int_to_float_##D(int x) { return nearest_to<D, float>(x); }                           \
    inline float from_uint_to_float_##D(int x) { return nearest_to<D, float>(static_cast<uint>(x)); }       \
    inline float from_ll_to_float_##D(ll x) { return nearest_to<D, float>(x); }                             \
    inline float from_ull_to_float_##D(ll x) { return nearest_to<D, float>(static_cast<ull>(x)); }          \
    inline double from_ll_to_double_##D(ll x) { return nearest_to<D, double>(x); }                          \
    inline double from_ull_to_double_##D(ll x) { return nearest_to<D, double>(static_cast<ull>(x)); }
PYK_DIRECTED(rd)
PYK_DIRECTED(rn)
PYK_DIRECTED(ru)
PYK_DIRECTED(rz)
#undef PYK_DIRECTED
// clang-format on
inline double from_int_to_double(int x) { return x; }
inline double from_uint_to_double(int x) { return static_cast<uint>(x); }

#endif

}  // namespace libdevice
}  // namespace pyk

#endif  // PYK_LIBDEVICE_H
