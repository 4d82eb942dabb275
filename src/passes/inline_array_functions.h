// The library's functions of whole arrays become part of what calls them, so that their loops can be one with others.
#pragma once

#include "ir/ir.h"

namespace pyk {

/// A call of a function of the library's that loops over arrays and returns at its end is replaced by its body, whose
/// statements are then the caller's: where the caller is `parallel`, or makes arrays that the function takes, or takes
/// one that it makes.
void inline_array_functions(ir::Module& module);

}  // namespace pyk
