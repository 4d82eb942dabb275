// Text → tree. The whole syntax of Python 3.11 is accepted; what kernels may use of it is decided later (sema/).
#pragma once

#include <optional>

#include "support/diagnostics.h"
#include "syntax/ast.h"

namespace pyk {

/// Parses a file. The text must be UTF-8 (a BOM is skipped; decode_source in encoding.h makes it so); anything that
/// CPython's parser refuses gives a diagnostic, one for each definition of the file, and no tree. Thread-safe: calls
/// are serialised inside (the ANTLR 4.9 runtime is not thread-safe).
std::optional<ast::Module> parse(SourceFilePtr source, Diagnostics& diagnostics);

}  // namespace pyk
