// A function's variables: how they differ between threads, and what they stand for.
#pragma once

#include "advice/assigned_once.h"
#include "ir/thread_spread.h"

namespace pyk {

struct ThreadVariables {
    const ir::Function& function;
    Spreads spreads;
    AssignedOnce assigned;

    /// `askers`: functions with `asks_threads`.
    ThreadVariables(const ir::Function& of, const ir::Doers& askers)
        : function(of), spreads(of, askers), assigned(assigned_once(of)) {}
};

}  // namespace pyk
