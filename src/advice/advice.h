// Warnings that teach: found in raised IR, so that they speak of what is really emitted. They change nothing.
#pragma once

#include "advice/written.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// What costs time without being asked for in functions of these files: the group `-Wperf`.
void advise_on_speed(const ir::Module& module, const Written& files, Diagnostics& diagnostics);

}  // namespace pyk
