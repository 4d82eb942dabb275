// What is asked of an array rarely: its address, its strides, its only element.
//
// Defines: address, pointer, stride, item
#ifndef PYK_ARRAY_ITEM_H
#define PYK_ARRAY_ITEM_H

#include "pyk/array.h"
#include "pyk/exit.h"

namespace pyk {

template <class T, int N, class Layout>
PYK_DEVICE unsigned long long address(const array<T, N, Layout>& a) {
    return (unsigned long long)a.data;
}

/// `ffi.from_buffer(a)`
template <class T, int N, class Layout>
PYK_DEVICE T* pointer(const array<T, N, Layout>& a) {
    return a.data;
}

template <class T, int N, class Layout>
PYK_DEVICE long long stride(const array<T, N, Layout>& a, int axis) {
    return a.stride(axis);
}

/// `a.item()`: an array of more or fewer elements ends the thread, as in Numba.
template <class T, int N, class Layout>
PYK_DEVICE T item(const array<T, N, Layout>& a) {
    if (size(a) != 1) exit_thread("ValueError: item: the array has not exactly one element");
    return *a.data;
}

}  // namespace pyk

#endif  // PYK_ARRAY_ITEM_H
