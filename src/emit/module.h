// Modules → the values of the module template.
#pragma once

#include <optional>

#include "emit/emit.h"
#include "emit/scope.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// The whole file, its lines marked (lines.h). nullopt when a template is at fault.
std::optional<std::string> module_text(const ModuleScope& scope, const Templates& templates);

/// The kernels of a module.
std::vector<EntryPoint> entry_points(const ModuleScope& scope);

/// For the templates: the name of the inline namespace, where there is one.
std::vector<Values> inner_space(const ModuleScope& scope);

/// Whether launches may find something to report.
bool has_checks(const ModuleScope& scope);

/// A signature's text with the names that the file gives to records, instead of their fields.
std::string in_names(std::string signature, const ir::Module& module);

/// `matmul(float32[:, ::1], float32[:, ::1])`.
std::string signature(const ir::Function& kernel, const ir::Module& module);

}  // namespace pyk::emitter
