// Loops over whole arrays run on several cores, in functions with `parallel=True`.
#pragma once

#include <optional>

#include "ir/ir.h"

namespace pyk {

/// The author's own loops stay what they say.
bool is_compilers_loop(const ir::Function& function, const ir::ForRange& loop);

/// Loops of the compiler's own, one within the other, from 0 by 1, whose iterations can be dealt out.
struct SharedNest {
    std::vector<const ir::ForRange*> loops = {};  ///< per axis
    std::vector<ir::LocalId> arrays = {};         ///< what it stores to, then what it reads, all at the counters alone
    bool stores = true;                           ///< else it builds up `reductions` of the first loop
    bool at_counters_alone = true;                ///< nothing else asks for the counters
};
/// One that stores to all elements of an array: it means the same in any order where no other array overlaps that.
std::optional<SharedNest> shared_nest_of(const ir::Function& function, const ir::Stmt& stmt);
/// One that is parallel, and builds up sums and the like.
std::optional<SharedNest> shared_sums_of(const ir::Function& function, const ir::Stmt& stmt);

/// In functions that are `parallel` such loops are parallel where no loop over `prange` has them within it.
void share_array_loops(const ir::Module& module, ir::Function& function);

}  // namespace pyk
