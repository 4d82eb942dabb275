// Other shapes for the elements of a contiguous array.
//
// Defines: reshape
#ifndef PYK_RESHAPE_H
#define PYK_RESHAPE_H

#include "pyk/array.h"
#include "pyk/exit.h"

namespace pyk {

template <class Layout>
struct in_c_order {
    static constexpr bool value = false;
};
template <>
struct in_c_order<C> {
    static constexpr bool value = true;
};

/// Whether two shapes differ by axes of one element at most.
PYK_DEVICE bool same_but_ones(const long long* a, int n, const long long* b, int m) {
    int i = 0;
    int j = 0;
    while (true) {
        while (i < n && a[i] == 1) ++i;
        while (j < m && b[j] == 1) ++j;
        if (i == n || j == m) return i == n && j == m;
        if (a[i++] != b[j++]) return false;
    }
}

/// `a.reshape(extent…)`: one extent may be -1 and follows from the others. A shape that does not fit ends the thread,
/// as in Numba, and so does one that a Fortran array could have as a copy only.
template <class T, int N, class Layout, class... I>
PYK_DEVICE array<T, int(sizeof...(I)), Layout> reshape(const array<T, N, Layout>& a, I... extent) {
    array<T, int(sizeof...(I)), Layout> view;
    view.data = a.data;
    int axis = 0;
    ((view.shape[axis++] = static_cast<long long>(extent)), ...);
    // No index that is known at run time: the extents would lie in memory then, not in registers.
    constexpr int ndim = int(sizeof...(I));
    long long known = 1;
    int open = 0;
    for (int k = 0; k < ndim; ++k)
        if (view.shape[k] == -1)
            ++open;
        else
            known *= view.shape[k];
    const long long count = size(a);
    const long long rest = open == 1 && known != 0 ? count / known : 0;
    for (int k = 0; k < ndim; ++k)
        if (view.shape[k] == -1) view.shape[k] = rest;
    if (open > 1 || known * (open != 0 ? rest : 1) != count)
        exit_thread("ValueError: reshape: the number of elements is another");
    if (!in_c_order<Layout>::value && !same_but_ones(a.shape, N, view.shape, ndim))
        exit_thread("ValueError: reshape: the elements do not lie one behind the other");
    return view;
}

}  // namespace pyk

#endif  // PYK_RESHAPE_H
