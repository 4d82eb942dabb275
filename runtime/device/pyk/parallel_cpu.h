// Loops of functions that the host calls, on several cores.
//
// Defines: parallel_for, part_of_loop, run_parts, most_parts
#ifndef PYK_PARALLEL_CPU_H
#define PYK_PARALLEL_CPU_H

#include "pyk/cpu.h"
#include "pyk/exit.h"

namespace pyk {

constexpr long long most_parts = 256;

/// Calls `body(thread, part, first, count)` for parts of iterations 0 … count - 1, at once where the executor can, each
/// with a copy of `body` and on a thread like that one. What ends the thread in one of them ends it here, when all are
/// done.
template <class Body>
inline void run_parts(thread& t, long long count, long long parts, const Body& body) {
    struct work_of_all {
        const Body& body;
        thread& t;
    } all{body, t};
    const parallel_work work = [](void* context, long long part, long long first, long long n, const void* stack_end) {
        const work_of_all& shared = *static_cast<work_of_all*>(context);
        thread mine = shared.t;
        mine.stack_end = stack_end;
        try {
            Body own = shared.body;
            own(mine, part, first, n);
        } catch (const thread_exit& exit) {
            mine.block->exited(mine, exit.why);
            return false;
        }
        return true;
    };
    if (!t.block->run_parallel(t.block, count, parts, work, &all)) exit_thread();
}

/// Then `join` for what each call has given, in the parts' order: the result does not depend on which was done first,
/// nor, where the number of parts does not, on the number of cores.
template <class Body, class Join>
inline void run_parts(thread& t, long long count, long long parts, const Body& body, Join join) {
    using Built = decltype(Body(body)(t, 0LL, 0LL, 0LL));
    Built built[most_parts];
    run_parts(t, count, parts, [&built, &body](thread& mine, long long part, long long first, long long n) {
        Body own = body;
        built[part] = own(mine, part, first, n);
    });
    for (long long part = 0; part < parts; ++part) join(built[part]);
}

/// So many iterations, the first of which has the counter `first`.
template <class T>
struct part_of_loop {
    T first, count, step;
};

/// Python's range, in parts: `body(thread, part_of_loop)`. With a `join`: run_parts' own.
template <class T, class Body, class... Join>
inline void parallel_for(thread& t, T start, T stop, T step, Body body, Join... join) {
    if (step == 0 || (step > 0 ? start >= stop : start <= stop)) return;
    const unsigned long long span =
        step > 0 ? static_cast<unsigned long long>(stop) - static_cast<unsigned long long>(start)
                 : static_cast<unsigned long long>(start) - static_cast<unsigned long long>(stop);
    const unsigned long long width =
        step > 0 ? static_cast<unsigned long long>(step) : 0 - static_cast<unsigned long long>(step);
    const auto count = static_cast<long long>((span + width - 1) / width);
    const auto part_of = [body, start, step](thread& mine, long long, long long first, long long n) mutable {
        return body(mine,
                    part_of_loop<T>{static_cast<T>(start + static_cast<T>(first) * step), static_cast<T>(n), step});
    };
    run_parts(t, count, count < most_parts ? count : most_parts, part_of, join...);
}

}  // namespace pyk

#endif  // PYK_PARALLEL_CPU_H
