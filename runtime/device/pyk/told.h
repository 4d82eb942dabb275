// What ends a thread without a line, told with one: in debug code of the CPU.
//
// Defines: told
#ifndef PYK_TOLD_H
#define PYK_TOLD_H

#include "pyk/fail.h"

namespace pyk {

#ifndef __CUDACC__

/// The value of a call that may end the thread.
template <class Call>
auto told(const thread& t, int line, const Call& call) {
    try {
        return call();
    } catch (const thread_exit& exit) {
        if (!exit.why) throw;
        fail(t, line, exit.why);
    }
}

#endif

}  // namespace pyk

#endif  // PYK_TOLD_H
