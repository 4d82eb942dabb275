// Loops over all elements of arrays, in functions that the host calls, on several cores where that pays.
//
// Defines: elements_of, elements_in_order, flattened, loop_elements, loop_rows, parallel_build, parallel_elements,
// repeated, side_by_side_array
#ifndef PYK_ELEMENTS_CPU_H
#define PYK_ELEMENTS_CPU_H

#include "pyk/array.h"
#include "pyk/overlaps_cpu.h"
#include "pyk/parallel_cpu.h"
#include "pyk/strided.h"

namespace pyk {

/// How far such a loop goes along each axis, and how its iterations may run.
template <int N>
struct loop_elements {
    long long extent[N];
    bool at_once = true;
};

template <class T, int N, class Layout>
bool is_dense(const array<T, N, Layout>& a) {
    long long bytes = sizeof(T);
    if (a.stride(N - 1) != bytes) return false;  // also where it has one element: it takes the place of all
    for (int axis = N - 1; axis >= 0; --axis) {
        if (a.shape[axis] != 1 && a.stride(axis) != bytes) return false;
        bytes *= a.shape[axis];
    }
    return true;
}

/// Of a loop that stores to `target` and reads the others, of the same shape, each at the loop's counters alone. Where
/// all lie in C order the last axis takes the place of all, unless indices are checked.
template <bool may_be_flat = true, class T, int N, class Layout, class... Sources>
loop_elements<N> elements_of(const array<T, N, Layout>& target, const Sources&... sources) {
    loop_elements<N> loop;
    loop.at_once = !(overlaps(target, sources) || ...);
    const bool is_flat = may_be_flat && N > 1 && is_dense(target) && (is_dense(sources) && ...);
    for (int axis = 0; axis < N; ++axis) loop.extent[axis] = is_flat ? 1 : target.shape[axis];
    if (is_flat) loop.extent[N - 1] = size(target);
    return loop;
}

/// The same of a loop that stores nothing.
template <int N, class... Sources>
loop_elements<N> flattened(loop_elements<N> loop, const Sources&... sources) {
    if (N == 1 || !(is_dense(sources) && ...)) return loop;
    for (int axis = 0; axis < N - 1; ++axis) {
        loop.extent[N - 1] *= loop.extent[axis];
        loop.extent[axis] = 1;
    }
    return loop;
}

/// Elements of such a loop, one row along the last axis after the other: `at` has the counters, of which the last goes
/// from there to `end`.
template <int N>
class loop_rows {
  public:
    long long at[N], end = 0;

    loop_rows(const loop_elements<N>& loop, long long first, long long count) : loop_(loop), left_(count) {
        for (int axis = N - 1; axis >= 0; --axis) {
            at[axis] = loop.extent[axis] ? first % loop.extent[axis] : 0;
            first = loop.extent[axis] ? first / loop.extent[axis] : 0;
        }
    }
    bool next() {
        if (left_ <= 0) return false;
        if (end) {
            at[N - 1] = 0;
            for (int axis = N - 2; axis >= 0 && ++at[axis] == loop_.extent[axis]; --axis) at[axis] = 0;
        }
        const long long row = loop_.extent[N - 1] - at[N - 1], count = row < left_ ? row : left_;
        end = at[N - 1] + count;
        left_ -= count;
        return true;
    }

  private:
    const loop_elements<N>& loop_;
    long long left_;
};

/// An array of any strides whose elements turned out to lie side by side along the last axis, or to be one element for
/// all of it (`repeats`): a compiler that knows it computes several at once.
template <class T, int N, bool repeats = false>
struct side_by_side_array {
    T* data;
    long long shape[N];    ///< for what checks indices
    long long strides[N];  ///< in bytes

    explicit side_by_side_array(const array<T, N, A>& a) : data(a.data) {
        for (int axis = 0; axis < N; ++axis) {
            shape[axis] = a.shape[axis];
            strides[axis] = a.strides[axis];
        }
    }

    template <class... I>
    T& operator()(I... index) const {
        const long long at[] = {static_cast<long long>(index)...};
        long long bytes = 0;
        for (int axis = 0; axis < N - 1; ++axis) bytes += at[axis] * strides[axis];
        T* const row = moved_by(data, bytes);
        return repeats ? *row : row[at[N - 1]];
    }
};

/// An array that should have one element for all of the last axis, as `a[:, None]` stretched to a wider shape has.
template <class T, int N>
struct repeating : array<T, N, A> {};
template <class T, int N>
repeating<T, N> repeated(const array<T, N, A>& a) {
    return {a};
}

// Of other layouts the compiler knows that or the contrary.
template <class Array>
constexpr bool may_turn_out = false;
template <class T, int N>
constexpr bool may_turn_out<array<T, N, A>> = true;
template <class T, int N>
constexpr bool may_turn_out<repeating<T, N>> = true;

// Also of an array that holds its memory.
template <class T, int N, class Layout>
bool lies_side_by_side(const array<T, N, Layout>&) {
    return true;
}
template <class T, int N>
bool lies_side_by_side(const array<T, N, A>& a) {
    return a.strides[N - 1] == static_cast<long long>(sizeof(T));
}
template <class T, int N>
bool lies_side_by_side(const repeating<T, N>& a) {
    return a.strides[N - 1] == 0;
}
/// Without its share of the memory, which the caller has.
template <class T, int N, class Layout>
array<T, N, Layout> borrowed(const array<T, N, Layout>& a) {
    return a;
}
template <class T, int N, class Layout>
array<T, N, Layout> as_side_by_side(const array<T, N, Layout>& a) {
    return a;
}
template <class T, int N>
side_by_side_array<T, N> as_side_by_side(const array<T, N, A>& a) {
    return side_by_side_array<T, N>(a);
}
template <class T, int N>
side_by_side_array<T, N, true> as_side_by_side(const repeating<T, N>& a) {
    return side_by_side_array<T, N, true>(a);
}

/// Calls `of_arrays(t, rows, arrays…)`.
template <int N, class OfArrays, class... Arrays>
inline auto on_rows(thread& t, loop_rows<N> rows, OfArrays& of_arrays, const Arrays&... arrays) {
    if constexpr ((may_turn_out<Arrays> || ...))
        if ((lies_side_by_side(arrays) && ...)) return of_arrays(t, rows, as_side_by_side(arrays)...);
    return of_arrays(t, rows, borrowed(arrays)...);
}

template <int N>
inline long long iterations(const loop_elements<N>& loop) {
    long long total = 1;
    for (int axis = 0; axis < N; ++axis) total *= loop.extent[axis];
    return total;
}

/// Calls `of_arrays(t, rows, arrays…)` for all elements, one after the other.
template <int N, class OfArrays, class... Arrays>
inline void elements_in_order(thread& t, const loop_elements<N>& loop, OfArrays of_arrays, const Arrays&... arrays) {
    on_rows(t, loop_rows<N>(loop, 0, iterations(loop)), of_arrays, arrays...);
}

/// Calls `of_arrays(t, rows, arrays…)` for parts of at least `grain` elements, at once where the executor can. A part
/// for each thread, as long as that is not much: then each has its own elements in loop after loop.
template <int N, class OfArrays, class... Arrays>
inline void parallel_elements(thread& t, const loop_elements<N>& loop, long long grain, OfArrays of_arrays,
                              const Arrays&... arrays) {
    const long long total = iterations(loop), wanted = total / grain, workers = t.block->parallel_workers;
    if (wanted < 2 || !loop.at_once) return on_rows(t, loop_rows<N>(loop, 0, total), of_arrays, arrays...);
    const long long each = wanted / (8 * workers), parts = wanted < workers ? wanted
                                                           : each < 2       ? workers
                                                                            : each * workers;
    run_parts(t, total, parts < most_parts ? parts : most_parts,
              [of_arrays, &loop, arrays...](thread& mine, long long, long long first, long long count) mutable {
                  on_rows(mine, loop_rows<N>(loop, first, count), of_arrays, arrays...);
              });
}

/// The same of parts that build something up, which `join` takes. The number of parts is the same on all machines.
template <int N, class OfArrays, class Join, class... Arrays>
inline void parallel_build(thread& t, const loop_elements<N>& loop, long long grain, OfArrays of_arrays, Join join,
                           const Arrays&... arrays) {
    const long long total = iterations(loop), wanted = total / grain;
    if (wanted < 2) return join(on_rows(t, loop_rows<N>(loop, 0, total), of_arrays, arrays...));
    const long long few = wanted < 64 ? wanted : 64, parts = wanted / 16 < few ? few : wanted / 16;
    run_parts(
        t, total, parts < most_parts ? parts : most_parts,
        [of_arrays, &loop, arrays...](thread& mine, long long, long long first, long long count) mutable {
            return on_rows(mine, loop_rows<N>(loop, first, count), of_arrays, arrays...);
        },
        join);
}

}  // namespace pyk

#endif  // PYK_ELEMENTS_CPU_H
