// What a header's functions need beside what its signatures say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/pipeline.h"

namespace pyk {

/// The requests for functions for parts of arrays and stencils, once for arrays in C order and once as the signature
/// says, where that is something else. Stencils then have an output, of what they give.
std::vector<Request> in_all_layouts(const Program& program, std::vector<Request> requests);

/// Of the functions for parts of arrays among them. And of the stencils, without a text: the axes of the arrays that
/// are indexed around the element.
std::map<std::string, PartsLayout> array_layouts(const Program& program, const std::vector<Request>& requests);

}  // namespace pyk
