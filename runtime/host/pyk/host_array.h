// Arrays that C++ programs have in host memory.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace pyk {

template <class T, int N>
class Array;

/// C arrays of any rank, and containers whose elements lie side by side: std::vector, std::array, spans. What is no
/// such array has no axes.
template <class C, class = void>
struct HostArray {
    using Element = void;
    static constexpr int ndim = 0;
};

template <class C>
struct HostArray<C, std::enable_if_t<std::is_array_v<C>>> {
    using Element = std::remove_all_extents_t<C>;
    static constexpr int ndim = static_cast<int>(std::rank_v<C>);
    using Shape = std::array<long long, std::rank_v<C>>;

    static Element* data(C& of) { return reinterpret_cast<Element*>(&of); }
    static Shape shape(const C&) { return shape(std::make_index_sequence<std::rank_v<C>>()); }

  private:
    template <std::size_t... Axis>
    static Shape shape(std::index_sequence<Axis...>) {
        return {static_cast<long long>(std::extent_v<C, static_cast<unsigned>(Axis)>)...};
    }
};

namespace detail {
template <class C>
inline constexpr bool is_owned_array = false;
template <class T, int N>
inline constexpr bool is_owned_array<Array<T, N>> = true;
template <class C>
using DataOf = decltype(std::declval<C&>().data());
}  // namespace detail

template <class C>
struct HostArray<C, std::enable_if_t<std::is_class_v<C> && !detail::is_owned_array<std::remove_cv_t<C>> &&
                                     std::is_pointer_v<detail::DataOf<C>> &&
                                     !std::is_void_v<std::remove_pointer_t<detail::DataOf<C>>> &&
                                     std::is_convertible_v<decltype(std::declval<C&>().size()), std::size_t>>> {
    using Element = std::remove_pointer_t<detail::DataOf<C>>;
    static constexpr int ndim = 1;

    static Element* data(C& of) { return of.data(); }
    static std::array<long long, 1> shape(const C& of) { return {static_cast<long long>(of.size())}; }
};

template <class C>
inline constexpr bool is_host_array = HostArray<C>::ndim != 0;

}  // namespace pyk
