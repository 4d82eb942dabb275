// The packed arguments of one launch, the same bytes for GPU and CPU.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace pyk {

/// Arguments in the kernel's order, each at its natural alignment: scalars as themselves (bool one byte), arrays as
/// `{pointer, long long shape[ndim]}` and for layout A `long long strides[ndim]` in bytes behind, tuples as the C
/// struct of their elements. The types must be the kernel's own: nothing is converted. Not for use by several threads
/// at once.
class ArgBuffer {
  public:
    template <class T>
    void push(T value) {
        static_assert(std::is_arithmetic_v<T>, "a scalar; arrays go through push_array");
        put(&value, sizeof value, alignof(T));
    }

    /// An array of layout C or F. `shape`: `ndim` extents. `data`: in device memory for a kernel on a GPU; not kept
    /// alive.
    void push_array(const void* data, const long long* shape, int ndim);
    /// An array of layout A; `strides`: bytes from one element to the next along each axis, may be 0 or negative.
    void push_array(const void* data, const long long* shape, const long long* strides, int ndim);

    /// A value in its C++ layout, such as a tuple's struct. Precondition: the alignment is a power of two, at most 16.
    void put(const void* bytes, std::size_t size, std::size_t alignment);
    void clear() { bytes_.clear(); }

    /// Aligned to 16 bytes; valid until the next change; null when empty.
    const void* data() const { return bytes_.data(); }
    std::size_t size() const { return bytes_.size(); }

  private:
    std::vector<unsigned char> bytes_;
};

}  // namespace pyk
