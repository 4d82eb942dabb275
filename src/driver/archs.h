// Which architectures a unit is compiled for.
#pragma once

#include <vector>

#include "compile/arch.h"
#include "driver/pipeline.h"
#include "emit/emit.h"
#include "support/diagnostics.h"

namespace pyk {

/// The lowest that the tools here compile for and that can run every kernel of the unit.
Arch default_arch(const Unit& unit, bool is_virtual);

/// Reports kernels that need more than one of the architectures has. `program`: for the places to point at.
void check_archs(const Unit& unit, const std::vector<Arch>& archs, const Program& program, Diagnostics& diagnostics);

}  // namespace pyk
