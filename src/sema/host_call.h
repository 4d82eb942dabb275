// Functions that the host calls: a kernel of one thread that calls one and stores what it returns.
#pragma once

#include "sema/specialize.h"

namespace pyk {

/// Whether the host has a type for it: numbers and dates, these or None, arrays of them, and tuples of all these.
bool is_host_result(Type result);

/// Adds that kernel. Its parameters are the function's, then an array of one element for each number that it returns.
void add_host_call(Specializer& specializer, const FunctionInfo& info, std::vector<Parameter> params, Type declared,
                   std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics);

}  // namespace pyk
