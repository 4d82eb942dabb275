// Ends the calling thread: what Numba does where Python would raise. The thread leaves the count of later barriers.
//
// Defines: exit_thread, thread_exit
#ifndef PYK_EXIT_H
#define PYK_EXIT_H

#include "pyk/config.h"

namespace pyk {

#ifdef __CUDACC__
[[noreturn]] PYK_DEVICE void exit_thread(const char* = nullptr) {
    asm volatile("exit;");
    __builtin_unreachable();
}
#else
/// Thrown to end a thread; whoever runs the threads of a block catches it around each, and reports the reason.
struct thread_exit {
    const char* why;  ///< null: it was reported, or is nobody's concern
};
[[noreturn]] inline void exit_thread(const char* why = nullptr) { throw thread_exit{why}; }
#endif

}  // namespace pyk

#endif  // PYK_EXIT_H
