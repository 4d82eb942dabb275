// The parts of the prelude that headers of compiled kernels include, in a program that asks for many warnings.
#include <type_traits>

#include "pyk/aot.h"
#include "pyk/array.h"
#include "pyk/complex.h"
#include "pyk/fp8.h"
#include "pyk/half.h"
#include "pyk/record.h"
#include "pyk/strided.h"
#include "pyk/text.h"
#include "pyk/tuple.h"
#include "pyk/vector.h"

namespace {

struct Point {
    float x;
    double y;
};

template <class T>
using Pair = pyk::tuple<T, T>;

// What kernels have in memory.
static_assert(std::is_trivial<Pair<int>>::value && std::is_trivial<pyk::tuple<Point, Pair<short>>>::value);
static_assert(sizeof(pyk::tuple<char, double>) == 16 && alignof(pyk::tuple<char, double>) == 8);
static_assert(sizeof(pyk::tuple<char, Pair<short>, int>) == 12);

int sum(Pair<int> pair, pyk::tuple<double, Pair<Point>>, pyk::tuple<Pair<int>>) {
    return pyk::get<0>(pair) + pyk::get<1>(pair);
}

}  // namespace

int main() {
    constexpr Pair<Pair<int>> nested = {{1, 2}, {3, 4}};
    const Pair<int> none{}, list[] = {{1, 2}, {3, 4}};
    const pyk::tuple<const int*, int> read = pyk::tuple<int*, int>{nullptr, pyk::get<0>(none)};
    return sum({1, 2}, {0.5, {{1.0f, 2.0}, {3.0f, 4.0}}}, {{3, 4}}) + pyk::get<1>(list[1]) + pyk::get<1>(read) +
           pyk::get<0>(pyk::get<1>(nested));
}
