// What the user says by variables of the environment.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace pyk {

/// Its value; nothing where it is not set or empty, which are the same, nor in a program with the rights of another
/// user (setuid) than who runs it: that one must not say which libraries and compilers it opens, nor where it writes.
inline std::optional<std::string> environment(const char* variable) {
    const char* const value = secure_getenv(variable);
    return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace pyk
