// Which parts of arrays the lanes of a team can hold in registers: each its elements, from their load to their store.
#pragma once

#include <vector>

#include "emit/shared_loop.h"
#include "emit/team_form.h"

namespace pyk::emitter {

/// Adds to a form with its shared loops what lanes hold, and over which loops. `stored`: the parameters that the
/// function stores to.
void hold_parts(const ir::Function& function, const std::vector<ir::CoreOperand>& core,
                const std::set<ir::LocalId>& stored, const SharedLoops& loops, TeamForm& form);

}  // namespace pyk::emitter
