// Array functions (`@vectorize`, `@guvectorize`): which there are, and the function that is called for each element.
#pragma once

#include <optional>

#include "sema/sema.h"
#include "sema/specialize.h"

namespace pyk {

/// `for_kernels`: the file has kernels, which do without a function for the CPU that has wrong types.
std::vector<ArrayFunctionInfo> array_functions_of(const ModuleScope& scope, bool for_kernels, Diagnostics& diagnostics);
/// The array function that a decorator makes.
ArrayFunctionInfo array_function(const FunctionInfo& function, Diagnostics& diagnostics);

/// The library's function that is a method of an array function where the host's functions call it, `reduce` or `at`;
/// it takes the function first. Empty: there is none.
std::string library_method(const FunctionInfo& function, std::string_view method);

/// Adds the entry point that a request asks for. `roots`: what it reaches, for Specializer::close. False: reported.
bool add_array_entry(Specializer& specializer, const FunctionInfo& info, const Request& request,
                     std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics);

/// The function between memory and a function of elements: operands are converted to its types, and its result back.
Instance& adapted(Specializer& specializer, const FunctionInfo& info, const Instance& function,
                  const std::vector<Type>& elements, Type result);

/// What `@guvectorize` says beside the signatures. Where it is wrong, `core` has no operands, and it was reported.
void read_core_layout(const FunctionInfo& function, ArrayFunctionInfo& info, Diagnostics& diagnostics);
/// add_array_entry of such a function.
bool add_core_entry(Specializer& specializer, const FunctionInfo& info, const ArrayFunctionInfo& function,
                    const Request& request, std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics);

/// Marks the outputs all of whose elements are stored to before one is read.
void find_overwritten(const ir::Function& function, const CoreLayout& layout, std::vector<ir::CoreOperand>& core);

/// Reports what elements cannot do: they have no thread of their own, and none to wait for.
void check_array_functions(const ir::Module& module, Diagnostics& diagnostics);

}  // namespace pyk
