// Casting and the choice of a loop, beside what NumPy and Numba say (tests/oracle/extract_ufuncs.py).
#include "array/dtypes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace pyk::arrays {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

std::vector<std::vector<std::string>> rows(const std::string& name) {
    std::ifstream file(PYK_SOURCE_DIR "/tests/oracle/data/" + name);
    EXPECT_TRUE(file) << "no " << name;
    std::vector<std::vector<std::string>> all;
    for (std::string line; std::getline(file, line);)
        if (line[0] != '#') all.push_back(split(line, '\t'));
    EXPECT_GT(all.size(), 100u);
    return all;
}

Element element(const std::string& name) {
    const std::vector<std::string> names = {"bool",     "int8",    "int16",   "int32",     "int64",
                                            "uint8",    "uint16",  "uint32",  "uint64",    "float16",
                                            "bfloat16", "float32", "float64", "complex64", "complex128"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<Element>(i);
    ADD_FAILURE() << name;
    return Element::boolean;
}

TEST(Dtypes, CastAsInNumpy) {
    for (const auto& row : rows("ufunc_casts.tsv")) {
        const Element from = element(row[0]), to = element(row[1]);
        EXPECT_EQ(can_cast_safely(from, to), row[2] == "1") << row[0] << " to " << row[1];
        EXPECT_EQ(can_cast_same_kind(from, to), row[3] == "1") << row[0] << " to " << row[1];
    }
}

/// A row of ufunc_loops.tsv or gufunc_loops.tsv.
struct Choice {
    explicit Choice(const std::vector<std::string>& row) {
        for (const std::string& name : split(row[0], ',')) loops.push_back({element(name), element(name)});
        const std::vector<std::string> given = split(row[1], ',');
        const bool is_number = given[1].rfind("number:", 0) == 0;
        types = {{element(given[0]), false}, {element(is_number ? given[1].substr(7) : given[1]), is_number}};
    }
    std::vector<Loop> loops;
    std::vector<OperandType> types;
};

TEST(Dtypes, ChooseALoopOfPartsAsNumpyAndNumbaDo) {
    for (const auto& row : rows("gufunc_loops.tsv")) {
        const auto [loops, types] = Choice(row);
        const auto cpu = exact_or_safe_loop(loops, types);
        EXPECT_EQ(cpu ? std::to_string(*cpu) : "-", row[2]) << row[0] << " of " << row[1];
        const auto cuda = exact_or_narrower_loop(loops, types);
        const std::optional<Loop> numbas = row[3] == "-" ? std::nullopt : std::optional(loops[std::stoul(row[3])]);
        if (!numbas) {
            // A number beside arrays that fit exactly is taken here.
            EXPECT_TRUE(!cuda || types[1].is_weak) << row[0] << " of " << row[1];
        } else if (can_cast_same_kind(types[0].element, (*numbas)[0]) &&
                   can_cast_same_kind(types[1].element, (*numbas)[1])) {
            EXPECT_EQ(cuda ? std::to_string(*cuda) : "-", row[3]) << row[0] << " of " << row[1];
        }  // else Numba makes integers of floats
    }
}

TEST(Dtypes, ChooseALoopAsNumbaDoes) {
    for (const auto& row : rows("ufunc_loops.tsv")) {
        const auto [loops, types] = Choice(row);
        const auto cpu = first_safe_loop(loops, types);
        EXPECT_EQ(cpu ? std::to_string(*cpu) : "-", row[2]) << row[0] << " of " << row[1];
        const auto cuda = exact_loop(loops, types);
        EXPECT_EQ(cuda ? std::to_string(*cuda) : "-", row[3]) << row[0] << " of " << row[1];
    }
}

TEST(Dtypes, NumbersAloneAreNotWeak) {
    const std::vector<Loop> loops = {{Element::float32}, {Element::float64}};
    EXPECT_EQ(first_safe_loop(loops, {{Element::float64, true}}), 1u);
    EXPECT_EQ(first_safe_loop(loops, {{Element::float32, true}}), 0u);
}

TEST(Dtypes, SayWhatDoesNotFit) {
    const auto none = exact_loop({{Element::float32}}, {{Element::int8, false}});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.message(),
              "no signature takes (int8): with target='cuda' arrays must have exactly the types of one");
    const auto several = exact_loop({{Element::float32}, {Element::float64}}, {{Element::int64, true}});
    ASSERT_FALSE(several);
    EXPECT_EQ(several.message(), "(int64) fits several signatures: too many untyped numbers");
}

}  // namespace
}  // namespace pyk::arrays
