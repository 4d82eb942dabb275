// Reading the file to compile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "support/source.h"

namespace pyk {

/// Reads a whole file, or stdin for `-` (then called `stdin_name`), in the encoding that it declares (PEP 263). What
/// the text must look like is the parser's business. Null: it could not be read or decoded, and `error` says why.
SourceFilePtr load(const std::string& path, std::string& error, const std::string& stdin_name = "<stdin>");
/// A file's bytes, where a relative path begins in a folder. nullopt: they could not be read, and `error` says why.
std::optional<std::string> bytes_of(const std::filesystem::path& base, const std::string& path, std::string& error);

/// A file's bytes as text, by the same rules.
SourceFilePtr decode(const std::string& name, std::string bytes, std::string& error);

}  // namespace pyk
