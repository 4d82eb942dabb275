// What the launches of a sort say: filled in by the host, read by sort.h and sort_cpu.h. Tiles are sorted by
// themselves, then runs of tiles are merged in pairs, twice as long each time.
//
// Defines: sort_args, sort_stage, sort_key, sort_entry, key_order, sort_items, sort_tile,
// merged_split
#ifndef PYK_SORT_ARGS_H
#define PYK_SORT_ARGS_H

#include "pyk/config.h"
#include "pyk/reduce_args.h"

namespace pyk {

inline constexpr int sort_items = 4;
inline constexpr int sort_tile = 256 * sort_items;

enum class sort_stage : int { tiles, merge, keys, places };

/// What is moved while keys are sorted: a key, or where a larger one is.
template <class T, bool IsLarge = (sizeof(T) > 16)>
struct sort_key {
    using type = T;
    PYK_HOST_DEVICE static const T& of(const T& key) { return key; }
    template <class Load>
    PYK_HOST_DEVICE static T make(const element_input& input, long long index, Load& load) {
        return load(*reinterpret_cast<const T*>(input.data + index * input.step));
    }
};
template <class T>
struct sort_key<T, true> {
    using type = const T*;
    PYK_HOST_DEVICE static const T& of(const T* key) { return *key; }
    template <class Load>
    PYK_HOST_DEVICE static const T* make(const element_input& input, long long index, Load&) {
        return reinterpret_cast<const T*>(input.data + index * input.step);
    }
};

/// An element and where it was; -1: there is none.
template <class T>
struct sort_entry {
    typename sort_key<T>::type key;
    long long place;
};

/// An order of keys, as one of what is moved.
template <class T, class F>
struct key_order {
    F& f;
    template <class Key>
    PYK_HOST_DEVICE bool operator()(const Key& a, const Key& b) const {
        return f(sort_key<T>::of(a), sort_key<T>::of(b));
    }
};

struct sort_args {
    static constexpr int threads = 256, blocks_at_once = 0;
    long long count;  ///< of elements
    sort_stage stage;
    long long run;     ///< elements of a sorted run that is merged with the next
    const char* from;  ///< entries
    char* to;          ///< entries, keys or places
    element_input inputs[most_inputs];
};

/// Of two sorted runs merged, the first `count` elements: how many are of the first. Equal ones of the first come
/// first.
template <class Entry, class F>
PYK_DEVICE long long merged_split(const Entry* first, long long of_first, const Entry* second, long long of_second,
                                  long long count, F& f) {
    long long least = count > of_second ? count - of_second : 0, most = count < of_first ? count : of_first;
    while (least < most) {
        const long long middle = (least + most) / 2;
        if (f(second[count - 1 - middle].key, first[middle].key))
            most = middle;
        else
            least = middle + 1;
    }
    return least;
}

}  // namespace pyk

#endif  // PYK_SORT_ARGS_H
