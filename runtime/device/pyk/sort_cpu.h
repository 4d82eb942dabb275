// Stable merge sort on the CPU: a block sorts a tile, or makes a tile of the merged runs.
//
// Defines: run_sort_on_cpu
#ifndef PYK_SORT_CPU_H
#define PYK_SORT_CPU_H

#include "pyk/config.h"
#include "pyk/cpu.h"
#include "pyk/element_load_cpu.h"
#include "pyk/exit.h"
#include "pyk/sort_args.h"

namespace pyk {

/// `count` entries from two sorted runs on.
template <class Entry, class F>
inline void merge_on_cpu(const Entry* first, long long of_first, const Entry* second, long long of_second, Entry* to,
                         long long count, F& f) {
    long long i = 0, j = 0;
    for (long long k = 0; k < count; ++k) {
        const bool takes_second = i == of_first || (j < of_second && f(second[j].key, first[i].key));
        to[k] = takes_second ? second[j++] : first[i++];
    }
}

template <class Entry, class F>
inline void sort_tile_on_cpu(Entry* entries, int count, F& f) {
    constexpr int few = 16;
    for (int begin = 0; begin < count; begin += few)
        for (int i = begin + 1; i < begin + few && i < count; ++i) {
            const Entry entry = entries[i];
            int k = i;
            for (; k > begin && f(entry.key, entries[k - 1].key); --k) entries[k] = entries[k - 1];
            entries[k] = entry;
        }
    Entry merged[sort_tile];
    for (int run = few; run < count; run *= 2) {
        for (int begin = 0; begin < count; begin += 2 * run) {
            const int middle = begin + run < count ? begin + run : count;
            const int end = begin + 2 * run < count ? begin + 2 * run : count;
            merge_on_cpu(entries + begin, middle - begin, entries + middle, end - middle, merged + begin, end - begin,
                         f);
        }
        for (int i = 0; i < count; ++i) entries[i] = merged[i];
    }
}

template <class T, class F>
inline void merge_tile_on_cpu(const sort_args& args, long long out, long long end_of_tile, F& f) {
    using entry = sort_entry<T>;
    const long long begin = out / (2 * args.run) * (2 * args.run);
    const long long middle = begin + args.run < args.count ? begin + args.run : args.count;
    const long long end = begin + 2 * args.run < args.count ? begin + 2 * args.run : args.count;
    const entry* const from = reinterpret_cast<const entry*>(args.from);
    const entry *const first = from + begin, *const second = from + middle;
    const long long split = merged_split(first, middle - begin, second, end - middle, out - begin, f);
    const long long other = out - begin - split;
    merge_on_cpu(first + split, middle - begin - split, second + other, end - middle - other,
                 reinterpret_cast<entry*>(args.to) + out, end_of_tile - out, f);
}

/// `f`: whether one value comes before another; `load`: the value of an element, of the same type.
template <class T, class In, class F, class Load>
inline void run_sort_on_cpu(const cpu_block& block, const sort_args& args, F f, Load load) {
    using entry = sort_entry<T>;
    key_order<T, F> order{f};
    const long long first = block.blockIdx.x * static_cast<long long>(sort_tile);
    const long long end = first + sort_tile < args.count ? first + sort_tile : args.count;
    const entry* const from = reinterpret_cast<const entry*>(args.from);
    try {
        if (args.stage == sort_stage::tiles) {
            entry* const entries = reinterpret_cast<entry*>(args.to) + first;
            for (long long i = first; i < end; ++i)
                entries[i - first] = {sort_key<T>::make(args.inputs[0], i, load), i};
            sort_tile_on_cpu(entries, static_cast<int>(end - first), order);
        } else if (args.stage == sort_stage::merge) {
            merge_tile_on_cpu<T>(args, first, end, order);
        } else {
            for (long long i = first; i < end; ++i)
                if (args.stage == sort_stage::keys)
                    reinterpret_cast<T*>(args.to)[i] = sort_key<T>::of(from[i].key);
                else
                    reinterpret_cast<long long*>(args.to)[i] = from[i].place;
        }
    } catch (const thread_exit&) {
    }
}

}  // namespace pyk

#endif  // PYK_SORT_CPU_H
