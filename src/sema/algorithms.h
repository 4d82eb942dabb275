// Algorithms over arrays (reductions, scans …): which functions they call for elements, and of which types.
#pragma once

#include "sema/sema.h"
#include "sema/specialize.h"

namespace pyk {

/// Functions that algorithms can have as operators.
std::vector<OperatorInfo> operators_of(const ModuleScope& scope);

/// Adds the entry point that a request for an algorithm asks for. `roots`: what it reaches, for Specializer::close.
/// False: reported.
bool add_algorithm_entry(Specializer& specializer, const ModuleScope& scope, const Request& request,
                         std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics);

}  // namespace pyk
