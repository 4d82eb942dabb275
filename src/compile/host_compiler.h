// The host's C++ compiler: C++ for the CPU → a shared library.
#pragma once

#include <optional>

#include "compile/artifact.h"

namespace pyk {

/// $CXX (its first word a program, further words options), else c++, g++, clang++ from PATH.
std::optional<std::vector<std::string>> find_host_compiler();
/// The programs among the words of such a command: of `ccache g++ -O2` two.
std::vector<std::string> programs_in(const std::vector<std::string>& command);
/// What to say where there is none.
std::string why_no_host_compiler();

/// Compiles emitted text that pastes its prelude to a shared library for this machine.
Tooled<Artifact> compile_with_host_compiler(const Unit& unit);

}  // namespace pyk
