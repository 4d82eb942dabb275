// The values of literals, as CPython reads them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "syntax/ast.h"
#include "syntax/token.h"

namespace pyk::syntax {

/// The value of a NUMBER token: an exact integer, a float to the bit, or an imaginary number. Throws Failure.
ast::ConstantValue number_value(Span token);

/// Of digits, as `1.5e400`, that std::from_chars finds out of range: infinite or zero, as the decimal exponent of the
/// first digit says.
double out_of_range(std::string_view digits);

/// A STRING token, taken apart.
struct StringLiteral {
    Span token;
    Span body;  ///< without prefix and quotes
    bool is_bytes = false, is_raw = false, is_formatted = false, is_unicode = false;
};

/// One or more side by side: all are text, or all are bytes. Throws Failure.
std::vector<StringLiteral> string_literals(std::span<const Span> tokens);
/// What they stand for together, none of them an f-string; in `arena` where the source's own text will not do. Throws
/// Failure.
ast::ConstantValue string_value(std::span<const StringLiteral> literals, Arena& arena);
/// Appends a part of one's body to `out`, its escapes decoded. Throws Failure.
void decode(const StringLiteral& literal, Span part, std::string& out);

/// `text`, copied into the arena.
std::string_view keep(std::string_view text, Arena& arena);

}  // namespace pyk::syntax
