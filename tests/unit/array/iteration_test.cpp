// Broadcasting beside NumPy's, and that an iteration visits each element once, whatever it does to the axes.
#include "array/iteration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "array/packing.h"

namespace pyk::arrays {
namespace {

char* const kBase = reinterpret_cast<char*>(1 << 20);

Shape shape_from(const std::string& text) {
    Shape shape;
    if (text == "()") return shape;
    std::istringstream stream(text);
    for (std::string extent; std::getline(stream, extent, 'x');) shape.push_back(std::stoll(extent));
    return shape;
}

Layout dense(Shape shape, long long bytes = 4, char* data = kBase) {
    Shape strides = dense_strides(shape, bytes);
    return {data, bytes, std::move(shape), std::move(strides)};
}
Layout with(Shape shape, Shape strides, long long bytes = 4) {
    return {kBase, bytes, std::move(shape), std::move(strides)};
}

TEST(Broadcast, AsInNumpy) {
    std::ifstream file(PYK_SOURCE_DIR "/tests/oracle/data/ufunc_shapes.tsv");
    int count = 0;
    for (std::string line; std::getline(file, line);) {
        if (line[0] == '#') continue;
        ++count;
        std::istringstream shapes(line.substr(0, line.find('\t')));
        std::vector<Layout> arrays;
        for (std::string shape; std::getline(shapes, shape, ',');) arrays.push_back(dense(shape_from(shape)));
        const std::string expected = line.substr(line.find('\t') + 1);
        const auto result = broadcast(arrays);
        EXPECT_EQ(result.ok(), expected != "-") << line;
        if (result) {
            EXPECT_EQ(*result, shape_from(expected)) << line;
        }
    }
    EXPECT_EQ(count, 400);
    EXPECT_EQ(broadcast({dense({2, 3}), dense({4})}).message(),
              "arrays could not be broadcast together with shapes (2,3) (4,)");
}

// Each is one element of memory, by strides of zero.
TEST(Broadcast, MoreElementsThanCanBeCounted) {
    const long long many = 1ll << 32;
    const auto result = broadcast({with({many, 1}, {0, 0}), with({1, many}, {0, 0})});
    EXPECT_EQ(result.message(),
              "arrays broadcast together to (4294967296,4294967296), more elements than can be counted");
    EXPECT_TRUE(broadcast({with({many, 1, 0}, {0, 0, 0}), with({1, many, 1}, {0, 0, 0})}).ok()) << "none at all";
}

TEST(Broadcast, AnOutputMayBeLarger) {
    EXPECT_EQ(why_not_output({3, 2}, {2}), "");
    EXPECT_EQ(why_not_output({3, 2}, {}), "");
    EXPECT_EQ(why_not_output({3, 2}, {1, 2}), "");
    EXPECT_EQ(why_not_output({2}, {3, 2}), "the output has shape (2,), the result (3,2)");
    EXPECT_EQ(why_not_output({1}, {2}), "the output has shape (1,), the result (2,)");
}

// --- iterations ---------------------------------------------------------------------------------------------------
using Places = std::multiset<std::vector<std::intptr_t>>;

std::intptr_t place(const char* at) { return at ? reinterpret_cast<std::intptr_t>(at) : 0; }

void visit(const Iteration& it, std::size_t axis, std::vector<char*> at, Places& places) {
    if (axis == it.axes.size()) {
        std::vector<std::intptr_t> element;
        for (const char* one : at) element.push_back(place(one));
        places.insert(element);
        return;
    }
    for (long long i = 0; i < it.axes[axis].extent; ++i) {
        visit(it, axis + 1, at, places);
        for (std::size_t k = 0; k < at.size(); ++k)
            if (at[k]) at[k] += it.axes[axis].strides[k];
    }
}

// What NumPy means by it, one index after the other.
Places expected_places(const std::vector<Layout>& operands) {
    Places places;
    const Shape& shape = operands.back().shape;
    long long count = 1;
    for (const long long extent : shape) count *= extent;
    for (long long i = 0; i < count; ++i) {
        std::vector<std::intptr_t> element;
        for (const Layout& operand : operands) {
            char* at = operand.data;
            long long rest = i;
            for (std::size_t axis = shape.size(); axis-- > 0;) {
                const long long index = rest % shape[axis];
                rest /= shape[axis];
                const std::size_t missing = shape.size() - operand.shape.size();
                if (at && axis >= missing && operand.shape[axis - missing] != 1)
                    at += index * operand.strides[axis - missing];
            }
            element.push_back(place(at));
        }
        places.insert(element);
    }
    return places;
}

// Of a shape, elements with gaps, backwards, in any order of axes, or some axes left out or of one element.
Layout random_operand(const Shape& shape, bool is_output, std::mt19937& rng) {
    Layout layout{kBase, 1ll << rng() % 4, shape, Shape(shape.size())};
    std::vector<std::size_t> order(shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (rng() % 2) std::shuffle(order.begin(), order.end(), rng);
    long long step = layout.element_bytes;
    for (std::size_t i = order.size(); i-- > 0;) {
        if (rng() % 4 == 0) step *= 2;
        layout.strides[order[i]] = rng() % 4 == 0 ? -step : step;
        step *= shape[order[i]];
    }
    if (is_output) return layout;
    if (rng() % 6 == 0) return {nullptr, 4, {}, {}};
    for (long long& extent : layout.shape)
        if (rng() % 4 == 0) extent = 1;
    const std::size_t dropped = layout.shape.empty() ? 0 : rng() % layout.shape.size();
    layout.shape.erase(layout.shape.begin(), layout.shape.begin() + static_cast<long>(dropped));
    layout.strides.erase(layout.strides.begin(), layout.strides.begin() + static_cast<long>(dropped));
    return layout;
}

TEST(Iteration, VisitsEachElementOnce) {
    std::mt19937 rng(5);
    for (int round = 0; round < 3000; ++round) {
        Shape shape(rng() % (round % 10 == 0 ? 12 : 5));
        for (long long& extent : shape) extent = 1 + static_cast<long long>(rng() % (shape.size() > 4 ? 2 : 4));
        std::vector<Layout> operands;
        for (unsigned k = 0; k < rng() % 3; ++k) operands.push_back(random_operand(shape, false, rng));
        operands.push_back(random_operand(shape, true, rng));
        const Places expected = expected_places(operands);
        const Iteration it = iterate(operands);
        Places places, of_parts;
        visit(it, 0, it.data, places);
        ASSERT_EQ(places, expected) << round;
        const Status all = for_each_part(it, 7, [&](const Iteration& part) -> Status {
            EXPECT_LT(part.count(), 7);
            EXPECT_LE(part.axes.size(), 8u);
            visit(part, 0, part.data, of_parts);
            return {};
        });
        ASSERT_TRUE(all.ok());
        ASSERT_EQ(of_parts, expected) << round;
    }
}

TEST(Iteration, JoinsAxes) {
    EXPECT_EQ(iterate({dense({4, 5, 6}), dense({4, 5, 6})}).axes.size(), 1u);
    EXPECT_EQ(iterate({dense({4, 1, 6}), dense({4, 1, 6})}).axes[0].extent, 24);
    // Both backwards is both forwards; Fortran's order of both is one axis as well.
    EXPECT_EQ(iterate({with({6}, {-4}), with({6}, {-4})}).axes[0].strides, (std::vector<long long>{4, 4}));
    EXPECT_EQ(iterate({with({4, 5}, {4, 16}), with({4, 5}, {4, 16})}).axes.size(), 1u);
    EXPECT_EQ(iterate({dense({1, 5}), dense({4, 5})}).axes.size(), 2u);
}

TEST(Iteration, KnowsHowElementsLie) {
    const auto access = [](const std::vector<Layout>& operands) { return access_of(iterate(operands)); };
    EXPECT_EQ(access({dense({100}), dense({100})}), Access::flat);
    EXPECT_EQ(access({dense({}), dense({})}), Access::flat);
    EXPECT_EQ(access({Layout{nullptr, 4, {}, {}}, dense({100})}), Access::flat);
    // Side by side, but nowhere aligned together. A new output is aligned.
    const Layout output{nullptr, 1, {100}, {1}};
    EXPECT_EQ(access({dense({100}, 4, kBase + 4), dense({100}, 4, kBase + 4)}), Access::flat);
    EXPECT_EQ(access({dense({100}, 4, kBase + 4), dense({100})}), Access::strided);
    EXPECT_EQ(access({dense({100}, 4, kBase + 4), output}), Access::strided);
    EXPECT_EQ(access({dense({100}), output}), Access::flat);
    EXPECT_EQ(access({dense({1}), dense({100})}), Access::rows);
    EXPECT_EQ(access({dense({1, 100}), dense({100, 100})}), Access::rows);
    EXPECT_EQ(access({dense({100, 1}), dense({100, 100})}), Access::rows);
    EXPECT_EQ(access({with({100, 100}, {800, 4}), dense({100, 100})}), Access::rows);
    EXPECT_EQ(access({dense({100, 3}), with({100, 3}, {16, 4})}), Access::strided);
    EXPECT_EQ(access({with({100}, {8}), dense({100})}), Access::strided);
    EXPECT_EQ(access({with({100, 100}, {4, 400}), dense({100, 100})}), Access::tiled);
    EXPECT_EQ(access({with({100, 100}, {8, 800}), dense({100, 100})}), Access::strided);
    EXPECT_EQ(access({with({10, 100}, {4, 40}), dense({10, 100})}), Access::strided);
}

TEST(Tiles, HaveTheTurnedAxisSecond) {
    // Axes (a, b, c) in C order of the output; the input's run in the order c, b, a.
    Iteration it = iterate({with({20, 30, 40}, {4, 80, 2400}), dense({20, 30, 40})});
    ASSERT_EQ(access_of(it), Access::tiled);
    bring_turned_axis_second(it);
    EXPECT_EQ(it.axes[0].extent, 40);
    EXPECT_EQ(it.axes[1].extent, 20);
    EXPECT_EQ(it.axes[1].strides[0], 4);
    EXPECT_EQ(shared_bytes_of_tile(it), 32u * 33 * 4);
    PackedLoop packed;
    pack_tiled(it, std::vector<Number>(2), packed);
    EXPECT_EQ(packed.blocks, 2u * 1 * 30);
    EXPECT_EQ(packed.shared_bytes, 32u * 33 * 4);
}

TEST(Overlap, IsSeen) {
    const Layout a = dense({10});
    EXPECT_TRUE(is_same(a, a));
    EXPECT_FALSE(is_same(a, dense({10}, 4, kBase + 4)));
    EXPECT_FALSE(is_same(a, with({10}, {-4})));
    EXPECT_TRUE(may_overlap(a, dense({10}, 4, kBase + 36)));
    EXPECT_FALSE(may_overlap(a, dense({10}, 4, kBase + 40)));
    EXPECT_FALSE(may_overlap(a, dense({0})));
    EXPECT_TRUE(may_overlap(a, {kBase + 40, 4, {2}, {-4}}));
    EXPECT_TRUE(repeats(with({3, 2}, {0, 4})));
    EXPECT_FALSE(repeats(with({1, 2}, {0, 4})));
    EXPECT_FALSE(repeats(with({5, 0}, {0, 4})));
    EXPECT_EQ(bytes_of({kBase + 40, 4, {3}, {-4}}), std::make_pair(kBase + 32, kBase + 44));
}

TEST(Division, IsExactBelowTwoToThe31) {
    std::mt19937 rng(9);
    const auto check = [](unsigned n, unsigned d) {
        const division by = divide_by(d);
        const auto high = static_cast<unsigned>(static_cast<std::uint64_t>(n) * by.multiplier >> 32);
        ASSERT_EQ((high + n) >> by.shift, n / d) << n << " / " << d;
    };
    for (const unsigned d : {1u, 2u, 3u, 7u, 641u, 0x7FFFFFFFu, 0x7FFFFFFEu, 1u << 30, (1u << 30) + 1})
        for (const unsigned n : {0u, 1u, d - 1, d, d + 1, 2 * d - 1, 0x7FFFFFFFu})
            if (n <= 0x7FFFFFFFu) check(n, d);
    for (int i = 0; i < 200000; ++i) check(rng() & 0x7FFFFFFF, 1 + (rng() & 0x7FFFFFFF) / (1u << rng() % 31));
}

TEST(Alignment, IsFoundBehindTheSameHead) {
    const auto head = [](std::intptr_t a, std::intptr_t b, long long bytes) {
        const Iteration it = iterate({dense({1000}, bytes, kBase + a), dense({1000}, bytes, kBase + b)});
        return aligned_head(it, lanes_of(it));
    };
    EXPECT_EQ(head(0, 0, 4), 0);
    EXPECT_EQ(head(4, 4, 4), 3);
    EXPECT_EQ(head(4, 8, 4), std::nullopt);
    EXPECT_EQ(head(1, 1, 1), 15);
    EXPECT_EQ(head(8, 8, 8), 1);
}

TEST(Packing, RepeatsANumberAsOftenAsThereIsRoom) {
    std::vector<Number> numbers(2);
    const short number = 0x1234;
    std::memcpy(numbers[0].bytes, &number, sizeof number);
    PackedLoop packed;
    pack_flat(iterate({{nullptr, 2, {}, {}}, dense({64}, 2, kBase)}), numbers, 8, packed);
    flat_loop<2> loop;
    std::memcpy(&loop, packed.bytes, sizeof loop);
    short values[8];
    std::memcpy(values, loop.operands[0].value, sizeof values);
    for (const short value : values) EXPECT_EQ(value, number);
    EXPECT_EQ(loop.operands[0].data, nullptr);
}

TEST(Packing, CoversEveryElement) {
    const std::vector<Number> numbers(2);
    for (const long long count : {1ll, 255ll, 256ll, 4096ll, 4097ll, (1ll << 33) + 3}) {
        PackedLoop packed;
        pack_flat(iterate({dense({count}, 4, kBase + 4), dense({count}, 4, kBase + 4)}), numbers, 4, packed);
        flat_loop<2> loop;
        ASSERT_EQ(packed.size, sizeof loop);
        std::memcpy(&loop, packed.bytes, sizeof loop);
        EXPECT_EQ(loop.head, std::min(count, 3ll));
        EXPECT_GE(packed.blocks * 256ll, loop.vectors);
        EXPECT_EQ(loop.vectors * 4 + loop.rest, count);
        EXPECT_LT(loop.rest - loop.head, 4);
        EXPECT_EQ(loop.operands[1].data, kBase + 4 + loop.head * 4);
    }
    for (const long long length : {32ll, 100ll, 1000ll, 5000ll}) {
        PackedLoop packed;
        pack_rows(iterate({dense({1, length}), dense({77, length})}), numbers, 4, packed);
        strided_loop<2> loop;
        ASSERT_EQ(packed.size, sizeof loop);
        std::memcpy(&loop, packed.bytes, sizeof loop);
        EXPECT_EQ(packed.block_x * packed.block_y, 256u);
        const unsigned parts = loop.by[0].divisor;
        EXPECT_GE(parts * packed.block_x * 4 * row_rounds, length);
        EXPECT_GE(packed.blocks / parts * packed.block_y, 77);
        EXPECT_EQ(loop.is_aligned, length % 4 == 0);
    }
}

}  // namespace
}  // namespace pyk::arrays
