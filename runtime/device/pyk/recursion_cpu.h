// Recursion on the CPU: an error where the stack would end.
//
// Defines: check_recursion
#ifndef PYK_RECURSION_CPU_H
#define PYK_RECURSION_CPU_H

#include "pyk/cpu.h"
#include "pyk/fail.h"

namespace pyk {

/// At the start of a function that calls itself: what is left of the stack must be enough for its local arrays and
/// those of what it calls, for what is called at the end, and for ending the thread.
[[gnu::always_inline]] inline void check_recursion(const thread& t, unsigned long long local_bytes, const char* error,
                                                   int line, const char* file = "") {
    constexpr unsigned long long rest = 32 * 1024;
    const auto here = reinterpret_cast<unsigned long long>(__builtin_frame_address(0));
    if (__builtin_expect(here < reinterpret_cast<unsigned long long>(t.stack_end) + local_bytes + rest, false))
        fail(t, line, error, file);
}

}  // namespace pyk

#endif  // PYK_RECURSION_CPU_H
