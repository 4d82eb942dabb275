// Array functions (`@vectorize`): which there are, and the function that is called for each element.
#pragma once

#include <optional>

#include "sema/sema.h"
#include "sema/specialize.h"

namespace pyk {

/// Adds the entry point that a request asks for. `roots`: what it reaches, for Specializer::close. False: reported.
bool add_array_entry(Specializer& specializer, const FunctionInfo& info, const Request& request,
                     std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics);

/// The function between memory and a function of elements: operands are converted to its types, and its result back.
Instance& adapted(Specializer& specializer, const FunctionInfo& info, const Instance& function,
                  const std::vector<Type>& elements, Type result);

/// Reports what elements cannot do: they have no thread of their own, and none to wait for.
void check_array_functions(const ir::Module& module, Diagnostics& diagnostics);

}  // namespace pyk
