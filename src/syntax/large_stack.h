// A stack of known size: what the caller's thread has left must not decide which files parse.
#pragma once

#include <cstddef>
#include <functional>

namespace pyk::syntax {

/// Runs `work` to its end on a stack of 32 MB. `work` throws nothing.
void on_large_stack(const std::function<void()>& work);

/// True when a quarter of the large stack is used: deep enough for any program that the limits on nesting let pass.
/// Only inside on_large_stack.
bool is_stack_deep();

}  // namespace pyk::syntax
