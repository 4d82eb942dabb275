#include "fiber.h"

#include <memory>
#include <utility>

// Debian's Boost.Context is not built for AddressSanitizer, which has to be told of every switch of stacks.
#if defined(__SANITIZE_ADDRESS__)
#define PYK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PYK_ASAN 1
#endif
#endif
#ifdef PYK_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace pyk::cpu {
namespace {

/// Hands Boost a stack that it does not own.
struct Borrowed {
    Stack stack;
    boost::context::stack_context allocate() {
        boost::context::stack_context context;
        context.sp = stack.top;
        context.size = stack.size;
        return context;
    }
    void deallocate(boost::context::stack_context&) {}
};

void start_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] const void* bottom,
                  [[maybe_unused]] std::size_t size) {
#ifdef PYK_ASAN
    __sanitizer_start_switch_fiber(fake_stack, bottom, size);
#endif
}

void finish_switch([[maybe_unused]] void* fake_stack, [[maybe_unused]] const void** from,
                   [[maybe_unused]] std::size_t* size) {
#ifdef PYK_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, from, size);
#endif
}

}  // namespace

Fiber::Fiber(Stack stack)
    : stack_(stack), inside_(std::allocator_arg, Borrowed{stack}, [this](boost::context::fiber&& outside) {
          outside_ = std::move(outside);
          run_jobs();
          start_switch(nullptr, caller_stack_, caller_stack_size_);
          return std::move(outside_);
      }) {}

Fiber::~Fiber() {
    job_ = {};
    if (inside_) resume();
}

bool Fiber::resume() {
    void* fake_stack = nullptr;
    start_switch(&fake_stack, stack_.top - stack_.size, stack_.size);
    inside_ = std::move(inside_).resume();
    finish_switch(fake_stack, nullptr, nullptr);
    return job_.function != nullptr;
}

void Fiber::suspend() {
    void* fake_stack = nullptr;
    start_switch(&fake_stack, caller_stack_, caller_stack_size_);
    outside_ = std::move(outside_).resume();
    finish_switch(fake_stack, &caller_stack_, &caller_stack_size_);
}

void Fiber::run_jobs() {
    finish_switch(nullptr, &caller_stack_, &caller_stack_size_);
    while (job_.function) {
        job_.function(job_.data);
        job_ = {};
        suspend();
    }
}

}  // namespace pyk::cpu
