// Arrays that somebody else owns: a pointer, a shape, strides.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "pyk/fp8_format.h"
#include "pyk/half_format.h"
#include "pyk/host_array.h"
#include "pyk/stream.h"
#include "pyk/vector_shape.h"

namespace pyk {

/// Whether both stand for one type of kernels: they are the same, or integers of one kind and size, as `long` and
/// `long long`, or CUDA's and ours of a small float or of a vector, or bytes of 8-bit floats.
template <class From, class To>
constexpr bool are_same_in_kernels() {
    if constexpr (std::is_integral_v<From> && std::is_integral_v<To> && !std::is_same_v<From, bool> &&
                  !std::is_same_v<To, bool>)
        return sizeof(From) == sizeof(To) && std::is_signed_v<From> == std::is_signed_v<To>;
    else if constexpr (half_format_of<From> != HalfFormat::none || half_format_of<To> != HalfFormat::none)
        return half_format_of<From> == half_format_of<To>;
    else if constexpr (Fp8Of<To>::count != 0)
        return (Fp8Of<From>::count == Fp8Of<To>::count && Fp8Of<From>::format == Fp8Of<To>::format) ||
               (std::is_unsigned_v<From> && !std::is_same_v<From, bool> && sizeof(From) == Fp8Of<To>::count);
    else if constexpr (std::is_same_v<From, To> || !std::is_class_v<From> || !std::is_class_v<To>)
        return std::is_same_v<From, To>;
    else if constexpr (is_vector<From> && is_vector<To>)
        return VectorShape<From>::count == VectorShape<To>::count &&
               are_same_in_kernels<typename VectorShape<From>::Component, typename VectorShape<To>::Component>();
    else
        return false;
}

/// Whether elements U may be viewed as T.
template <class U, class T>
constexpr bool are_elements_of() {
    if (std::is_const_v<U> && !std::is_const_v<T>) return false;
    return are_same_in_kernels<std::remove_const_t<U>, std::remove_const_t<T>>();
}
template <class U, class T>
inline constexpr bool are_elements = are_elements_of<U, T>();

namespace detail {

/// The elements of a shape; -1: an extent is negative, or they are more than can be counted.
inline long long count_of(const long long* shape, int ndim) {
    long long count = 1;
    bool is_empty = false, is_too_large = false;
    for (int axis = 0; axis < ndim; ++axis) {
        if (shape[axis] < 0) return -1;
        is_empty |= shape[axis] == 0;
        is_too_large |= __builtin_mul_overflow(count, shape[axis], &count);
    }
    return is_empty ? 0 : is_too_large ? -1 : count;
}

inline constexpr const char* no_memory = "has no memory: its address is null (was it moved from, or freed?)";

/// Why this is no array, as a message says it behind the array's name; null: it is one.
inline const char* fault_of(const void* data, const long long* shape, int ndim) {
    const long long count = count_of(shape, ndim);
    if (count < 0) return "has a negative extent, or more elements than there are";
    return data || count == 0 ? nullptr : no_memory;
}

}  // namespace detail

/// Axes of an array, at most: as NumPy 1 has them.
inline constexpr int max_ndim = 32;

/// N axes of elements at any byte strides, in host memory or a device's; not owned. What C++20 calls an mdspan, with
/// Python's slices and with the knowledge where the memory is. Views may be passed to kernels; those that are made of
/// one refer to the same memory. A view is a value: threads may use copies of one, the elements are nobody's to guard.
template <class T, int N = 1>
struct View {
    static_assert(N >= 1 && N <= max_ndim, "an array has 1 to 32 axes");
    using Shape = std::array<long long, static_cast<std::size_t>(N)>;

    T* data = nullptr;
    Shape shape{};
    Shape strides{};                    ///< bytes from one element to the next along each axis
    driver::Context* device = nullptr;  ///< whose kernels reach it; null: host memory

    View() = default;
    /// In C order.
    View(T* d, const Shape& s, driver::Context* on = nullptr) : data(d), shape(s), device(on) {
        long long step = sizeof(T);
        for (int axis = N - 1; axis >= 0; --axis) {
            strides[at(axis)] = step;
            step *= shape[at(axis)];
        }
    }
    /// Bytes from one element to the next along each axis; 0: all are one, negative: backwards from `d`.
    View(T* d, const Shape& s, const Shape& byte_strides, driver::Context* on = nullptr)
        : data(d), shape(s), strides(byte_strides), device(on) {}
    /// Host memory, as long as that is there: of a C array, a std::vector, a std::array, a span.
    template <class C, class = std::enable_if_t<HostArray<C>::ndim == N>,
              class = std::enable_if_t<are_elements<typename HostArray<C>::Element, T>>>
    View(C& host) : View(viewed(HostArray<C>::data(host)), HostArray<C>::shape(host)) {}  // NOLINT
    template <class C, class = std::enable_if_t<HostArray<const C>::ndim == N>,
              class = std::enable_if_t<are_elements<typename HostArray<const C>::Element, T>>>
    View(const C& host) : View(viewed(HostArray<const C>::data(host)), HostArray<const C>::shape(host)) {}  // NOLINT
    /// As one that is only read, or of elements by another name.
    template <class U, class = std::enable_if_t<are_elements<U, T> && !std::is_same_v<U, T>>>
    View(const View<U, N>& other)  // NOLINT
        : data(viewed(other.data)), shape(other.shape), strides(other.strides), device(other.device) {}

    /// The number of elements.
    long long size() const {
        long long product = 1;
        for (const long long extent : shape) product *= extent;
        return product;
    }
    /// Whether the elements lie side by side in C order.
    bool is_contiguous() const {
        long long step = sizeof(T);
        for (int axis = N - 1; axis >= 0; --axis) {
            if (shape[at(axis)] != 1 && strides[at(axis)] != step) return size() == 0;
            step *= shape[at(axis)];
        }
        return true;
    }

    /// `a[start:stop:step]` of Python along one axis: negative indices count from the end, what is beyond it is cut
    /// off. Preconditions: the axis is one of 0 … N - 1, and step is not 0.
    View slice(int axis, long long start, long long stop, long long step = 1) const {
        View part = *this;
        const long long extent = shape[at(axis)];
        const auto bound = [&](long long i) {
            if (i < 0) i += extent;
            const long long least = step < 0 ? -1 : 0, most = step < 0 ? extent - 1 : extent;
            return i < least ? least : i > most ? most : i;
        };
        const long long first = bound(start), end = bound(stop);
        const long long reach = step > 0 ? end - first : first - end;
        const long long count = reach <= 0 ? 0 : 1 + (step > 0 ? (reach - 1) / step : -((reach - 1) / step));
        part.shape[at(axis)] = count;
        if (count > 0) part.data = moved(first * strides[at(axis)]);
        if (count > 1) part.strides[at(axis)] = strides[at(axis)] * step;
        return part;
    }
    /// `a[index]`: without the first axis. A negative index counts from the end. Precondition: it is in range.
    template <int M = N, class = std::enable_if_t<(M > 1)>>
    View<T, M - 1> operator[](long long index) const {
        View<T, M - 1> row;
        row.data = moved((index < 0 ? index + shape[0] : index) * strides[0]);
        row.device = device;
        for (int axis = 1; axis < N; ++axis) {
            row.shape[at(axis - 1)] = shape[at(axis)];
            row.strides[at(axis - 1)] = strides[at(axis)];
        }
        return row;
    }
    /// All axes in the reverse order.
    View transposed() const {
        View turned = *this;
        for (int axis = 0; axis < N; ++axis) {
            turned.shape[at(axis)] = shape[at(N - 1 - axis)];
            turned.strides[at(axis)] = strides[at(N - 1 - axis)];
        }
        return turned;
    }
    /// The same elements in C order under another shape. Fails where the counts differ or the elements do not lie side
    /// by side.
    template <std::size_t M>
    Result<View<T, static_cast<int>(M)>> reshape(const long long (&to)[M]) const {
        if (detail::count_of(to, static_cast<int>(M)) != size() || !is_contiguous())
            return Status::failure("reshape: the elements are not as many, or do not lie side by side",
                                   Error::Kind::arguments);
        std::array<long long, M> extents{};
        for (std::size_t axis = 0; axis < M; ++axis) extents[axis] = to[axis];
        return View<T, static_cast<int>(M)>(data, extents, device);
    }
    /// An element. Precondition: the host can reach the memory; no index is negative or beyond the end.
    template <class... Index>
    T& operator()(Index... index) const {
        static_assert(sizeof...(Index) == N, "one index per axis");
        long long offset = 0;
        int axis = 0;
        ((offset += static_cast<long long>(index) * strides[at(axis++)]), ...);
        return *moved(offset);
    }

  private:
    template <class U>
    static T* viewed(U* elements) {
        if constexpr (std::is_convertible_v<U*, T*>)
            return elements;
        else
            return reinterpret_cast<T*>(elements);
    }
    static constexpr std::size_t at(int axis) { return static_cast<std::size_t>(axis); }
    T* moved(long long bytes) const {
        using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
        return reinterpret_cast<T*>(reinterpret_cast<Byte*>(data) + bytes);
    }
};

/// Host memory as an array of N axes in C order: `pyk::host(pixels, {height, width})`.
template <class T, std::size_t N>
View<T, static_cast<int>(N)> host(T* data, const long long (&shape)[N]) {
    std::array<long long, N> extents{};
    for (std::size_t axis = 0; axis < N; ++axis) extents[axis] = shape[axis];
    return View<T, static_cast<int>(N)>(data, extents);
}

/// `copy`, the elements' type forgotten. Strides in bytes.
Status copy_elements(void* to, const long long* to_strides, const void* from, const long long* from_strides,
                     const long long* shape, int ndim, std::size_t element_bytes, driver::Context* device,
                     StreamRef stream);
/// Sets `count` elements that lie side by side.
Status fill_elements(void* to, const void* value, std::size_t element_bytes, long long count, driver::Context* device,
                     StreamRef stream);

namespace detail {
/// That of a copy: a GPU where either array is on one; null: neither is on a device.
driver::Context* copying_device(driver::Context* to, driver::Context* from);
}  // namespace detail

/// Copies elements between arrays of one shape, at any strides, in any memory, which may overlap; queued on the stream
/// where one of them is on a GPU, else done at once (Buffer says how long host memory must stay). Fails where the
/// shapes differ.
template <class T, class U, int N, class = std::enable_if_t<!std::is_const_v<T> && std::is_same_v<const T, const U>>>
Status copy(const View<T, N>& to, const View<U, N>& from, StreamRef stream = {}) {
    if (to.shape != from.shape)
        return Status::failure("copy: the arrays have different shapes", Error::Kind::arguments);
    return copy_elements(to.data, to.strides.data(), from.data, from.strides.data(), to.shape.data(), N, sizeof(T),
                         detail::copying_device(to.device, from.device), stream);
}

}  // namespace pyk
