// Accesses of elements that the executor of the CPU watches for races (`--check=race`).
//
// Defines: access_kind, watched_read, watched_store, watched_place, watched_atomic
#ifndef PYK_WATCHED_CPU_H
#define PYK_WATCHED_CPU_H

#include <string.h>

#include <type_traits>

#include "pyk/check.h"
#include "pyk/cpu.h"

namespace pyk {

/// An atomic begins, is made, and ends: from begin to end no other thread's is made, so that their order is known.
enum class access_kind { read, store, atomic, atomic_begins, atomic_ends };

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

/// What `make(at)` gives: an atomic on the element.
template <class T, class Make>
inline auto watched_atomic(const thread& t, T& at, Make make, const void* first, site where) {
    struct atomic_access {
        const thread& t;
        explicit atomic_access(const thread& of) : t(of) { tell(access_kind::atomic_begins, {}); }
        ~atomic_access() { tell(access_kind::atomic_ends, {}); }
        void tell(access_kind kind, const site& where) const { t.block->access(t, kind, nullptr, 0, nullptr, where); }
    } const access(t);
    auto made = make(at);
    t.block->access(t, access_kind::atomic, &at, sizeof(T), first, where);
    return made;
}

}  // namespace pyk

#endif  // PYK_WATCHED_CPU_H
