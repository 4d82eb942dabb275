// Compiles in the background.
#pragma once

#include <functional>

namespace pyk::jit {

/// Runs the work in a thread of its own accord, some at a time. A program that ends drops what has not begun.
void run_in_background(std::function<void()> work);

/// While one lives, a compile is running, in whatever thread: a program that ends waits for it, and does so before the
/// libraries that were opened until now destroy what they hold. `false`: the program is ending, nothing may begin.
class RunningCompile {
  public:
    RunningCompile();
    ~RunningCompile();
    RunningCompile(const RunningCompile&) = delete;
    RunningCompile& operator=(const RunningCompile&) = delete;
    explicit operator bool() const { return may_run_; }

  private:
    bool may_run_;
};

}  // namespace pyk::jit
