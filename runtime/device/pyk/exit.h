// Ends the calling thread: what Numba does where Python would raise. The thread leaves the count of later barriers.
//
// Defines: exit_thread, thread_exit
#ifndef PYK_EXIT_H
#define PYK_EXIT_H

#include "pyk/config.h"

namespace pyk {

#ifdef __CUDACC__
[[noreturn]] PYK_DEVICE void exit_thread() {
    asm volatile("exit;");
    __builtin_unreachable();
}
#else
/// Thrown to end a thread; whoever runs the threads of a block catches it around each.
struct thread_exit {};
[[noreturn]] inline void exit_thread() { throw thread_exit{}; }
#endif

}  // namespace pyk

#endif  // PYK_EXIT_H
