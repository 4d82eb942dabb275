// Compiles in the background.
#pragma once

#include <functional>

#include "pyk/status.h"

namespace pyk::jit {

/// Fails in a process that was forked off one that had called it: threads that compile, and what they hold, are not
/// here.
Status check_not_forked();

/// Runs the work in a thread of its own accord, some at a time. A program that ends drops what has not begun. In a
/// process that was forked off there are no such threads: at once, so that it can say what is wrong.
void run_in_background(std::function<void()> work);

/// To be called when libraries were opened: a program that ends waits for what is running before they destroy what they
/// hold.
void wait_at_exit();

/// While one lives, a parse or a compile is running, in whatever thread: a program that ends waits for it. `false`: the
/// program is ending, nothing may begin.
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
