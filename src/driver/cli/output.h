// Writing what was asked for: whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace pyk {

/// Writes a file, or stdout for `-`. A file appears (or changes) in one step, under its own name only when all of it is
/// there; what is no regular file (a pipe, /dev/null) is written in place. Throws InputOutputError.
void write_output(const std::string& path, std::string_view bytes);

}  // namespace pyk
