// Architectures as the command line says them: by name, in CMake's spelling, or by a word.
#pragma once

#include <string>
#include <vector>

#include "driver/cli/options.h"
#include "emit/emit.h"

namespace pyk {

/// `sm_90,sm_100a`, `90-real;90-virtual` (CMake's: a bare `90` is both), `native`, `all`, `all-major`. Throws
/// UsageError.
ArchSelection parse_archs(const std::string& text);

/// The words, and the names of the architectures that pykc knows.
std::vector<std::string> arch_names();

/// What a unit is compiled for. `several`: the output holds more than one; else a bare `90` means its machine code
/// alone. Throws InputOutputError where a word asks for what is not here.
std::vector<Arch> archs_for(const ArchSelection& selection, const Unit& unit, bool several, bool is_virtual);

/// One per line, `sm_75`: what the tools of this machine compile for. Throws InputOutputError where there are none.
std::string list_archs();

}  // namespace pyk
