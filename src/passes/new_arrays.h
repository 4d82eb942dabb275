// Whether functions make arrays (`pyk.new_array`, `pyk.new_zeros`) or hand them to the host (`pyk.give`).
#pragma once

#include "ir/ir.h"

namespace pyk {

/// An expression that makes an array.
bool makes_array(const ir::BuiltinCall& call);
/// One that makes an array, or may have to: its value holds the memory.
bool keeps_array(const ir::BuiltinCall& call);
/// Whether some function makes an array, or hands one over.
bool makes_arrays(const ir::Module& module);

}  // namespace pyk
