// Compiles in the background.
#pragma once

#include <functional>

namespace pyk::jit {

/// Runs the work in a thread of its own accord, some at a time. A program that ends waits for what has begun and drops
/// the rest.
void run_in_background(std::function<void()> work);

}  // namespace pyk::jit
