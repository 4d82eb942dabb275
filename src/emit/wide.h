// The form of a pure map whose threads each have the elements of several.
#pragma once

#include <string>

#include "emit/pure_map.h"
#include "emit/scope.h"
#include "support/printer.h"

namespace pyk::emitter {

/// How many threads' elements one thread has: as often 16 bytes of each array as its registers can wait for.
int neighbours_of(const ir::Function& kernel, const PureMap& map);

/// Whether the kernel has that form in the text.
bool is_wide(const ModuleScope& scope, const ir::Function& kernel);

/// The statements of its body; its last parameter is named kThreads.
void wide_body(const FunctionScope& scope, const PureMap& map, Printer& out);

/// How many threads the launch asked for.
inline constexpr std::string_view kThreads = "pyk_threads";

}  // namespace pyk::emitter
