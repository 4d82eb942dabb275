#include "builtins/operators.h"

#include <gtest/gtest.h>

#include <map>

#include "../types/oracle.h"
#include "prelude.h"

namespace pyk {
namespace {

const std::map<std::string, BinaryOp> kBinary = {{"add", BinaryOp::Add},
                                                 {"sub", BinaryOp::Sub},
                                                 {"mul", BinaryOp::Mul},
                                                 {"truediv", BinaryOp::TrueDiv},
                                                 {"floordiv", BinaryOp::FloorDiv},
                                                 {"mod", BinaryOp::Mod},
                                                 {"pow", BinaryOp::Pow},
                                                 {"lshift", BinaryOp::Shl},
                                                 {"rshift", BinaryOp::Shr},
                                                 {"and_", BinaryOp::BitAnd},
                                                 {"or_", BinaryOp::BitOr},
                                                 {"xor", BinaryOp::BitXor},
                                                 {"lt", BinaryOp::Lt},
                                                 {"le", BinaryOp::Le},
                                                 {"gt", BinaryOp::Gt},
                                                 {"ge", BinaryOp::Ge},
                                                 {"eq", BinaryOp::Eq},
                                                 {"ne", BinaryOp::Ne}};

/// What the operation works on: Numba's lowering casts the operands of the chosen case to the result's type, but for
/// comparisons, the amount of a shift and the exponent of a power.
std::vector<Type> lowered(BinaryOp op, const std::vector<Type>& operands, Type result) {
    if (is_comparison(op)) return operands;
    if (op == BinaryOp::Shl || op == BinaryOp::Shr || op == BinaryOp::Pow) return {result, operands[1]};
    return {result, result};
}

/// The rows of a file against our typing; how many there were.
size_t check_pairs(const std::string& file) {
    size_t checked = 0;
    for (const auto& row : oracle::rows(file)) {
        const auto found = kBinary.find(row[0]);
        if (found == kBinary.end()) continue;  // in-place rows: a bug of Numba's, noted in the file
        const auto resolution = resolve(found->second, oracle::type(row[1]), oracle::type(row[2]));
        const auto what = row[0] + "(" + row[1] + ", " + row[2] + ")";
        EXPECT_EQ(resolution.has_value(), row[3] != "-") << what;
        ++checked;
        if (!resolution) continue;
        const Type result = oracle::type(row[3]);
        const auto operands = lowered(found->second, oracle::types(row[4]), result);
        EXPECT_EQ(resolution->result, result) << what << " gave " << resolution->result.name();
        EXPECT_EQ(resolution->operands, operands) << what << " gave " << oracle::names(resolution->operands);
    }
    return checked;
}

TEST(BinaryOperators, AsNumbaForAllPairs) {
    EXPECT_EQ(check_pairs("binary"), 18u * oracle::kScalars * oracle::kScalars);
    EXPECT_EQ(check_pairs("bfloat16"), 18u * (2 * oracle::kScalars + 1));
}

TEST(UnaryOperators, AsNumbaForAllTypes) {
    const std::map<std::string, UnaryOp> ops = {
        {"neg", UnaryOp::Neg}, {"pos", UnaryOp::Pos}, {"invert", UnaryOp::Invert}, {"not_", UnaryOp::Not}};
    size_t checked = 0;
    for (const auto& row : oracle::rows("unary")) {
        const auto found = ops.find(row[0]);
        if (found == ops.end()) continue;
        const auto resolution = resolve(found->second, oracle::type(row[1]));
        const auto what = row[0] + " " + row[1];
        EXPECT_EQ(resolution.has_value(), row[2] != "-") << what;
        ++checked;
        if (!resolution) continue;
        const Type result = oracle::type(row[2]);
        // Numba's lowering widens a boolean before it negates it, everything else after.
        const bool widened = row[1] == "boolean" && (row[0] == "neg" || row[0] == "pos");
        EXPECT_EQ(resolution->result, result) << what;
        EXPECT_EQ(resolution->operands, widened ? std::vector<Type>{result} : oracle::types(row[3])) << what;
    }
    EXPECT_EQ(checked, 4u * oracle::kScalars);
}

TEST(Operators, TakeScalarsOnly) {
    const Type array = Type::array(Scalar::float32, 1, Layout::C), tuple = Type::tuple({Scalar::int64});
    for (Type t : {array, tuple, Type::none(), Type()}) {
        EXPECT_FALSE(resolve(BinaryOp::Add, t, Scalar::int64)) << t.name();
        EXPECT_FALSE(resolve(BinaryOp::Eq, Scalar::int64, t)) << t.name();
        EXPECT_FALSE(resolve(UnaryOp::Neg, t)) << t.name();
    }
}

TEST(Operators, RowsThatInferenceNeverMakesHaveNoTyping) {
    EXPECT_FALSE(resolve(BinaryOp::TruncDiv, Scalar::int64, Scalar::int64));
    EXPECT_FALSE(resolve(BinaryOp::CShl, Scalar::int64, Scalar::int64));
}

TEST(Operators, AreSpelledByWhatThePreludeDefines) {
    for (const auto& [name, op] : kBinary)
        for (const std::string& function : prelude::used_by(std::string(info(op).function)))
            EXPECT_TRUE(prelude::parts_by_name().contains(function)) << name;
}

TEST(Operators, FoundByTheNameThatTheIrPrints) {
    for (BinaryOp op : {BinaryOp::Add, BinaryOp::Pow, BinaryOp::TruncMod, BinaryOp::Ge}) {
        EXPECT_EQ(binary_op_from_name(info(op).name), op);
        EXPECT_EQ(info(op).op, op);
    }
    for (UnaryOp op : {UnaryOp::Neg, UnaryOp::Not}) EXPECT_EQ(unary_op_from_name(info(op).name), op);
    EXPECT_FALSE(binary_op_from_name("Neg"));
    EXPECT_FALSE(unary_op_from_name(""));
}

TEST(Operators, Comparisons) {
    EXPECT_TRUE(is_comparison(BinaryOp::Eq));
    EXPECT_TRUE(is_comparison(BinaryOp::Ge));
    EXPECT_FALSE(is_comparison(BinaryOp::CShr));
    EXPECT_FALSE(is_comparison(BinaryOp::BitOr));
}

}  // namespace
}  // namespace pyk
