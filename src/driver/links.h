// Files of the user's own code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cache/digest.h"
#include "ir/ir.h"
#include "support/diagnostics.h"

namespace pyk {

/// Adds the files that the command line names, and reads what the links of the module name. `base`: where relative
/// paths begin. Reports what cannot be read.
void load_links(ir::Module& module, const std::vector<std::string>& files, const std::filesystem::path& base,
                Diagnostics& diagnostics);

/// The files that linked code comes from, with those that it includes by `"name"`: what a build depends on. The latter
/// are read here, and once more by the tool: before it does, so that one that changes meanwhile is another file later.
std::vector<cache::FileRead> files_of_links(const std::vector<ir::LinkedCode>& links);

}  // namespace pyk
