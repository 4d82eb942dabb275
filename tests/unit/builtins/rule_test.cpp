#include "builtins/rule.h"

#include <gtest/gtest.h>

#include "support/fault.h"

namespace pyk {
namespace {

const Type b1 = Scalar::boolean, i4 = Scalar::int32, i8 = Scalar::int64, u8 = Scalar::uint64, f4 = Scalar::float32,
           f8 = Scalar::float64;
using Types = std::vector<Type>;

TEST(ParseRule, Cases) {
    const Rule rule = parse_rule("(float32) -> float32 | (int64, float64) -> (int64, float64) | () -> none");
    ASSERT_EQ(rule.cases.size(), 3u);
    EXPECT_EQ(rule.cases[0].params, Types{f4});
    EXPECT_EQ(rule.cases[0].result, f4);
    EXPECT_EQ(rule.cases[1].params, (Types{i8, f8}));
    EXPECT_EQ(rule.cases[1].result, Type::tuple({i8, f8}));
    EXPECT_EQ(rule.cases[2].params, Types{});
    EXPECT_EQ(rule.cases[2].result, Type::none());
    EXPECT_TRUE(rule.allow_unsafe);
    EXPECT_FALSE(rule.is_value);
    EXPECT_EQ(rule.special, "");
}

TEST(ParseRule, WhereRepeatsTheCaseInOrder) {
    const Rule rule =
        parse_rule("(T, int64) -> T where T: float | (T as float64) -> (T, T) where T: boolean unsigned int32");
    ASSERT_EQ(rule.cases.size(), 2u + 6u);
    EXPECT_EQ(rule.cases[1].params, (Types{f8, i8}));
    EXPECT_EQ(rule.cases[2].params, Types{b1});
    EXPECT_EQ(rule.cases[3].params, Types{Scalar::uint8});
    EXPECT_EQ(rule.cases[7].params, Types{i4});
    EXPECT_EQ(rule.cases[7].operands, Types{f8});
    EXPECT_EQ(rule.cases[7].result, Type::tuple({i4, i4}));
}

TEST(ParseRule, Marks) {
    EXPECT_TRUE(parse_rule("-> int32").is_value);
    EXPECT_EQ(parse_rule("-> int32").cases[0].result, i4);
    EXPECT_EQ(parse_rule("special(len)").special, "len");
    EXPECT_TRUE(parse_rule("special(len)").cases.empty());
    const Rule both = parse_rule("special(int_) safe: (T) -> T where T: float");
    EXPECT_EQ(both.special, "int_");
    EXPECT_FALSE(both.allow_unsafe);
    EXPECT_EQ(both.cases.size(), 2u);
}

TEST(ParseRule, Parameters) {
    const Rule rule = parse_rule("(ref int64, rng, int32 = 7) -> none | (ref int32 , rng) -> none");
    ASSERT_EQ(rule.params.size(), 3u);
    EXPECT_EQ(rule.params[0].kind, RuleParam::Kind::ref);
    EXPECT_EQ(rule.params[1].kind, RuleParam::Kind::rng);
    EXPECT_EQ(rule.params[2].kind, RuleParam::Kind::value);
    EXPECT_EQ(rule.params[2].default_value, "7");
    EXPECT_TRUE(rule.params[2].is_optional());
    EXPECT_FALSE(parse_rule("(ref int64 = 0) -> none").params[0].is_optional());
}

TEST(ParseRule, WhatIsNoRuleIsAFault) {
    for (const char* text : {"", "int64", "(int64)", "(int65) -> int64", "(int64) -> T",
                             "(int64) -> int64 where T: ", "(T) -> T where T: numbers",
                             "(int64 as) -> int64 | nonsense", "(ref int64) -> none | (int64) -> none", "-> nothing"}) {
        EXPECT_THROW(parse_rule(text), InternalError) << text;
    }
}

TEST(Choose, FewestUnsafeThenSafeThenPromoting) {
    const std::vector<Case> cases = {{{i8, i8}, i8}, {{f4, f4}, f4}, {{f8, f8}, f8}};
    const auto result = [&](Type a, Type b) { return choose(cases, Types{a, b})->result; };
    EXPECT_EQ(result(i4, i4), i8);  // two promotions
    EXPECT_EQ(result(f4, i4), f8);  // float32 would be unsafe for int32
    EXPECT_EQ(result(f4, Scalar::int16), f4);
    EXPECT_EQ(result(f4, f4), f4);
    EXPECT_EQ(choose(cases, Types{i8}), std::nullopt);
    EXPECT_EQ(choose(cases, Types{i8, Type::none()}), std::nullopt);
}

TEST(Choose, FirstAmongEquals) {
    const std::vector<Case> cases = {{{u8}, u8}, {{i8}, i8}};
    EXPECT_EQ(choose(cases, Types{b1})->result, u8);
    EXPECT_EQ(choose(cases, Types{f4})->result, u8);
}

TEST(Choose, UnsafeMayBeRefused) {
    const std::vector<Case> cases = {{{i4}, i4}};
    EXPECT_TRUE(choose(cases, Types{i8}));
    EXPECT_FALSE(choose(cases, Types{i8}, false));
    EXPECT_TRUE(choose(cases, Types{Scalar::int16}, false));
}

TEST(ResolveRule, AsIsRatedAsTheFirst) {
    const Rule rule = parse_rule("(int64 as float64) -> float64 | (float32) -> float32");
    EXPECT_EQ(resolve(rule, Types{i4})->operands, Types{f8});
    EXPECT_EQ(resolve(rule, Types{f4})->operands, Types{f4});
}

TEST(ResolveRule, DefaultsFillUp) {
    const Rule rule = parse_rule("(float32, int32 = 0) -> float32");
    EXPECT_EQ(resolve(rule, Types{f4})->operands, (Types{f4, i4}));
    EXPECT_EQ(resolve(rule, Types{f4, i8})->operands, (Types{f4, i4}));
    EXPECT_FALSE(resolve(rule, Types{}));
    EXPECT_FALSE(resolve(rule, Types{f4, i4, i4}));
}

TEST(ResolveRule, RefsMatchExactly) {
    const Rule rule = parse_rule("(ref T, T) -> T where T: atomic");
    EXPECT_EQ(resolve(rule, Types{f4, f8})->operands, (Types{f4, f4}));
    EXPECT_EQ(resolve(rule, Types{i4, f8})->result, i4);
    EXPECT_FALSE(resolve(rule, Types{Scalar::boolean, i4}));
}

TEST(ResolveRule, GeneratorStates) {
    const Rule rule = parse_rule("(rng, int64) -> float32");
    const Type states = Type::array(Type::xoroshiro128p_state(), 1, Layout::A);
    EXPECT_EQ(resolve(rule, Types{states, i4})->operands, (Types{states, i8}));
    EXPECT_FALSE(resolve(rule, Types{Type::array(f4, 1, Layout::C), i4}));
    EXPECT_FALSE(resolve(rule, Types{Type::array(Type::xoroshiro128p_state(), 2, Layout::C), i4}));
    EXPECT_FALSE(resolve(rule, Types{Type::array(Type::xoroshiro128p_state(), 1, Layout::C, true), i4}));
    EXPECT_FALSE(resolve(rule, Types{i8, i4}));
}

}  // namespace
}  // namespace pyk
