// The functions that the host's code may call before kernels are compiled: a row each.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "module/constant.h"

namespace pyk {

struct HostCall {
    std::vector<Const> args;
    std::vector<std::pair<std::string, Const>> named;
    /// Calls a value: what `map`, `sorted(key=…)` and their like are given.
    std::function<std::optional<Const>(const Const& callee, std::span<const Const> args)> call;
};
struct HostFunction;

/// Null: there is no row for it. `path`: as imports name it, `numpy.prod`, `math.gcd`, `sorted`.
const HostFunction* find_host_function(std::string_view path);
/// nullopt: it does not take these arguments.
std::optional<Const> call_host_function(const HostFunction& function, const HostCall& call);

}  // namespace pyk
