// The passes that raise typed IR to what a target can spell, and make it what a person would have written. Each is a
// function in its own pair of files, which changes a function (or, where functions become one, a module) in place;
// `raise` is the list, in order.
#pragma once

#include "ir/ir.h"

namespace pyk {

struct RaiseOptions {
    bool check_bounds = false;  ///< keep every index as written, so that checks can name it
    bool debug = false;         ///< keep every division that may be one by zero
    bool closed = false;        ///< nothing but the module's own functions calls its device functions
};

/// Runs every pass in its order. Needs a verified module; gives a verified module in which
/// - no `for`/`while` has an `orelse`;
/// - a `ForRange` counter is the author's variable wherever that is the same thing; its bounds cannot change while it
///   runs;
/// - an `Index` wraps only where it may be negative;
/// - arithmetic is C++'s operator wherever that provably agrees with Python's;
/// - locals that are never read are gone.
void raise(ir::Module& module, const RaiseOptions& options = {});

}  // namespace pyk
