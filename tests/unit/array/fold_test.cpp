// Reductions: that each element of an axis is in one line, whoever shares it.
#include "array/fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace pyk::arrays {
namespace {

char* const kBase = reinterpret_cast<char*>(1 << 20);
char* const kOut = reinterpret_cast<char*>(1 << 30);

Layout dense(Shape shape, char* data = kBase) {
    Shape strides = dense_strides(shape, 8);
    return {data, 8, std::move(shape), std::move(strides)};
}

// pyk::line_length of the prelude.
long long length_of(const fold_axis& axis, long long line) {
    if (axis.is_interleaved) return (axis.length - line + axis.lines - 1) / axis.lines;
    const long long block = (axis.length + axis.lines - 1) / axis.lines;
    return std::min(block, axis.length - line * block);
}

using Elements = std::map<std::ptrdiff_t, std::vector<std::ptrdiff_t>>;  // of each output, by their places

void visit(const Fold& fold, std::size_t axis, char* from, char* to, long long line, Elements& elements) {
    if (axis == fold.it.axes.size()) {
        const long long length = length_of(fold.axis, line);
        EXPECT_GT(length, 0);
        for (long long i = 0; i < length; ++i) elements[to - kOut].push_back(from + i * fold.axis.step - kBase);
        return;
    }
    const Axis& along = fold.it.axes[axis];
    for (long long i = 0; i < along.extent; ++i)
        visit(fold, axis + 1, from + i * along.strides[0], to + i * along.strides[1], axis == 0 ? i : line, elements);
}

void expect_partition(const Shape& shape, std::size_t axis, int workers) {
    const Layout input = dense(shape);
    Shape rest = shape;
    rest.erase(rest.begin() + static_cast<long>(axis));
    long long others = 1;
    for (const long long extent : rest) others *= extent;
    const long long lines = lines_of(input, axis, others, true, workers);
    Shape to = rest;
    if (lines > 1) to.insert(to.begin(), lines);
    const Layout output = dense(to, kOut);
    const Fold fold = fold_along(input, axis, output, lines, true, workers);
    Elements elements;
    visit(fold, 0, fold.it.data[0], fold.it.data[1], 0, elements);
    ASSERT_EQ(elements.size(), static_cast<std::size_t>(lines * others));
    long long inner = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
    std::vector<int> seen(static_cast<std::size_t>(others * shape[axis]));
    for (const auto& [at, places] : elements)
        for (const std::ptrdiff_t place : places) {
            const long long index = place / 8;
            ++seen[static_cast<std::size_t>(index)];
            // Of the output's own elements of the other axes.
            const long long other = index / (inner * shape[axis]) * inner + index % inner;
            EXPECT_EQ(at / 8 % others, other);
        }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), others * shape[axis]);
}

TEST(Fold, LinesPartAnAxis) {
    for (const int workers : {0, 1, 7}) {
        for (const long long length : {1ll, 5ll, 64ll, 1000ll, 300007ll}) expect_partition({length}, 0, workers);
        for (const std::size_t axis : {0u, 1u, 2u}) expect_partition({50, 7, 60}, axis, workers);
        expect_partition({3, 100003}, 1, workers);
        expect_partition({100003, 3}, 0, workers);
    }
}

TEST(Fold, LinesAreOneWhereTheOrderMatters) {
    EXPECT_EQ(lines_of(dense({1 << 24}), 0, 1, false, 0), 1);
    EXPECT_GT(lines_of(dense({1 << 24}), 0, 1, true, 0), 100000);
    EXPECT_EQ(lines_of(dense({1 << 24}), 0, 1, true, 8), 32);
    EXPECT_EQ(lines_of(dense({100000, 1000}), 1, 100000, true, 0), 32);
    EXPECT_EQ(lines_of(dense({100, 1000000}), 0, 1000000, true, 0), 1);
}

}  // namespace
}  // namespace pyk::arrays
