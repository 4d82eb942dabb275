// Methods of the host's texts: `s.split(",")`, `s.strip()`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "module/constant.h"

namespace pyk {

/// nullopt: there is no such method here, or it does not take these arguments.
std::optional<Const> text_method(const std::string& text, std::string_view method, std::span<const Const> args);

}  // namespace pyk
