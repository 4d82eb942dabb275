// Expected texts in files beside their inputs.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace pyk::golden {

/// Files under a folder of the source tree (`samples`, `tests/golden/diagnostics`), any depth, in order.
std::vector<std::filesystem::path> find_sources(const std::string& folder, const std::string& extension);

/// The path below the source tree, with what GoogleTest does not take in names made into `_`.
std::string test_name(const std::filesystem::path& file);

std::string read(const std::filesystem::path& file);

/// Compares with the file; with PYK_UPDATE_GOLDENS set, writes it instead.
testing::AssertionResult matches(const std::filesystem::path& file, const std::string& text);

}  // namespace pyk::golden
