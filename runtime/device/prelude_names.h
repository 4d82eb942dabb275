// Which part of the device prelude has a name. The parts themselves: pyk_prelude.h (generated).
#pragma once

#include <string_view>

namespace pyk {

/// The part whose head comment lists `name` after `Defines:`. The name is given without `pyk::` ("floor_div" →
/// "floor"); empty if none does.
std::string_view prelude_part_of(std::string_view name);

}  // namespace pyk
