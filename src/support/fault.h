// Faults of ours: conditions that no input should be able to cause. They end the compilation with exit code 70 and say
// so.
#pragma once

#include <stdexcept>
#include <string>

namespace pyk {

/// Thrown for a fault of ours; caught at the edges (pykc's main, libpyk's calls) and shown as such.
struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

[[noreturn]] inline void internal_error(const std::string& what) { throw InternalError(what); }

}  // namespace pyk
