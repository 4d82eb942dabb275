// Which of a kernel's signatures a launch means.
#pragma once

#include "jit/compiler/interface.h"
#include "sema/sema.h"

namespace pyk::jit {

/// The signature that the decorator declares and that fits best, as Numba's overload resolution has it; of a kernel
/// without signatures, the types themselves.
Result<Signature> choose_signature(const KernelInfo& kernel, const std::vector<Type>& types);

/// The same of a function that the host calls: where signatures are declared, arguments convert as Numba's dispatcher
/// converts them. An error where two fit equally well.
Result<Signature> choose_for_call(const KernelInfo& function, const std::vector<Type>& types);

}  // namespace pyk::jit
