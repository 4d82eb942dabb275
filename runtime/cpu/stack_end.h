// Where the stack of the calling OS thread ends.
#pragma once

namespace pyk::cpu {

/// The lowest address; null where the system does not say, or the caller runs on a stack of its own making.
const void* end_of_stack();

}  // namespace pyk::cpu
