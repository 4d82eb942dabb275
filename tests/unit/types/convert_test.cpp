#include <gtest/gtest.h>

#include <algorithm>

#include "oracle.h"
#include "types/convert.h"

namespace pyk {
namespace {

std::string name_of(std::optional<Conversion> conversion) {
    if (!conversion) return "none";
    switch (*conversion) {
        case Conversion::exact:
            return "exact";
        case Conversion::promote:
            return "promote";
        case Conversion::safe:
            return "safe";
        case Conversion::unsafe:
            return "unsafe";
    }
    return "?";
}

TEST(Conversion, AsNumba) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("convert")) {
        EXPECT_EQ(name_of(conversion(oracle::type(row[0]), oracle::type(row[1]))), row[2])
            << row[0] << " -> " << row[1];
        ++checked;
    }
    EXPECT_GE(checked, 265u);
}

TEST(Conversion, OfTuplesIsThatOfTheWorstElement) {
    const Type i4 = Scalar::int32, i8 = Scalar::int64, f4 = Scalar::float32, f8 = Scalar::float64;
    EXPECT_EQ(conversion(Type::tuple({i4, f4}), Type::tuple({i8, f8})), Conversion::promote);
    EXPECT_EQ(conversion(Type::tuple({i4, i4}), Type::tuple({i8, f8})), Conversion::safe);
    EXPECT_EQ(conversion(Type::tuple({f8, i4}), Type::tuple({i8, i4})), Conversion::unsafe);
    EXPECT_EQ(conversion(Type::tuple({i4}), Type::tuple({i4, i4})), std::nullopt);
    EXPECT_EQ(conversion(Type::tuple({i4}), Type::tuple({Type::none()})), std::nullopt);
}

TEST(Conversion, BetweenKindsThereIsNone) {
    const Type f4 = Scalar::float32, array = Type::array(f4, 1, Layout::C);
    EXPECT_EQ(conversion(f4, array), std::nullopt);
    EXPECT_EQ(conversion(Type::none(), f4), std::nullopt);
    EXPECT_EQ(conversion(Type(), f4), std::nullopt);
    EXPECT_EQ(conversion(Type(), Type()), std::nullopt);
    EXPECT_EQ(conversion(Type::none(), Type::none()), Conversion::exact);
}

/// Literals, which are of their plain type here.
bool is_foreign(const std::string& name) { return name.find("Literal[") != name.npos; }

TEST(Unify, AsNumba) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("unify")) {
        if (is_foreign(row[0]) || is_foreign(row[1])) continue;
        const Type expected = is_foreign(row[2]) ? Type() : oracle::type(row[2]);
        EXPECT_EQ(unify(oracle::type(row[0]), oracle::type(row[1])).data(), expected.data())
            << row[0] << " and " << row[1];
        ++checked;
    }
    EXPECT_GE(checked, 450u);
}

TEST(Conversion, OfBfloat16AsNumba) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("bfloat16")) {
        if (row[0] != "convert") continue;
        EXPECT_EQ(name_of(conversion(oracle::type(row[1]), oracle::type(row[2]))), row[3])
            << row[1] << " to " << row[2];
        ++checked;
    }
    EXPECT_EQ(checked, 2 * oracle::kScalars + 1);
}

/// The operands of `min` and `max` are unified, three at a time too: the rows say what becomes of them.
TEST(Unify, OfSeveralAsNumbasMinAndMax) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("builtins")) {
        if (row[0] != "min" && row[0] != "max") continue;
        const auto tuple_inside = [](const std::string& text) { return text.substr(6, text.size() - 7); };
        const auto args = oracle::types(row[1].starts_with("Tuple(") ? tuple_inside(row[1]) : row[1]);
        const bool booleans_only = std::ranges::all_of(args, &Type::is_boolean);
        if (booleans_only && args.size() > 2) continue;  // no such overload in Numba
        if (std::ranges::any_of(args, &Type::is_complex)) continue;
        const bool has_half = std::ranges::any_of(args, &Type::is_small_float);
        if (has_half && std::ranges::any_of(args, &Type::is_boolean)) continue;  // Numba has none; we do
        EXPECT_EQ(unify(args).data(), oracle::type(row[2]).data()) << row[0] << "(" << row[1] << ")";
        ++checked;
    }
    EXPECT_GE(checked, 900u);
    EXPECT_FALSE(unify(std::vector<Type>{}));
}

}  // namespace
}  // namespace pyk
