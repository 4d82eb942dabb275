// The one function that the compiler's shared object shows.
#include "jit/compiler/program.h"

extern "C" __attribute__((visibility("default"))) const pyk::jit::Compiler* pyk_compiler(unsigned interface) {
    if (interface != pyk::jit::kCompilerInterface) return nullptr;
    // The first parse makes static objects of ANTLR's, which are destroyed when the process ends: made here, in the
    // order that libpyk counts on, and not in the midst of a compile.
    (void)pyk::jit::compiler().open("", "pass\n", {}, "");
    return &pyk::jit::compiler();
}

// The compiler's static objects are never destroyed: a parse or a compile may be running when the process ends. Nor are
// those of the libraries that it is made of, which find this first where it was opened with RTLD_DEEPBIND.
extern "C" __attribute__((visibility("default"))) int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
