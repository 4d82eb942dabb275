// What a kernel can be launched with.
//
//   bool, integers, float, double      a scalar of that type: int is int32, long and long long are int64
//   std::vector, std::array, span      a 1-D array in host memory; const elements may only be read
//   pyk::host(pointer, {rows, columns})  an N-D array in host memory, C order
//   pyk::Array (pyk/buffer.h)          an array in device memory, as it is
//
// For a type of your own, specialise pyk::jit::MakeArgument.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "pyk/buffer.h"

namespace pyk {

/// The state of one generator of numba.cuda.random.
struct alignas(8) XoroshiroState {
    std::uint64_t s0, s1;
};

namespace jit {

enum class Element : unsigned char {
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
    complex64,
    complex128,
    xoroshiro128p
};

enum class Order : unsigned char { c, fortran, strided };

/// One argument, its type forgotten. Arrays are referred to, not held.
struct Argument {
    static constexpr int max_ndim = 8;

    Element element = Element::int64;
    int ndim = 0;  ///< 0: a scalar
    union {
        bool boolean;
        std::int64_t integer;   ///< signed integers
        std::uint64_t natural;  ///< unsigned integers
        double real;
        void* data;  ///< arrays
    };
    bool on_device = false;
    bool readonly = false;
    Order order = Order::c;
    std::array<long long, max_ndim> shape{};
    std::array<long long, max_ndim> strides{};  ///< in bytes; of strided arrays only

    Argument() : integer(0) {}
};

template <class T>
constexpr Element element_of() {
    using U = std::remove_cv_t<T>;
    static_assert(std::is_arithmetic_v<U> || std::is_same_v<U, XoroshiroState>, "kernels have no such element type");
    static_assert(!std::is_same_v<U, long double>, "kernels have no long double");
    if constexpr (std::is_same_v<U, XoroshiroState>)
        return Element::xoroshiro128p;
    else if constexpr (std::is_same_v<U, bool>)
        return Element::boolean;
    else if constexpr (std::is_floating_point_v<U>)
        return sizeof(U) == 4 ? Element::float32 : Element::float64;
    else {
        constexpr int log2 = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 1 : sizeof(U) == 4 ? 2 : 3;
        return static_cast<Element>(static_cast<int>(std::is_signed_v<U> ? Element::int8 : Element::uint8) + log2);
    }
}

/// An array in host memory in C order. Made by pyk::host.
template <class T, int N>
struct HostView {
    static_assert(N >= 1 && N <= Argument::max_ndim, "an array has 1 to 8 axes");
    T* data;
    std::array<long long, N> shape;
};

template <class T>
Argument array_argument(T* data, int ndim, const long long* shape, bool on_device) {
    Argument argument;
    argument.element = element_of<T>();
    argument.ndim = ndim;
    argument.data = const_cast<std::remove_cv_t<T>*>(data);
    argument.on_device = on_device;
    argument.readonly = std::is_const_v<T>;
    for (int axis = 0; axis < ndim; ++axis) argument.shape[static_cast<std::size_t>(axis)] = shape[axis];
    return argument;
}

/// How a type becomes an argument: `static Argument from(T& value)`.
template <class T, class = void>
struct MakeArgument;

template <class T>
struct MakeArgument<T, std::enable_if_t<std::is_arithmetic_v<std::remove_cv_t<T>>>> {
    static Argument from(T value) {
        Argument argument;
        argument.element = element_of<T>();
        if constexpr (std::is_same_v<std::remove_cv_t<T>, bool>)
            argument.boolean = value;
        else if constexpr (std::is_floating_point_v<T>)
            argument.real = value;
        else if constexpr (std::is_signed_v<T>)
            argument.integer = value;
        else
            argument.natural = value;
        return argument;
    }
};

template <class T, int N>
struct MakeArgument<Array<T, N>> {
    static Argument from(const Array<T, N>& array) {
        return array_argument(array.data(), N, array.shape().data(), true);
    }
};
template <class T, int N>
struct MakeArgument<const Array<T, N>> : MakeArgument<Array<T, N>> {};

template <class T>
struct IsDeviceArray : std::false_type {};
template <class T, int N>
struct IsDeviceArray<Array<T, N>> : std::true_type {};

// Contiguous containers in host memory: whatever has data() and size().
template <class T>
struct MakeArgument<T, std::void_t<std::enable_if_t<!IsDeviceArray<std::remove_cv_t<T>>::value>,
                                   decltype(std::declval<T&>().data()), decltype(std::declval<T&>().size())>> {
    static Argument from(T& container) {
        const long long size = static_cast<long long>(container.size());
        return array_argument(container.data(), 1, &size, false);
    }
};

template <class T, int N>
struct MakeArgument<HostView<T, N>> {
    static Argument from(const HostView<T, N>& view) { return array_argument(view.data, N, view.shape.data(), false); }
};
template <class T, int N>
struct MakeArgument<const HostView<T, N>> : MakeArgument<HostView<T, N>> {};

template <class T>
Argument make_argument(T& value) {
    return MakeArgument<T>::from(value);
}

}  // namespace jit

/// Host memory as an array of N axes in C order: `pyk::host(pixels, {height, width})`.
template <class T, std::size_t N>
jit::HostView<T, static_cast<int>(N)> host(T* data, const long long (&shape)[N]) {
    jit::HostView<T, static_cast<int>(N)> view{data, {}};
    for (std::size_t axis = 0; axis < N; ++axis) view.shape[axis] = shape[axis];
    return view;
}

}  // namespace pyk
