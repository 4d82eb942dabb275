// The types of expressions over vectors, Optional, times, complex numbers and records, against Numba's
// (tests/oracle/data/values.tsv).
#include <fmt/format.h>

#include <fstream>

#include "ir/text.h"
#include "sema_test.h"
#include "types/signature.h"

using namespace pyk::sema_test;
namespace {

constexpr std::string_view kPoint =
    "point = np.dtype([('x', np.float32), ('n', np.int16), ('v', np.float64, (2, 3))], align=True)";

struct Fact {
    std::vector<std::string> types;
    std::string expression, result;
};

std::vector<Fact> facts() {
    std::ifstream file(PYK_SOURCE_DIR "/tests/oracle/data/values.tsv");
    std::vector<Fact> all;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const size_t first = line.find('\t'), second = line.find('\t', first + 1);
        Fact& fact = all.emplace_back();
        fact.expression = line.substr(first + 1, second - first - 1);
        fact.result = line.substr(second + 1);
        std::string types = line.substr(0, first);
        for (size_t at = types.find("; "); at != types.npos; at = types.find("; ")) {
            fact.types.push_back(types.substr(0, at));
            types.erase(0, at + 2);
        }
        fact.types.push_back(types);
    }
    return all;
}

bool is_optional(std::string_view type) { return type.starts_with("optional("); }

/// The type as the IR spells it.
std::string spelled(const std::string& name) {
    if (name == "-") return "error";
    pyk::SignatureError error{};
    const auto names = [&](std::string_view known) -> std::optional<pyk::Type> {
        if (known != "point") return std::nullopt;
        return pyk::Type::record(
            {{"x", pyk::Scalar::float32, 0}, {"n", pyk::Scalar::int16, 4}, {"v", pyk::Scalar::float64, 8, {2, 3}}}, 56);
    };
    const auto type = pyk::parse_type(name, error, names);
    return type ? pyk::ir::type_text(*type) : "not read: " + name;
}

/// What we make of a fact's expression. A kernel takes no Optional: a function does.
std::string ours(const Fact& fact) {
    constexpr std::string_view names[] = {"a", "b"};
    std::string params = "c: boolean", inner, given;
    for (size_t i = 0; i < fact.types.size(); ++i) {
        const std::string& type = fact.types[i];
        const bool optional = is_optional(type);
        params += fmt::format(", {}: {}", names[i], optional ? type.substr(9, type.size() - 10) : type);
        inner += fmt::format("{}{}", i ? ", " : "", names[i]);
        given += fmt::format("{}{}{}", i ? ", " : "", names[i], optional ? " if c else None" : "");
    }
    return type_of(params, fmt::format("(lambda {}: {})({})", inner, fact.expression, given), kPoint);
}

/// Views that functions return, and `min` of what is boolean or None: Numba has no type for them.
bool is_more_than_numba(const Fact& fact, const std::string& type) {
    return (fact.types[0].starts_with("point") && type.find('[') != type.npos) || fact.expression == "min(a, 3)";
}

TEST(Values, TypesAreNumbas) {
    size_t checked = 0;
    for (const Fact& fact : facts()) {
        if (fact.result == "-") continue;
        EXPECT_EQ(ours(fact), spelled(fact.result)) << testing::PrintToString(fact.types) << " " << fact.expression;
        ++checked;
    }
    EXPECT_GE(checked, 650u);
}

TEST(Values, WhatNumbaRefusesIsRefused) {
    for (const Fact& fact : facts()) {
        if (fact.result != "-") continue;
        const std::string type = ours(fact);
        if (is_more_than_numba(fact, type)) continue;
        EXPECT_EQ(type, "error") << testing::PrintToString(fact.types) << " " << fact.expression;
    }
}

}  // namespace
