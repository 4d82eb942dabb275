// Scans on the CPU, in three passes: what each tile comes to, what comes before each, the tiles with that.
//
// Defines: run_scan_on_cpu, run_ordered_scan_on_cpu
#ifndef PYK_SCAN_CPU_H
#define PYK_SCAN_CPU_H

#include "pyk/config.h"
#include "pyk/cpu.h"
#include "pyk/element_load_cpu.h"
#include "pyk/exit.h"
#include "pyk/scan_args.h"

namespace pyk {

template <class T, class... In, class F, class Load>
inline void scan_tile_on_cpu(const scan_args& args, long long index, F& f, Load& load) {
    const long long first = index * scan_tile_on_cpu_elements;
    const long long end =
        first + scan_tile_on_cpu_elements < args.count ? first + scan_tile_on_cpu_elements : args.count;
    const auto value = [&](long long i) { return load_on_cpu<false, T, In...>(args.inputs, i, load); };
    T* const sums = reinterpret_cast<T*>(args.state);
    if (args.stage == scan_stage::sums) {
        T sum = value(first);
        for (long long i = first + 1; i < end; ++i) sum = f(sum, value(i));
        sums[index] = sum;
        return;
    }
    bool is_there = index != 0 || args.has_init;
    T running = index != 0 ? sums[args.tiles + index] : *reinterpret_cast<const T*>(args.init);
    for (long long i = first; i < end; ++i) {
        // Read before the place is written, which may be its own.
        const T next = value(i);
        T* const to = reinterpret_cast<T*>(args.out + i * args.out_step);
        if (args.is_exclusive) *to = running;
        running = is_there ? f(running, next) : next;
        is_there = true;
        if (!args.is_exclusive) *to = running;
    }
}

template <class T, class F>
inline void scan_sums_on_cpu(const scan_args& args, F& f) {
    const T* const sums = reinterpret_cast<const T*>(args.state);
    T* const before = reinterpret_cast<T*>(args.state) + args.tiles;
    T running = args.has_init ? f(*reinterpret_cast<const T*>(args.init), sums[0]) : sums[0];
    for (long long i = 1; i < args.tiles; ++i) {
        before[i] = running;
        running = f(running, sums[i]);
    }
}

/// `f`: of two values; `load`: a value of an element of each input.
template <class T, class... In, class F, class Load>
inline void run_ordered_scan_on_cpu(const cpu_block& block, const scan_args& args, F f, Load load) {
    try {
        if (args.stage == scan_stage::prefixes)
            scan_sums_on_cpu<T>(args, f);
        else
            scan_tile_on_cpu<T, In...>(args, block.blockIdx.x, f, load);
    } catch (const thread_exit&) {
    }
}
template <class T, class... In, class F, class Load>
inline void run_scan_on_cpu(const cpu_block& block, const scan_args& args, F f, Load load) {
    run_ordered_scan_on_cpu<T, In...>(block, args, f, load);
}

}  // namespace pyk

#endif  // PYK_SCAN_CPU_H
