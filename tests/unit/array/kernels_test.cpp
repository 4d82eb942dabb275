// The GPU's loops of array functions, run on the CPU thread by thread, over random arrays: what the host packs and what
// the prelude makes of it, together. A barrier is one of real threads.
#include <gtest/gtest.h>

#include <barrier>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "array/core.h"
#include "array/fold.h"
#include "array/packing.h"

// --- CUDA, as far as the loops use it ------------------------------------------------------------------------------
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct Index {
    unsigned x = 0, y = 0, z = 0;
};
static thread_local Index threadIdx, blockIdx, blockDim;
static std::barrier<>* block_barrier = nullptr;
static void __syncthreads() { block_barrier->arrive_and_wait(); }
namespace pyk {
uint4 pyk_tile[4096];
uint4 pyk_parts[4096];
}  // namespace pyk

#define __CUDACC__
#define __device__
#define __host__
#define __shared__
#define __forceinline__ inline
#include "pyk/core.h"
#include "pyk/elementwise.h"
#include "pyk/elementwise_tiled.h"
#include "pyk/fold.h"
#include "pyk/single.h"
#undef __CUDACC__
#undef __forceinline__
#undef __shared__
#undef __host__
#undef __device__

namespace pyk::arrays {
namespace {

template <class Kernel>
void run(const PackedLoop& packed, Kernel kernel) {
    blockDim = {packed.block_x, packed.block_y, 1};
    for (blockIdx.x = 0; blockIdx.x < packed.blocks; ++blockIdx.x)
        for (threadIdx.y = 0; threadIdx.y < packed.block_y; ++threadIdx.y)
            for (threadIdx.x = 0; threadIdx.x < packed.block_x; ++threadIdx.x) kernel();
}

template <class Kernel>
void run_with_barriers(const PackedLoop& packed, Kernel kernel) {
    std::barrier<> barrier(packed.block_x);
    block_barrier = &barrier;
    std::vector<std::thread> threads;
    for (unsigned x = 0; x < packed.block_x; ++x)
        threads.emplace_back([&, x] {
            blockDim = {packed.block_x, 1, 1};
            threadIdx = {x, 0, 0};
            for (blockIdx = {}; blockIdx.x < packed.blocks; ++blockIdx.x) {
                kernel();
                barrier.arrive_and_wait();
            }
        });
    for (std::thread& thread : threads) thread.join();
}

// An array in memory of its own, in which nothing else may change.
template <class T>
struct Array {
    std::vector<T> memory;
    Layout layout;
    T& at(long long index, const Shape& shape) {
        char* place = layout.data;
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            const std::size_t missing = shape.size() - layout.shape.size();
            if (axis >= missing && layout.shape[axis - missing] != 1)
                place += index % shape[axis] * layout.strides[axis - missing];
            index /= shape[axis];
        }
        return *reinterpret_cast<T*>(place);
    }
};

enum class Way { dense, offset, gaps, permuted };

template <class T>
Array<T> make(const Shape& shape, Way way, bool may_broadcast, std::mt19937& rng) {
    Array<T> array;
    Shape extents = shape;
    if (may_broadcast)
        for (long long& extent : extents)
            if (rng() % 3 == 0) extent = 1;
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), 0u);
    if (way == Way::permuted) std::shuffle(order.begin(), order.end(), rng);
    Shape strides(shape.size());
    long long step = static_cast<long long>(sizeof(T));
    for (std::size_t i = order.size(); i-- > 0;) {
        if (way == Way::gaps && rng() % 2) step += static_cast<long long>(sizeof(T)) * (1 + rng() % 4);
        strides[order[i]] = step;
        step *= extents[order[i]];
    }
    const std::size_t first = way == Way::offset ? 1 + rng() % 3 : 0;
    array.memory.resize(static_cast<std::size_t>(step) / sizeof(T) + first + 4);
    for (T& value : array.memory) value = static_cast<T>(rng() % 1000);
    array.layout = {reinterpret_cast<char*>(array.memory.data() + first), sizeof(T), extents, strides};
    return array;
}

template <class Out, class X, class Y>
Out product(X x, Y y) {
    using Wide = std::conditional_t<std::is_integral_v<Out>, long long, double>;
    return static_cast<Out>(static_cast<Wide>(x) * static_cast<Wide>(y));
}

template <class Out, class X, class Y, bool Wide>
void launch(const Iteration& it, const std::vector<Number>& numbers, Access access) {
    constexpr int of_thread = Wide ? pyk::lanes_of<Out, X, Y>() : 1;
    const auto function = [](X x, Y y) { return product<Out>(x, y); };
    PackedLoop packed;
    const auto& strided = *reinterpret_cast<const strided_loop<3>*>(packed.bytes);
    switch (access) {
        case Access::flat:
            pack_flat(it, numbers, of_thread, packed);
            run(packed, [&] {
                const auto& flat = *reinterpret_cast<const flat_loop<3>*>(packed.bytes);
                if (Wide || it.count() % 2 == 0) return for_each_flat<Wide, Out, X, Y>(flat, function);
                const long long i = flat_index();
                if (i >= flat.vectors) return;
                const flat_operand& y = flat.operands[1];
                flat_output<Out>(flat.operands[2], i) = function(
                    flat_element<X>(flat.operands[0], i), it.data[1] ? flat_element<Y>(y, i) : flat_number<Y>(y));
            });
            break;
        case Access::rows:
            pack_rows(it, numbers, of_thread, packed);
            run(packed, [&] { for_each_rows<Wide, Out, X, Y>(strided, function); });
            break;
        case Access::strided:
            pack_strided(it, numbers, of_thread, packed);
            run(packed, [&] { for_each_strided<Wide, Out, X, Y>(strided, function); });
            break;
        case Access::tiled:
            pack_tiled(it, numbers, packed);
            run_with_barriers(packed, [&] { for_each_tiled<Wide, Out, X, Y>(strided, function); });
            break;
    }
}

template <class Out, class X, class Y, bool Wide>
void check(const Shape& shape, Way way, bool may_broadcast, bool is_number, int (&seen)[4], std::mt19937& rng) {
    Array<X> x = make<X>(shape, way, may_broadcast, rng);
    Array<Y> y = make<Y>(shape, way, may_broadcast, rng);
    Array<Out> out = make<Out>(shape, way == Way::permuted ? Way::dense : way, false, rng);
    std::vector<Number> numbers(3);
    const Y number = 7;
    if (is_number) {
        y.layout = {nullptr, sizeof(Y), {}, {}};
        std::memcpy(numbers[1].bytes, &number, sizeof number);
    }
    Array<Out> expected = out;
    expected.layout.data = reinterpret_cast<char*>(expected.memory.data()) +
                           (out.layout.data - reinterpret_cast<char*>(out.memory.data()));
    long long count = 1;
    for (const long long extent : shape) count *= extent;
    for (long long i = 0; i < count; ++i)
        expected.at(i, shape) = product<Out>(x.at(i, shape), is_number ? number : y.at(i, shape));
    Iteration it = iterate({x.layout, y.layout, out.layout});
    const Access access = access_of(it);
    ++seen[static_cast<int>(access)];
    if (access == Access::tiled) bring_turned_axis_second(it);
    launch<Out, X, Y, Wide>(it, numbers, access);
    ASSERT_EQ(out.memory, expected.memory) << text_of(shape) << " way " << static_cast<int>(way);
}

TEST(Kernels, ComputeEachElementOnceWhateverItsPlace) {
    std::mt19937 rng(11);
    int seen[4] = {};
    const Shape shapes[] = {{1},       {3},        {1000},      {2048},    {2049},      {9000},
                            {1, 70},   {33, 65},   {40, 1},     {7, 300},  {64, 2, 50}, {5, 4, 3, 2},
                            {3, 1, 9}, {100, 130}, {2, 40, 40}, {6, 2100}, {35, 36, 37}};
    for (const Shape& shape : shapes)
        for (const Way way : {Way::dense, Way::offset, Way::gaps, Way::permuted})
            for (const bool may_broadcast : {false, true}) {
                check<float, float, float, true>(shape, way, may_broadcast, false, seen, rng);
                check<double, float, double, true>(shape, way, may_broadcast, false, seen, rng);
                check<short, signed char, short, true>(shape, way, may_broadcast, false, seen, rng);
                check<float, int, float, false>(shape, way, may_broadcast, false, seen, rng);
                check<float, int, float, false>(shape, way, may_broadcast, true, seen, rng);
                check<float, float, float, true>(shape, way, may_broadcast, true, seen, rng);
            }
    for (const int count : seen) EXPECT_GT(count, 10);
}

// Rows of float in, rows of int out and a sum: behind the elements of each operand nothing may change.
void check_parts(long long calls, long long length, bool is_loaded, std::size_t first) {
    const auto count = static_cast<std::size_t>(calls * length);
    std::vector<float> x(count + first + 4);
    std::vector<int> rows(count + 8, -1);
    std::vector<double> sums(static_cast<std::size_t>(calls) + 1, -1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 97);
    std::vector<Layout> layouts = {
        {reinterpret_cast<char*>(x.data() + first), 4, {calls, length}, {4 * length, 4}},
        {reinterpret_cast<char*>(rows.data()), 4, {calls, length}, {4 * length, 4}},
        {reinterpret_cast<char*>(sums.data()), 8, {calls}, {8}},
    };
    std::vector<Part> parts = {split(layouts[0], 1), split(layouts[1], 1), split(layouts[2], 0)};
    parts[1].is_loaded = is_loaded;
    parts[1].is_stored = parts[2].is_stored = true;
    const Iteration it = iterate(layouts);
    choose_staged(it, parts);
    EXPECT_EQ(parts[0].is_staged, length > 1 && calls > 1 && length <= 2045) << length;
    PackedLoop packed;
    pack_core(it, std::vector<Number>(3), parts, packed);
    EXPECT_LE(packed.shared_bytes, kMostSharedOfBlock);
    const auto& loop = *reinterpret_cast<const core_loop<3>*>(packed.bytes);
    const auto call = [&](const core_place<3>& at) {
        const auto from = at.part<const float, 1>(0);
        const auto to = at.part<int, 1>(1);
        double sum = 0;
        for (long long i = 0; i < from.shape[0]; ++i) {
            // All of the row is there before any of it is written.
            to(i) = (is_loaded ? to(i) : -1) + static_cast<int>(from(from.shape[0] - 1 - i)) + 1;
            sum += from(i);
        }
        at.part<double, 1>(2, 1)(0) = sum;
    };
    if (parts[0].is_staged)
        run_with_barriers(packed, [&] { for_each_core_staged<float, int, void>(loop, call); });
    else
        run(packed, [&] { for_each_core(loop, call); });
    for (long long row = 0; row < calls; ++row) {
        double sum = 0;
        for (long long i = 0; i < length; ++i) {
            const auto at = static_cast<std::size_t>(row * length);
            ASSERT_EQ(rows[at + static_cast<std::size_t>(i)],
                      static_cast<int>(x[first + at + static_cast<std::size_t>(length - 1 - i)]))
                << row << ", " << i;
            sum += static_cast<double>(x[first + at + static_cast<std::size_t>(i)]);
        }
        ASSERT_EQ(sums[static_cast<std::size_t>(row)], sum);
    }
    for (std::size_t i = count; i < rows.size(); ++i) ASSERT_EQ(rows[i], -1);
    EXPECT_EQ(sums.back(), -1);
}

TEST(Kernels, PartsGoThroughSharedMemory) {
    for (const long long length : {1, 3, 16, 129, 256, 1000, 2045, 2048})
        for (const long long calls : {1, 33})
            for (const bool is_loaded : {false, true}) check_parts(calls, length, is_loaded, length % 3 == 0 ? 1 : 0);
    check_parts(20'000, 3, false, 0);
}

TEST(Kernels, Fold) {
    std::mt19937 rng(12);
    for (const Shape& shape : {Shape{1}, Shape{5000}, Shape{70001}, Shape{30, 200}, Shape{7, 3, 90}})
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            Array<int> x = make<int>(shape, Way::gaps, false, rng);
            Shape rest = shape;
            rest.erase(rest.begin() + static_cast<long>(axis));
            long long others = 1, count = shape[axis];
            for (const long long extent : rest) others *= extent;
            const long long lines = lines_of(x.layout, axis, others, true, 0);
            Shape to = rest;
            if (lines > 1) to.insert(to.begin(), lines);
            Array<int> out = make<int>(to, Way::dense, false, rng);
            PackedLoop packed;
            pack_fold(fold_along(x.layout, axis, out.layout, lines, true, 0), 0, packed);
            run(packed, [&] {
                for_each_fold<int>(*reinterpret_cast<const fold_loop*>(packed.bytes),
                                   [](int a, int b) { return a + b; });
            });
            std::vector<long long> expected(static_cast<std::size_t>(others)), got(expected.size());
            long long inner = 1;
            for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
            for (long long i = 0; i < others * count; ++i)
                expected[static_cast<std::size_t>(i / (inner * count) * inner + i % inner)] += x.at(i, shape);
            for (long long i = 0; i < lines * others; ++i)
                got[static_cast<std::size_t>(i % others)] += out.memory[static_cast<std::size_t>(i)];
            ASSERT_EQ(got, expected) << text_of(shape) << " axis " << axis;
        }
}

TEST(Kernels, Scan) {
    std::vector<double> x(12), out(12);
    std::iota(x.begin(), x.end(), 0.0);
    const Layout from{reinterpret_cast<char*>(x.data()), 8, {3, 4}, {32, 8}};
    const Layout to{reinterpret_cast<char*>(out.data()), 8, {3, 4}, {32, 8}};
    PackedLoop packed;
    pack_fold(scan_along(from, 1, to), 0, packed);
    run(packed, [&] {
        for_each_scan<double>(*reinterpret_cast<const fold_loop*>(packed.bytes),
                              [](double a, double b) { return a + b; });
    });
    EXPECT_EQ(out, (std::vector<double>{0, 1, 3, 6, 4, 9, 15, 22, 8, 17, 27, 38}));
}

}  // namespace
}  // namespace pyk::arrays
