// Entry points of functions for parts of arrays (`@guvectorize`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/scope.h"
#include "emit/team_form.h"

namespace pyk::emitter {

/// An entry point of an array function: the loop that it calls, with the type of the loop's argument.
struct LoopEntry {
    std::string symbol, loop, run;
    int threads = 256;                  ///< of a block, at most
    int blocks = 0;                     ///< of a multiprocessor, at least; 0: not said
    bool is_staged = false;             ///< of parts that may go through shared memory
    bool is_single = false;             ///< a thread has one element, and needs no loop of the prelude
    std::optional<TeamForm> team = {};  ///< who makes a call; none: one thread
};

std::vector<LoopEntry> core_entries(const ModuleScope& scope, const ir::ArrayEntry& array);

/// What a call of a function for parts of arrays gets: `pyk_at.part<const float, 1>(0)`.
std::string core_arguments(const FunctionScope& scope, const ir::ArrayEntry& entry);

/// Of a function of which teams make calls in a text with a header: what it is for them, for teams of any size. One for
/// parts in memory and one for those that lanes hold, as far as there are such forms.
std::vector<FunctionScope> team_variants(const ModuleScope& scope, size_t function);

}  // namespace pyk::emitter
