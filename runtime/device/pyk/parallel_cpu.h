// Loops of functions that the host calls, on several cores.
//
// Defines: parallel_for, part_of_loop, run_part
#ifndef PYK_PARALLEL_CPU_H
#define PYK_PARALLEL_CPU_H

#include "pyk/cpu.h"
#include "pyk/exit.h"

namespace pyk {

/// So many iterations, the first of which has the counter `first`.
template <class T>
struct part_of_loop {
    T first, count, step;
    const parallel_turn* turn;

    /// Behind the same of all parts before it.
    template <class F>
    void in_turn(F join) const {
        turn->wait(turn);
        join();
    }
};

/// Calls `part` with a thread like that one, on the stack where it runs. False: the part has ended the thread.
template <class F>
bool run_part(const thread& t, const parallel_turn* turn, F part) {
    thread mine = t;
    mine.stack_end = turn->stack_end;
    try {
        part(mine);
    } catch (const thread_exit& exit) {
        mine.block->exited(mine, exit.why);
        return false;
    }
    return true;
}

/// Python's range, in parts that run at once where the executor can. Each part has a copy of `body`. What ends the
/// thread in one of them ends it here, when all are done.
template <class T, class Body>
inline void parallel_for(thread& t, T start, T stop, T step, Body body) {
    if (step == 0 || (step > 0 ? start >= stop : start <= stop)) return;
    const unsigned long long span =
        step > 0 ? static_cast<unsigned long long>(stop) - static_cast<unsigned long long>(start)
                 : static_cast<unsigned long long>(start) - static_cast<unsigned long long>(stop);
    const unsigned long long width =
        step > 0 ? static_cast<unsigned long long>(step) : 0 - static_cast<unsigned long long>(step);
    struct work_of_all {
        Body& body;
        thread& t;
        T start, step;
    } all{body, t, start, step};
    const parallel_work work = [](void* context, long long first, long long count, const parallel_turn* turn) {
        const work_of_all& shared = *static_cast<work_of_all*>(context);
        Body own = shared.body;
        return run_part(shared.t, turn, [&](thread& mine) {
            own(mine, part_of_loop<T>{static_cast<T>(shared.start + static_cast<T>(first) * shared.step),
                                      static_cast<T>(count), shared.step, turn});
        });
    };
    const auto count = static_cast<long long>((span + width - 1) / width);
    if (!t.block->run_parallel(t.block, count, work, &all)) exit_thread();
}

}  // namespace pyk

#endif  // PYK_PARALLEL_CPU_H
