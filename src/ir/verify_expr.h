// The rules for one expression node, its children taken as right. Private to verify.
#pragma once

#include <functional>
#include <string>

#include "ir/ir.h"

namespace pyk::ir {

/// Says what is wrong with the node itself; silent when nothing is.
void verify_node(const Module& module, const Function& function, const Expr& expr,
                 const std::function<void(std::string)>& report);

/// As many integer indices as the array has axes.
void verify_indices(const Expr& array, const std::vector<Index>& indices,
                    const std::function<void(std::string)>& report);

}  // namespace pyk::ir
