// Characters beyond ASCII: what UTF-8, Unicode identifiers and NFKC say. The only file that knows utf8proc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/source.h"

namespace pyk::syntax {

/// Throws Failure at the first byte that is not UTF-8 (surrogates and overlong forms are not), or at a NUL.
void check_text(const SourceFile& source);

/// Throws Failure at the first character that a name cannot have (XID_Start, then XID_Continue).
void check_identifier(const SourceFile& source, uint32_t begin, uint32_t end);

/// The NFKC form of a valid name.
std::string normalized(std::string_view name);

/// Appends a code point's UTF-8 form; a surrogate gets its three bytes, as in `surrogatepass`.
void append_utf8(std::string& out, uint32_t code_point);

/// What Python's `str.isprintable` says of one character.
bool is_printable(uint32_t code_point);

}  // namespace pyk::syntax
