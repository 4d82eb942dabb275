// Arrays that functions of the CPU make, and what holds their memory: it is freed with the last `kept` of it. Memory
// that a caller gave has no block, and is the caller's.
//
// Defines: kept, keep, kept_of, new_array, new_zeros, give
#ifndef PYK_KEPT_CPU_H
#define PYK_KEPT_CPU_H

#include <utility>

#include "pyk/array.h"
#include "pyk/cell.h"
#include "pyk/fail.h"
#include "pyk/given_cpu.h"
#include "pyk/strided.h"

namespace pyk {

/// An array and its share of the block.
template <class Array>
struct kept : Array {
    memory_block* block = nullptr;

    kept() = default;
    kept(const Array& given, memory_block* of = nullptr) : Array(given), block(of) { hold(); }
    kept(const kept& other) : Array(other), block(other.block) { hold(); }
    kept(kept&& other) : Array(other), block(other.block) { other.block = nullptr; }
    /// Of another layout, or of const elements.
    template <class Other>
    kept(const kept<Other>& other) : Array(static_cast<const Other&>(other)), block(other.block) {
        hold();
    }
    ~kept() { let_go(block); }

    kept& operator=(kept other) {
        static_cast<Array&>(*this) = other;
        memory_block* const before = block;
        block = other.block;
        other.block = before;
        return *this;
    }

  private:
    void hold() const {
        if (block) __atomic_add_fetch(&block->holders, 1, __ATOMIC_RELAXED);
    }
};

/// What a caller gave.
template <class Array>
kept<Array> keep(const Array& array) {
    return kept<Array>(array);
}
/// A view of an array.
template <class Array, class View>
kept<View> kept_of(const kept<Array>& array, const View& view) {
    return kept<View>(view, array.block);
}
template <class Array, class View>
kept<View> kept_of(const kept<Array>& array, const kept<View>& view) {
    return kept<View>(view, array.block);
}

template <class T, class... Extents>
kept<array<T, int(sizeof...(Extents))>> new_memory(const thread& t, int line, bool is_zeroed, Extents... extents) {
    kept<array<T, int(sizeof...(Extents))>> made;
    const long long shape[] = {static_cast<long long>(extents)...};
    long long count = 1;
    bool fits = true;
    for (int axis = 0; axis < int(sizeof...(Extents)); ++axis) {
        if (shape[axis] < 0) fail(t, line, "ValueError: negative dimensions are not allowed");
        made.shape[axis] = shape[axis];
        fits &= !__builtin_mul_overflow(count, shape[axis], &count);
    }
    fits &= !__builtin_mul_overflow(count, static_cast<long long>(sizeof(T)), &count);
    void* const memory =
        fits ? t.block->allocate(sizeof(memory_block) + static_cast<size_t>(count), is_zeroed) : nullptr;
    if (!memory) fail(t, line, "MemoryError: an array is larger than the memory");
    made.block = static_cast<memory_block*>(memory);
    made.block->release = t.block->release;
    made.block->holders = 1;
    made.block->bytes = count;
    made.data = reinterpret_cast<T*>(made.block + 1);
    return made;
}
template <class T, class... Extents>
kept<array<T, int(sizeof...(Extents))>> new_array(const thread& t, int line, Extents... extents) {
    return new_memory<T>(t, line, false, extents...);
}
template <class T, class... Extents>
kept<array<T, int(sizeof...(Extents))>> new_zeros(const thread& t, int line, Extents... extents) {
    return new_memory<T>(t, line, true, extents...);
}

/// Hands it to the host, which has its place where `to` points, and lets go of it there.
template <class T, class Array>
void give(const array<T, 1>& to, kept<Array> value) {
    given_array& given = *reinterpret_cast<given_array*>(to.data);
    given.data = const_cast<void*>(static_cast<const volatile void*>(value.data));
    given.ndim = Array::ndim;
    if constexpr (Array::ndim > 0)
        for (int axis = 0; axis < Array::ndim; ++axis) {
            given.shape[axis] = value.shape[axis];
            given.strides[axis] = value.stride(axis);
        }
    given.block = value.block;
    value.block = nullptr;
}

}  // namespace pyk

#endif  // PYK_KEPT_CPU_H
