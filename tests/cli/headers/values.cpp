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
    double z = 3;
    values::cell(one, {&z}, sums).or_throw();
    expect("an array without axes", sums[0] * 10 + z, 34);
    return wrong;
}
