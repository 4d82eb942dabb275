// `@file`: arguments from a file.
#pragma once

#include <string>
#include <vector>

namespace pyk {

/// Puts in place of each `@file` the words of that file, as gcc does: separated by white space, `'…'` and `"…"` hold
/// words together, a backslash takes the next character as it is; a file may name others. An `@name` of no file stays.
/// Throws UsageError for files that name each other endlessly.
std::vector<std::string> with_response_files(std::vector<std::string> arguments);

}  // namespace pyk
