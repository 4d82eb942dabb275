// The options of `@cuda.jit(…)` and of `@njit(…)`.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "module/entity.h"

namespace pyk {

struct DecoratorOptions {
    ir::CompileOptions compile;
    bool always_inline = false;
    bool divides_as_numpy = false;  ///< `error_model="numpy"`: a division by zero raises nothing
};

/// Reports values that an option cannot have, options that there are not, and those that mean nothing here.
/// `decorators`: the calls that say the options, innermost first. `is_for_host`: of `njit`.
DecoratorOptions read_options(std::span<const FunctionInfo::Decorating> decorators, bool is_for_host,
                              Diagnostics& diagnostics);

/// `locals={"total": float32}`: what is assigned to the name has that type.
std::map<std::string, Type, std::less<>> local_types_of(const FunctionInfo& info, Diagnostics& diagnostics);

/// What `link=` names.
std::vector<ir::LinkedCode> links_of(std::span<const FunctionInfo::Decorating> decorators, Diagnostics& diagnostics);

/// Adds what is not there yet.
void add_link(std::vector<ir::LinkedCode>& links, ir::LinkedCode link);

}  // namespace pyk
