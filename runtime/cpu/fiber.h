// A stack of its own on which one job after another runs, and stops in the middle.
#pragma once

#include <boost/context/detail/fcontext.hpp>

#include "sanitize.h"
#include "stack_slab.h"

namespace pyk::cpu {

/// Used by one OS thread only. Destroy a fiber only when it is idle: it owns nothing then. This is the layer below
/// boost::context::fiber, since nothing here needs its unwinding and inline switches make a barrier markedly faster.
class Fiber {
  public:
    /// What a fiber runs: `function(data)`, which must not throw.
    struct Job {
        void (*function)(void* data) = nullptr;
        void* data = nullptr;
    };

    explicit Fiber(Stack stack)
        : stack_(stack), inside_(boost::context::detail::make_fcontext(stack.top, stack.size, enter)) {}
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Gives an idle fiber its next job.
    void assign(Job job) { job_ = job; }

    /// Runs the job on, until it suspends (gives true) or is done (false: the fiber is idle again).
    bool resume() {
        StackSwitch to(stack_.top - stack_.size, stack_.size);
        identity_.enter();
        inside_ = boost::context::detail::jump_fcontext(inside_, this).fctx;
        to.done();
        return job_.function != nullptr;
    }

    /// The lowest address of its stack.
    const void* stack_end() const { return stack_.top - stack_.size; }

    /// From within the job: returns to whoever resumed it, until it is resumed again.
    void suspend() {
        StackSwitch to(caller_.bottom, caller_.size);
        identity_.leave();
        outside_ = boost::context::detail::jump_fcontext(outside_, nullptr).fctx;
        caller_ = to.done();
    }

  private:
    using Context = boost::context::detail::fcontext_t;

    [[noreturn]] static void enter(boost::context::detail::transfer_t from);

    Stack stack_;
    Job job_;
    Context inside_;             ///< where the fiber goes on, while it does not run
    Context outside_ = nullptr;  ///< where its resumer goes on, while it runs
    StackExtent caller_;         ///< the resumer's stack
    [[no_unique_address]] FiberIdentity identity_;
};

}  // namespace pyk::cpu
