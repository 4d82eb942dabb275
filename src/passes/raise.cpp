#include <algorithm>
#include <utility>

#include "passes/clamp_bounds.h"
#include "passes/elide_wraps.h"
#include "passes/fill_effects.h"
#include "passes/fold.h"
#include "passes/fuse_array_loops.h"
#include "passes/fuse_counters.h"
#include "passes/hoist_divisor_checks.h"
#include "passes/index32.h"
#include "passes/inline_array_functions.h"
#include "passes/inline_temporaries.h"
#include "passes/join_broadcasts.h"
#include "passes/join_conditions.h"
#include "passes/keep_branches.h"
#include "passes/load_early.h"
#include "passes/lower_arithmetic.h"
#include "passes/lower_loop_else.h"
#include "passes/narrow.h"
#include "passes/narrow_locals.h"
#include "passes/new_arrays.h"
#include "passes/passes.h"
#include "passes/remove_dead.h"
#include "passes/ring_neighbours.h"
#include "passes/settle_bounds.h"
#include "passes/share_array_loops.h"
#include "passes/simplify_conversions.h"
#include "passes/split_rings.h"
#include "passes/sum_in_parts.h"
#include "passes/sum_in_turn.h"

namespace pyk {

void raise(ir::Module& module, const RaiseOptions& options) {
    // What is launched with small arrays is told by its last pass: not every kernel that is asked for gets that form.
    std::vector<ir::Function*> small;
    for (ir::Function& function : module.functions)
        if (std::exchange(function.index32, false) && !options.check_bounds) small.push_back(&function);
    fill_effects(module);
    // Every function says what calling it does.
    fold(module);
    const bool makes_arrays = pyk::makes_arrays(module);
    if (makes_arrays || std::ranges::any_of(module.functions, &ir::Function::parallel)) inline_array_functions(module);
    if (makes_arrays) fuse_array_loops(module);
    join_broadcasts(module);
    // An expression of whole arrays is one loop.
    share_array_loops(module);
    inline_temporaries(module);
    // What inference took apart without need is together again.
    lower_loop_else(module);
    fuse_counters(module);
    remove_dead(module, options.debug);
    // Loops count by the author's variables, and everything that is left is read.
    std::vector<Ranges> ranges = ranges_of(module);
    if (!options.check_bounds) elide_wraps(module, ranges);
    const bool is_for_host = std::ranges::any_of(module.functions, &ir::Function::one_thread);
    if (is_for_host && !options.check_bounds) split_rings(module, ranges);
    lower_ring_neighbours(module, ranges);
    lower_arithmetic(module, ranges);
    settle_bounds(module, ranges);
    // Loops are C++'s, and operators where they may be.
    if (is_for_host) {
        clamp_bounds(module, ranges);
        narrow_locals(module, ranges);
        sum_in_parts(module, ranges);
    }
    narrow(module, ranges);
    simplify_conversions(module);
    remove_dead(module, options.debug);
    if (options.debug && !options.check_bounds) hoist_divisor_checks(module);
    // A division by what a loop leaves alone is one instruction in it.
    if (is_for_host) {
        keep_branches(module);
        join_conditions(module);
        if (!options.check_bounds) load_early(module);
        sum_in_turn(module);
    }
    // What the host calls is written as g++ has fast code for it.
    for (ir::Function* function : small) index32(module, *function);
}

}  // namespace pyk
