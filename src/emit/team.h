// Calls of array functions for parts of arrays that several threads make together: their text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "emit/scope.h"

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

std::string team_type(const ModuleScope& scope);
std::string team_parameter(const ModuleScope& scope);
/// How the iterations of a loop are shared; null: they are not.
const TeamForm::Loop* shared_loop(const FunctionScope& scope, const ir::ForRange& loop);

}  // namespace pyk::emitter
