// Which calls take the short way of a flat loop.
#include "array/flat.h"

#include <gtest/gtest.h>

namespace pyk::arrays {
namespace {

char* const kBase = reinterpret_cast<char*>(1 << 20);
constexpr long long kRow[] = {100}, kMatrix[] = {10, 10}, kEmpty[] = {0};

DenseArray row(const char* data, std::size_t bytes = 4) { return {data, bytes, 1, kRow}; }

std::optional<long long> count_of(const DenseArray& input, const DenseArray& output) {
    return flat_elements(&input, 1, output);
}

TEST(FlatElements, IsOfArraysOfOneShape) {
    EXPECT_EQ(count_of(row(kBase), row(kBase + 400)), 100);
    EXPECT_EQ(count_of({kBase, 4, 2, kMatrix}, {kBase + 400, 8, 2, kMatrix}), 100);
    EXPECT_EQ(count_of({kBase, 4, 2, kMatrix}, row(kBase + 400)), std::nullopt);
    EXPECT_EQ(flat_elements(nullptr, 0, row(kBase)), 100) << "numbers alone";
    EXPECT_EQ(count_of({kBase, 4, 1, kEmpty}, {kBase + 400, 4, 1, kEmpty}), std::nullopt);
    EXPECT_EQ(count_of({nullptr, 4, 1, kRow}, row(kBase)), std::nullopt);
    EXPECT_EQ(count_of(row(kBase), {nullptr, 4, 1, kRow}), std::nullopt);
}

TEST(FlatElements, IsOfAlignedArrays) {
    EXPECT_EQ(count_of(row(kBase + 4), row(kBase + 416)), std::nullopt);
    EXPECT_EQ(count_of(row(kBase), row(kBase + 404)), std::nullopt);
    EXPECT_EQ(count_of(row(kBase + 4), row(kBase + 404)), std::nullopt);
}

TEST(FlatElements, IsOfArraysThatLieApartOrAreTheSame) {
    EXPECT_EQ(count_of(row(kBase), row(kBase)), 100);
    EXPECT_EQ(count_of(row(kBase, 8), row(kBase, 4)), std::nullopt) << "elements of other sizes";
    EXPECT_EQ(count_of(row(kBase), row(kBase + 384)), std::nullopt);
    EXPECT_EQ(count_of(row(kBase + 384), row(kBase)), std::nullopt);
    EXPECT_EQ(count_of(row(kBase + 400), row(kBase)), 100);
    EXPECT_EQ(count_of(row(kBase + 400), row(kBase, 8)), std::nullopt);
}

}  // namespace
}  // namespace pyk::arrays
