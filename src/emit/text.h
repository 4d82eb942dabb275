// A piece of C++ with what must be known to put it into a larger one: how tightly it binds and what type it has in C++.
#pragma once

#include <string>
#include <string_view>

#include "ir/ir.h"
#include "types/type.h"

namespace pyk::emitter {

/// Precedence of C++, as in operators.def.
inline constexpr int kConditional = 2, kOr = 3, kAnd = 4, kRelational = 9, kUnary = 14, kPrimary = 15;

/// The text of an expression of the IR. Its C++ type may differ from the expression's: where the context converts
/// anyway, a cast would only be noise. `pending`: the value is the expression's only after conversion to the
/// expression's type; otherwise it is the same value already, in another type at most.
struct Text {
    std::string text;
    int precedence = kPrimary;
    Type type;  ///< in C++
    bool pending = false;
    const ir::ConstantValue* literal = nullptr;  ///< of an integer literal: it can take another suffix
    std::string_view spelling = {};              ///< of an integer literal: as the source has it, if in another base
};

/// In parentheses where it binds less tightly than the place asks for.
std::string at_least(int precedence, Text text);

/// The text of a constant in its shortest form: `1` for an int64, `0.5f` for a float32. What the source writes there in
/// base 2 or 16 stays so: `0xffffffffu`.
Text literal(const ir::ConstantValue& value, Type type, Span span = {});
/// A character of a text, of a byte or of a code point: `'a'`, `U'a'`, `0`.
std::string character(uint32_t code, Type type);
/// Any characters as a string literal.
std::string cpp_string(std::string_view text);
/// As a text of exactly that C++ type: a literal by its suffix, all else by a cast.
Text exactly(Type type, Text text);
/// Where C++ asks only whether it is true: a name as it is, all else that is no boolean with `!= 0`.
Text as_condition(Text text);

/// `lhs op rhs` in C++ for operands that both have `type` in the IR.
Text binary(BinaryOp op, Type type, Text lhs, Text rhs);
/// `lhs op= rhs`, or nothing where C++ would compute it in another type.
std::string compound(BinaryOp op, Type type, const Text& lhs, Text rhs);
Text unary(UnaryOp op, Type type, Text operand);
Text logical(bool is_and, Text lhs, Text rhs);
Text select(Type type, Text condition, Text then, Text otherwise);
/// A conversion of the IR, which may cost no text at all.
Text convert(Type from, Type to, Text operand);

}  // namespace pyk::emitter
