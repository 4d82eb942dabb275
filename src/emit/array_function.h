// Entry points that call a function for each element of arrays (`@vectorize`), or for parts of them
// (`@guvectorize`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/scope.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// A function of elements as a loop's lambda: its parameters, and the call. Records are passed on by address.
struct ElementLambda {
    std::string params, call;
};
ElementLambda element_lambda(const FunctionScope& names);

/// Its entry points: CUDA has one for each way to reach elements, the CPU one for all.
std::optional<std::string> array_function_text(const ModuleScope& scope, const ir::ArrayEntry& entry,
                                               const Templates& templates);

void add_array_entries(const ModuleScope& scope, std::vector<EntryPoint>& entries);

/// The symbols of its entry points. Of a function of elements with a header, on GPUs: for elements that lie side by
/// side, and for all others.
std::vector<std::string> array_symbols(const ModuleScope& scope, const ir::ArrayEntry& entry);
/// Of a function of elements.
int elements_per_thread(const ModuleScope& scope, const ir::ArrayEntry& entry);

}  // namespace pyk::emitter
