// Tuples as arguments: part of pyk/argument.hpp.
#pragma once

#include "pyk/argument_data.hpp"

namespace pyk::jit {

template <class T>
struct IsOurArray : std::false_type {};
template <class T, int N>
struct IsOurArray<Array<T, N>> : std::true_type {};
template <class T, int N>
struct IsOurArray<View<T, N>> : std::true_type {};

/// std::tuple and std::pair, by their shape: how kernels have such a tuple, one element behind the other as in a C
/// struct.
template <class T, class = void>
struct IsTuple : std::false_type {};
template <class T>
struct IsTuple<T, typename Void<decltype(std::tuple_size<T>::value)>::type>
    : std::bool_constant<!is_host_array<T> && !IsComplex<T>::value> {};

template <class T, class = void>
struct TupleElement {
    static_assert(std::is_arithmetic_v<T> || IsComplex<T>::value || is_date<T>,
                  "tuples that are passed hold numbers, std::complex, dates, pyk::Array, pyk::View and tuples; records "
                  "and containers are arguments of their own");
    static constexpr std::size_t size = sizeof(T), alignment = alignof(T);
    static std::string text() { return field_type_text<T>(); }
    static void find_memory(const T&, TupleMemory&) {}
    static void write(const T& value, unsigned char* to) {
        const auto* const from = reinterpret_cast<const unsigned char*>(&value);
        for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
    }
    static T read(const unsigned char* from) {
        T value{};
        std::memcpy(&value, from, size);
        return value;
    }
};
/// What an element of a tuple is: std::tie's are references.
template <class T>
struct Held {
    using type = std::remove_cv_t<std::remove_reference_t<T>>;
    static_assert(!(std::is_const_v<std::remove_reference_t<T>> && IsOurArray<type>::value),
                  "a kernel may write to the arrays of a tuple: they are not const");
};
/// `float32[:, ::1]`, or of any strides `float32[:, :]`.
template <class T>
std::string array_text(int ndim, bool is_contiguous) {
    static_assert(!std::is_const_v<T>, "a kernel may write to the arrays of a tuple: their elements are not const");
    std::string text = field_type_text<T>() + "[";
    for (int axis = 1; axis < ndim; ++axis) text += ":, ";
    return text + (is_contiguous ? "::1]" : ":]");
}
inline unsigned char* write_word(long long word, unsigned char* to) {
    std::memcpy(to, &word, sizeof word);
    return to + sizeof word;
}

/// Its pointer and its extents.
template <class T, int N>
struct TupleElement<Array<T, N>> {
    static constexpr std::size_t size = 8 + 8 * N, alignment = 8;
    static std::string text() { return array_text<T>(N, true); }
    static void find_memory(const Array<T, N>& array, TupleMemory& memory) { memory.add(array.buffer().device()); }
    static void write(const Array<T, N>& array, unsigned char* to) {
        to = write_word(reinterpret_cast<long long>(array.data()), to);
        for (const long long extent : array.shape()) to = write_word(extent, to);
    }
};
/// The same and its strides: a view may have any, whatever it has when it is passed.
template <class T, int N>
struct TupleElement<View<T, N>> {
    static constexpr std::size_t size = 8 + 16 * N, alignment = 8;
    static std::string text() { return array_text<T>(N, false); }
    static void find_memory(const View<T, N>& view, TupleMemory& memory) { memory.add(view.device); }
    static void write(const View<T, N>& view, unsigned char* to) {
        to = write_word(reinterpret_cast<long long>(view.data), to);
        for (const long long extent : view.shape) to = write_word(extent, to);
        for (const long long stride : view.strides) to = write_word(stride, to);
    }
};

template <class T>
struct TupleElement<T, std::enable_if_t<IsTuple<T>::value>> {
    static_assert(std::tuple_size<T>::value > 0, "an empty tuple has nothing to pass");
    using Places = std::make_index_sequence<std::tuple_size<T>::value>;
    template <std::size_t I>
    using Part = TupleElement<typename Held<std::tuple_element_t<I, T>>::type>;

    static std::string text() { return text(Places()); }
    static void write(const T& value, unsigned char* to) { write(value, to, Places()); }
    static void find_memory(const T& value, TupleMemory& memory) { find_memory(value, memory, Places()); }
    /// What `write` wrote; of arrays there is none.
    static T read(const unsigned char* from) { return read(from, Places()); }

  private:
    template <std::size_t... I>
    static void find_memory(const T& value, TupleMemory& memory, std::index_sequence<I...>) {
        using std::get;
        (Part<I>::find_memory(get<I>(value), memory), ...);
    }
    static constexpr std::size_t behind(std::size_t at, std::size_t step) { return (at + step - 1) / step * step; }
    template <std::size_t... I>
    static constexpr std::size_t widest(std::index_sequence<I...>) {
        std::size_t most = 1;
        ((most = Part<I>::alignment > most ? Part<I>::alignment : most), ...);
        return most;
    }
    /// Where an element begins; behind them all, where the last ends.
    template <std::size_t... I>
    static constexpr std::size_t place(std::size_t of, std::index_sequence<I...>) {
        std::size_t at = 0, found = 0;
        ((at = behind(at, Part<I>::alignment), found = I == of ? at : found, at += Part<I>::size), ...);
        return of == sizeof...(I) ? at : found;
    }
    template <std::size_t I>
    static constexpr std::size_t offset = place(I, Places());
    template <std::size_t... I>
    static std::string text(std::index_sequence<I...>) {
        std::string all;
        ((all += (I ? ", " : "(") + Part<I>::text()), ...);
        return all + (sizeof...(I) == 1 ? ",)" : ")");
    }
    template <std::size_t... I>
    static void write(const T& value, unsigned char* to, std::index_sequence<I...>) {
        using std::get;
        (Part<I>::write(get<I>(value), to + offset<I>), ...);
    }
    template <std::size_t... I>
    static T read(const unsigned char* from, std::index_sequence<I...>) {
        return T{Part<I>::read(from + offset<I>)...};
    }

  public:
    static constexpr std::size_t alignment = widest(Places());
    static constexpr std::size_t size = behind(place(std::tuple_size<T>::value, Places()), alignment);
};

template <class T>
const NamedType* tuple_type() {
    using Tuple = TupleElement<T>;
    static const NamedType* const type = named_type(Tuple::text(), Tuple::size, Tuple::alignment);
    return type;
}

}  // namespace pyk::jit
