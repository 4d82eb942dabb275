// What a kernel can be launched with.
//
//   bool, integers, float, double, std::complex   a scalar of that type: int is int32, long and long long are int64
//   pyk::float16, pyk::bfloat16 (<pyk/half.h>)     the same; __half and __nv_bfloat16 as well
//   a struct that PYK_RECORD names                 a record, by its value
//   pyk::DateTime, pyk::TimeDelta                  a date or a duration
//   pyk::none, std::optional                       None; the value, or None
//   std::tuple, std::pair                          a tuple of numbers, dates, arrays and tuples
//   pyk::Array, pyk::View                          an array where it is; a View of host memory is copied
//   std::vector, std::array, span                  a 1-D array in host memory; const elements may only be read
//   pyk::host(pointer, {rows, columns})            an N-D array in host memory, C order
//   pyk::cell(x)                                   an array without axes: one element
//   pyk::in(x), pyk::out(x), pyk::inout(x)         the same, saying which copies are needed: without, what the
//                                                  kernel may write is copied back, and all is copied in
//
// For a type of your own, specialise pyk::jit::MakeArgument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "pyk/half_format.h"
#include "pyk/named_type.hpp"
#include "pyk/ndarray.h"

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
    xoroshiro128p,
    named,  ///< of a NamedType
    none,
    tuple  ///< of a NamedType; only as an argument
};

enum class Order : unsigned char {
    c,
    fortran,
    strided,
    cell  ///< no axes: one element
};

/// Where the arrays of a tuple are.
struct TupleMemory {
    driver::Context* device = nullptr;  ///< of those that are no host memory's
    bool has_host = false, has_several = false;

    void add(driver::Context* of) {
        has_host |= of == nullptr;
        has_several |= of && device && of != device;
        if (of) device = of;
    }
};

/// A tuple, its type forgotten.
struct TupleArgument {
    const void* object;
    void (*write)(const void* object, unsigned char* to);  ///< its elements, as the NamedType has them
    TupleMemory memory;
};

/// One argument, its type forgotten. Arrays are referred to, not held.
struct Argument {
    static constexpr int max_ndim = 8;

    Element element = Element::int64;
    unsigned char ndim = 0;  ///< 0: a scalar, or a cell
    Order order = Order::c;
    bool readonly = false;
    bool copy_in = true, copy_out = true;  ///< of host memory
    bool is_constant = false;              ///< a scalar whose value the kernel is compiled for
    union {
        bool boolean;
        std::int64_t integer;   ///< signed integers
        std::uint64_t natural;  ///< unsigned integers
        double real;
        double complex[2];
        void* data;  ///< arrays; the bytes of a scalar of a NamedType
        TupleArgument tuple;
    };
    const NamedType* named = nullptr;
    driver::Context* device = nullptr;  ///< whose kernels reach the array; null: host memory
    long long shape[max_ndim];          ///< the first ndim count
    long long strides[max_ndim];        ///< in bytes; of strided arrays only

    Argument() : complex{0, 0} {}  // NOLINT: shape and strides are written where they count
    bool is_array() const { return ndim != 0 || order == Order::cell; }
};

/// std::complex, known by its shape: <complex> is a costly header.
template <class T, class = void>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<T, std::void_t<typename T::value_type, decltype(std::declval<const T&>().real()),
                                decltype(std::declval<const T&>().imag())>>
    : std::bool_constant<std::is_same_v<typename T::value_type, float> ||
                         std::is_same_v<typename T::value_type, double>> {};

template <class T>
inline constexpr bool is_half = half_format_of<T> != HalfFormat::none;

template <class T>
constexpr Element element_of() {
    using U = std::remove_cv_t<T>;
    static_assert(std::is_arithmetic_v<U> || IsComplex<U>::value || is_half<U> || std::is_same_v<U, XoroshiroState> ||
                      Named<U>::value,
                  "kernels have no such element type; PYK_RECORD makes a struct one");
    static_assert(!std::is_arithmetic_v<U> || sizeof(U) <= 8, "kernels have no long double and no 128-bit integers");
    if constexpr (Named<U>::value)
        return Element::named;
    else if constexpr (is_half<U>)
        return half_format_of<U> == HalfFormat::ieee ? Element::float16 : Element::bfloat16;
    else if constexpr (std::is_same_v<U, XoroshiroState>)
        return Element::xoroshiro128p;
    else if constexpr (IsComplex<U>::value)
        return sizeof(U) == 8 ? Element::complex64 : Element::complex128;
    else if constexpr (std::is_same_v<U, bool>)
        return Element::boolean;
    else if constexpr (std::is_floating_point_v<U>)
        return sizeof(U) == 4 ? Element::float32 : Element::float64;
    else {
        constexpr int log2 = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 1 : sizeof(U) == 4 ? 2 : 3;
        return static_cast<Element>(static_cast<int>(std::is_signed_v<U> ? Element::int8 : Element::uint8) + log2);
    }
}

template <class T>
const NamedType* named_type_of() {
    if constexpr (Named<std::remove_cv_t<T>>::value)
        return Named<std::remove_cv_t<T>>::type();
    else
        return nullptr;
}

/// As signatures write it: `float32`.
const char* name_of(Element element);
template <class T>
std::string field_type_text() {
    if constexpr (is_text<T>) {
        const bool is_bytes = sizeof(std::remove_extent_t<T>) == 1;
        return (is_bytes ? "CharSeq(" : "UnicodeCharSeq(") + std::to_string(std::extent_v<T>) + ")";
    } else {
        const NamedType* const named = named_type_of<T>();
        return named ? named->text : name_of(element_of<T>());
    }
}

/// In C order.
template <class T>
Argument array_argument(T* data, int ndim, const long long* shape, driver::Context* device) {
    Argument argument;
    argument.element = element_of<T>();
    argument.ndim = static_cast<unsigned char>(ndim);
    argument.data = const_cast<std::remove_cv_t<T>*>(data);
    argument.device = device;
    argument.readonly = std::is_const_v<T>;
    argument.named = named_type_of<T>();
    for (int axis = 0; axis < ndim; ++axis) argument.shape[axis] = shape[axis];
    return argument;
}

/// C if the elements lie side by side in C order, else Fortran's order if they do in that, else strided: as Numba says
/// it.
inline Order order_of(const long long* shape, const long long* strides, int ndim, long long element_bytes) {
    bool c = true, fortran = true;
    long long size = 1;
    for (int axis = ndim - 1; axis >= 0; --axis) {
        if (shape[axis] != 1 && strides[axis] != size * element_bytes) c = false;
        size *= shape[axis];
    }
    if (c || size == 0) return Order::c;
    long long step = element_bytes;
    for (int axis = 0; axis < ndim; ++axis) {
        if (shape[axis] != 1 && strides[axis] != step) fortran = false;
        step *= shape[axis];
    }
    return fortran ? Order::fortran : Order::strided;
}

/// The number that stands for a type in lookups.
constexpr std::uint16_t code_of(Element element, unsigned ndim, Order order) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(element) | ndim << 5 | static_cast<unsigned>(order) << 9);
}
/// The hash of several.
constexpr std::uint64_t hash_of_codes(const std::uint16_t* codes, std::size_t count) {
    std::uint64_t hash = count;
    for (std::size_t i = 0; i < count; ++i) {
        hash = (hash ^ codes[i]) * 0x9E3779B97F4A7C15ull;
        hash ^= hash >> 29;
    }
    return hash;
}

template <class T>
struct Named<T, std::enable_if_t<is_vector<T>>> : std::true_type {
    static const NamedType* type() {
        using Vector = VectorShape<T>;
        static const NamedType* const only =
            named_type(name_of(element_of<typename Vector::Component>()) + ("x" + std::to_string(Vector::count)),
                       sizeof(T), alignof(T));
        return only;
    }
};

/// How a type becomes an argument: `static Argument from(T& value)`.
template <class T, class = void>
struct MakeArgument {
    static_assert(
        !std::is_same_v<T, T>,
        "no argument of a kernel: these are numbers, std::complex, arrays (pyk::Array, std::vector, spans), structs "
        "of PYK_RECORD, dates, pyk::none and std::optional; an enumeration is cast to its integer, a pointer and a C "
        "array are passed as pyk::host(pointer, {count}), and std::vector<bool> has no elements to point to");
    static Argument from(const T& value);
};

template <class T>
struct MakeArgument<T, std::enable_if_t<std::is_arithmetic_v<T> || IsComplex<std::remove_cv_t<T>>::value>> {
    static Argument from(const T& value) {
        Argument argument;
        argument.element = element_of<T>();
        if constexpr (IsComplex<std::remove_cv_t<T>>::value) {
            argument.complex[0] = value.real();
            argument.complex[1] = value.imag();
        } else if constexpr (std::is_same_v<std::remove_cv_t<T>, bool>)
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

template <class T>
struct MakeArgument<T, std::enable_if_t<is_half<T>>> {
    static Argument from(const T& value) {
        Argument argument;
        argument.element = element_of<T>();
        argument.real = static_cast<double>(static_cast<float>(value));
        return argument;
    }
};

template <class T>
struct MakeArgument<T, std::enable_if_t<Named<std::remove_cv_t<T>>::value>> {
    static Argument from(const T& value) {
        Argument argument;
        argument.element = Element::named;
        argument.named = named_type_of<T>();
        argument.data = const_cast<std::remove_cv_t<T>*>(&value);
        return argument;
    }
};

template <>
struct MakeArgument<None> {
    static Argument from(const None&) {
        Argument argument;
        argument.element = Element::none;
        return argument;
    }
};
template <>
struct MakeArgument<const None> : MakeArgument<None> {};

/// std::void_t, of which clang would take two specialisations for the same one.
template <class...>
struct Void {
    using type = void;
};

// std::optional, by its shape.
template <class T>
struct MakeArgument<T, typename Void<decltype(std::declval<const T&>().has_value()), typename T::value_type>::type> {
    static Argument from(const T& value) {
        if (!value.has_value()) return MakeArgument<None>::from(none);
        return MakeArgument<const typename T::value_type>::from(*value);
    }
};

template <class T, int N>
struct MakeArgument<Array<T, N>> {
    static Argument from(const Array<T, N>& array) {
        return array_argument(array.data(), N, array.shape().data(), array.buffer().device());
    }
};
template <class T, int N>
struct MakeArgument<const Array<T, N>> {
    static Argument from(const Array<T, N>& array) {
        return array_argument(static_cast<const T*>(array.data()), N, array.shape().data(), array.buffer().device());
    }
};

template <class T, int N>
struct MakeArgument<View<T, N>> {
    static Argument from(const View<T, N>& view) {
        Argument argument = array_argument(view.data, N, view.shape.data(), view.device);
        argument.order = order_of(view.shape.data(), view.strides.data(), N, sizeof(T));
        if (argument.order == Order::strided)
            for (int axis = 0; axis < N; ++axis) argument.strides[axis] = view.strides[static_cast<std::size_t>(axis)];
        return argument;
    }
};
template <class T, int N>
struct MakeArgument<const View<T, N>> : MakeArgument<View<T, N>> {};

template <class T>
struct IsOwnedArray : std::false_type {};
template <class T, int N>
struct IsOwnedArray<Array<T, N>> : std::true_type {};

template <class T>
struct IsOurArray : std::false_type {};
template <class T, int N>
struct IsOurArray<Array<T, N>> : std::true_type {};
template <class T, int N>
struct IsOurArray<View<T, N>> : std::true_type {};

template <class T, class = void>
struct IsContainer : std::false_type {};
template <class T>
struct IsContainer<T, typename Void<decltype(std::declval<T&>().data()), decltype(std::declval<T&>().size())>::type>
    : std::bool_constant<!IsOurArray<std::remove_cv_t<T>>::value> {};

// Contiguous containers in host memory: whatever has data() and size().
template <class T>
struct MakeArgument<T, std::enable_if_t<IsContainer<T>::value>> {
    static Argument from(T& container) {
        const long long size = static_cast<long long>(container.size());
        return array_argument(container.data(), 1, &size, nullptr);
    }
};

/// std::tuple and std::pair, by their shape: how kernels have such a tuple, one element behind the other as in a C
/// struct.
template <class T, class = void>
struct IsTuple : std::false_type {};
template <class T>
struct IsTuple<T, typename Void<decltype(std::tuple_size<T>::value)>::type>
    : std::bool_constant<!IsContainer<T>::value && !IsComplex<T>::value> {};

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
    template <std::size_t... I>
    static constexpr std::size_t end(std::index_sequence<I...>) {
        std::size_t at = 0;
        ((at = behind(at, Part<I>::alignment) + Part<I>::size), ...);
        return at;
    }
    template <std::size_t... I>
    static std::string text(std::index_sequence<I...>) {
        std::string all;
        ((all += (I ? ", " : "(") + Part<I>::text()), ...);
        return all + (sizeof...(I) == 1 ? ",)" : ")");
    }
    template <std::size_t... I>
    static void write(const T& value, unsigned char* to, std::index_sequence<I...>) {
        using std::get;
        std::size_t at = 0;
        ((at = behind(at, Part<I>::alignment), Part<I>::write(get<I>(value), to + at), at += Part<I>::size), ...);
    }

  public:
    static constexpr std::size_t alignment = widest(Places());
    static constexpr std::size_t size = behind(end(Places()), alignment);
};

template <class T>
struct MakeArgument<T, std::enable_if_t<IsTuple<std::remove_cv_t<T>>::value>> {
    using Tuple = TupleElement<std::remove_cv_t<T>>;
    static Argument from(const T& value) {
        static const NamedType* const type = named_type(Tuple::text(), Tuple::size, Tuple::alignment);
        Argument argument;
        argument.element = Element::tuple;
        argument.named = type;
        argument.tuple = {
            &value,
            [](const void* object, unsigned char* to) { Tuple::write(*static_cast<const T*>(object), to); },
            {}};
        Tuple::find_memory(value, argument.tuple.memory);
        return argument;
    }
};

template <>
struct MakeArgument<Argument> {
    static Argument from(const Argument& argument) { return argument; }
};
template <>
struct MakeArgument<const Argument> : MakeArgument<Argument> {};

template <class T>
Argument make_argument(T& value) {
    return MakeArgument<T>::from(value);
}

}  // namespace jit

/// A number that the kernel is compiled for, as if the file had it as a constant: loops over it unroll, shapes of
/// shared and local arrays may have it. Each value makes a specialisation of its own.
template <class T>
jit::Argument constant(const T& number) {
    static_assert(std::is_arithmetic_v<T>, "constants are numbers");
    jit::Argument argument = jit::make_argument(number);
    argument.is_constant = true;
    return argument;
}

/// An array without axes (NumPy's 0-d array), whose element is the number, copied in and back, or the first one of an
/// array where that is. Precondition: the array has one.
template <class T>
jit::Argument cell(T& of) {
    jit::Argument argument;
    if constexpr (std::is_arithmetic_v<T> || jit::is_half<T> || jit::IsComplex<std::remove_cv_t<T>>::value ||
                  jit::Named<std::remove_cv_t<T>>::value)
        argument = jit::array_argument(&of, 0, nullptr, nullptr);
    else
        argument = jit::make_argument(of);
    argument.ndim = 0;
    argument.order = jit::Order::cell;
    return argument;
}

/// A host array that is not copied back, whatever the kernel does to its copy.
template <class T>
jit::Argument in(const T& array) {
    jit::Argument argument = jit::make_argument(array);
    argument.copy_out = false;
    argument.readonly = argument.device != nullptr;
    return argument;
}
/// A host array of which the kernel writes every element: not copied in.
template <class T>
jit::Argument out(T&& array) {
    jit::Argument argument = jit::make_argument(array);
    argument.copy_in = false;
    return argument;
}
/// A host array that the kernel reads and writes: what an argument is without saying so.
template <class T>
jit::Argument inout(T&& array) {
    return jit::make_argument(array);
}

}  // namespace pyk
