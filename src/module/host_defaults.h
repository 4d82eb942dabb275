// Dicts that have a value for keys which are not there: `defaultdict(int)`, `Counter()`.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "module/constant.h"
#include "module/host_functions.h"

namespace pyk {

/// `defaultdict(factory)` with those entries; nullopt: the factory is not followed.
std::optional<Const> dict_with_default(std::string_view factory, const Const::Dict& entries);
/// What a key gets that is not there; nullopt: nothing.
std::optional<Const> default_of(const Const& value);
bool is_counter(const Const& value);
/// A Counter with more: a dict of counts, or what is counted.
std::optional<Const> with_counts(const Const& counter, const Const& more);
/// What a Counter's own methods give that change nothing: `most_common`, `total`.
std::optional<Const> counter_method(const Const& counter, std::string_view method, std::span<const Const> args);

std::span<const HostFunction> default_functions();

}  // namespace pyk
