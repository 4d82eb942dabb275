// The constants of `np.finfo(t)` and `np.iinfo(t)`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "builtins/builtins.h"
#include "module/constant.h"

namespace pyk {

/// The dotted name that stands for the call's value: `numpy.finfo.float32`. nullopt: the type is of another kind.
std::optional<std::string> type_info_path(const Builtin& builtin, Type type);
/// What a member of it is, by its name without `numpy.`: `finfo.float32.eps`.
std::optional<Const> type_info(std::string_view path);

}  // namespace pyk
