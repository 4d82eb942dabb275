// Stencils (`@stencil`): a function of an array's elements around each element, and the kernel that calls it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "module/constant.h"
#include "sema/sema.h"
#include "sema/specialize.h"

namespace pyk {

/// What the decorator says.
struct StencilOptions {
    std::vector<std::string> standard;  ///< arrays that are indexed as always
    std::optional<std::vector<std::pair<int64_t, int64_t>>>
        neighborhood;             ///< per axis the least and the greatest index
    std::optional<Const> border;  ///< `cval`

    bool is_standard(std::string_view parameter) const;
};

/// Precondition: the function is a stencil. What is wrong is left out here and reported by check_stencil.
/// Whether it can be called with these: an array of one to three axes first, others of as many.
bool stencil_takes(const FunctionInfo& info, const std::vector<Type>& params);
StencilOptions stencil_options(const FunctionInfo& info);
void check_stencil(const FunctionInfo& info, Diagnostics& diagnostics);

/// Adds the kernel for a request: a thread for each element of the first array, the last axis along x. Its parameters
/// are the function's, then the output: of the result's type where the request has no type for it. `roots`: what it
/// reaches, for Specializer::close. False: reported.
bool add_stencil(Specializer& specializer, const FunctionInfo& info, const Request& request,
                 std::vector<ir::FunctionId>& roots, Diagnostics& diagnostics);

}  // namespace pyk
