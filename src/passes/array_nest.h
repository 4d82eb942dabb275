// Loops over all elements of an array, as inference writes expressions of whole arrays.
#pragma once

#include <optional>

#include "ir/ir.h"

namespace pyk {

/// Loops one within the other, from 0 by 1 to the array's extents, which store one element each at their counters.
struct ArrayNest {
    std::vector<const ir::ForRange*> loops = {};  ///< per axis
    const ir::Store* store = nullptr;
    ir::LocalId target{};
};

std::optional<ArrayNest> array_nest_of(const ir::Stmt& stmt);

/// Null: the expression is none.
const ir::LocalId* local_of(const ir::ExprPtr& expr);
/// Whether each index is the counter of the loop for that axis.
bool is_at(const std::vector<ir::Index>& indices, const ArrayNest& nest);

}  // namespace pyk
