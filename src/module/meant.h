// What a misspelt or missing name may have meant.
#pragma once

#include <string>
#include <string_view>

#include "module/scope.h"

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
/// What cannot be read of the dtype that a name of the module is defined as, `np.dtype([('x', 'float33')])`.
std::optional<Note> unread_dtype(const ModuleScope& scope, std::string_view name);
/// Of a module that is not found and nearly has the name of a known one: "; did you mean `numpy`?". Empty: it has not.
std::string meant_module(std::string_view module);
/// Reports what the module imports of Numba, and what the decorators of its functions and the annotations of its
/// kernels name, that is not there, as Python does when it runs the file.
void check_names(const ast::Module& module, const ModuleScope& scope, Diagnostics& diagnostics);

}  // namespace pyk
