// Compiled as C++17: what users include, without the compiler's headers.
#include "pyk/aot.h"
#include "pyk/aot_array.h"
#include "pyk/aot_core.h"
#include "pyk/aot_function.h"
#include "pyk/aot_stencil.h"
#include "pyk/runtime.h"

static_assert(__cplusplus == 201703L);
static_assert(sizeof(pyk::Array<float, 2>) > 0);
