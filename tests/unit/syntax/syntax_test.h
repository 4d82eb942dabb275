// What the tests of the front end share: text in, tree or message out.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "syntax/dump.h"
#include "syntax/parse.h"

namespace pyk::test {

inline SourceFilePtr source(std::string text) { return std::make_shared<SourceFile>("test.pyk", std::move(text)); }

/// The tree as text, or the first diagnostic.
inline std::string dump_of(std::string text) {
    Diagnostics diagnostics;
    const auto module = parse(source(std::move(text)), diagnostics);
    return module ? dump(*module) : diagnostics.all().at(0).text;
}

/// The dump of one expression.
inline std::string expr(std::string text) {
    const std::string before = "Module(body=[Expr(value=", after = ")], type_ignores=[])";
    const std::string dump = dump_of(std::move(text));
    if (!dump.starts_with(before)) return dump;
    return dump.substr(before.size(), dump.size() - before.size() - after.size());
}

/// `line:column: text` of the only diagnostic, or "no error".
inline std::string error_of(std::string text) {
    const SourceFilePtr file = source(std::move(text));
    Diagnostics diagnostics;
    const bool parsed = parse(file, diagnostics).has_value();
    if (parsed) return diagnostics.all().empty() ? "no error" : "a tree and a diagnostic";
    if (diagnostics.all().size() != 1) return fmt::format("{} diagnostics", diagnostics.all().size());
    const Diagnostic& d = diagnostics.all().front();
    const Position at = file->position(d.span.begin);
    return fmt::format("{}:{}: {}", at.line, at.column, d.text);
}

inline bool parses(std::string text) { return error_of(std::move(text)) == "no error"; }

inline std::string repeat(std::string_view text, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += text;
    return out;
}

}  // namespace pyk::test
