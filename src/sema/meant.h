// What a misspelt or missing name may have meant, and how values are called in messages.
#pragma once

#include <string>
#include <string_view>

#include "sema/sema.h"
#include "sema/value.h"

namespace pyk {

/// To write a name where another one stands.
Suggestion did_you_mean(Span span, const std::string& name);
/// The line that makes a name of a well-known module's mean what it does there; empty: it is of none.
std::string missing_import(std::string_view name);
/// Whether the expression begins with a name that is not there and can be imported; then that is reported.
bool lacks_import(const ModuleScope& scope, const ast::Expr& expr, Diagnostics& diagnostics);
/// The name that the expression begins with, if it is not there; empty: it is.
std::string missing_name(const ModuleScope& scope, const ast::Expr& expr);
/// The scalar type of nearly that name; empty: none is meant.
std::string nearest_scalar(std::string_view name);
/// A value as a message names it: by its type, or what it is where it is no run-time value.
std::string described(const Value& value);
/// What to write in place of a call of a number, a tuple or an array, `x.size()`, `x.shape(0)`, `x(i)`; empty: it is
/// another call.
std::string without_call(const Value& callee, const ast::Call& node);

/// Reports what the module's imports, the decorators of its functions and the annotations of its kernels name and is
/// not there, as Python does when it runs the file.
void check_names(const ast::Module& module, const ModuleScope& scope, Importer* importer, Diagnostics& diagnostics);

}  // namespace pyk
