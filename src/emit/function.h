// Functions → text.
#pragma once

#include <optional>
#include <string>

#include "emit/comments.h"
#include "emit/scope.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// One rendered function with its lines marked (lines.h). nullopt when a template is at fault.
std::optional<std::string> function_text(const FunctionScope& scope, Comments& comments, const Templates& templates);

/// The C++ parameters, separated by kListBreak.
std::string parameter_list(const FunctionScope& scope);

}  // namespace pyk::emitter
