// `# error: unknown-name` at the end of a line: the diagnostics that a test file expects there.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "support/diagnostics.h"

namespace pyk::golden {

/// One diagnostic, expected or found. Line 0: it has no place in this file (`# elsewhere: error: no-kernels`).
struct Finding {
    uint32_t line;
    std::string severity;
    std::string id;
    auto operator<=>(const Finding&) const = default;
};

std::multiset<Finding> expected_findings(std::string_view source);
std::multiset<Finding> findings(const Diagnostics& diagnostics, const SourceFile& file);

/// One line per finding of `a` that `b` lacks.
std::string missing_from(const std::multiset<Finding>& a, const std::multiset<Finding>& b);

/// The ids that no file of tests/golden/diagnostics shows, and why: `id: reason` per line of its exempt.txt.
std::map<std::string, std::string> exemptions();

}  // namespace pyk::golden
