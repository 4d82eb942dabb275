// Arrays of run-time shapes in shared memory, reported where the launch gave too few bytes for them.
//
// Defines: shared_part_checked
#ifndef PYK_SHARED_CHECK_H
#define PYK_SHARED_CHECK_H

#include "pyk/check.h"
#include "pyk/shared_part.h"

namespace pyk {

#ifdef __CUDACC__
template <class T, class... I>
PYK_DEVICE array<T, sizeof...(I)> shared_part_checked(int line, long long begin, I... extents) {
    const auto part = shared_part<T>(begin, extents...);
    const long long end = shared_end(part), given = dynamic_shared<unsigned char>().shape[0];
    if (end > given) checked(end - 1, given, {"dynamic shared memory", 0, line});
    return part;
}
#else
template <class T, class... I>
inline array<T, sizeof...(I)> shared_part_checked(const thread& t, int line, long long begin, I... extents) {
    const auto part = shared_part<T>(t, begin, extents...);
    const long long end = shared_end(t, part), given = t.block->dynamic_shared_bytes;
    if (end > given) checked(t, end - 1, given, {"dynamic shared memory", 0, line});
    return part;
}
#endif

}  // namespace pyk

#endif  // PYK_SHARED_CHECK_H
