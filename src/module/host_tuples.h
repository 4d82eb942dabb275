// Named tuples of the host's code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "module/constant.h"
#include "module/host_functions.h"

namespace pyk {

/// The fields of `namedtuple(name, fields)`: a text or texts; nullopt: they cannot be known.
std::optional<std::vector<std::string>> field_names(const Const& fields);
/// `p._replace(x=1)`, `p._asdict()`; nullopt: no such method, or not known.
std::optional<Const> named_tuple_method(const Const& value, std::string_view method, const HostCall& call);

}  // namespace pyk
