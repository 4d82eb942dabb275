// Selections on the CPU, in three passes: how many each tile has, where they go, the elements.
//
// Defines: run_select_on_cpu
#ifndef PYK_SELECT_CPU_H
#define PYK_SELECT_CPU_H

#include "pyk/config.h"
#include "pyk/cpu.h"
#include "pyk/element_load_cpu.h"
#include "pyk/exit.h"
#include "pyk/select_args.h"

namespace pyk {

/// What ends its thread in `f` is not chosen.
template <class T, class F>
inline bool is_chosen(F& f, const T& value) {
    try {
        return f(value);
    } catch (const thread_exit&) {
        return false;
    }
}

/// `f`: whether a value is chosen; `load`: the value of an element.
template <class T, class... In, class F, class Load>
inline void run_select_on_cpu(const cpu_block& block, const select_args& args, F f, Load load) {
    long long* const places = reinterpret_cast<long long*>(args.state);
    if (args.stage == select_stage::places) {
        long long before = 0;
        for (long long tile = 0; tile < args.tiles; ++tile) {
            const long long count = places[tile];
            places[tile] = before;
            before += count;
        }
        *args.chosen = before;
        return;
    }
    const long long index = block.blockIdx.x, first = index * select_tile;
    const long long end = first + select_tile < args.count ? first + select_tile : args.count;
    long long count = 0;
    T* const out = args.stage == select_stage::write ? reinterpret_cast<T*>(args.out) + places[index] : nullptr;
    for (long long i = first; i < end; ++i) {
        const T value = load_on_cpu<false, T, In...>(args.inputs, i, load);
        if (!is_chosen(f, value)) continue;
        if (out) out[count] = value;
        ++count;
    }
    if (!out) places[index] = count;
}

}  // namespace pyk

#endif  // PYK_SELECT_CPU_H
