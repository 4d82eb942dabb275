// Texts that the module makes: signatures are often put together by `%`, `format` and f-strings.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "module/constant.h"

namespace pyk {

/// What Python's `str` makes of a constant, and its `repr`; nullopt: it is not followed.
std::optional<std::string> text_of(const Const& constant);
std::optional<std::string> representation(const Const& constant);
/// The number of code points of a text in UTF-8.
size_t characters_in(std::string_view text);
/// `text % values`, with `%-08.3f` and its like.
std::optional<std::string> percent(std::string_view text, std::span<const Const> values);
/// What stands between braces of a format: "" or "0" or "name".
using FormatField = std::function<std::optional<Const>(std::string_view)>;
/// `text.format(…)`.
std::optional<std::string> braces(std::string_view text, const FormatField& field);

}  // namespace pyk
