// Files of the user's own code.
#pragma once

#include <string>
#include <vector>

#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Adds the files that the command line names, and reads what the links of the module name. Reports what cannot be
/// read.
void load_links(ir::Module& module, const std::vector<std::string>& files, Diagnostics& diagnostics);

/// The files that linked code comes from, with those that it includes by `"name"`: what a build depends on.
std::vector<std::string> files_of_links(const std::vector<ir::LinkedCode>& links);

}  // namespace pyk
