// A stack of its own on which one job after another runs, and stops in the middle.
#pragma once

#include <boost/context/fiber.hpp>

#include "stack_slab.h"

namespace pyk::cpu {

/// Used by one OS thread only.
class Fiber {
  public:
    /// What a fiber runs: `function(data)`, which must not throw.
    struct Job {
        void (*function)(void* data) = nullptr;
        void* data = nullptr;
    };

    explicit Fiber(Stack stack);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Gives an idle fiber its next job.
    void assign(Job job) { job_ = job; }
    /// Runs the job on, until it suspends (gives true) or is done (false: the fiber is idle again).
    bool resume();
    /// From within the job: returns to whoever resumed it, until it is resumed again.
    void suspend();

  private:
    void run_jobs();

    Stack stack_;
    Job job_;
    boost::context::fiber inside_;   ///< the suspended fiber, while it does not run
    boost::context::fiber outside_;  ///< who resumed it, while it runs
    const void* caller_stack_ = nullptr;
    std::size_t caller_stack_size_ = 0;
};

}  // namespace pyk::cpu
