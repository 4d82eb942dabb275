// Files as Python reads them: bytes in the encoding that the first two lines declare.
#pragma once

#include <string>

#include "support/diagnostics.h"
#include "support/source.h"

namespace pyk {

/// The file's text in UTF-8. A byte-order mark or a declaration (`# -*- coding: latin-1 -*-`) says the encoding of
/// `bytes`; UTF-8 without one. What iconv does not know gives a diagnostic, and the source (which the diagnostic points
/// into) is not for parsing.
SourceFilePtr decode_source(std::string name, std::string bytes, Diagnostics& diagnostics);

}  // namespace pyk
