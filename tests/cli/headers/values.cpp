#if __has_include(<vector_types.h>)
#include <vector_types.h>  // CUDA's own
#else
struct alignas(16) float4 {
    float x, y, z, w;
};
struct int3 {
    int x, y, z;
};
#endif

#include <array>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "values.h"

struct Quaternion {
    alignas(16) float w;
    float x, y, z;
};
template <class T>
constexpr bool is_taken = std::is_convertible_v<std::vector<T>&, pyk::View<pyk::float4>>;
static_assert(is_taken<float4> && is_taken<pyk::float4> && !is_taken<int3> && !is_taken<Quaternion> &&
              !is_taken<float>);

int wrong = 0;
template <class A, class B>
void expect(const char* what, const A& found, const B& expected) {
    if (!(found == static_cast<A>(expected))) ++wrong, std::fprintf(stderr, "%s\n", what);
}

int main() {
    using Time = pyk::DateTime<pyk::TimeUnit::nanoseconds>;
    using Micro = pyk::TimeDelta<pyk::TimeUnit::microseconds>;
    using Days = pyk::TimeDelta<pyk::TimeUnit::days>;
    const pyk::Launch one{{1}, {1}}, many{{1}, {32}};
    std::vector<float> out(4);
    std::vector<double> sums(2);
    std::vector<std::int64_t> numbers(2);

    std::vector<pyk::float4> ours(2);
    ours[1] = {1, 2, 3, 4};
    values::reverse(many, ours, {1, 2, 3, 4}, out).or_throw();
    expect("our float4", out[1] + ours[1].x * 100 + ours[1].w * 1000, 9 + 400 + 1000);
    std::vector<float4> cuda(2);
    cuda[1].x = 5;
    values::reverse(many, cuda, float4{0, 0.5f, 0, 0}, out).or_throw();
    expect("CUDA's float4", out[1] + cuda[1].w, 10);
    std::vector<pyk::double2> pairs(4);
    pairs[2].y = 5;
    std::vector<int3> threes(2);
    threes[1].z = 3;
    std::vector<pyk::short1> ones(1);
    ones[0].x = 4;
    values::mixed(one, pyk::host(pairs.data(), {2, 2}), threes, {1, 2, 3, 6}, ones, {1, 2, 9, 4}, numbers).or_throw();
    expect("vectors of several types", numbers[0] * 10 + threes[0].x, 946357);
    expect(
        "a component that its type does not have",
        values::mixed(one, pyk::host(pairs.data(), {2, 2}), threes, {1, 2, 3, 256}, ones, {1, 2, 9, 4}, numbers).ok(),
        false);
    values::second(one, float4{1, 2, 3, 4}, out).or_throw();
    expect("the overload of a float4", out[0], 2);
    values::second(one, int3{1, 3, 3}, out).or_throw();
    expect("the overload of an int3", out[0], 3);
    values::second(one, 4.5, out).or_throw();
    expect("the overload of a number", out[0], 4.5);

    std::vector<pyk::float16> x(1, pyk::float16(3));
    std::vector<pyk::bfloat16> y(1, pyk::bfloat16(4));
    values::halves(one, pyk::float16(1), pyk::bfloat16(2), x, y, out).or_throw();
    expect("16-bit floats", out[0] + static_cast<float>(x[0]), 4322);

    std::vector<std::complex<float>> small(4);
    std::vector<std::complex<double>> large(2);
    values::waves(one, {1, 2}, {3, 4}, pyk::host(small.data(), {2, 2}), large).or_throw();
    expect("complex64", small[1], std::complex<float>(2, 4));
    expect("complex128", large[1], std::complex<double>(4, 6));

    std::vector<Time> times(1);
    std::vector<Days> days(1, Days{4});
    values::dates(one, Time{5}, Micro{2}, times, days).or_throw();
    expect("dates", times[0].count + days[0].count, 2013);

    values::tuples(one, {1, 2.5f}, {1, 2, 3}, sums).or_throw();
    expect("tuples", sums[0], 7.5);
    out = {1, 2, 0, 0};
    const pyk::array<float, 1> part{out.data(), {4}};
    values::nested(one, {part, part}, {1, {2, std::complex<double>(0, 3.5)}}, out).or_throw();
    expect("tuples of arrays and of tuples", out[0], 9.5);
    values::nothing(one, out).or_throw();
    expect("None", out[0], 3);

    bool flags[] = {false, true};
    values::integers(one, true, pyk::host(flags, {2}), -1, 255, -3, 65535, 4000000000u, 5ull, numbers).or_throw();
    expect("integers", numbers[0] + numbers[1] + flags[0], 4000065802);
    std::vector<pyk::fp8_e4m3> a(1, pyk::fp8_e4m3(1.5f));
    std::vector<pyk::fp8_e5m2> b(1, pyk::fp8_e5m2(4));
    const std::vector<unsigned char> scales = {127, 130};  // the exponents of 1 and 8
    values::bytes_of_numbers(one, a, b, pyk::fp8_e4m3(0.5), pyk::host(scales.data(), {1, 2}), out).or_throw();
    expect("8-bit floats", out[0] * 100 + static_cast<float>(a[0]), 1450 + 14);
    std::vector<pyk::fp8x2_e4m3> packed(1);
    packed[0].bits = 0x4038;  // 1 and 2
    pyk::fp8x4_e5m2 four{};
    four.bits = 0x40003C42;  // 3, 1, 0 and 2
    values::packs(one, packed, four, out).or_throw();
    expect("packs of 8-bit floats", out[0], 233);
    expect("a pack that is written", packed[0].bits, 0x3844);
    values::widen(one, b, out).or_throw();
    expect("the overload of a format", out[0], 4);

    float line[2] = {}, table[2][2] = {{1, 2}, {3, 4}};
    std::array<double, 2> fixed{};
    values::tuples(one, {1, 2.0f}, {1, 2, 3}, fixed).or_throw();
    values::second(one, 2.5f, line).or_throw();
    expect("a C array and a std::array", line[0] + fixed[0], 9.5);
    values::rows(one, table, line).or_throw();
    expect("a C array of two axes", line[1], 7);

    double z = 3;
    values::cell(one, {&z}, sums).or_throw();
    expect("an array without axes", sums[0] * 10 + z, 34);
    return wrong;
}
