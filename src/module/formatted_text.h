// f-strings and format specifications, of what the module knows: signatures and names are often put together by them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "module/constant.h"
#include "syntax/ast.h"

namespace pyk {

/// The text of an f-string; nullopt: of a value, or of how it is to be written, it is not known. `known`: the value of
/// an expression, where it is.
std::optional<std::string> formatted_text(const ast::JoinedStr& node,
                                          const std::function<std::optional<Const>(const ast::Expr&)>& known);

/// Python's `format(value, specification)` of a number or a text; nullopt: it is not followed.
std::optional<std::string> formatted_value(const Const& value, char conversion, std::string_view specification);

/// How `printf` writes a number in the way of a specification.
struct PrintedNumber {
    std::string format;     ///< of an int64, a uint64, or a float64
    bool as_float = false;  ///< of an integer: it becomes one
};

/// Of an integer (of its sign: `is_signed`) or a float; nullopt: there is no way.
std::optional<PrintedNumber> printed_number(std::string_view specification, bool is_integer, bool is_signed);

}  // namespace pyk
