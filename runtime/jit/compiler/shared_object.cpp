// The one function that the compiler's shared object shows.
#include "jit/compiler/program.h"

extern "C" __attribute__((visibility("default"))) const pyk::jit::Compiler* pyk_compiler(unsigned interface) {
    return interface == pyk::jit::kCompilerInterface ? &pyk::jit::compiler() : nullptr;
}
