// Whether a file has the names that -D and Options::defines give values.
#pragma once

#include <optional>
#include <string>

#include "driver/pipeline.h"

namespace pyk {

/// What is wrong where a defined name is written nowhere in the program's files.
std::optional<std::string> wrong_define(const Program& program);

}  // namespace pyk
