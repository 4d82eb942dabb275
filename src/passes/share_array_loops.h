// Loops over whole arrays run on several cores, in functions with `parallel=True`.
#pragma once

#include <optional>

#include "ir/ir.h"

namespace pyk {

/// The author's own loops stay what they say.
bool is_compilers_loop(const ir::Function& function, const ir::ForRange& loop);

/// Loops of the compiler's own over all elements of an array that reach others at their counters alone: they mean the
/// same in any order where none of the others overlaps it.
struct SharedNest {
    std::vector<const ir::ForRange*> loops = {};  ///< per axis
    std::vector<ir::LocalId> arrays = {};         ///< what it stores to, then what it reads
};
std::optional<SharedNest> shared_nest_of(const ir::Function& function, const ir::Stmt& stmt);

/// In functions that are `parallel` such loops are parallel where no loop over `prange` has them within it.
void share_array_loops(ir::Module& module);

}  // namespace pyk
