// The builtins' typing against Numba's own answers, for every combination of argument types that the oracle asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "../types/oracle.h"
#include "builtins/builtins.h"
#include "builtins/operators.h"

namespace pyk {
namespace {

void expect_as(const std::optional<Resolution>& resolution, const std::string& result,
               const std::vector<Type>& operands, const std::string& what) {
    EXPECT_EQ(resolution.has_value(), result != "-") << what;
    if (!resolution || result == "-") return;
    EXPECT_EQ(resolution->result, oracle::type(result)) << what << " gave " << resolution->result.name();
    EXPECT_EQ(resolution->operands, operands) << what << " gave " << oracle::names(resolution->operands);
}

TEST(Numba, UnaryBuiltins) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("unary")) {
        const Builtin* builtin = find_builtin(row[0]);
        if (!builtin) continue;  // an operator
        const auto resolution = resolve(*builtin, oracle::types(row[1]));
        ++checked;
        if (row[0] == "float" && row[1] == "boolean") {  // numba-cuda refuses `float(True)`; Python does not, nor do we
            EXPECT_EQ(resolution->result, Type(Scalar::float64));
            continue;
        }
        expect_as(resolution, row[2], oracle::types(row[3]), row[0] + "(" + row[1] + ")");
    }
    EXPECT_EQ(checked, 5u * oracle::kScalars);
}

/// Numba's lowering of `math`: integers become float64 before the call, and the exponent of pow what its base is.
std::vector<Type> lowered(const std::string& function, std::vector<Type> operands) {
    for (Type& t : operands) {
        if (t.is(Scalar::int64) || t.is(Scalar::uint64)) t = Scalar::float64;
    }
    if (function == "math.pow" && !operands.empty()) operands[1] = operands[0];
    return operands;
}

TEST(Numba, MathFunctions) {
    const auto rows = oracle::rows("math");
    std::set<std::string> existing;
    for (const auto& row : rows) {
        if (row[2] != "-") existing.insert(row[0]);
    }
    EXPECT_EQ(existing.size(), 30u + 9u - 1u + 5u);
    size_t checked = 0;
    for (const auto& row : rows) {
        if (row[0] == "math.gcd") continue;  // Numba's CPU compiler has it
        const Builtin* builtin = find_builtin(row[0]);
        ASSERT_EQ(builtin != nullptr, existing.contains(row[0])) << row[0];
        if (!builtin) continue;
        // An overload of Numba's bindings of fp16 goes before the typing that the table shows.
        const bool keeps_half = row[0] == "math.tanh" && row[1] == "float16";
        const std::string result = keeps_half ? row[1] : row[2];
        const auto operands =
            row[2] == "-" ? std::vector<Type>() : lowered(row[0], oracle::types(keeps_half ? row[1] : row[3]));
        expect_as(resolve(*builtin, oracle::types(row[1])), result, operands, row[0] + "(" + row[1] + ")");
        ++checked;
    }
    EXPECT_GE(checked, 1400u);
}

TEST(Numba, EveryMathFunctionOfOursIsNumbas) {
    std::set<std::string> asked;
    for (const auto& row : oracle::rows("math")) asked.insert(row[0]);
    for (const Builtin& builtin : all_builtins()) {
        if (!builtin.name.starts_with("math.") || is_value(builtin)) continue;
        EXPECT_TRUE(asked.contains(std::string(builtin.name))) << builtin.name;
    }
}

TEST(Numba, Libdevice) {
    size_t rows = 0;
    for (const auto& row : oracle::rows("libdevice")) {
        const std::string name = "cuda.libdevice." + row[0];
        const Builtin* builtin = find_builtin(name);
        ASSERT_TRUE(builtin) << name;
        expect_as(resolve(*builtin, oracle::types(row[1])), row[2], oracle::types(row[1]), name);
        ++rows;
    }
    EXPECT_EQ(
        std::ranges::count_if(all_builtins(), [](const Builtin& b) { return b.name.starts_with("cuda.libdevice."); }),
        rows);
}

/// What Numba takes we take, with its result; we take more (unsigned shuffles, integers as predicates of any kind).
TEST(Numba, Intrinsics) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("intrinsics")) {
        if (row[2] == "-") continue;
        const auto what = row[0] + "(" + row[1] + ")";
        const Builtin* builtin = find_builtin(row[0]);
        ASSERT_TRUE(builtin) << what;
        const auto resolution = resolve(*builtin, row[1] == "()" ? std::vector<Type>() : oracle::types(row[1]));
        ASSERT_TRUE(resolution) << what;
        EXPECT_EQ(resolution->result, row[2] == "none" ? Type::none() : oracle::type(row[2])) << what;
        ++checked;
    }
    EXPECT_GE(checked, 120u);
}

TEST(Numba, DivmodPowAndRound) {
    std::map<std::string, int> checked;
    for (const auto& row : oracle::rows("builtins")) {
        const auto args = oracle::types(row[1]);
        const auto what = row[0] + "(" + row[1] + ")";
        if (row[0] == "pow") {
            const auto resolution = resolve(BinaryOp::Pow, args[0], args[1]);
            ASSERT_EQ(resolution.has_value(), row[2] != "-") << what;
            if (resolution) {
                EXPECT_EQ(resolution->result, oracle::type(row[2])) << what;
            }
        } else if (row[0] == "divmod" || row[0] == "round" || row[0] == "int") {
            const auto operands = row[2] == "-" ? std::vector<Type>() : oracle::types(row[3]);
            expect_as(resolve(*find_builtin(row[0]), args), row[2], operands, what);
        } else {
            continue;
        }
        ++checked[row[0]];
    }
    const int pairs = oracle::kScalars * oracle::kScalars;
    EXPECT_EQ(checked, (std::map<std::string, int>{{"divmod", pairs}, {"int", 2}, {"pow", pairs}, {"round", pairs}}));
}

/// The case's result is the type of the loop variable.
TEST(Numba, Range) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("range")) {
        expect_as(resolve(*find_builtin("range"), oracle::types(row[0])), row[1], oracle::types(row[2]),
                  "range(" + row[0] + ")");
        ++checked;
    }
    EXPECT_EQ(checked, 8u + 8u * 8u + 8u * 8u * 8u);
}

/// A cast by a type's name gives that type, whatever it is given.
TEST(Numba, CastsByName) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("casts")) {
        if (row[2] == "-") continue;
        const std::string name = row[0].substr(row[0].find('.') + 1);
        const auto scalar = scalar_from_name(name);
        if (name == "byte") {  // int8 in NumPy, uint8 in Numba: no name of ours
            EXPECT_FALSE(scalar);
            continue;
        }
        ASSERT_TRUE(scalar) << row[0];
        EXPECT_EQ(Type(*scalar), oracle::type(row[2])) << row[0];
        ++checked;
    }
    EXPECT_GE(checked, 600u);
}

}  // namespace
}  // namespace pyk
