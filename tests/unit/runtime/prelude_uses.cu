// Instantiates every function of the device prelude: compiled with nvcc, with NVRTC for several architectures, with g++
// and clang++.
#include "pyk/array.h"
#include "pyk/array_item.h"
#include "pyk/atomic.h"
#include "pyk/broadcast.h"
#include "pyk/check.h"
#include "pyk/config.h"
#include "pyk/exit.h"
#include "pyk/fortran.h"
#include "pyk/math.h"
#include "pyk/new_axis.h"
#include "pyk/numpy_compare.h"
#include "pyk/numpy_division.h"
#include "pyk/numpy_float.h"
#include "pyk/numpy_integer.h"
#include "pyk/permuted.h"
#include "pyk/print_line.h"
#include "pyk/random.h"
#include "pyk/range.h"
#include "pyk/reshape.h"
#include "pyk/row.h"
#include "pyk/shared.h"
#include "pyk/slice.h"
#include "pyk/strided.h"
#include "pyk/thread.h"
#include "pyk/transposed.h"
#include "pyk/tuple.h"
#include "pyk/view.h"
#include "pyk/view_as.h"

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void
#define ONLY_ARGUMENT
#define CONTEXT
#define PASS
#else
#define KERNEL void
#define ONLY_ARGUMENT pyk_t
#define CONTEXT pyk::thread &pyk_t,
#define PASS pyk_t,
#endif

template <class T>
PYK_DEVICE T sum2(pyk::array<const T, 2, pyk::A> a) {
    return a(0, 0) + a(1, 1);
}
template <class T>
PYK_DEVICE T sum2c(pyk::array<const T, 2> a) {
    return a(0, 0) + a(1, 1);
}

KERNEL views(pyk::array<float, 2> c, pyk::array<const float, 2, pyk::F> f, pyk::array<double, 3, pyk::A> s,
             pyk::array<float, 1> out, long long n) {
    out(0) = pyk::reshape(c, -1LL)(0) + pyk::reshape(f, n, 2LL)(0, 1) + pyk::item(out);
    out(1) = pyk::broadcast(out, c)(0, 1) + pyk::broadcast(f, c)(1, 0);
    out(2) = static_cast<float>(pyk::permuted(s, 2, 0, 1)(0, 1, 1) + pyk::new_axis(s, 1)(0, 0, 1, 1));
    out(3) = static_cast<float>(pyk::view_as<int>(c)(0, 0) + pyk::view_as<short>(f)(0, 0));
    out(4) = static_cast<float>(pyk::view_as<long long>(s)(0, 0, 0) + pyk::stride(s, 1));
    out(5) = static_cast<float>(pyk::address(c) + static_cast<unsigned long long>(pyk::range_at(1, 9, 2, n)));
    out(7) = *pyk::pointer(c);
    out(6) = pyk::range_has(1, 9, 2, n) ? 1.0f : 0.0f;
}

KERNEL arrays(pyk::array<float, 2> c, pyk::array<const float, 2, pyk::F> f, pyk::array<double, 3, pyk::A> s,
              pyk::array<float, 1> out, long long i, unsigned long long u) {
    out(0) = sum2<float>(c) + sum2<float>(f) + sum2c<float>(c);
    out(1) = c(i, 1) + f(1u, 2) + static_cast<float>(s(0, i, u));
    out(2) = static_cast<float>(pyk::size(c) + pyk::size(f) + pyk::size(s));
    out(3) = pyk::transposed(c)(1, 0) + pyk::transposed(f)(1, 0) + static_cast<float>(pyk::transposed(s)(1, 0, 2));
    out(4) = pyk::row(c, i)(1) + pyk::row(f, i)(1) + static_cast<float>(pyk::row(s, i)(1, 1) + pyk::row(s, i, 2)(1));
    out(5) = pyk::slice(c, pyk::span{i, pyk::none, 2}, 1)(0);
    out(6) = pyk::slice<pyk::C>(c, i, pyk::span{1, 3})(0) + pyk::slice<pyk::F>(f, pyk::span{1, 3}, 0)(0);
    out(7) = static_cast<float>(pyk::slice(s, pyk::span{pyk::none, pyk::none, -1})(0, 0, 0));
    out(pyk::wrap(i, out.shape[0])) = c(pyk::wrap(u, c.shape[0]), pyk::wrap(-1, c.shape[1]));
    float local[4][3][2] = {};
    pyk::view(local)(1, 2, 1) = 1;
    out(8) = sum2c<float>(pyk::view(local[1]));
    const pyk::array<float, 2, pyk::A> whole = pyk::strided(c);
    out(9) = whole(1, 1);
}

KERNEL numbers(pyk::array<long long, 1> n, pyk::array<unsigned long long, 1> u, pyk::array<float, 1> f,
               pyk::array<double, 1> d, int i) {
    n(0) = pyk::floor_div(n(1), n(2)) + pyk::mod(n(1), n(2)) + pyk::pow(n(1), n(2)) + pyk::pow(n(1), u(2));
    u(0) = pyk::floor_div(u(1), u(2)) + pyk::mod(u(1), u(2)) + pyk::pow(u(1), u(2));
    f(0) = pyk::floor_div(f(1), f(2)) + pyk::mod(f(1), f(2)) + pyk::pow(f(1), f(2)) + pyk::pow(f(1), n(0)) +
           pyk::pow(f(1), u(0)) + pyk::pow(f(1), i);
    d(0) = pyk::floor_div(d(1), d(2)) + pyk::mod(d(1), d(2)) + pyk::pow(d(1), d(2)) + pyk::pow(d(1), n(0)) +
           pyk::pow(d(1), u(0)) + pyk::pow(d(1), i);
    n(3) = pyk::shl(n(1), n(2)) + pyk::shr(n(1), u(2)) + pyk::square(n(1));
    u(3) = pyk::shl(u(1), n(2)) + pyk::shr(u(1), u(2));
    const unsigned int j = u(5);
    i = pyk::floor_div(i, 3) + pyk::mod(i, 3) + pyk::pow(i, 3) + pyk::shl(i, n(2)) + pyk::shr(i, 3);
    u(4) = pyk::floor_div(j, 3u) + pyk::mod(j, 3u) + pyk::pow(j, 3u) + pyk::shl(j, n(2)) + pyk::shr(j, 3) + i;
    n(4) = pyk::round(f(1)) + pyk::round(d(1));
    f(3) = pyk::round(f(1), n(2)) + pyk::square(f(1));
    d(3) = pyk::round(d(1), n(2));
    n(5) = pyk::min(n(0), n(1)) + pyk::max(n(0), n(1)) + pyk::min(n(0), n(1), n(2), n(3));
    f(4) = pyk::min(f(0), f(1)) + pyk::max(f(0), f(1)) + pyk::max(f(0), f(1), f(2));
    d(4) = pyk::min(d(0), d(1)) + pyk::max(d(0), d(1));
    n(6) = pyk::popc(n(0)) + pyk::clz(static_cast<short>(i)) + pyk::popc(static_cast<unsigned char>(i));
    u(6) = pyk::brev(u(0)) + pyk::brev(static_cast<unsigned int>(i)) + pyk::ffs(i);
    n(7) = pyk::abs(n(0)) + pyk::abs(i) + pyk::abs(static_cast<signed char>(i)) + pyk::selp(i != 0, n(1), n(2));
    u(7) = pyk::abs(u(0)) + pyk::abs(static_cast<unsigned char>(i));
    f(5) = pyk::abs(f(0)) + pyk::degrees(f(1)) + pyk::radians(f(2)) + pyk::inf<float>() + pyk::nan<float>();
    d(5) = pyk::abs(d(0)) + pyk::degrees(d(1)) + pyk::radians(d(2)) + pyk::inf() + pyk::nan();
    n(8) = static_cast<long long>(pyk::range_length(n(0), n(1), n(2)) + pyk::range_length(i, i, i));
    u(8) = pyk::range_length(u(0), u(1), u(2));
    const pyk::tuple<float, int> parts = pyk::frexp(f(0));
    f(6) = pyk::get<0>(parts) + static_cast<float>(pyk::get<1>(parts)) + pyk::get<1>(pyk::modf(f(1)));
    d(6) = pyk::get<0>(pyk::frexp(d(0))) + pyk::get<1>(pyk::modf(d(1)));
    d(7) = pyk::at(pyk::make_tuple(d(0), d(1), d(2)), n(0));
}

template <class T>
PYK_DEVICE void all_atomics(pyk::array<T, 1> a, T v) {
    a(1) = pyk::atomic_add(a(0), v) + pyk::atomic_sub(a(0), v) + pyk::atomic_max(a(0), v) + pyk::atomic_min(a(0), v);
    a(2) = pyk::atomic_nanmax(a(0), v) + pyk::atomic_nanmin(a(0), v);
}
template <class T>
PYK_DEVICE void bit_atomics(pyk::array<T, 1> a, T v) {
    a(3) = pyk::atomic_and_(a(0), v) + pyk::atomic_or_(a(0), v) + pyk::atomic_xor(a(0), v) + pyk::atomic_exch(a(0), v) +
           pyk::atomic_cas(a(0), v, v);
}
KERNEL atomics(pyk::array<int, 1> i4, pyk::array<unsigned int, 1> u4, pyk::array<long long, 1> i8,
               pyk::array<unsigned long long, 1> u8, pyk::array<float, 1> f4, pyk::array<double, 1> f8) {
    all_atomics(i4, 1);
    all_atomics(u4, 1u);
    all_atomics(i8, 1ll);
    all_atomics(u8, 1ull);
    all_atomics(f4, 1.0f);
    all_atomics(f8, 1.0);
    bit_atomics(i4, 1);
    bit_atomics(u4, 1u);
    bit_atomics(i8, 1ll);
    bit_atomics(u8, 1ull);
    u4(0) = pyk::atomic_inc(u4(1), 3u) + pyk::atomic_dec(u4(1), 3u);
    u8(0) = pyk::atomic_inc(u8(1), 3ull) + pyk::atomic_dec(u8(1), 3ull);
}

KERNEL threads(CONTEXT pyk::array<long long, 1> n, pyk::array<pyk::xoroshiro128p_state, 1> states,
               pyk::array<float, 1> f, pyk::array<double, 1> d) {
    n(0) = pyk::grid_x(ONLY_ARGUMENT) + pyk::grid_y(ONLY_ARGUMENT) + pyk::grid_z(ONLY_ARGUMENT);
    n(1) = pyk::gridsize_x(ONLY_ARGUMENT) + pyk::gridsize_y(ONLY_ARGUMENT) + pyk::gridsize_z(ONLY_ARGUMENT);
    n(2) = pyk::laneid(ONLY_ARGUMENT) + pyk::dynamic_shared<float>(ONLY_ARGUMENT).shape[0];
    n(3) = pyk::checked(PASS n(0), n.shape[0], {"n", 0, 12}) + pyk::checked(PASS 3u, n.shape[0], {"n", 0, 12});
    pyk::init_xoroshiro128p_state(states, 0, 1);
    pyk::xoroshiro128p_jump(states, 0);
    n(4) = static_cast<long long>(pyk::xoroshiro128p_next(states, 0));
    f(0) = pyk::xoroshiro128p_uniform_float32(states, 0) + pyk::xoroshiro128p_normal_float32(states, 0);
    d(0) = pyk::xoroshiro128p_uniform_float64(states, 0) + pyk::xoroshiro128p_normal_float64(states, 0);
}

KERNEL prints(long long i, unsigned long long u, double x) { pyk::print("%lld %llu %f %s\n", i, u, x, i > 0); }
