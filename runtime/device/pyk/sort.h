// Stable merge sort on GPUs: tiles by CUB, then passes in which a block of 256 threads makes a tile of the merged runs.
//
// Defines: run_sort
#ifndef PYK_SORT_H
#define PYK_SORT_H

#ifdef __CUDACC__
#include <cub/block/block_merge_sort.cuh>
#endif

#include "pyk/config.h"
#include "pyk/element_load.h"
#include "pyk/sort_args.h"

#ifdef __CUDACC__

namespace pyk {

/// What is no element comes last.
template <class F>
struct entry_order {
    F f;
    template <class Entry>
    PYK_DEVICE bool operator()(const Entry& a, const Entry& b) const {
        if (a.place < 0 || b.place < 0) return a.place >= 0 && b.place < 0;
        return f(a.key, b.key);
    }
};

/// What a block needs while it sorts, and while it merges.
template <class T>
union sort_storage {
    typename cub::BlockMergeSort<sort_entry<T>, 256, sort_items>::TempStorage sort;
    alignas(16) unsigned char bytes[sort_tile * sizeof(sort_entry<T>)];
};

template <class T, class F, class Load>
PYK_DEVICE void sort_one_tile(sort_storage<T>& shared, const sort_args& args, F& f, Load& load) {
    using entry = sort_entry<T>;
    using sort = cub::BlockMergeSort<entry, 256, sort_items>;
    const long long first = static_cast<long long>(blockIdx.x) * sort_tile + threadIdx.x * sort_items;
    entry entries[sort_items];
#pragma unroll
    for (int k = 0; k < sort_items; ++k) {
        const bool is_there = first + k < args.count;
        entries[k] = {sort_key<T>::make(args.inputs[0], is_there ? first + k : 0, load), is_there ? first + k : -1};
    }
    sort(shared.sort).Sort(entries, entry_order<F>{f});
    entry* const to = reinterpret_cast<entry*>(args.to);
#pragma unroll
    for (int k = 0; k < sort_items; ++k)
        if (first + k < args.count) to[first + k] = entries[k];
}

template <class T, class F>
PYK_DEVICE void merge_one_tile(sort_storage<T>& storage, const sort_args& args, F& f) {
    using entry = sort_entry<T>;
    __shared__ long long splits[2];
    entry* const shared = reinterpret_cast<entry*>(storage.bytes);
    const long long out = static_cast<long long>(blockIdx.x) * sort_tile;
    const long long begin = out / (2 * args.run) * (2 * args.run);
    const auto cut = [&](long long at) { return at < args.count ? at : args.count; };
    const long long middle = cut(begin + args.run), end = cut(begin + 2 * args.run);
    const entry* const from = reinterpret_cast<const entry*>(args.from);
    const entry *const first = from + begin, *const second = from + middle;
    const long long of_first = middle - begin, of_second = end - middle;
    const long long least = out - begin, most = cut(out + sort_tile) - begin;
    if (threadIdx.x < 2)
        splits[threadIdx.x] = merged_split(first, of_first, second, of_second, threadIdx.x ? most : least, f);
    __syncthreads();
    const int all = static_cast<int>(most - least);
    // An order that is none, as of NaNs, may split at the end before where it splits at the start.
    const long long wanted = splits[1] - splits[0];
    const int a = wanted < 0 ? 0 : wanted > all ? all : static_cast<int>(wanted), b = all - a;
    for (int i = static_cast<int>(threadIdx.x); i < all; i += 256)
        shared[i] = i < a ? first[splits[0] + i] : second[least - splits[0] + i - a];
    __syncthreads();
    entry* const to = reinterpret_cast<entry*>(args.to) + out;
    const int at = static_cast<int>(threadIdx.x) * sort_items;
    if (at >= all) return;
    int i = static_cast<int>(merged_split(shared, a, shared + a, b, at, f)), j = at - i;
    for (int k = at; k < at + sort_items && k < all; ++k) {
        const bool takes_second = i == a || (j < b && f(shared[a + j].key, shared[i].key));
        to[k] = takes_second ? shared[a + j] : shared[i];
        (takes_second ? j : i) += 1;
    }
}

/// `f`: whether one value comes before another; `load`: the value of an element, of the same type.
template <class T, class In, class F, class Load>
PYK_DEVICE void run_sort(const sort_args& args, F f, Load load) {
    __shared__ sort_storage<T> shared;
    key_order<T, F> order{f};
    if (args.stage == sort_stage::tiles) return sort_one_tile<T>(shared, args, order, load);
    if (args.stage == sort_stage::merge) return merge_one_tile<T>(shared, args, order);
    const auto* const from = reinterpret_cast<const sort_entry<T>*>(args.from);
    const long long first = static_cast<long long>(blockIdx.x) * sort_tile;
#pragma unroll
    for (int k = 0; k < sort_items; ++k) {
        const long long i = first + k * 256 + threadIdx.x;
        if (i >= args.count) continue;
        if (args.stage == sort_stage::keys)
            reinterpret_cast<T*>(args.to)[i] = sort_key<T>::of(from[i].key);
        else
            reinterpret_cast<long long*>(args.to)[i] = from[i].place;
    }
}

}  // namespace pyk

#endif

#endif  // PYK_SORT_H
