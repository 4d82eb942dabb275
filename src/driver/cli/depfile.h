// `-MD`: what an output was made of, as a rule for make and Ninja.
#pragma once

#include <string>
#include <vector>

namespace pyk {

/// `targets: prerequisites`, each escaped as make reads it; with `phony` an empty rule for each prerequisite but the
/// input itself, so that a file that is gone is no error.
std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& prerequisites,
                    const std::string& input, bool phony);

}  // namespace pyk
