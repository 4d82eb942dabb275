#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <thread>
#include <unordered_set>

#include "support/fault.h"
#include "types/type.h"

namespace pyk {
namespace {

const Type f4 = Scalar::float32, i8 = Scalar::int64;

TEST(Type, EqualTypesAreOneHandle) {
    EXPECT_EQ(Type(Scalar::int64), i8);
    EXPECT_EQ(Type::array(f4, 2, Layout::C).data(), Type::array(f4, 2, Layout::C).data());
    EXPECT_EQ(Type::tuple({f4, i8}).data(), Type::tuple({f4, i8}).data());
    EXPECT_EQ(Type::none(), Type::none());
    EXPECT_EQ(Type::xoroshiro128p_state(), Type::xoroshiro128p_state());
}

TEST(Type, DifferentTypesDiffer) {
    const std::vector<Type> all = {Type(),
                                   Type::none(),
                                   Type::xoroshiro128p_state(),
                                   f4,
                                   i8,
                                   Type::array(f4, 1, Layout::C),
                                   Type::array(f4, 1, Layout::F),
                                   Type::array(f4, 1, Layout::A),
                                   Type::array(f4, 1, Layout::C, true),
                                   Type::array(f4, 2, Layout::C),
                                   Type::array(i8, 1, Layout::C),
                                   Type::tuple({}),
                                   Type::tuple({f4}),
                                   Type::tuple({f4, f4}),
                                   Type::tuple({f4, i8}),
                                   Type::tuple({Type::tuple({f4}), i8})};
    const std::unordered_set<Type> distinct(all.begin(), all.end());
    EXPECT_EQ(distinct.size(), all.size());
}

TEST(Type, InterningIsThreadSafe) {
    constexpr int kThreads = 8;
    std::vector<std::vector<Type>> seen(kThreads);
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([&types = seen[static_cast<size_t>(t)]] {
                for (int n = 1; n <= 30; ++n)
                    types.push_back(Type::tuple(std::vector<Type>(static_cast<size_t>(n), i8)));
                for (int n = 1; n <= 30; ++n) types.push_back(Type::array(f4, n, Layout::F));
            });
        }
    }
    for (const auto& types : seen) EXPECT_EQ(types, seen[0]);
}

TEST(Type, InvalidIsNothing) {
    const Type none;
    EXPECT_FALSE(none);
    EXPECT_FALSE(none.is_scalar() || none.is_array() || none.is_tuple() || none.is_none() || none.is_record());
    EXPECT_FALSE(none.is_boolean() || none.is_integer() || none.is_float());
    EXPECT_THROW(none.kind(), InternalError);
}

TEST(Type, AskingTheWrongKindIsAFault) {
    EXPECT_THROW(f4.element(), InternalError);
    EXPECT_THROW(Type::none().scalar(), InternalError);
    EXPECT_THROW(f4.elements(), InternalError);
    EXPECT_THROW(Type::tuple({f4}).byte_size(), InternalError);
    EXPECT_THROW(Type::array(f4, -1, Layout::C), InternalError);
    EXPECT_THROW(Type::array(Type::tuple({f4}), 1, Layout::C), InternalError);
}

TEST(Type, Kinds) {
    EXPECT_TRUE(Type(Scalar::boolean).is_boolean());
    EXPECT_FALSE(Type(Scalar::boolean).is_integer());
    EXPECT_TRUE(Type(Scalar::int8).is_signed());
    EXPECT_TRUE(Type(Scalar::uint64).is_unsigned());
    EXPECT_TRUE(f4.is_float());
    EXPECT_TRUE(Type::tuple({i8, i8}).is_uniform_tuple());
    EXPECT_FALSE(Type::tuple({i8, f4}).is_uniform_tuple());
    EXPECT_FALSE(Type::tuple({}).is_uniform_tuple());
    const Type a = Type::array(f4, 3, Layout::A, true);
    EXPECT_EQ(a.element(), f4);
    EXPECT_EQ(a.ndim(), 3);
    EXPECT_EQ(a.layout(), Layout::A);
    EXPECT_TRUE(a.readonly());
}

TEST(Type, Sizes) {
    EXPECT_EQ(Type(Scalar::boolean).byte_size(), 1u);
    EXPECT_EQ(Type(Scalar::int16).byte_size(), 2u);
    EXPECT_EQ(f4.alignment(), 4u);
    EXPECT_EQ(Type::xoroshiro128p_state().byte_size(), 16u);
    EXPECT_EQ(Type::xoroshiro128p_state().alignment(), 8u);
}

struct Spelling {
    Type type;
    std::string name, signature, code;
};

class TypeSpelling : public testing::TestWithParam<Spelling> {};

TEST_P(TypeSpelling, InAllNotations) {
    const auto& [type, name, signature, code] = GetParam();
    EXPECT_EQ(type.name(), name);
    EXPECT_EQ(type.signature(), signature);
    EXPECT_EQ(type.code(), code);
}

INSTANTIATE_TEST_SUITE_P(
    All, TypeSpelling,
    testing::Values(Spelling{i8, "int64", "int64", "i8"}, Spelling{Scalar::boolean, "boolean", "boolean", "b1"},
                    Spelling{Type::none(), "none", "none", "n"},
                    Spelling{Type::array(f4, 1, Layout::C), "array(float32, 1d, C)", "float32[::1]", "a1f4c"},
                    Spelling{Type::array(f4, 2, Layout::C), "array(float32, 2d, C)", "float32[:, ::1]", "a2f4c"},
                    Spelling{Type::array(f4, 2, Layout::F), "array(float32, 2d, F)", "float32[::1, :]", "a2f4f"},
                    Spelling{Type::array(i8, 3, Layout::A), "array(int64, 3d, A)", "int64[:, :, :]", "a3i8a"},
                    Spelling{Type::array(f4, 1, Layout::F), "array(float32, 1d, F)", "Array(float32, 1, 'F')", "a1f4f"},
                    Spelling{Type::array(f4, 1, Layout::C, true), "readonly array(float32, 1d, C)",
                             "Array(float32, 1, 'C', readonly=True)", "a1f4cr"},
                    Spelling{Type::array(Type::xoroshiro128p_state(), 1, Layout::C), "array(xoroshiro128p, 1d, C)",
                             "xoroshiro128p[::1]", "a1rngc"},
                    Spelling{Type::pointer(f4), "float32*", "CPointer(float32)", "pf4"},
                    Spelling{Type::pointer(Type::none()), "void*", "voidptr", "pn"},
                    Spelling{Type::pointer(Type::pointer(i8)), "int64**", "CPointer(CPointer(int64))", "ppi8"},
                    Spelling{Type::text(Scalar::uint8, 12), "[char x 12]", "CharSeq(12)", "S12"},
                    Spelling{Type::text(Scalar::uint32, 4), "[unichr x 4]", "UnicodeCharSeq(4)", "U4"},
                    Spelling{Type::tuple({}), "Tuple()", "()", "t0"},
                    Spelling{Type::tuple({f4}), "UniTuple(float32 x 1)", "(float32,)", "t1f4"},
                    Spelling{Type::tuple({i8, i8}), "UniTuple(int64 x 2)", "(int64, int64)", "t2i8i8"},
                    Spelling{Type::tuple({i8, f4}), "Tuple(int64, float32)", "(int64, float32)", "t2i8f4"}));

TEST(Scalars, EveryAliasNamesOneType) {
    std::set<std::string> seen;
    for (const ScalarInfo& row : all_scalars()) {
        EXPECT_EQ(scalar_from_name(row.name), row.scalar);
        EXPECT_EQ(scalar_from_name(row.code), row.scalar);
        std::istringstream words{std::string(row.aliases)};
        for (std::string word; words >> word;) {
            EXPECT_TRUE(seen.insert(word).second) << word;
            EXPECT_EQ(scalar_from_name(word), row.scalar) << word;
        }
    }
    EXPECT_FALSE(scalar_from_name("int"));
    EXPECT_FALSE(scalar_from_name(""));
    EXPECT_FALSE(scalar_from_name("int8 i1"));
    EXPECT_FALSE(scalar_from_name("nt8"));
}

}  // namespace
}  // namespace pyk
