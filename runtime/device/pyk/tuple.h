// Tuples: plain data with the layout of a C struct of the elements.
//
// Defines: tuple, make_tuple, get, at
#ifndef PYK_TUPLE_H
#define PYK_TUPLE_H

#include "pyk/config.h"
#include "pyk/exit.h"
#include "pyk/places.h"

namespace pyk {

template <int I, class T>
struct element {
    T value;
};

template <class Places, class... T>
struct elements;
template <int... I, class... T>
struct elements<places<I...>, T...> : element<I, T>... {
    elements() = default;
    PYK_HOST_DEVICE constexpr elements(const T&... value) : element<I, T>{value}... {}
};
template <>
struct elements<places<>> {};

/// `tuple<int, float>{1, 2.0f}`. Trivial, as its elements are: memory that is not initialised may hold one.
template <class... T>
struct tuple : elements<typename first_places<int(sizeof...(T))>::type, T...> {
    using elements<typename first_places<int(sizeof...(T))>::type, T...>::elements;
    tuple() = default;
    /// With arrays that are only read in place of arrays.
    template <class... U>
    PYK_HOST_DEVICE operator tuple<U...>() const {
        tuple<U...> other;
        convert(typename first_places<int(sizeof...(T))>::type{}, *this, other);
        return other;
    }
};

template <int I, class T>
PYK_HOST_DEVICE T& get(element<I, T>& e) {
    return e.value;
}
template <int I, class T>
PYK_HOST_DEVICE const T& get(const element<I, T>& e) {
    return e.value;
}

template <int... I, class... T, class... U>
PYK_HOST_DEVICE void convert(places<I...>, const tuple<T...>& from, tuple<U...>& to) {
    ((get<I>(to) = get<I>(from)), ...);
}
template <int... I, class... T>
PYK_HOST_DEVICE void assign(places<I...>, tuple<T...>& t, const T&... value) {
    ((get<I>(t) = value), ...);
}
template <class... T>
PYK_HOST_DEVICE tuple<T...> make_tuple(T... value) {
    tuple<T...> t;
    assign(typename first_places<int(sizeof...(T))>::type{}, t, value...);
    return t;
}

template <class T, int... I, class Tuple>
PYK_DEVICE T pick(places<I...>, const Tuple& t, long long index) {
    T picked = get<0>(t);
    ((picked = index == I ? get<I>(t) : picked), ...);
    return picked;
}
/// An element of a tuple of equal types; a negative index counts from the end. Out of range ends the thread, as in
/// Numba.
template <class T, class... Rest>
PYK_DEVICE T at(const tuple<T, Rest...>& t, long long index) {
    constexpr long long length = 1 + sizeof...(Rest);
    if (index < 0) index += length;
    if (index < 0 || index >= length) exit_thread("IndexError: tuple index out of range");
    return pick<T>(typename first_places<int(length)>::type{}, t, index);
}

/// The same of a table.
template <class T, int Length>
PYK_DEVICE T at(const T (&table)[Length], long long index) {
    if (index < 0) index += Length;
    if (index < 0 || index >= Length) exit_thread("IndexError: tuple index out of range");
    return table[index];
}

}  // namespace pyk

#endif  // PYK_TUPLE_H
