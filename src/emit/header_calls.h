// The functions of a header that launch a kernel, or that call one on the CPU.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "emit/scope.h"
#include "emit/templates.h"

namespace pyk::emitter {

/// Signatures of one kernel that have the same types in C++, as one function: the arrays' layouts choose among them.
struct Launcher {
    std::vector<size_t> instances;  ///< functions of the module; those that ask more of layouts first
    std::vector<std::string> types, names;
    std::vector<std::string> numbers;  ///< of each parameter: its type where it is a pyk::Scalar of it, else empty
    std::string name;                  ///< of the function
};

/// How the header declares it, and what it passes on. `entries`: of the kernels, by their place in the module.
Values values_of(const Launcher& launcher, const ModuleScope& scope, const HeaderParts& parts,
                 const std::map<size_t, EntryPoint>& entries);

/// A letter per parameter: its layout, or `.` for what is no array.
std::string layouts(const ir::Function& kernel);

/// The name of the stencil that a kernel was made of; empty: of none.
std::string stencil_of(const ir::Function& kernel, const EmitOptions& options);
/// The same for one: it takes a stream instead of a launch, and has its output last.
Values stencil_values(const Launcher& launcher, const std::string& name, const ModuleScope& scope,
                      const HeaderParts& parts, const std::map<size_t, EntryPoint>& entries);

/// Of a kernel that calls a function of the author's for the host, and has its results behind the function's
/// parameters: whether C++ has types for all of them. Where it has not, a note says so.
bool has_host_results(const ir::Module& module, const ir::Function& kernel, const HeaderParts& parts,
                      Diagnostics& diagnostics);
/// The same for what the host calls of it.
Values call_of(const Launcher& launcher, const ModuleScope& scope, const HeaderParts& parts,
               const std::map<size_t, EntryPoint>& entries);

}  // namespace pyk::emitter
