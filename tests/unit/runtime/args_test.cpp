// The packed arguments against the structs that kernels read.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "pyk/args.h"
#include "pyk/array.h"
#include "pyk/strided.h"
#include "pyk/tuple.h"

namespace {

struct Params {
    bool flag;
    pyk::array<float, 2> a;
    short narrow;
    float f;
    signed char tiny;
    pyk::array<double, 1, pyk::A> s;
    bool last;
    pyk::tuple<signed char, long long> t;
    int end;
};

TEST(ArgBuffer, HasTheKernelsLayout) {
    float x[6] = {};
    double y[3] = {};
    const long long shape_a[] = {2, 3};
    const long long shape_s[] = {3};
    const long long strides_s[] = {-8};
    const auto t = pyk::make_tuple(static_cast<signed char>(7), 8LL);

    pyk::ArgBuffer args;
    args.push(true);
    args.push_array(x, shape_a, 2);
    args.push(static_cast<short>(2));
    args.push(1.5f);
    args.push(static_cast<signed char>(-3));
    args.push_array(y, shape_s, strides_s, 1);
    args.push(true);
    args.put(&t, sizeof t, alignof(decltype(t)));
    args.push(std::int32_t{9});

    Params p;
    ASSERT_EQ(args.size(), static_cast<size_t>(reinterpret_cast<char*>(&p.end + 1) - reinterpret_cast<char*>(&p)));
    std::memcpy(static_cast<void*>(&p), args.data(), args.size());
    EXPECT_TRUE(p.flag && p.last);
    EXPECT_EQ(p.a.data, x);
    EXPECT_EQ(p.a.shape[1], 3);
    EXPECT_EQ(p.narrow, 2);
    EXPECT_EQ(p.f, 1.5f);
    EXPECT_EQ(p.tiny, -3);
    EXPECT_EQ(p.s.data, y);
    EXPECT_EQ(p.s.strides[0], -8);
    EXPECT_EQ(pyk::get<0>(p.t), 7);
    EXPECT_EQ(pyk::get<1>(p.t), 8);
    EXPECT_EQ(p.end, 9);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(args.data()) % 16, 0u);
    args.clear();
    EXPECT_EQ(args.size(), 0u);
}

}  // namespace
