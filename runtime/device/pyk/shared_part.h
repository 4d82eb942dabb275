// Arrays of run-time shapes, one behind the other in the shared memory that the launch sizes.
//
// Defines: shared_part, shared_part_aligned, shared_end
#ifndef PYK_SHARED_PART_H
#define PYK_SHARED_PART_H

#include "pyk/array.h"
#include "pyk/shared.h"

namespace pyk {

/// Every part is aligned to 16 bytes.
PYK_DEVICE long long aligned_part(long long bytes) { return (bytes + 15) / 16 * 16; }
/// The next address that is a multiple of the alignment.
PYK_DEVICE unsigned char* aligned_place(unsigned char* place, long long alignment) {
    const long long address = reinterpret_cast<long long>(place);
    return place + ((address + alignment - 1) / alignment * alignment - address);
}

}  // namespace pyk

#ifdef __CUDACC__

namespace pyk {

template <class T, class... I>
PYK_DEVICE array<T, sizeof...(I)> shared_part(long long begin, I... extents) {
    unsigned char* first = dynamic_shared<unsigned char>().data + aligned_part(begin);
    return {reinterpret_cast<T*>(first), {static_cast<long long>(extents)...}};
}

template <class T, class... I>
PYK_DEVICE array<T, sizeof...(I)> shared_part_aligned(long long alignment, long long begin, I... extents) {
    unsigned char* first = aligned_place(dynamic_shared<unsigned char>().data + begin, alignment);
    return {reinterpret_cast<T*>(first), {static_cast<long long>(extents)...}};
}

template <class T, int N>
PYK_DEVICE long long shared_end(const array<T, N>& a) {
    return reinterpret_cast<unsigned char*>(a.data + size(a)) - dynamic_shared<unsigned char>().data;
}

}  // namespace pyk

#else

namespace pyk {

template <class T, class... I>
inline array<T, sizeof...(I)> shared_part(const thread& t, long long begin, I... extents) {
    unsigned char* first = dynamic_shared<unsigned char>(t).data + aligned_part(begin);
    return {reinterpret_cast<T*>(first), {static_cast<long long>(extents)...}};
}

template <class T, class... I>
inline array<T, sizeof...(I)> shared_part_aligned(const thread& t, long long alignment, long long begin, I... extents) {
    unsigned char* first = aligned_place(dynamic_shared<unsigned char>(t).data + begin, alignment);
    return {reinterpret_cast<T*>(first), {static_cast<long long>(extents)...}};
}

template <class T, int N>
inline long long shared_end(const thread& t, const array<T, N>& a) {
    return reinterpret_cast<unsigned char*>(a.data + size(a)) - t.block->dynamic_shared;
}

}  // namespace pyk

#endif

#endif  // PYK_SHARED_PART_H
