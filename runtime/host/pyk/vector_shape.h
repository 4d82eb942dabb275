// CUDA's vector types (`float4`), known by their shape: those of its vector_types.h and those of <pyk/vector.h> are the
// same here, and neither header is needed.
#pragma once

#include <cstddef>
#include <type_traits>

namespace pyk {
namespace detail {

template <std::size_t Count>
using Components = std::integral_constant<std::size_t, Count>;
template <class C, class... Member>
using AreAll = std::enable_if_t<(std::is_same_v<C, Member> && ...), bool>;

// Whether the components of T are C, one behind the other under their names.
template <class T, class C>
constexpr bool has_components(...) {
    return false;
}
template <class T, class C>
constexpr AreAll<C, decltype(T::x)> has_components(Components<1>) {
    return true;
}
template <class T, class C>
constexpr AreAll<C, decltype(T::x), decltype(T::y)> has_components(Components<2>) {
    return __builtin_offsetof(T, y) == sizeof(C);
}
template <class T, class C>
constexpr AreAll<C, decltype(T::x), decltype(T::y), decltype(T::z)> has_components(Components<3>) {
    return __builtin_offsetof(T, y) == sizeof(C) && __builtin_offsetof(T, z) == 2 * sizeof(C);
}
template <class T, class C>
constexpr AreAll<C, decltype(T::x), decltype(T::y), decltype(T::z), decltype(T::w)> has_components(Components<4>) {
    return __builtin_offsetof(T, y) == sizeof(C) && __builtin_offsetof(T, z) == 2 * sizeof(C) &&
           __builtin_offsetof(T, w) == 3 * sizeof(C);
}

template <class T, class C>
constexpr bool is_vector_of() {
    if constexpr (!std::is_arithmetic_v<C> || std::is_same_v<C, bool> || sizeof(C) > 8) {
        return false;
    } else {
        constexpr std::size_t count = sizeof(T) / sizeof(C);
        constexpr std::size_t alignment = count % 2 ? sizeof(C) : count * sizeof(C);
        return sizeof(T) == count * sizeof(C) && alignof(T) == (alignment > 16 ? 16 : alignment) &&
               has_components<T, C>(Components<count>());
    }
}

}  // namespace detail

/// The type and the number of the components of a vector: members x, y, z and w, as many as there are, aligned as CUDA
/// does.
template <class T, class = void>
struct VectorShape {
    using Component = void;
    static constexpr std::size_t count = 0;  ///< T is none
};
template <class T>
struct VectorShape<T, std::enable_if_t<std::is_standard_layout_v<T> && std::is_trivially_copyable_v<T> &&
                                       detail::is_vector_of<T, decltype(T::x)>()>> {
    using Component = decltype(T::x);
    static constexpr std::size_t count = sizeof(T) / sizeof(Component);
};
template <class T>
inline constexpr bool is_vector = VectorShape<T>::count != 0;

}  // namespace pyk
