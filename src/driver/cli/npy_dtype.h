// The element types of .npy files, as NumPy writes them: `<f4`, `<M8[D]`, `[('x', '<f8'), ('', '|V4')]`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "types/type.h"

namespace pyk {

/// The type that a header's `descr` names: a quoted text's content, or a list as it stands. nullopt: no kernel has it.
std::optional<Type> element_of(std::string_view descr);
/// As `numpy.save` writes it, quotes included.
std::string descr_of(Type element);

}  // namespace pyk
