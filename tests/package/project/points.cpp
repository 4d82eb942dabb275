// Two headers of one namespace that share a record; numbers and complex numbers as C++ has them.
#include <made/half.h>
#include <points/count.h>
#include <points/move.h>

#include <complex>
#include <cstdint>
#include <vector>

using Days = pyk::DateTime<pyk::TimeUnit::days>;
using Seconds = pyk::DateTime<pyk::TimeUnit::seconds>;
using Weeks = pyk::TimeDelta<pyk::TimeUnit::weeks>;

// Dates of another unit, and bare numbers, are other types.
template <class Date, class Delta, class = void>
constexpr bool is_taken = false;
template <class Date, class Delta>
constexpr bool is_taken<
    Date, Delta,
    std::void_t<decltype(points::later(pyk::Launch(), std::declval<std::vector<Date>&>(), std::declval<Delta>()))>> =
    true;
static_assert(is_taken<Days, Weeks> && is_taken<Seconds, Weeks>);
static_assert(!is_taken<pyk::DateTime<pyk::TimeUnit::weeks>, Weeks> && !is_taken<Weeks, Weeks>);
static_assert(!is_taken<std::int64_t, Weeks> && !is_taken<Days, int> && !is_taken<Days, Days>);

// What is wrong; null: nothing.
const char* wrong_points() {
    using namespace std::complex_literals;
    std::vector<points::Point> all(3, points::Point{{1, 2}, 3});
    points::move({{1}, {32}}, all, 2).or_throw();
    points::count({{1}, {32}}, all, 4).or_throw();
    if (all[2].place[0] != 3 || all[2].count != 7) return "a record that two headers share";
    if (points::count({{1}, {32}}, all, 256).ok() || all[2].count != 7) return "a number that its type does not have";

    std::vector<double> halves(3, 5.0);
    half::half({{1}, {32}}, halves).or_throw();
    if (halves[2] != 2.5) return "a file that the build makes";

    // By the type of the number; what only one signature takes is that one's.
    std::vector<std::int64_t> x(1);
    const auto put = [&](auto value) {
        points::put({{1}, {1}}, x, value).or_throw();
        return x[0];
    };
    if (put(std::int64_t{3}) != 6 || put(2.5) != 5 || put(1.5f) != 3) return "signatures that differ in a number";

    std::vector<Days> days(1, Days{3});
    std::vector<Seconds> seconds(1, Seconds{3});
    points::later({{1}, {1}}, days, Weeks{2}).or_throw();
    points::later({{1}, {1}}, seconds, Weeks{1}).or_throw();
    if (days[0].count != 17 || seconds[0].count != 604803) return "dates of two units";

    std::vector<std::complex<float>> z(2, {1, 2});
    points::turn({{1}, {32}}, z, 1if).or_throw();
    if (z[1] != std::complex<float>(-2, 1)) return "complex numbers of a kernel";
    std::vector<std::complex<double>> out(2);
    points::product(std::vector<std::complex<double>>(2, 2.0 + 1i), 3.0, out).or_throw();
    if (out[1] != 6.0 + 3i) return "complex numbers of an array function";
    const std::vector<std::int64_t> steps{4, 5};
    const auto [scaled, next] = points::scaled(1i, steps).value();
    return scaled != 4i || next.to_host().value()[1] != 6 ? "complex numbers of a function" : nullptr;
}
