// Calls of array functions for parts of arrays that several threads make together: their text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "emit/scope.h"
#include "support/printer.h"

namespace pyk::emitter {

/// The parameter that says which lane of which team a thread is.
inline constexpr std::string_view kTeam = "pyk_team";

/// Of a function that is called for parts of arrays by more than one thread; nullopt: it is not, or has no such form.
std::optional<TeamForm> team_of(const ModuleScope& scope, size_t function);
/// Why a function has no such form; empty: it has, or nobody asked.
std::string why_no_team(const ModuleScope& scope, const ir::ArrayEntry& entry);

/// Whether an array is passed as pointer, extents and strides: nothing stores to its memory, which `__restrict__` says.
/// What lanes store to and read from one another must not have it.
bool takes_words(const FunctionScope& scope, ir::LocalId array);

/// `pyk::team<256>`, `pyk::team<32, 8, 4>` where lanes hold elements.
std::string team_type(const ir::Function& function, const TeamForm& form);
/// How many blocks of so many threads a multiprocessor should have at once, so that enough is on its way from memory
/// although each lane holds much; 0: the compiler knows.
int team_blocks(const ir::Function& function, const TeamForm& form, int threads);
std::string team_parameter(const FunctionScope& scope);
/// Of a function for teams of any size: `template <int pyk_threads>` and the line's end.
std::string template_head(const TeamForm& form);
/// Behind a function's parameters: what its lanes hold. And before it returns: what they have stored to.
void load_items(const FunctionScope& scope, Printer& out);
void store_items(const FunctionScope& scope, Printer& out);
/// `x_items[pyk_item]`, of an array of which lanes hold their elements.
std::string held_item(const FunctionScope& scope, ir::LocalId array);
/// How the iterations of a loop are shared; null: they are not.
const TeamForm::Loop* shared_loop(const FunctionScope& scope, const ir::ForRange& loop);

}  // namespace pyk::emitter
