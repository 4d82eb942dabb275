// The loops of NumPy's functions against those that Numba chooses, for every combination of argument types.
#include <gtest/gtest.h>

#include <map>

#include "../types/oracle.h"
#include "builtins/builtins.h"

namespace pyk {
namespace {

/// The lowering converts the exponent of ldexp to a C int.
std::vector<Type> lowered(const std::string& function, std::vector<Type> operands) {
    if (function == "np.ldexp") operands[1] = Scalar::int32;
    return operands;
}

TEST(NumPy, LoopsAreNumbas) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("numpy")) {
        if (row[1] == "=") continue;
        const Builtin* builtin = find_builtin(row[0]);
        ASSERT_TRUE(builtin) << row[0];
        const auto resolution = resolve(*builtin, oracle::types(row[1]));
        const std::string what = row[0] + "(" + row[1] + ")";
        ++checked;
        ASSERT_EQ(resolution.has_value(), row[2] != "-") << what;
        if (!resolution) continue;
        EXPECT_EQ(resolution->result, oracle::type(row[2])) << what << " gave " << resolution->result.name();
        const auto operands = lowered(row[0], oracle::types(row[3]));
        EXPECT_EQ(resolution->operands, operands) << what << " gave " << oracle::names(resolution->operands);
    }
    EXPECT_EQ(checked, 44u * 11u + 37u * 121u);
}

TEST(NumPy, OtherNamesMeanTheSame) {
    size_t checked = 0;
    for (const auto& row : oracle::rows("numpy")) {
        if (row[1] != "=") continue;
        const Builtin *alias = find_builtin(row[0]), *original = find_builtin(row[2]);
        ASSERT_TRUE(alias && original) << row[0];
        EXPECT_EQ(alias->rule, original->rule) << row[0];
        EXPECT_EQ(alias->spelling, original->spelling) << row[0];
        ++checked;
    }
    EXPECT_EQ(checked, 16u);
}

TEST(NumPy, EveryFunctionOfOursIsAsked) {
    std::map<std::string, int> asked;
    for (const auto& row : oracle::rows("numpy")) ++asked[row[0]];
    for (const Builtin& builtin : all_builtins()) {
        // Of times alone, which sema types; of operators of whole arrays, which tests/numpy asks.
        if (builtin.special != Special::ufunc || builtin.name == "np.isnat" || builtin.name.starts_with("pyk."))
            continue;
        EXPECT_TRUE(asked.contains(std::string(builtin.name))) << builtin.name;
    }
}

}  // namespace
}  // namespace pyk
