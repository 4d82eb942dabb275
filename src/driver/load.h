// Reading the file to compile.
#pragma once

#include <optional>
#include <string>

#include "support/source.h"

namespace pyk {

/// Reads a whole file, or stdin for `-`. The text is as it stands in the file; what it must look like is the parser's
/// business. Null: it could not be read, and `error` says why.
SourceFilePtr load(const std::string& path, std::string& error);

}  // namespace pyk
