// Whether functions make arrays (`pyk.new_array`, `pyk.new_zeros`) or hand them to the host (`pyk.give`).
#pragma once

#include <span>

#include "ir/mentions.h"

namespace pyk {

/// An expression that makes an array.
bool makes_array(const ir::BuiltinCall& call);
/// One that makes an array, or may have to: its value holds the memory.
bool keeps_array(const ir::BuiltinCall& call);
/// Whether some function makes an array, or hands one over.
bool makes_arrays(std::span<const ir::Mentions> mentions);
/// The same, where functions say what calling them does (passes/fill_effects.h): these are calls that keep their place.
bool makes_arrays(const ir::Module& module);

}  // namespace pyk
