// Where the compiler comes from: a shared object that is opened when it is needed, or the program itself.
#pragma once

#include "jit/compiler/interface.h"

namespace pyk::jit {

/// For programs that have the compiler in them, as pykc has: to be called before anything is loaded.
void use_compiler(const Compiler& compiler);

/// Opens it at the first call: $PYK_COMPILER, else `libpyk_compiler.so` or `pyk/libpyk_compiler.so` in the folder of
/// the file that this code is in, in `../lib` of it, or where the loader looks for the libraries of the program.
Result<const Compiler*> open_compiler();

/// What tells it from other versions, without opening it; empty: there is none.
std::string compiler_identity();

}  // namespace pyk::jit
