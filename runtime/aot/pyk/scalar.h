// Numbers as the functions of headers take them.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "pyk/array_view.h"

namespace pyk {
namespace aot {

/// An integer of C++ that is no bool.
template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <class T, class U, class = void>
struct BracesTake : std::false_type {};
template <class T, class U>
struct BracesTake<T, U, std::void_t<decltype(T{std::declval<const U&>()})>> : std::true_type {};

/// What is an enumeration without `class` as the integer that C++ makes of it, all else as it is.
template <class U>
constexpr auto plain(const U& number) {
    if constexpr (std::is_enum_v<U> && std::is_convertible_v<U, long long>)
        return static_cast<std::underlying_type_t<U>>(number);
    else
        return number;
}

/// Whether a value of U stands for a T in a call.
template <class T, class U>
constexpr bool is_scalar_for() {
    using Plain = decltype(plain(std::declval<const U&>()));
    if constexpr (!std::is_arithmetic_v<Plain>)
        return BracesTake<T, Plain>::value;
    else if constexpr (std::is_same_v<T, bool>)
        return std::is_same_v<Plain, bool>;
    else if constexpr (std::is_floating_point_v<T>)
        return true;
    else
        return std::is_integral_v<Plain> && (sizeof(Plain) <= sizeof(T) || sizeof(Plain) <= sizeof(int));
}

template <class T>
constexpr bool is_negative([[maybe_unused]] T number) {
    if constexpr (std::is_signed_v<T>)
        return number < T();
    else
        return false;
}

/// Whether T has the value of a number.
template <class T, class U>
constexpr bool holds([[maybe_unused]] const U& number) {
    if constexpr (is_integer<T> && is_integer<U>) {
        const auto kept = static_cast<T>(number);
        return static_cast<U>(kept) == number && is_negative(kept) == is_negative(number);
    } else {
        return true;
    }
}

/// `long` and `long long` are two types of one kind and size.
template <class T, class U>
constexpr bool is_same_number() {
    if constexpr (is_integer<T> && is_integer<U>)
        return sizeof(T) == sizeof(U) && std::is_signed_v<T> == std::is_signed_v<U>;
    else
        return std::is_same_v<T, U>;
}

template <class... T>
struct Types {};
template <class Given, class Wanted>
inline constexpr bool are_exactly = false;
template <class... T, class... U>
inline constexpr bool are_exactly<Types<T...>, Types<U...>> = (is_same_number<T, U>() && ...);

}  // namespace aot

/// A number that a kernel takes by value. Where T is float or double any number converts to it; where T is an integer,
/// integers no wider than it, or than int, so that literals do: a value that T does not have is an error of the call,
/// by value. A bool is only a bool. All else does not compile.
template <class T>
struct Scalar {
    T value;
    bool fits = true;  ///< the number is one of T

    template <class U, class = std::enable_if_t<aot::is_scalar_for<T, U>()>>
    constexpr Scalar(const U& number)  // NOLINT: it is one
        : value(static_cast<T>(number)), fits(aot::holds<T>(aot::plain(number))) {}
};

/// A float of 8 or 16 bits, or a vector, that a kernel takes by value: as this type or as CUDA's own. A vector also as
/// its components, `{1, 2, 3, 4}`, each a Scalar.
template <class T>
struct Value {
    T value;
    bool fits = true;  ///< the components are of their type

    Value(const T& same) : value(same) {}  // NOLINT: it is one
    template <class U,
              class = std::enable_if_t<are_same_in_kernels<U, T>() && std::is_class_v<U> && !std::is_same_v<U, T>>>
    Value(const U& same) {  // NOLINT
        std::memcpy(&value, &same, sizeof value);
    }
    template <class... U, class Component = typename VectorShape<T>::Component,
              class = std::enable_if_t<is_vector<T> && sizeof...(U) == VectorShape<T>::count>,
              class = std::enable_if_t<(aot::is_scalar_for<Component, U>() && ...)>>
    Value(const U&... component)  // NOLINT
        : value{static_cast<Component>(component)...}, fits((aot::holds<Component>(aot::plain(component)) && ...)) {}
};

}  // namespace pyk
