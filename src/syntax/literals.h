// The values of literals, as CPython reads them.
#pragma once

#include <span>

#include "syntax/ast.h"
#include "syntax/token.h"

namespace pyk::syntax {

/// The value of a NUMBER token: an exact integer, a float to the bit, or an imaginary number. Throws Failure.
ast::ConstantValue number_value(Span token);

/// Of digits, as `1.5e400`, that std::from_chars finds out of range: infinite or zero, as the decimal exponent of the
/// first digit says.
double out_of_range(std::string_view digits);

/// One or more STRING tokens side by side.
struct StringValue {
    bool is_formatted = false;  ///< some part is an f-string: `value` is empty
    ast::ConstantValue value;
};
/// Decodes escapes and joins the parts, in `arena` where the source's own text will not do. Throws Failure.
StringValue string_value(std::span<const Span> tokens, Arena& arena);

/// `text`, copied into the arena.
std::string_view keep(std::string_view text, Arena& arena);

}  // namespace pyk::syntax
