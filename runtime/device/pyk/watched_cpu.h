// Accesses of elements that the executor of the CPU watches for races (`--check=race`).
//
// Defines: access_kind, watched_read, watched_store, watched_place
#ifndef PYK_WATCHED_CPU_H
#define PYK_WATCHED_CPU_H

#include <string.h>

#include <type_traits>

#include "pyk/check.h"
#include "pyk/cpu.h"

namespace pyk {

enum class access_kind { read, store, atomic };

/// The element. `first`: of its array; null: not known.
template <class T>
inline T watched_read(const thread& t, const T& at, const void* first, site where) {
    t.block->access(t, access_kind::read, &at, sizeof(T), first, where);
    return at;
}

/// Stores. What stays as it was is no store: threads may well write one value.
template <class T, class V>
inline void watched_store(const thread& t, T& at, const V& value, const void* first, site where) {
    T now = at;
    if constexpr (std::is_arithmetic_v<T>)
        now = static_cast<T>(value);
    else
        now = value;
    if (memcmp(&now, &at, sizeof(T)) != 0) t.block->access(t, access_kind::store, &at, sizeof(T), first, where);
    at = now;
}

/// The element as a place, for what accesses it as `kind` says.
template <class T>
inline T& watched_place(const thread& t, access_kind kind, T& at, const void* first, site where) {
    t.block->access(t, kind, &at, sizeof(T), first, where);
    return at;
}

}  // namespace pyk

#endif  // PYK_WATCHED_CPU_H
