// An argument of a kernel whose C++ type is forgotten, and the elements that C++ types are.
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

/// What an array consists of: Element::named counts with the type.
struct ElementType {
    Element element = Element::int64;
    const NamedType* named = nullptr;

    constexpr ElementType() = default;
    constexpr ElementType(Element of, const NamedType* type = nullptr)
        : element(of), named(type) {}  // NOLINT: it is one
    constexpr bool is_number() const { return element <= Element::complex128; }
    /// What array functions and algorithms take: numbers, dates, records, vectors, texts; of results also tuples.
    constexpr bool is_value() const { return is_number() || element == Element::named; }
    friend constexpr bool operator==(ElementType a, ElementType b) {
        return a.element == b.element && a.named == b.named;
    }
    friend constexpr bool operator!=(ElementType a, ElementType b) { return !(a == b); }
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

/// One argument, its type forgotten. Arrays, values of a NamedType and tuples are referred to, not held: they must
/// outlive the call.
struct Argument {
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
    ElementType element_type() const { return {element, named}; }
};

/// std::void_t, of which clang would take two specialisations for the same one.
template <class...>
struct Void {
    using type = void;
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
template <class T>
ElementType element_type_of() {
    return {element_of<T>(), named_type_of<T>()};
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
    return static_cast<std::uint16_t>(static_cast<unsigned>(element) | ndim << 5 | static_cast<unsigned>(order) << 11);
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

}  // namespace jit
}  // namespace pyk
