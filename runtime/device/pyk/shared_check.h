// Arrays of run-time shapes in shared memory, reported where the launch gave too few bytes for them.
//
// Defines: shared_part_checked, shared_part_aligned_checked
#ifndef PYK_SHARED_CHECK_H
#define PYK_SHARED_CHECK_H

#include "pyk/check.h"
#include "pyk/shared_part.h"

namespace pyk {

#ifdef __CUDACC__
template <class T, int N>
PYK_DEVICE array<T, N> given_bytes(int line, const array<T, N>& part) {
    const long long end = shared_end(part), given = dynamic_shared<unsigned char>().shape[0];
    if (end > given) checked(end - 1, given, {"dynamic shared memory", 0, line});
    return part;
}
template <class T, class... I>
PYK_DEVICE array<T, sizeof...(I)> shared_part_checked(int line, long long begin, I... extents) {
    return given_bytes(line, shared_part<T>(begin, extents...));
}
template <class T, class... I>
PYK_DEVICE array<T, sizeof...(I)> shared_part_aligned_checked(int line, long long alignment, long long begin,
                                                              I... extents) {
    return given_bytes(line, shared_part_aligned<T>(alignment, begin, extents...));
}
#else
template <class T, int N>
inline array<T, N> given_bytes(const thread& t, int line, const array<T, N>& part) {
    const long long end = shared_end(t, part), given = t.block->dynamic_shared_bytes;
    if (end > given) checked(t, end - 1, given, {"dynamic shared memory", 0, line});
    return part;
}
template <class T, class... I>
inline array<T, sizeof...(I)> shared_part_checked(const thread& t, int line, long long begin, I... extents) {
    return given_bytes(t, line, shared_part<T>(t, begin, extents...));
}
template <class T, class... I>
inline array<T, sizeof...(I)> shared_part_aligned_checked(const thread& t, int line, long long alignment,
                                                          long long begin, I... extents) {
    return given_bytes(t, line, shared_part_aligned<T>(t, alignment, begin, extents...));
}
#endif

}  // namespace pyk

#endif  // PYK_SHARED_CHECK_H
