// AddressSanitizer and ThreadSanitizer have to be told of every switch of stacks: Debian's Boost.Context is not built
// to do so.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define PYK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PYK_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define PYK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PYK_TSAN 1
#endif
#endif

#ifdef PYK_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef PYK_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace pyk::cpu {

struct StackExtent {
    const void* bottom = nullptr;
    std::size_t size = 0;
};

/// Around a switch: made before it, `done` after the stack was switched back. Does nothing without AddressSanitizer.
class StackSwitch {
  public:
#ifdef PYK_ASAN
    StackSwitch(const void* bottom, std::size_t size) { __sanitizer_start_switch_fiber(&fake_stack_, bottom, size); }
    StackExtent done() { return arrived(fake_stack_); }
    /// After the first switch to a fresh stack. Gives the stack that was left.
    static StackExtent arrived(void* fake_stack = nullptr) {
        StackExtent from;
        __sanitizer_finish_switch_fiber(fake_stack, &from.bottom, &from.size);
        return from;
    }

  private:
    void* fake_stack_ = nullptr;
#else
    StackSwitch(const void*, std::size_t) {}
    StackExtent done() { return {}; }
    static StackExtent arrived() { return {}; }
#endif
};

/// Before memory that held stacks is given back: frames that never returned must not be seen in what comes to lie
/// there.
inline void forget_stacks([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef PYK_ASAN
    __asan_unpoison_memory_region(memory, bytes);
#endif
}

/// What ThreadSanitizer knows of a fiber: told just before each switch to it, and back.
class FiberIdentity {
  public:
#ifdef PYK_TSAN
    FiberIdentity() : inside_(__tsan_create_fiber(0)) {}
    ~FiberIdentity() { __tsan_destroy_fiber(inside_); }
    FiberIdentity(const FiberIdentity&) = delete;
    FiberIdentity& operator=(const FiberIdentity&) = delete;
    void enter() {
        outside_ = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(inside_, 0);
    }
    void leave() { __tsan_switch_to_fiber(outside_, 0); }

  private:
    void* inside_;
    void* outside_ = nullptr;
#else
    void enter() {}
    void leave() {}
#endif
};

}  // namespace pyk::cpu
