// Reads the facts that tests/oracle/extract_types.py got from Numba. Its own reader of type names, so that no expected
// value comes from the code under test.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "types/type.h"

namespace pyk::oracle {

using Row = std::vector<std::string>;

/// The rows of `tests/oracle/data/<name>.tsv`, without its comments.
inline std::vector<Row> rows(const std::string& name) {
    std::ifstream file(PYK_SOURCE_DIR "/tests/oracle/data/" + name + ".tsv");
    EXPECT_TRUE(file) << "no " << name << ".tsv";
    std::vector<Row> result;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        Row& row = result.emplace_back();
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
    }
    return result;
}

/// The scalars that the files have every combination of.
inline constexpr size_t kScalars = 14;

inline Type scalar(std::string_view name) {
    static const std::map<std::string_view, Type> names = {{"boolean", Scalar::boolean},
                                                           {"int8", Scalar::int8},
                                                           {"int16", Scalar::int16},
                                                           {"int32", Scalar::int32},
                                                           {"int64", Scalar::int64},
                                                           {"uint8", Scalar::uint8},
                                                           {"uint16", Scalar::uint16},
                                                           {"uint32", Scalar::uint32},
                                                           {"uint64", Scalar::uint64},
                                                           {"float16", Scalar::float16},
                                                           {"__nv_bfloat16", Scalar::bfloat16},
                                                           {"float32", Scalar::float32},
                                                           {"float64", Scalar::float64},
                                                           {"complex64", Scalar::complex64},
                                                           {"complex128", Scalar::complex128}};
    const auto found = names.find(name);
    return found == names.end() ? Type() : found->second;
}

/// Splits at the commas outside of parentheses.
inline std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts;
    int depth = 0;
    for (char c : text) {
        if (parts.empty()) parts.emplace_back();
        depth += (c == '(') - (c == ')');
        if (c == ',' && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

inline std::vector<Type> types(std::string_view text);

/// `int64`, `none`, `Array(float32,1,A,readonly)`, `Tuple(…)`, `Optional(…)`; invalid for `-`.
inline Type type(std::string_view text) {
    if (text == "none") return Type::none();
    const auto inside = [&](std::string_view head) { return text.substr(head.size(), text.size() - head.size() - 1); };
    if (text.starts_with("Optional(")) return Type::optional(type(inside("Optional(")));
    if (text.starts_with("Tuple(")) return Type::tuple(types(inside("Tuple(")));
    if (text.starts_with("Array(")) {
        const auto parts = split(inside("Array("));
        const Layout layout = parts[2] == "C" ? Layout::C : parts[2] == "F" ? Layout::F : Layout::A;
        return Type::array(scalar(parts[0]), std::stoi(parts[1]), layout, parts.size() > 3);
    }
    return scalar(text);
}

inline std::vector<Type> types(std::string_view text) {
    std::vector<Type> result;
    for (const std::string& part : split(text)) result.push_back(type(part));
    return result;
}

/// For messages.
inline std::string names(const std::vector<Type>& types) {
    std::string text;
    for (Type t : types) text += (text.empty() ? "" : ", ") + t.name();
    return text;
}

}  // namespace pyk::oracle
