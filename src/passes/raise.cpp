#include <algorithm>
#include <ranges>
#include <utility>

#include "ir/walk.h"
#include "passes/clamp_bounds.h"
#include "passes/drop_constants.h"
#include "passes/elide_wraps.h"
#include "passes/fill_effects.h"
#include "passes/fold.h"
#include "passes/forward_stores.h"
#include "passes/fuse_array_loops.h"
#include "passes/fuse_counters.h"
#include "passes/hoist_defaults.h"
#include "passes/hoist_divisor_checks.h"
#include "passes/index32.h"
#include "passes/inline_array_functions.h"
#include "passes/inline_temporaries.h"
#include "passes/int_locals.h"
#include "passes/join_broadcasts.h"
#include "passes/join_conditions.h"
#include "passes/keep_branches.h"
#include "passes/load_early.h"
#include "passes/lower_arithmetic.h"
#include "passes/lower_loop_else.h"
#include "passes/mask_late.h"
#include "passes/narrow.h"
#include "passes/narrow_constants.h"
#include "passes/narrow_floats.h"
#include "passes/narrow_locals.h"
#include "passes/narrow_thread_index.h"
#include "passes/new_arrays.h"
#include "passes/overlap_tails.h"
#include "passes/parameter_ranges.h"
#include "passes/passes.h"
#include "passes/remove_dead.h"
#include "passes/ring_neighbours.h"
#include "passes/round_once.h"
#include "passes/settle_bounds.h"
#include "passes/share_array_loops.h"
#include "passes/simplify_conversions.h"
#include "passes/split_rings.h"
#include "passes/split_tuples.h"
#include "passes/sum_in_parts.h"
#include "passes/sum_in_turn.h"
#include "passes/word_locals.h"

namespace pyk {
namespace {

struct RaisedFor {
    bool host = false;     ///< functions that the host calls
    bool index32 = false;  ///< launches with small arrays
};

/// One function after the other, each by all passes: it is in the caches then, and what is known of its values is
/// needed no longer.
void raise(const ir::Module& module, ir::Function& function, RaisedFor use, const RaiseOptions& options,
           ParameterRanges& parameters) {
    const bool shows_order = ir::has_handler(function.body);  // of what is assigned and what may raise
    join_broadcasts(function);
    // An expression of whole arrays is one loop.
    share_array_loops(module, function);
    if (!use.host) hoist_defaults(function);
    inline_temporaries(module, function);
    if (split_tuples(function)) inline_temporaries(module, function);
    // What inference took apart without need is together again.
    lower_loop_else(function);
    fuse_counters(function);
    remove_dead(module, function, options.debug, shows_order && options.check_bounds);
    // Loops count by the author's variables, and everything that is left is read.
    Ranges ranges(module, function);
    parameters.add_calls(function, ranges);
    if (!options.check_bounds) elide_wraps(module, function, ranges);
    if (use.host && !options.check_bounds) split_rings(module, function, ranges);
    lower_ring_neighbours(module, function, ranges);
    lower_arithmetic(module, function, ranges);
    if (!use.host && !use.index32) make_int_locals(function, ranges);
    if (!use.host) make_word_locals(function, ranges);
    settle_bounds(module, function, ranges);
    // Loops are C++'s, and operators where they may be.
    if (use.host) {
        clamp_bounds(function, ranges);
        narrow_locals(function, ranges);
        if (!shows_order) sum_in_parts(function, ranges);
    }
    narrow(function, ranges);
    if (!use.host) narrow_float_locals(function);
    simplify_conversions(function);
    round_once(function);
    remove_dead(module, function, options.debug, shows_order && options.check_bounds);
    if (options.debug && !options.check_bounds && !shows_order) hoist_divisor_checks(module, function);
    // A division by what a loop leaves alone is one instruction in it.
    if (use.host) {
        keep_branches(function);
        join_conditions(function);
        mask_late(function);
        if (!options.check_bounds) {
            load_early(function);
            overlap_tails(function);
            forward_stores(function);
        }
        if (!shows_order) sum_in_turn(function);
    }
    // What the host calls is written as g++ has fast code for it.
    if (use.index32) index32(module, function);
    if (!function.index32) narrow_thread_index(function);
}

}  // namespace

void raise(ir::Module& module, const RaiseOptions& options) {
    fill_effects(module);
    // Every function says what calling it does.
    for (ir::Function& function : module.functions) fold(module, function);
    const bool makes_arrays = pyk::makes_arrays(module);
    if (makes_arrays || std::ranges::any_of(module.functions, &ir::Function::parallel)) inline_array_functions(module);
    if (makes_arrays) fuse_array_loops(module);
    // Nothing but callees and callers matters to a function from here on.
    const bool is_for_host = std::ranges::any_of(module.functions, &ir::Function::one_thread);
    // Callers come first, and say what their callees get.
    ParameterRanges parameters(module, options.closed);
    for (ir::Function& function : std::views::reverse(module.functions)) {
        parameters.note_in(function);
        // What is launched with small arrays is told by its last pass: not every kernel that is asked for gets that
        // form.
        const bool is_small = std::exchange(function.index32, false) && !options.check_bounds;
        raise(module, function, {.host = is_for_host, .index32 = is_small}, options, parameters);
    }
    drop_constants(module);
    narrow_constants(module);
}

}  // namespace pyk
