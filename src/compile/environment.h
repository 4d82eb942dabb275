// What the user says by variables of the environment.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace pyk {

/// Its value; nothing where it is not set or empty, which are the same.
inline std::optional<std::string> environment(const char* variable) {
    const char* const value = std::getenv(variable);
    return value && *value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace pyk
